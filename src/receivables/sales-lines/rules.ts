// How the lines of a sales document are read, priced and taxed. Pure: what they name is handed in.
import { addCents, applyRate, divideRounded, multiplyCents, parseDecimal, toCents } from '../../foundation/money.ts'
import { isUuid, newId } from '../../foundation/ids.ts'
import { invalid, Refusal, unprocessable, type Problem } from '../../foundation/refusal.ts'
import type { TaxCalculation, TaxCalculationInput } from '../../ledger/tax-calculation/contract.ts'
import { CUSTOM, type LineInput, type SalesLine, type TaxMode, type Totals } from './contract.ts'

/** What may be sold, as far as a line needs to know it. `price` is null where there is none in the currency of the document. */
export type Sellable = {
  name: string
  description: string | null
  price: number | null
  ledger_id: string | null
  tax_code_id: string | null
  deferred: boolean
  archived: boolean
}

export type Sellables = { variant(id: string): Sellable; catalogItem(id: string): Sellable }

type Place = (string | number)[]

/** What a schema cannot say of lines, all at once. */
export function requireLineShapes(lines: readonly LineInput[], place: Place = ['body', 'line_items']): void {
  const problems = lines.flatMap((line, index) => lineProblems(line, [...place, index]))
  if (problems.length > 0) throw unprocessable(problems)
}

function lineProblems(line: LineInput, place: Place): Problem[] {
  const problems: Problem[] = []
  const add = (field: string, type: Problem['type'], msg: string) => problems.push({ loc: [...place, field], msg, type })
  const variant = variantOf(line)
  if (variant !== null && !isUuid(variant)) add('variant_id', 'uuid_parsing', 'Must be a UUID, or the word custom.')
  if (variant !== null && line.catalog_item_id) add('catalog_item_id', 'value_error', 'A line has a variant or a catalog item, not both.')
  if (isGiven(line.discount_percent) && isGiven(line.discount_amount)) add('discount_amount', 'value_error', 'Give discount_percent or discount_amount, not both.')
  if (line.service_date && line.service_end_date && line.service_end_date < line.service_date) add('service_end_date', 'value_error', 'Must not be before service_date.')
  const price = line.unit_price ?? line.amount
  if (!isGiven(line.unit_price) && isGiven(line.amount) && line.amount < 0) problems.push({ loc: [...place, 'amount'], msg: 'Must be 0 or more.', type: 'greater_than_equal', ctx: { ge: 0 } })
  if (variant === null && !line.catalog_item_id) {
    if (!line.description?.trim()) add('description', 'missing', 'Required for a line by hand.')
    if (!isGiven(price)) add('unit_price', 'missing', 'Required for a line by hand.')
  }
  return problems
}

const isGiven = <T>(value: T | null | undefined): value is T => value !== null && value !== undefined

/** null for a line by hand. */
function variantOf({ variant_id }: LineInput): string | null {
  return !isGiven(variant_id) || variant_id === CUSTOM ? null : variant_id.toLowerCase()
}

/** Only what can be an id: whatever else stands there is refused by its shape. */
export const variantIds = (lines: readonly LineInput[]): string[] => lines.flatMap((line) => variantOf(line) ?? []).filter(isUuid)

/** The lines of a draft with their prices, without tax. `kept` are those that an id of a new line may name. */
export function draftLines(inputs: readonly LineInput[], sellables: Sellables, kept: ReadonlySet<string> = new Set()): SalesLine[] {
  return inputs.map((input, index): SalesLine => {
    const variant_id = variantOf(input)
    const catalog_item_id = input.catalog_item_id ?? null
    const sold = variant_id ? sellables.variant(variant_id) : catalog_item_id ? sellables.catalogItem(catalog_item_id) : null
    if (sold?.archived && !(input.id && kept.has(input.id))) throw invalid(`Line ${index + 1}: ${sold.name} is archived: restore it, or choose something else.`)
    const own_price = input.unit_price ?? input.amount ?? null
    const line: SalesLine = {
      id: input.id && kept.has(input.id) ? input.id : newId(),
      position: index + 1,
      variant_id,
      catalog_item_id,
      quantity: input.quantity ?? 1,
      description: input.description?.trim() || sold?.description || sold?.name || null,
      unit_price: own_price ?? sold?.price ?? null,
      price_source: own_price === null ? 'catalog' : 'override',
      note: input.note ?? null,
      ledger_id: input.ledger_id ?? null,
      tax_code_id: input.tax_code_id ?? null,
      discount_percent: input.discount_percent ?? null,
      discount_amount: input.discount_amount ?? null,
      service_date: input.service_date ?? null,
      service_end_date: input.service_end_date ?? null,
      project_id: input.project_id ?? null,
      deferred: input.deferred ?? sold?.deferred ?? false,
      location_id: variant_id ? input.location_id ?? null : null,
      dimension_value_ids: [...new Set(input.dimension_value_ids ?? [])],
      gross: 0, discount: 0, amount: 0, tax_amount: 0, tax_components: [],
    }
    return priced(line)
  })
}

