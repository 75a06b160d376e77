// What may enter the journal: amounts that balance, ledgers that take lines, dates in open periods. Pure, so that every way in agrees.
import { addDays } from '../../foundation/calendar.ts'
import { addCents, applyRate, divideRounded, formatCents, parseDecimal, type Currency } from '../../foundation/money.ts'
import { invalid, notFound } from '../../foundation/refusal.ts'
import type { Area, BookLedger, BookPeriod, Books } from '../books/contract.ts'
import type { OpenItem } from '../cash-basis/contract.ts'
import type { LedgerRole } from '../ledgers/contract.ts'
import type { Posting, PostingLine } from './contract.ts'

/** A line with every amount known. */
export type PricedLine = PostingLine & { currency: Currency; base_amount: number; rate: string }

/** The rate of a currency on a date, in units of the base currency; null where there is none. */
export type RateOf = (currency: Currency, date: string) => string | null

export function isCashLedger(ledger: { is_bank: boolean; role: string | null }): boolean {
  return ledger.is_bank || ledger.role === 'undeposited_funds' || ledger.role === 'processor_clearing'
}

const CONTROL_ROLES: ReadonlySet<string | null> = new Set<LedgerRole>([
  'accounts_receivable', 'accounts_payable', 'inventory', 'sales_tax_payable', 'sales_tax_recoverable', 'customer_deposits', 'vendor_prepayments',
  'deferred_revenue', 'goods_received_not_invoiced', 'accumulated_depreciation',
])

/** Ledgers that the documents of another group make up. */
export function isControlLedger(ledger: { role: string | null }): boolean {
  return CONTROL_ROLES.has(ledger.role)
}

export function isProfitAndLoss(ledger: { type: string }): boolean {
  return ledger.type === 'income' || ledger.type === 'expense'
}

/** The ledgers of the lines, in their order; refuses one that is not there or takes no lines. */
export function requireLedgers(books: Books, lines: readonly PostingLine[], default_currency: string): BookLedger[] {
  return lines.map((line, index) => {
    const ledger = books.ledgers.get(line.ledger_id)
    if (!ledger) throw notFound(`Ledger ${line.ledger_id} of line ${index + 1}`)
    const name = nameOf(ledger)
    if (ledger.merged_into_id) throw invalid(`${name} is merged into another ledger: post to that one.`)
    if (ledger.archived) throw invalid(`${name} is archived: restore it, or choose another ledger.`)
    if (!ledger.posting) throw invalid(`${name} is a heading: post to one of the ledgers below it.`)
    const wanted = line.currency ?? default_currency
    if (isCashLedger(ledger) && wanted !== ledger.currency) {
      throw invalid(`${name} is kept in ${ledger.currency}: line ${index + 1} cannot be in ${wanted}.`)
    }
    return ledger
  })
}

/**
 * Lines that settle an item of another currency at what it is carried at, so that what the rate has made of it since is realised:
 * the difference goes to `gains`.
 */
export function carried(posting: Posting, base: Currency, items: ReadonlyMap<string, OpenItem>, gains: () => string): Posting & { gains_to?: string } {
  const settles = (line: PostingLine) => line.settles_line_id && line.base_amount === undefined && (line.currency ?? posting.currency ?? base) !== base
  if (!posting.lines.some(settles)) return posting
  const left = new Map([...items].map(([id, item]) => [id, { amount: item.amount + item.settled, base_amount: item.base_amount + item.settled_base }]))
  const lines = posting.lines.map((line) => {
    const item = settles(line) ? left.get(line.settles_line_id ?? '') : undefined
    if (!item || item.amount === 0) return line
    const base_amount = line.amount === -item.amount ? -item.base_amount : Number(divideRounded(BigInt(item.base_amount) * BigInt(line.amount), BigInt(item.amount)))
    item.amount += line.amount
    item.base_amount += base_amount
    return { ...line, base_amount }
  })
  return { ...posting, lines, gains_to: gains() }
}

/** Every line with its currency, rate and base amount; refuses what does not balance. */
export function priceLines(posting: Posting & { gains_to?: string }, base: Currency, rateOf: RateOf): PricedLine[] {
  if (posting.lines.length < 2) throw invalid('An entry needs at least two lines.')
  const priced = posting.lines.map((line): PricedLine => {
    const currency = line.currency ?? posting.currency ?? base
    const { amount } = line
    if (line.base_amount === undefined && currency !== base) {
      const rate = (currency === posting.currency ? posting.rate : null) ?? rateOf(currency, posting.date)
      if (!rate) throw invalid(`No ${currency}/${base} rate on or before ${posting.date}: add one with POST /fx/rates, or give the rate with the entry.`)
      return { ...line, currency, base_amount: applyRate(amount, rate), rate: plainDecimal(rate) }
    }
    const base_amount = line.base_amount ?? amount
    if (currency === base && amount !== base_amount) throw invalid(`A line in ${base} has the same amount in both columns: leave base_amount out.`)
    return { ...line, currency, base_amount, rate: impliedRate(amount, base_amount) }
  })
  requireSameSigns(priced)
  const missing = -addCents(...priced.map((line) => line.base_amount))
  const currencies = new Set(priced.map((line) => line.currency))
  const foreign = addCents(...priced.map((line) => line.amount))
  if (currencies.size === 1 && foreign !== 0) throw unbalanced(foreign, [...currencies][0] ?? base)
  if (missing === 0) return priced
  if (posting.gains_to) return [...priced, { ledger_id: posting.gains_to, amount: missing, currency: base, base_amount: missing, rate: '1' }]
  return roundedInto(priced, posting.lines, base, missing)
}

