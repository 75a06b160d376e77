// Which balances follow the rate of the day, what they gain, and the entries that post it.
import { addDays, lastDayOfMonth } from '../../foundation/calendar.ts'
import { addCents, applyRate, subtractCents, type Currency } from '../../foundation/money.ts'
import { invalid, notFound } from '../../foundation/refusal.ts'
import type { BookLedger, BookPeriod, Books } from '../books/contract.ts'
import type { Effective } from '../fx-rates/rules.ts'
import type { Subtype } from '../ledgers/contract.ts'
import type { Posting, PostingLine } from '../posting/contract.ts'
import { isCashLedger, nameOf, periodOf, requireOpenDate, type Override } from '../posting/rules.ts'
import type { FxPosition, FxRevaluationInput, MissingRate } from './contract.ts'

const MONETARY: ReadonlySet<string> = new Set<Subtype>([
  'bank', 'cash', 'accounts_receivable', 'other_current_asset', 'accounts_payable', 'credit_card', 'line_of_credit', 'current_loan', 'long_term_loan',
  'other_current_liability',
])

/** Paid before the thing is there: settled by the thing and not by money, so its worth does not follow the rate. */
const PAID_AHEAD: ReadonlySet<string | null> = new Set(['vendor_prepayments', 'customer_deposits'])

export function isMonetary(ledger: Pick<BookLedger, 'subtype' | 'is_bank' | 'role'>): boolean {
  return (MONETARY.has(ledger.subtype) || isCashLedger(ledger)) && !PAID_AHEAD.has(ledger.role)
}

/** A foreign balance as the tables have it, without the revaluation that stands for the day; `booked` is what that one posted. */
export type Balance = { ledger_id: string; currency: Currency; amount: number; base_amount: number; booked: number }

type Chart = Pick<Books, 'ledgers'>

export type Limits = Pick<FxRevaluationInput, 'ledger_ids' | 'currencies'>

/** The balances that follow the rate, under the ledger that lines go to today, in the order of the chart. */
export function monetaryBalances(books: Chart, balances: readonly Balance[], limits: Limits): (Balance & { ledger: BookLedger })[] {
  const found = new Map<string, Balance & { ledger: BookLedger }>()
  for (const balance of balances) {
    const ledger = standingFor(books, balance.ledger_id)
    if (!isMonetary(ledger)) continue
    if (limits.ledger_ids && !limits.ledger_ids.includes(ledger.id)) continue
    if (limits.currencies && !limits.currencies.includes(balance.currency)) continue
    const key = `${ledger.id} ${balance.currency}`
    const before = found.get(key) ?? { ledger, ledger_id: ledger.id, currency: balance.currency, amount: 0, base_amount: 0, booked: 0 }
    found.set(key, {
      ...before,
      amount: addCents(before.amount, balance.amount),
      base_amount: addCents(before.base_amount, balance.base_amount),
      booked: addCents(before.booked, balance.booked),
    })
  }
  const order = ({ ledger, currency }: { ledger: BookLedger; currency: string }) => `${ledger.number ?? '\uffff'} ${ledger.name} ${currency}`
  return [...found.values()]
    .filter(({ amount, base_amount, booked }) => amount !== 0 || base_amount !== 0 || booked !== 0)
    .sort((a, b) => (order(a) < order(b) ? -1 : 1))
}

/** The lines of a merged ledger stay where they are; what is posted for them goes to the one it was merged into. */
function standingFor(books: Chart, ledger_id: string): BookLedger {
  const ledger = books.ledgers.get(ledger_id)
  if (!ledger) throw new Error(`Ledger ${ledger_id} is not in the books.`)
  return ledger.merged_into_id ? standingFor(books, ledger.merged_into_id) : ledger
}