/** Prices that come from the catalog read again; where there is none in this currency the line cannot be sold. */
export function currentPrices(lines: readonly SalesLine[], sellables: Sellables): SalesLine[] {
  return lines.map((line) => {
    const sold = line.variant_id ? sellables.variant(line.variant_id) : line.catalog_item_id ? sellables.catalogItem(line.catalog_item_id) : null
    const unit_price = line.price_source === 'catalog' ? sold?.price ?? null : line.unit_price
    if (unit_price === null) throw invalid(`Line ${line.position} (${line.description ?? 'without description'}) has no price in this currency: give unit_price.`)
    return unit_price === line.unit_price ? line : priced({ ...line, unit_price })
  })
}

/** gross, discount and amount follow from quantity and price; a line without a price counts 0. */
function priced(line: SalesLine): SalesLine {
  const gross = inRange(line.position, () => multiplyCents(line.unit_price ?? 0, line.quantity))
  const discount = line.discount_percent !== null ? percentOf(gross, line.discount_percent) : line.discount_amount ?? 0
  // Without a price yet, a discount waits for it.
  if (discount > gross && line.unit_price !== null) throw invalid(`Line ${line.position}: the discount is above the amount that it is taken from.`)
  return { ...line, gross, discount: Math.min(discount, gross), amount: gross - Math.min(discount, gross) }
}

function percentOf(cents: number, percent: string): number {
  const { units, scale } = parseDecimal(percent)
  return toCents(divideRounded(BigInt(cents) * units, 100n * 10n ** BigInt(scale)))
}

/** What the tax calculation is asked of a document. */
export function taxQuestion(
  document: { date: string; customer_id: string; tax_mode: TaxMode }, lines: readonly SalesLine[], codeOf: (line: SalesLine) => string | null,
): TaxCalculationInput {
  return {
    date: document.date, direction: 'sale', customer_id: document.customer_id, inclusive: document.tax_mode === 'inclusive',
    lines: lines.map((line) => ({ amount: line.amount, tax_code_id: codeOf(line) })),
  }
}

/** The lines with their tax. A reversed charge is the buyer's and no part of the line. */
export function taxed(lines: readonly SalesLine[], tax: TaxCalculation | null, tax_ledger_id: () => string): SalesLine[] {
  return lines.map((line, index) => {
    const found = tax?.lines[index]
    if (!found || found.reverse_charge) return { ...line, tax_amount: 0, tax_components: [], tax_code_id: line.tax_code_id ?? found?.tax_code_id ?? null }
    const tax_components = found.components.map(({ rate_id, name, percent, tax: amount }) => ({ rate_id, name, rate: percent, ledger_id: tax_ledger_id(), amount }))
    return { ...line, tax_amount: found.tax, tax_components }
  })
}

export function totalsOf(lines: readonly SalesLine[], tax_mode: TaxMode): Totals {
  return inRange(null, () => {
    const amounts = addCents(...lines.map((line) => line.amount))
    const tax_total = addCents(...lines.map((line) => line.tax_amount))
    const total = tax_mode === 'exclusive' ? addCents(amounts, tax_total) : amounts
    return { subtotal: total - tax_total, discount_total: addCents(...lines.map((line) => line.discount)), tax_total, total }
  })
}

/** What of a line is income: its amount without the tax that it contains. */
export function netOf(line: Pick<SalesLine, 'amount' | 'tax_amount'>, tax_mode: TaxMode): number {
  return tax_mode === 'inclusive' ? line.amount - line.tax_amount : line.amount
}

/** An amount in another currency, half away from zero. */
export const inBase = (cents: number, rate: string): number => applyRate(cents, rate)

/** Sums that a JSON number could not carry are a fault of the body. */
function inRange<T>(position: number | null, compute: () => T): T {
  try {
    return compute()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const loc = position === null ? ['body', 'line_items'] : ['body', 'line_items', position - 1, 'unit_price']
    throw unprocessable([{ loc, msg: 'The amount is out of range.', type: 'less_than_equal', ctx: { le: Number.MAX_SAFE_INTEGER } }])
  }
}
