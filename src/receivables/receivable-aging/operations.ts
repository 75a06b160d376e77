// Makes the aging of receivables.
import { firstDayOfMonth } from '../../foundation/calendar.ts'
import type { Parameters } from '../../foundation/database/statement.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import type { Currency } from '../../foundation/money.ts'
import { requireCustomer, withAliases } from '../../directory/customers/operations.ts'
import { ledgersOfRole } from '../../directory/customer-activity/rules.ts'
import { readBooks } from '../../ledger/books/operations.ts'
import type { AgingItem, AgingQuery, ReceivableAging } from './contract.ts'
import { asksDocuments, bucketsOf, byAge, daysLate } from './rules.ts'
import * as store from './store.ts'

type Way = typeof store.byDocuments

export async function getAging(tx: BusinessTx, query: AgingQuery): Promise<ReceivableAging> {
  const { aging_by = 'due_date', as_of = tx.today, known_at, currency } = query
  const buckets = bucketsOf(query.bucket_days)
  const [{ head, books }, known, customer_ids] = await Promise.all([
    readBooks(tx), known_at ? tx.find(store.lastNumberAt, { known_at }) : null, query.customer_id ? meant(tx, query.customer_id) : null,
  ])
  const last_number = known_at ? known?.number ?? 0 : null
  const asked = {
    // Not the number of now: pages are bound to what they were asked for, and must bear that somebody posts between them.
    last_number,
    as_of, by_due_date: aging_by === 'due_date', first_days: buckets[0], second_days: buckets[1], third_days: buckets[2],
    customer_ids, currency: currency ?? null, ledger_ids: ledgersOfRole(books.ledgers, 'accounts_receivable'),
  }
  const balance_of = customer_ids ? store.customerBalance : store.controlBalance
  const { balance: control_balance } = await tx.get(balance_of, { ...asked, month: firstDayOfMonth(as_of) }, 'Balance')
  const quick = asksDocuments(as_of, tx.today, last_number === null || last_number === head.number) ? await read(tx, store.byDocuments, query, asked) : null
  // The journal decides where a document has gone astray.
  const { way, page, totals } = quick?.totals.total === control_balance ? quick : await read(tx, store.byJournal, query, asked)
  const items = query.detail ? await itemsOf(tx, way, asked, page.items.map(({ customer_id }) => customer_id ?? NOBODY)) : null
  return {
    ...page,
    items: page.items.map(({ totals: _totals, ...row }) => ({ ...row, items: items && (items.get(row.customer_id ?? NOBODY) ?? []) })),
    as_of,
    known_at: known_at ?? null,
    aging_by,
    buckets,
    base_currency: tx.business.base_currency as Currency,
    totals,
    control_balance,
    difference: control_balance - totals.total,
  }
}

/** A page, and the totals of all. */
async function read(tx: BusinessTx, way: Way, query: AgingQuery, asked: Parameters) {
  const page = await tx.page(way.rows, { ...query, ...asked })
  return { way, page, totals: page.items[0]?.totals ?? await tx.get(way.totals, asked, 'Aging') }
}

/** Stands for whoever a line does not name. */
const NOBODY = '00000000-0000-0000-0000-000000000000'

/** The customer that counts, and all whose lines are counted with it. */
async function meant(tx: BusinessTx, customer_id: string): Promise<string[]> {
  const customer = await requireCustomer(tx, customer_id)
  return withAliases(tx, customer.merged_into ?? customer.id)
}

async function itemsOf(tx: BusinessTx, way: Way, asked: { as_of: string }, rows: readonly string[]): Promise<Map<string, AgingItem[]>> {
  const found = await tx.many(way.items, { ...asked, rows })
  return new Map([...Map.groupBy(found, ({ customer_id }) => customer_id)].map(([customer_id, own]) => [
    customer_id, own.map(({ customer_id: _customer, aged_on, ...item }): AgingItem => ({ ...item, days: daysLate(aged_on, asked.as_of) })).sort(byAge),
  ]))
}