export function positionOf(balance: Balance & { ledger: BookLedger }, effective: Effective | null): FxPosition {
  const { ledger, currency, amount, base_amount, booked } = balance
  const realized = amount === 0
  const revalued_base = realized ? 0 : effective && applyRate(amount, effective.rate)
  return {
    ledger_id: ledger.id,
    ledger_number: ledger.number,
    ledger_name: ledger.name,
    currency,
    balance: amount,
    carrying_base: base_amount,
    rate: realized ? null : effective?.rate ?? null,
    rate_date: realized ? null : effective?.date ?? null,
    revalued_base,
    gain: revalued_base === null ? null : subtractCents(revalued_base, base_amount),
    kind: realized ? 'realized' : 'unrealized',
    booked,
  }
}

export function totalsOf(items: readonly FxPosition[]): { unrealized_gain: number; realized_gain: number } {
  const sum = (kind: FxPosition['kind']) => addCents(0, ...items.filter((item) => item.kind === kind).map((item) => item.gain ?? 0))
  return { unrealized_gain: sum('unrealized'), realized_gain: sum('realized') }
}

/** Each pair once. */
export function missingRates(items: readonly FxPosition[], base: Currency, on: string): MissingRate[] {
  const currencies = new Set(items.filter(({ gain }) => gain === null).map(({ currency }) => currency))
  return [...currencies].sort().map((from_currency) => ({ from_currency, to_currency: base, on }))
}

/** Refuses a day that is not the end of a period, or whose entry or mirror would not be taken. */
export function requireRevaluable(periods: readonly BookPeriod[], as_of: string, override: Override): void {
  // Beyond the last period they go on month by month.
  const end = periodOf(periods, as_of)?.end_date ?? lastDayOfMonth(as_of)
  if (end !== as_of) throw invalid(`${as_of} is not the end of a period: use ${end}.`)
  const last = periods.at(-1)?.end_date ?? as_of
  for (const day of [as_of, mirrorDate(as_of)]) if (day <= last) requireOpenDate(periods, day, 'journal', override)
}

export function mirrorDate(as_of: string): string {
  return addDays(as_of, 1)
}

/** Refuses ledgers that are not there or do not follow the rate, rather than to leave them out in silence. */
export function requireMonetary(books: Chart, ledger_ids: readonly string[]): void {
  for (const ledger_id of ledger_ids) {
    const ledger = books.ledgers.get(ledger_id)
    if (!ledger) throw notFound(`Ledger ${ledger_id}`)
    if (!isMonetary(ledger)) throw invalid(`${nameOf(ledger)} is not revalued: only cash, receivables, payables, loans, cards and other current ledgers are.`)
    if (ledger.merged_into_id) throw invalid(`${nameOf(ledger)} is merged into another ledger: name that one.`)
  }
}

/** What the items gain against `contra`: one line each, and gains and losses apart on the other side. */
export function linesOf(items: readonly FxPosition[], kind: FxPosition['kind'], contra: () => BookLedger, base: Currency): PostingLine[] {
  const moving = items.filter((item) => item.kind === kind && item.gain !== null && item.gain !== 0)
  if (moving.length === 0) return []
  const lines = moving.map((item): PostingLine => ({ ledger_id: item.ledger_id, currency: item.currency, amount: 0, base_amount: item.gain ?? 0 }))
  const sides = [moving.filter((item) => (item.gain ?? 0) > 0), moving.filter((item) => (item.gain ?? 0) < 0)].filter((side) => side.length > 0)
  const others = sides.map((side): PostingLine => ({ ledger_id: contra().id, currency: base, amount: -addCents(...side.map((item) => item.gain ?? 0)) }))
  return [...lines, ...others]
}

/** The entries of a revaluation: that of the day with its mirror, and what is realized, which has none. */
export function postingsOf(source_id: string, as_of: string, unrealized: readonly PostingLine[], realized: readonly PostingLine[]): Posting[] {
  const shared = { date: as_of, source_type: 'fx_revaluation', source_id, automatic: true }
  return [
    { ...shared, memo: `Revaluation of foreign balances at ${as_of}`, auto_reverse_on: mirrorDate(as_of), lines: unrealized },
    { ...shared, memo: `Exchange differences on settled balances at ${as_of}`, lines: realized },
  ].filter(({ lines }) => lines.length > 0)
}
