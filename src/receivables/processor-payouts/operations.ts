// What is known of payouts, and what they post: one entry on the day of arrival, bank and fees against clearing.
import type { Surroundings } from '../../foundation/database/context.ts'
import type { PageQuery } from '../../foundation/database/list.ts'
import { changed } from '../../foundation/database/rows.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { addDays } from '../../foundation/calendar.ts'
import { newId } from '../../foundation/ids.ts'
import type { Payout as FoundPayout } from '../../foundation/processor/processor.ts'
import { invalid, notFound, Refusal } from '../../foundation/refusal.ts'
import type { Books } from '../../ledger/books/contract.ts'
import { ledgerOfRole, readBooks } from '../../ledger/books/operations.ts'
import type { TransactionSummary } from '../../ledger/cash-book/contract.ts'
import { claim, lockTransactions, recordTransactions, release, saveRow, transactionsByIds } from '../../ledger/cash-book/operations.ts'
import { postEntry, reverseEntry } from '../../ledger/posting/operations.ts'
import { requireOpenDate } from '../../ledger/posting/rules.ts'
import { payOutCharges, releaseCharges } from '../processor-charges/operations.ts'
import type { ConnectionRow } from '../processor-connections/contract.ts'
import { lockConnection, requireAccount } from '../processor-connections/operations.ts'
import { bankLedgerOf } from '../processor-connections/rules.ts'
import { payoutsByIds } from '../processor-settlements/operations.ts'
import { payoutResource, type Payout, type PayoutDetail, type PayoutRow } from './contract.ts'
import { figuresOf, payoutLines, requireDeposit } from './rules.ts'
import * as store from './store.ts'

const DOCUMENT = 'processor_payout'
const SYNC_DAYS = 30

export async function listPayouts(tx: BusinessTx, query: PageQuery) {
  const page = await tx.page(store.payouts, query)
  return { ...page, items: await shownAll(tx, page.items) }
}

export async function getPayout(tx: BusinessTx, payout_id: string): Promise<PayoutDetail> {
  return detailed(tx, await tx.get(store.findPayout, { id: payout_id }, 'Payout'))
}

export const sync = {
  async read(tx: BusinessTx, { body }: { body: { from?: string } }): Promise<{ account_id: string; from: string }> {
    const { account_id } = await requireAccount(tx)
    return { account_id, from: body.from ?? addDays(tx.today, -SYNC_DAYS) }
  },
  async call({ processor }: Surroundings, { account_id, from }: { account_id: string; from: string }): Promise<FoundPayout[]> {
    return processor.listPayouts(account_id, from)
  },
  async write(tx: BusinessTx, _input: unknown, _plan: unknown, found: FoundPayout[] | null): Promise<{ found: number; queued: number }> {
    const payouts = found ?? []
    const known = await tx.many(store.knownStatuses, { processor_payout_ids: payouts.map(({ id }) => id) })
    const statuses = new Map(known.map(({ processor_payout_id, status }) => [processor_payout_id, status]))
    const news = payouts.filter(({ id, status }) => statuses.get(id) !== status)
    for (const { id } of news) tx.enqueue('processor.read', { business_id: tx.business_id, subject: 'payout', object_id: id })
    return { found: payouts.length, queued: news.length }
  },
}

export async function payoutCandidates(tx: BusinessTx, payout_id: string): Promise<TransactionSummary[]> {
  const payout = await tx.get(store.findPayout, { id: payout_id }, 'Payout')
  const bank = await bankOf(tx, payout)
  return bank === null ? [] : tx.many(store.candidates, { ledger_id: bank, arrival_date: payout.arrival_date, amount: payout.amount_cents })
}

export async function matchPayout(tx: BusinessTx, payout_id: string, transaction_id: string): Promise<PayoutDetail> {
  const payout = await tx.lock(store.lockPayout, { id: payout_id }, 'Payout')
  if (payout.bank_deposit_match_id === transaction_id) return detailed(tx, payout)
  if (payout.bank_deposit_match_id !== null) throw invalid('This payout is tied to another deposit: untie it first.')
  if (payout.transaction_id === null) throw invalid(`This payout is ${payout.status} and not in the books: there is nothing that a deposit could prove.`)
  const rows = await lockTransactions(tx, [payout.transaction_id, transaction_id])
  const [booked, deposit] = [rows.get(payout.transaction_id), rows.get(transaction_id)]
  if (!deposit) throw notFound(`Transaction ${transaction_id}`)
  if (!booked) throw new Error(`The book row of payout ${payout_id} is missing.`)
  requireDeposit(deposit, payout, booked.ledger_id)
  claim(tx, [{ id: newId(), transaction: deposit, document_type: DOCUMENT, document_id: payout_id, amount: Math.abs(deposit.amount) }])
  saveRow(tx, 'transaction.matched', booked, { bank_transaction_id: deposit.id })
  return detailed(tx, save(tx, payout, { bank_deposit_match_id: deposit.id }, 'payout.matched'))
}