/** What conversion left over goes to the largest converted line; more than conversion can explain is an entry that does not balance. */
function roundedInto(priced: PricedLine[], given: readonly PostingLine[], base: Currency, missing: number): PricedLine[] {
  const converted = priced.map((line, index) => (line.currency !== base && given[index]?.base_amount === undefined ? index : -1)).filter((index) => index >= 0)
  if (Math.abs(missing) > Math.ceil(converted.length / 2)) throw unbalanced(-missing, base)
  const size = (index: number) => Math.abs(priced[index]?.base_amount ?? 0)
  const largest = converted.reduce((best, index) => (size(index) > size(best) ? index : best), converted[0] as number)
  return priced.map((line, index) => (index === largest ? { ...line, base_amount: line.base_amount + missing } : line))
}

function unbalanced(difference: number, currency: Currency) {
  const [more, less] = difference > 0 ? ['debits', 'credits'] : ['credits', 'debits']
  return invalid(`The entry does not balance: its ${more} are ${formatCents(Math.abs(difference), currency)} ${currency} above its ${less}.`)
}

function requireSameSigns(lines: readonly PricedLine[]): void {
  for (const [index, { amount, base_amount }] of lines.entries()) {
    if (amount === 0 && base_amount === 0) throw invalid(`Line ${index + 1} has no amount: give it one, or leave it out.`)
    if (amount * base_amount < 0) throw invalid(`Line ${index + 1} is a debit in one currency and a credit in the other.`)
  }
}

/** The rate that two amounts stand for, to ten decimals; 1 where one of them is zero. */
function impliedRate(amount: number, base_amount: number): string {
  if (amount === base_amount || amount === 0 || base_amount === 0) return '1'
  const units = divideRounded(BigInt(Math.abs(base_amount)) * 10n ** 10n, BigInt(Math.abs(amount)))
  const digits = String(units).padStart(11, '0')
  const text = `${digits.slice(0, -10)}.${digits.slice(-10)}`
  // Two amounts so far apart that ten decimals do not tell them from zero: the smallest rate there is.
  return units === 0n ? '0.0000000001' : plainDecimal(text)
}

/** One writing for one number: without zeros at either end. */
export function plainDecimal(text: string): string {
  const { units, scale } = parseDecimal(text)
  if (scale === 0) return String(units)
  const digits = String(units).padStart(scale + 1, '0')
  return `${digits.slice(0, -scale)}.${digits.slice(-scale)}`.replace(/\.?0+$/, '')
}

/** How the caller stands to periods that are softly closed. */
export type Override = { allowed: boolean; reason: string | null }

/** Refuses a date that takes no entries of this area. Periods beyond the last one are made before this is asked. */
export function requireOpenDate(periods: readonly BookPeriod[], date: string, area: Area, override: Override): void {
  const period = periodOf(periods, date)
  if (!period) {
    const [first] = periods
    throw invalid(first
      ? `${date} lies before the first period, which starts on ${first.start_date}: make earlier ones with POST /accounting-periods/generate.`
      : 'The business has no accounting periods: make them with POST /accounting-periods/generate.')
  }
  const usable = `use ${firstOpenDate(periods, date, area) ?? 'a later year'} or later`
  if (period.status === 'closed') throw invalid(`${period.name} is closed; ${usable}, or reopen the period.`)
  if (period.locks.includes(area)) throw invalid(`${period.name} is locked for ${area}; ${usable}, or unlock it.`)
  if (period.status === 'soft_closed' && !(override.allowed && override.reason)) {
    throw invalid(override.allowed
      ? `${period.name} is softly closed; ${usable}, or give the header x-override-reason.`
      : `${period.name} is softly closed; ${usable}, or ask someone who may override it.`)
  }
}

/** Periods come in order and without a gap, so the last one that starts on or before the date is the one. */
export function periodOf(periods: readonly BookPeriod[], date: string): BookPeriod | null {
  let low = 0
  let high = periods.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((periods[middle] as BookPeriod).start_date <= date) low = middle + 1
    else high = middle
  }
  const period = periods[low - 1]
  return period && date <= period.end_date ? period : null
}

/** The first date on or after this one that takes entries of the area; null where every period after it is closed. */
export function firstOpenDate(periods: readonly BookPeriod[], date: string, area: Area): string | null {
  const next = periods.find((period) => period.end_date >= date && period.status === 'open' && !period.locks.includes(area))
  if (next) return next.start_date > date ? next.start_date : date
  const last = periods.at(-1)
  return last && last.end_date >= date ? addDays(last.end_date, 1) : null
}

export function nameOf(ledger: { number: string | null; name: string }): string {
  return ledger.number === null ? ledger.name : `${ledger.number} ${ledger.name}`
}
