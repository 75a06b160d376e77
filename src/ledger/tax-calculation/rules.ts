// How tax is computed: the one place, used by every document. Exact: percents are whole ten-thousandths, nothing passes through a fraction.
import { addCents, divideRounded, parseDecimal, splitCents, subtractCents, toCents } from '../../foundation/money.ts'
import { invalid, notFound } from '../../foundation/refusal.ts'
import type { TaxCode } from '../tax-codes/contract.ts'
import type { TaxExemption } from '../tax-exemptions/contract.ts'
import { exemptionFor } from '../tax-exemptions/rules.ts'
import type { TaxGroupComponent } from '../tax-groups/contract.ts'
import { percentOn } from '../tax-rates/rules.ts'
import type { Direction, LeviedRate, TaxCalculation, TaxComponent, TaxedLine, TaxTotals } from './contract.ts'

/** The part of the tax set-up that a calculation needs. */
export type TaxSetup = {
  codes: ReadonlyMap<string, Pick<TaxCode, 'id' | 'code' | 'treatment' | 'rate_id' | 'group_id' | 'archived'>>
  /** The components of each group, in their order. */
  groups: ReadonlyMap<string, readonly TaxGroupComponent[]>
  rates: ReadonlyMap<string, LeviedRate>
  exemptions: readonly TaxExemption[]
  /** The code of a line that has none, by direction. */
  defaults: Record<Direction, string | null>
}

export type TaxQuestion = {
  date: string
  direction: Direction
  customer_id?: string | null | undefined
  inclusive: boolean
  lines: readonly { amount: number; tax_code_id?: string | null | undefined }[]
}

type Code = TaxSetup['codes'] extends ReadonlyMap<string, infer C> ? C : never

/** A rate as it bears on a line. `weight` is 0 where the customer is exempt. */
type Levy = { rate: LeviedRate; percent: string; compound: boolean; exemption_id: string | null; weight: bigint }

export function calculateTax(setup: TaxSetup, question: TaxQuestion): TaxCalculation {
  const { date, direction, inclusive } = question
  const lines = question.lines.map(({ amount, tax_code_id }) => taxLine(setup, question, amount, tax_code_id ?? null))
  return { date, direction, inclusive, lines, totals: totalsOf(lines) }
}

function taxLine(setup: TaxSetup, question: TaxQuestion, amount: number, tax_code_id: string | null): TaxedLine {
  const code = codeOf(setup, question.direction, tax_code_id)
  const levies = code ? leviesOf(setup, question, code) : []
  const reverse_charge = code?.treatment === 'reverse_charge'
  // What the buyer accounts for is in nobody's price.
  const contained = question.inclusive && !reverse_charge
  // The magnitude is taxed and the sign put back, so that a credit is the exact mirror of the charge.
  const size = Math.abs(amount)
  const signed = (cents: number) => (amount < 0 ? 0 - cents : cents)
  const taxes = contained ? taxWithin(size, levies) : taxUpon(size, levies)
  const components = levies.map((levy, index) => componentOf(levy, question.direction, signed(taxes[index] ?? 0)))
  const tax = addCents(...components.map((component) => component.tax))
  const recoverable_tax = addCents(...components.map((component) => component.recoverable_tax))
  const net = contained ? subtractCents(amount, tax) : amount
  return {
    tax_code_id: code?.id ?? null,
    treatment: code?.treatment ?? null,
    reverse_charge,
    net,
    tax,
    gross: reverse_charge ? net : addCents(net, tax),
    recoverable_tax,
    cost: question.direction === 'sale' ? net : addCents(net, tax, -recoverable_tax),
    components,
  }
}