export async function unmatchPayout(tx: BusinessTx, payout_id: string): Promise<PayoutDetail> {
  const payout = await tx.lock(store.lockPayout, { id: payout_id }, 'Payout')
  if (payout.bank_deposit_match_id === null) return detailed(tx, payout)
  return detailed(tx, await untie(tx, payout))
}

/** What the processor says of a payout now; the connection is locked. */
export async function applyPayout(tx: BusinessTx, connection: ConnectionRow, found: FoundPayout): Promise<PayoutRow> {
  const before = await tx.find(store.payoutByProcessorId, { processor_payout_id: found.id })
  const payout = before ? await followPayout(tx, before, found) : insert(tx, found)
  const carried = payout.status !== 'failed' && payout.status !== 'canceled'
  if (!before && carried) await writeItems(tx, payout, found)
  if (payout.status === 'paid' && payout.journal_entry_id === null) return post(tx, connection, payout, found, payout.arrival_date)
  return payout
}

/** Posts what a closed period, or a chart without the ledger, had kept out of the books. */
export async function postPayout(tx: BusinessTx, payout_id: string, date: string | undefined): Promise<PayoutDetail> {
  const connection = await lockConnection(tx)
  const payout = await tx.lock(store.lockPayout, { id: payout_id }, 'Payout')
  if (payout.journal_entry_id !== null) throw invalid('The entry of this payout stands.')
  if (payout.status !== 'paid') throw invalid(`This payout is ${payout.status}: only one that was paid is in the books.`)
  const items = await tx.many(store.itemsOf, { payout_id })
  const posted = await post(tx, connection, payout, { automatic: payout.automatic, items }, date ?? payout.arrival_date)
  if (posted.posting_problem !== null) throw invalid(posted.posting_problem)
  return detailed(tx, posted)
}

/** A payout that is known changes its status alone. One that fails after it was paid is taken out of the books again. */
async function followPayout(tx: BusinessTx, before: PayoutRow, found: FoundPayout): Promise<PayoutRow> {
  const arrival_date = before.journal_entry_id === null ? found.arrival_date : before.arrival_date
  const said = { status: found.status, failure_reason: found.failure_reason, arrival_date }
  if (said.status === before.status && said.arrival_date === before.arrival_date && said.failure_reason === before.failure_reason) return before
  if (said.status !== 'failed' && said.status !== 'canceled') return save(tx, before, said, said.status === 'paid' ? 'payout.paid' : 'payout.updated')
  const untied = before.bank_deposit_match_id === null ? before : await untie(tx, before)
  const changes = { ...said, journal_entry_id: null, transaction_id: null, posting_problem: null }
  // The claim on a book row has the id of its payout: released, the row goes.
  if (untied.transaction_id !== null) await release(tx, [untied.id])
  if (untied.journal_entry_id !== null) await reverseEntry(tx, untied.journal_entry_id, { area: 'receivables' })
  tx.queue(store.deleteItems, { payout_id: before.id })
  await releaseCharges(tx, before.id)
  return save(tx, untied, changes, 'payout.failed')
}

function insert(tx: BusinessTx, found: FoundPayout): PayoutRow {
  const { gross, fee } = figuresOf(found.items)
  const payout: PayoutRow = {
    id: newId(), business_id: tx.business_id, processor_payout_id: found.id, status: found.status, amount_cents: found.amount, currency: found.currency,
    gross_amount_cents: found.automatic ? gross : null, fee_amount_cents: found.automatic ? fee : null, arrival_date: found.arrival_date,
    automatic: found.automatic, failure_reason: found.failure_reason,
    processor_dashboard_url: found.dashboard_url, transaction_id: null, journal_entry_id: null, posting_problem: null, bank_deposit_match_id: null,
    created_at: tx.now, updated_at: tx.now, version: 1,
  }
  tx.queue(store.insertPayout, payout)
  const event = found.status === 'paid' ? 'payout.paid' : found.status === 'failed' ? 'payout.failed' : 'payout.created'
  tx.record(payoutResource, event, { before: null, after: payout })
  return payout
}

async function writeItems(tx: BusinessTx, payout: PayoutRow, { items }: FoundPayout): Promise<void> {
  if (items.length === 0) return
  tx.queue(store.insertItems, { payout_id: payout.id, items: JSON.stringify(items.map((item, position) => ({ ...item, position }))) })
  await payOutCharges(tx, payout.id, items.flatMap(({ kind, charge_id }) => (kind === 'charge' && charge_id !== null ? [charge_id] : [])))
}

type Carried = Pick<FoundPayout, 'automatic'> & { items: Parameters<typeof figuresOf>[0] }

