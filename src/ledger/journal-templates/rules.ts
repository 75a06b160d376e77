// When a template is due, and what its entry says.
import { occurrenceAfter, type Frequency } from '../../foundation/calendar.ts'
import { divideRounded, parseDecimal, toCents, type Currency } from '../../foundation/money.ts'
import { invalid } from '../../foundation/refusal.ts'
import type { LineInput } from '../journal-drafts/contract.ts'
import { signedAmount } from '../journal-drafts/rules.ts'
import type { Template, TemplateLine, TemplateLineInput } from './contract.ts'

type Schedule = Pick<Template, 'frequency' | 'start_date' | 'end_date' | 'day_of_month' | 'max_occurrences' | 'occurrences' | 'last_date'>

export function requireSchedule({ frequency, start_date, end_date, day_of_month }: Schedule): void {
  if (frequency === null) return
  if (start_date === null) throw invalid(`A ${frequency} template needs a start_date.`)
  if (end_date !== null && end_date < start_date) throw invalid(`end_date ${end_date} lies before start_date ${start_date}.`)
  if (day_of_month !== null && !BY_MONTH.has(frequency)) throw invalid(`A ${frequency} template has no day_of_month: leave it out.`)
}

const BY_MONTH: ReadonlySet<Frequency> = new Set(['monthly', 'quarterly', 'annually'])

/** The first occurrence after the last one that has come, unless the schedule has ended by then. */
export function nextDate({ frequency, start_date, end_date, day_of_month, max_occurrences, occurrences, last_date }: Schedule): string | null {
  if (frequency === null || start_date === null || (max_occurrences !== null && occurrences >= max_occurrences)) return null
  const date = occurrenceAfter({ frequency, start_date, day_of_month }, last_date)
  return date === null || (end_date !== null && date > end_date) ? null : date
}

export function templateLine(input: TemplateLineInput, position: number): TemplateLine {
  const { amount_kind = 'fixed', percent, of_ledger_id } = input
  const fixed = amount_kind === 'fixed'
  const given = [input.amount, input.debit, input.credit].some((value) => value !== undefined)
  if (fixed && (percent !== undefined || of_ledger_id !== undefined)) throw invalid(`Line ${position} has a fixed amount: leave percent and of_ledger_id out.`)
  if (!fixed && (percent === undefined || of_ledger_id === undefined)) throw invalid(`Line ${position} needs percent and of_ledger_id.`)
  if (!fixed && (given || input.currency !== undefined)) throw invalid(`Line ${position} is a share of a ledger: leave its amount and currency out.`)
  return {
    ledger_id: input.ledger_id,
    amount_kind,
    amount: fixed ? signedAmount(input, position) : null,
    currency: input.currency ?? null,
    percent: percent ?? null,
    of_ledger_id: of_ledger_id ?? null,
    memo: input.memo ?? null,
    customer_id: input.customer_id ?? null,
    vendor_id: input.vendor_id ?? null,
    project_id: input.project_id ?? null,
    dimension_value_ids: [...new Set(input.dimension_value_ids ?? [])],
    tax_code_id: input.tax_code_id ?? null,
  }
}

/** The ledgers whose movement the lines share out. */
export function sharedLedgers(lines: readonly TemplateLine[]): string[] {
  return [...new Set(lines.flatMap(({ of_ledger_id }) => of_ledger_id ?? []))]
}

/** The lines of an entry, shares worked out from what the ledgers have moved. A line without an amount is left out. */
export function entryLines(lines: readonly TemplateLine[], movements: ReadonlyMap<string, number>, base: Currency): LineInput[] {
  const shares = new Map(sharedLedgers(lines).map((id) => [id, sharesOf(lines.filter((line) => line.of_ledger_id === id), movements.get(id) ?? 0)]))
  return lines.flatMap((line): LineInput[] => {
    const { ledger_id, memo, customer_id, vendor_id, project_id, dimension_value_ids, tax_code_id } = line
    const amount = line.of_ledger_id === null ? line.amount ?? 0 : shares.get(line.of_ledger_id)?.shift() ?? 0
    const currency = line.of_ledger_id === null ? line.currency : base
    if (amount === 0) return []
    return [{ ledger_id, amount, ...(currency !== null && { currency }), memo, customer_id, vendor_id, project_id, dimension_value_ids, tax_code_id }]
  })
}

const SCALE = 6

/** By largest remainder: the shares of one movement sum to what their percentages sum to, so an allocation balances to the cent. */
export function sharesOf(lines: readonly Pick<TemplateLine, 'percent'>[], movement: number): number[] {
  const whole = 100n * 10n ** BigInt(SCALE)
  const exact = lines.map(({ percent }) => {
    const { units, scale } = parseDecimal(percent ?? '0')
    return BigInt(movement) * units * 10n ** BigInt(SCALE - scale)
  })
  const shares = exact.map((value) => value / whole)
  const missing = divideRounded(exact.reduce((sum, value) => sum + value, 0n), whole) - shares.reduce((sum, value) => sum + value, 0n)
  const step = missing < 0n ? -1n : 1n
  const rests = exact.map((value, index) => ({ index, rest: (value % whole) * step }))
  const order = rests.sort((a, b) => (a.rest === b.rest ? a.index - b.index : a.rest > b.rest ? -1 : 1))
  for (const { index } of order.slice(0, Number(missing * step))) shares[index] = (shares[index] ?? 0n) + step
  return shares.map(toCents)
}