function codeOf(setup: TaxSetup, direction: Direction, tax_code_id: string | null): Code | null {
  const id = tax_code_id ?? setup.defaults[direction]
  if (id === null) return null
  const code = setup.codes.get(id)
  if (!code && tax_code_id === null) {
    throw invalid(`The default ${direction === 'sale' ? 'sales' : 'purchase'} code of the settings does not exist: choose another one there.`)
  }
  if (!code) throw notFound(`Tax code ${id}`)
  if (code.archived) throw invalid(`The tax code ${code.code} is archived: restore it, or choose another code.`)
  return code
}

function leviesOf(setup: TaxSetup, { date, direction, customer_id }: TaxQuestion, code: Code): Levy[] {
  const components = code.group_id ? setup.groups.get(code.group_id) ?? [] : code.rate_id ? [{ rate_id: code.rate_id, compound: false }] : []
  const may_exempt = direction === 'sale' && code.treatment === 'taxable'
  return components.map(({ rate_id, compound }) => {
    const rate = setup.rates.get(rate_id)
    if (!rate) throw new Error(`The rate ${rate_id} of ${code.code} was not loaded.`)
    const percent = percentOn(rate.versions, date)
    if (percent === null) throw noVersion(rate, date)
    const exemption = may_exempt ? exemptionFor(setup.exemptions, customer_id ?? null, rate.agency_id, date) : null
    return { rate, percent, compound, exemption_id: exemption?.id ?? null, weight: exemption ? 0n : millionths(percent) }
  })
}

function noVersion(rate: LeviedRate, date: string) {
  const [first] = rate.versions
  const begin = first ? `its first version is valid from ${first.valid_from}` : 'it has no versions'
  return invalid(`The tax rate “${rate.name}” has no percent on ${date}: ${begin}; add an earlier one.`)
}

/** Tax that is added: each component is rounded by itself, and a compound one also taxes what the earlier ones came to. */
function taxUpon(net: number, levies: readonly Levy[]): number[] {
  let before = 0n
  return levies.map(({ weight, compound }) => {
    const base = BigInt(net) + (compound ? before : 0n)
    const tax = divideRounded(base * weight, WHOLE)
    before += tax
    return toCents(tax)
  })
}

/** Tax that is contained: the share of the total effective rate, split over the components by what each adds to that rate. */
function taxWithin(gross: number, levies: readonly Levy[]): number[] {
  // Every effective rate is a number over this one: a compound component adds a factor, so the unit has one for each.
  const unit = WHOLE ** BigInt(levies.length)
  let total = 0n
  const effective = levies.map(({ weight, compound }) => {
    const rate = (weight * (compound ? unit + total : unit)) / WHOLE
    total += rate
    return rate
  })
  if (total === 0n) return levies.map(() => 0)
  return splitCents(toCents(divideRounded(BigInt(gross) * total, unit + total)), effective)
}

function componentOf({ rate, percent, exemption_id }: Levy, direction: Direction, tax: number): TaxComponent {
  const recoverable_tax = direction === 'purchase' ? toCents(divideRounded(BigInt(tax) * millionths(rate.recoverable_percent), WHOLE)) : 0
  return { rate_id: rate.id, agency_id: rate.agency_id, name: rate.name, percent, tax, recoverable_tax, exemption_id }
}

export function totalsOf(lines: readonly TaxedLine[]): TaxTotals {
  const sum = (pick: (line: TaxedLine) => number) => addCents(...lines.map(pick))
  return {
    net: sum((line) => line.net),
    tax: sum((line) => (line.reverse_charge ? 0 : line.tax)),
    reverse_charge_tax: sum((line) => (line.reverse_charge ? line.tax : 0)),
    gross: sum((line) => line.gross),
    recoverable_tax: sum((line) => line.recoverable_tax),
    cost: sum((line) => line.cost),
  }
}

/** A percent has at most 4 decimals, so as a share of the whole it is a whole number of millionths. */
const WHOLE = 1_000_000n

function millionths(percent: string): bigint {
  const { units, scale } = parseDecimal(percent)
  return units * 10n ** BigInt(4 - scale)
}