/** Into the books, or with the reason why not: what the processor has done stands either way. */
async function post(tx: BusinessTx, connection: ConnectionRow, payout: PayoutRow, { automatic, items }: Carried, date: string): Promise<PayoutRow> {
  const { books } = await readBooks(tx)
  const plan = planOf(tx, books, connection, payout, date)
  if (plan instanceof Refusal) return plan.detail === payout.posting_problem ? payout : save(tx, payout, { posting_problem: plan.detail })
  const { fee, charge_fee } = figuresOf(items)
  const unbooked = !automatic ? 0 : connection.fee_recognition === 'charge' ? fee - charge_fee : fee
  const lines = payoutLines(payout.amount_cents, unbooked, plan)
  const [row] = payout.amount_cents === 0 ? [] : await recordTransactions(tx, [{
    ledger_id: plan.bank, amount: payout.amount_cents, datetime: date, counterparty: 'Card processor', description: 'Payout of the card processor',
    reference: payout.processor_payout_id.slice(0, 100),
  }])
  if (row) claim(tx, [{ id: payout.id, transaction: row, document_type: DOCUMENT, document_id: payout.id, amount: Math.abs(row.amount) }])
  const entry = lines.length === 0 ? null : await postEntry(tx, {
    date, memo: `Payout ${payout.processor_payout_id}`, source_type: DOCUMENT, source_id: payout.id, area: 'receivables', automatic: true, lines,
  })
  return save(tx, payout, { transaction_id: row?.id ?? null, journal_entry_id: entry?.id ?? null, posting_problem: null }, 'payout.posted')
}

type Plan = { bank: string; fees: string; clearing: string }

function planOf(tx: BusinessTx, books: Books, connection: ConnectionRow, payout: PayoutRow, date: string): Plan | Refusal {
  try {
    const base = tx.business.base_currency
    if (payout.currency !== base) throw invalid(`This payout is in ${payout.currency}, the books are kept in ${base}.`)
    const bank = bankLedgerOf(books, connection, base)
    if (!bank) throw invalid('The chart has no bank account that payouts could arrive on: add one, or choose one in the connection.')
    // Beyond the last period the posting makes new ones, which are open.
    const override = { allowed: tx.actor.permissions.has('periods:override'), reason: tx.request.override_reason }
    if (date <= (books.periods.at(-1)?.end_date ?? '')) requireOpenDate(books.periods, date, 'receivables', override)
    return { bank: bank.id, fees: ledgerOfRole(books, 'processor_fees').id, clearing: ledgerOfRole(books, 'processor_clearing').id }
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

async function untie(tx: BusinessTx, payout: PayoutRow): Promise<PayoutRow> {
  const { transaction_id, bank_deposit_match_id } = payout
  const rows = await lockTransactions(tx, [transaction_id, bank_deposit_match_id].filter((id) => id !== null))
  const claims = rows.get(bank_deposit_match_id ?? '')?.claims.filter(({ document_id }) => document_id === payout.id) ?? []
  await release(tx, claims.map(({ id }) => id))
  const booked = rows.get(transaction_id ?? '')
  if (booked) saveRow(tx, 'transaction.released', booked, { bank_transaction_id: null })
  return save(tx, payout, { bank_deposit_match_id: null }, 'payout.unmatched')
}

/** The bank account of a payout: where it was booked, or where it would be. */
async function bankOf(tx: BusinessTx, payout: PayoutRow): Promise<string | null> {
  if (payout.transaction_id !== null) return (await transactionsByIds(tx, [payout.transaction_id])).get(payout.transaction_id)?.ledger_id ?? null
  const [connection, { books }] = await Promise.all([requireAccount(tx), readBooks(tx)])
  return bankLedgerOf(books, connection, tx.business.base_currency)?.id ?? null
}

function save(tx: BusinessTx, before: PayoutRow, changes: Partial<PayoutRow>, event: (typeof payoutResource.events)[number] = 'payout.updated'): PayoutRow {
  const after = changed(before, changes, tx.now)
  tx.queue(store.updatePayout, after)
  tx.record(payoutResource, event, { before, after })
  return after
}

async function shownAll(tx: BusinessTx, payouts: readonly PayoutRow[]): Promise<Payout[]> {
  const summaries = await payoutsByIds(tx, payouts.map(({ id }) => id))
  return payouts.flatMap((payout) => {
    const summary = summaries.get(payout.id)
    return summary ? [{ ...payout, ...summary }] : []
  })
}

/** What was queued in this transaction is read back too: statements run in the order they were sent. */
async function detailed(tx: BusinessTx, payout: PayoutRow): Promise<PayoutDetail> {
  const [[shown], items] = await Promise.all([shownAll(tx, [payout]), tx.many(store.itemsOf, { payout_id: payout.id })])
  if (!shown) throw notFound('Payout')
  return { ...shown, items }
}
