// The lock of the journal, and the books behind it: read once, remembered per process, and confirmed by a stamp that every change renews.
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import type { BooksKeeper, Founder } from '../../access/businesses/operations.ts'
import { addDays, addMonths } from '../../foundation/calendar.ts'
import { newId } from '../../foundation/ids.ts'
import { invalid } from '../../foundation/refusal.ts'
import { periodResource, type AccountingPeriod } from '../accounting-periods/contract.ts'
import { loadDimensions } from '../dimension-rules/operations.ts'
import type { LedgerRole } from '../ledgers/contract.ts'
import type { BookLedger, Books, Head } from './contract.ts'
import { fiscalYear, fiscalYearOf } from './rules.ts'
import * as store from './store.ts'

/**
 * Locks the journal of the business until the transaction ends. Postings take it, and so must whatever changes what they are
 * held against, before it looks at anything it decides by. Lock rows of documents first, the journal last.
 */
export async function lockJournal(tx: BusinessTx): Promise<{ head: Head; books: Books }> {
  const head = await tx.get(store.lockHead, {}, 'Journal')
  return { head, books: await booksAt(tx, head.stamp) }
}

/** The books as they are, without a lock: for reading. */
export async function readBooks(tx: BusinessTx): Promise<{ head: Head; books: Books }> {
  const head = await tx.get(store.findHead, {}, 'Journal')
  return { head, books: await booksAt(tx, head.stamp) }
}

/** For a new business: the head of its journal, and the fiscal years from the start of its books to today. */
export const foundJournal: Founder = async (tx, business) => {
  tx.queue(store.insertHead)
  createPeriods(tx, yearsOf(tx, business), business.fiscal_year_start_month)
}

function yearsOf(tx: BusinessTx, { books_start_date, fiscal_year_start_month }: { books_start_date: string; fiscal_year_start_month: number }): number[] {
  const first = fiscalYearOf(books_start_date, fiscal_year_start_month)
  const last = Math.max(first, fiscalYearOf(tx.today, fiscal_year_start_month))
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}

/** What a business can no longer change once its books are in use; and what the books do where it can. */
export const booksKeeper: BooksKeeper = {
  async state(tx) {
    const { head, books } = await lockJournal(tx)
    const opened = await tx.find(store.openingEntry)
    return { has_postings: head.number > 0, has_closed_periods: books.periods.some(({ status }) => status !== 'open'), has_opening_balances: opened !== null }
  },
  async follow(tx, before, after) {
    if (after.base_currency !== before.base_currency) tx.queue(store.changeCurrency, { from: before.base_currency, to: after.base_currency })
    if (after.fiscal_year_start_month !== before.fiscal_year_start_month) {
      tx.queue(store.dropPeriods)
      createPeriods(tx, yearsOf(tx, after), after.fiscal_year_start_month)
    } else if (after.books_start_date < before.books_start_date) {
      const { books } = await lockJournal(tx)
      const first = books.periods[0]?.fiscal_year ?? Infinity
      createPeriods(tx, yearsOf(tx, after).filter((year) => year < first), after.fiscal_year_start_month)
    }
  },
}

/** Beyond the last period the fiscal years go on by themselves: the books with the periods up to this date, which are made where they are missing. */
export function extendPeriods(tx: BusinessTx, books: Books, date: string): Books {
  const last = books.periods.at(-1)
  if (!last || date <= last.end_date) return books
  if (date > addMonths(last.end_date, 12 * MOST_YEARS_AHEAD, 31)) {
    throw invalid(`${date} lies more than ${MOST_YEARS_AHEAD} years after the last period, ${last.name}: check the date, or make the periods first.`)
  }
  const start_month = Number(addDays(last.end_date, 1).slice(5, 7))
  const years: number[] = []
  for (let year = last.fiscal_year + 1; year <= fiscalYearOf(date, start_month); year++) years.push(year)
  return { ...books, periods: [...books.periods, ...createPeriods(tx, years, start_month)] }
}

/** Writes the periods of fiscal years that do not exist yet. */
export function createPeriods(tx: BusinessTx, fiscal_years: readonly number[], start_month: number): AccountingPeriod[] {
  const periods = fiscal_years.map((year) => fiscalYear(year, start_month)).flatMap(({ fiscal_year, months }) => months.map((month): AccountingPeriod => ({
    ...month, id: newId(), business_id: tx.business_id, fiscal_year, status: 'open', locks: [], closed_at: null, closed_by: null, reopen_reason: null, closing_hash: null,
    created_at: tx.now, updated_at: tx.now, version: 1,
  })))
  tx.queue(store.insertPeriods, { periods: JSON.stringify(periods) })
  // One event per year, told of its first period.
  for (const period of periods.filter(({ sequence }) => sequence === 1)) tx.record(periodResource, 'accounting_period.generated', { before: null, after: period })
  return periods
}

const MOST_YEARS_AHEAD = 10

/** The ledger that the service uses for this, or a 400 that says how to name one. */
export function ledgerOfRole(books: Books, role: LedgerRole): BookLedger {
  for (const ledger of books.ledgers.values()) if (ledger.role === role) return ledger
  throw invalid(`No ledger has the role ${role}: set one with PUT /ledgers/roles/${role}.`)
}

/** The books of the businesses that were used last. */
const remembered = new Map<string, { stamp: string; books: Books }>()
const MOST_REMEMBERED = 500

async function booksAt(tx: BusinessTx, stamp: string): Promise<Books> {
  const known = remembered.get(tx.business_id)
  remembered.delete(tx.business_id)
  const entry = known?.stamp === stamp ? known : { stamp, books: await load(tx) }
  // Put back at the end: the map is in the order of last use.
  remembered.set(tx.business_id, entry)
  if (remembered.size > MOST_REMEMBERED) remembered.delete(remembered.keys().next().value as string)
  return entry.books
}

async function load(tx: BusinessTx): Promise<Books> {
  const [ledgers, periods, dimensions] = await Promise.all([tx.many(store.ledgers), tx.many(store.periods), loadDimensions(tx)])
  return { ledgers: new Map(ledgers.map((ledger) => [ledger.id, ledger])), periods, dimensions }
}
