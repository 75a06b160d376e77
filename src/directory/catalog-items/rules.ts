// What a catalog item must keep to, and how its prices change.
import { canonicalJson } from '../../foundation/canonical.ts'
import { divideRounded, parseDecimal, toCents, type Currency } from '../../foundation/money.ts'
import { invalid, notFound } from '../../foundation/refusal.ts'
import type { Column, TableRow } from '../../foundation/sheets.ts'
import { CURRENCIES } from '../../foundation/money.ts'
import type { Books } from '../../ledger/books/contract.ts'
import type { CatalogItem, CatalogItemUpdate, CatalogPrice, CatalogPriceChange } from './contract.ts'

const LONGEST_NAME = 200

/** As it is kept: without blanks around name and code, prices in the order of their currencies. */
export function tidy<Fields extends CatalogItemUpdate>(fields: Fields): Fields {
  const { name, code, prices } = fields
  return {
    ...fields,
    ...(name !== undefined && { name: name.trim() }),
    ...(typeof code === 'string' && { code: code.trim() }),
    ...(prices && { prices: inOrder(prices) }),
  }
}

export function keyOf(code: string): string {
  return code.toLowerCase()
}

export function differs(item: CatalogItem, changes: CatalogItemUpdate): boolean {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined)
  return given.some(([key, value]) => canonicalJson(value) !== canonicalJson(item[key as keyof CatalogItem]))
}

/** What it takes from the books must fit; what it has had all along is left as it is. */
export function requireSound(after: CatalogItem, before: CatalogItem | null, books: Books, tax_codes: ReadonlyMap<string, { code: string; archived: boolean }>): void {
  const { income_ledger_id, expense_ledger_id, tax_code_id } = after
  const [income, expense] = [chosen(income_ledger_id, before?.income_ledger_id), chosen(expense_ledger_id, before?.expense_ledger_id)]
  const tax = chosen(tax_code_id, before?.tax_code_id)
  const tax_code = tax === null ? null : tax_codes.get(tax)
  if (income !== null && !books.ledgers.has(income)) throw notFound(`Ledger ${income} of income_ledger_id`)
  if (expense !== null && !books.ledgers.has(expense)) throw notFound(`Ledger ${expense} of expense_ledger_id`)
  if (tax_code === undefined) throw notFound(`Tax code ${tax} of tax_code_id`)
  if (income !== null) requireLedger(books, income, 'income')
  if (expense !== null) requireLedger(books, expense, 'expense')
  if (tax_code?.archived) throw invalid(`The tax code ${tax_code.code} is archived: restore it, or choose another one.`)
  requireOnePerCurrency(after.prices)
  requireMonths(after)
}

function chosen(id: string | null, had: string | null | undefined): string | null {
  return id === had ? null : id
}

function requireLedger(books: Books, ledger_id: string, type: 'income' | 'expense'): void {
  const ledger = books.ledgers.get(ledger_id)
  if (!ledger) return
  if (ledger.type !== type) throw invalid(`${ledger.name} is of the type ${ledger.type}: ${type}_ledger_id takes a ledger of the type ${type}.`)
  if (ledger.archived) throw invalid(`${ledger.name} is archived: restore it, or choose another ledger.`)
  if (!ledger.posting) throw invalid(`${ledger.name} is a heading: choose a ledger that takes lines.`)
}

export function requireOnePerCurrency(prices: readonly CatalogPrice[]): void {
  const twice = prices.find(({ currency }, index) => prices.findIndex((other) => other.currency === currency) !== index)
  if (twice) throw invalid(`There are two prices in ${twice.currency}: an item has one per currency.`)
}

function requireMonths({ recognition }: CatalogItem): void {
  if (!recognition || recognition.months !== null) return
  if (['daily', 'monthly', 'monthly_half'].includes(recognition.method)) throw invalid(`recognition by ${recognition.method} needs months.`)
}

export function requireUnsold(item: CatalogItem): void {
  if (item.last_sold_on !== null) throw used(item)
}

export function used({ name }: { name: string }) {
  return invalid(`“${name}” was used: archive it instead.`)
}

export function requireOneWay({ item_ids, filter, percent, prices }: CatalogPriceChange): void {
  if ((item_ids === undefined) === (filter === undefined)) throw invalid('Say which items: give either item_ids or filter.')
  if ((percent === undefined) === (prices === undefined)) throw invalid('Say what changes: give either percent or prices.')
  if (percent !== undefined && parseDecimal(percent).units < -100n * 10n ** BigInt(parseDecimal(percent).scale)) {
    throw invalid(`percent ${percent} would make prices negative: -100 is the least.`)
  }
  requireOnePerCurrency(prices ?? [])
}

/** The prices of an item after the change. */
export function repriced(before: readonly CatalogPrice[], { percent, prices, currency, round_to = 1 }: CatalogPriceChange): CatalogPrice[] {
  if (percent === undefined) {
    const given = prices ?? []
    return inOrder([...before.filter((price) => !given.some((other) => other.currency === price.currency)), ...given])
  }
  return before.map((price) => (currency !== undefined && price.currency !== currency ? price : { ...price, unit_price: raised(price.unit_price, percent, round_to) }))
}

/** Rounded once, to the nearest multiple of round_to, half away from zero. */
export function raised(unit_price: number, percent: string, round_to: number): number {
  const { units, scale } = parseDecimal(percent)
  const whole = 100n * 10n ** BigInt(scale)
  const multiple = BigInt(round_to)
  return toCents(divideRounded(BigInt(unit_price) * (whole + units), whole * multiple) * multiple)
}

export function nameOfCopy(name: string): string {
  const ending = ' (copy)'
  return `${[...name].slice(0, LONGEST_NAME - ending.length).join('')}${ending}`
}

function inOrder(prices: readonly CatalogPrice[]): CatalogPrice[] {
  return prices.toSorted((a, b) => CURRENCIES.indexOf(a.currency) - CURRENCIES.indexOf(b.currency))
}

export const FILE_COLUMNS: Column[] = [
  { key: 'code', label: 'Code', kind: 'text' },
  { key: 'name', label: 'Name', kind: 'text' },
  { key: 'kind', label: 'Kind', kind: 'text' },
  { key: 'unit', label: 'Unit', kind: 'text' },
  { key: 'description', label: 'Description', kind: 'text' },
  ...CURRENCIES.map((currency: Currency): Column => ({ key: currency, label: `Price ${currency}`, kind: 'money' })),
  { key: 'deferred', label: 'Deferred', kind: 'text' },
  { key: 'archived', label: 'Archived', kind: 'text' },
  { key: 'last_sold_on', label: 'Last sold on', kind: 'date' },
  { key: 'id', label: 'Id', kind: 'text' },
]

export function fileRow({ code, name, kind, unit, description, prices, deferred, archived, last_sold_on, id }: CatalogItem): TableRow {
  const by_currency = Object.fromEntries(prices.map(({ currency, unit_price }) => [currency, unit_price]))
  return { code, name, kind, unit, description, ...by_currency, deferred: String(deferred), archived: String(archived), last_sold_on, id }
}
