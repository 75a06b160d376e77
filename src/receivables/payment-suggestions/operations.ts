// Running the matcher, and what people make of its suggestions.
import { getSettings } from '../../access/business-settings/operations.ts'
import { changed } from '../../foundation/database/rows.ts'
import type { Page, PageQuery } from '../../foundation/database/list.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import { invalid, Refusal } from '../../foundation/refusal.ts'
import type { Books } from '../../ledger/books/contract.ts'
import { readBooks } from '../../ledger/books/operations.ts'
import type { CashRow } from '../../ledger/cash-book/contract.ts'
import { lockTransactions } from '../../ledger/cash-book/operations.ts'
import { requireOpenDate } from '../../ledger/posting/rules.ts'
import type { DepositFacts } from '../deposit-candidates/contract.ts'
import { openDeposits, openInvoices, requireInvoices } from '../deposit-candidates/operations.ts'
import { recordPayments, type ToPay } from '../invoice-payments/operations.ts'
import { paidOn } from '../invoice-payments/rules.ts'
import { loadInvoices, lockInvoices, type Loaded } from '../invoices/operations.ts'
import { isOpen } from '../invoices/rules.ts'
import {
  DEFAULT_THRESHOLD, matchRunResource, suggestionResource, type AcceptInput, type MatchInput, type MatchRun, type PaymentSuggestion, type SuggestionRow,
  type SuggestionStatus,
} from './contract.ts'
import { keyOf, proposalsFor, reconciled, unrivalled, whatChanged, type Proposal } from './rules.ts'
import * as store from './store.ts'

const MOST_ACCEPTED = 500

export async function matchPayments(tx: BusinessTx, input: MatchInput) {
  await tx.exclusive(`payment matching in ${tx.business_id}`)
  if (input.invoice_ids) await requireInvoices(tx, input.invoice_ids)
  const deposits = await openDeposits(tx, input)
  const [pending, invoices, rejections, settings] = await Promise.all([
    tx.many(store.lockPending), openInvoices(tx, input.invoice_ids), tx.many(store.rejections, { ids: deposits.map(({ id }) => id) }), getSettings(tx),
  ])
  const rejected = new Set(rejections.map(keyOf))
  const proposals = proposalsFor(deposits, invoices, (key) => rejected.has(key))
  const plan = reconciled(pending, proposals, new Set(deposits.map(({ id }) => id)), new Set(invoices.map(({ id }) => id)))
  const run_id = newId()
  const created = plan.created.map((proposal) => suggestionOf(tx, proposal, run_id))
  const updated = plan.updated.map(({ kept, proposal: { confidence, reasons } }) => change(tx, kept, { confidence, reasons, run_id }))
  const threshold = input.auto_accept === false ? null : settings.sales.auto_match_threshold ?? (input.auto_accept ? DEFAULT_THRESHOLD : null)
  const living = [...created, ...updated.map(({ after }) => after), ...plan.unchanged]
  const sure = threshold === null ? null : await acceptable(tx, unrivalled(living, threshold), deposits, proposals)
  const figures = { scanned: deposits.length, created: created.length, updated: updated.length, auto_accepted: sure?.chosen.length ?? 0 }
  // The run is written first, for its suggestions point at it, and what it overtakes before what takes its place.
  const run: MatchRun = { id: run_id, business_id: tx.business_id, ...figures, run_by: tx.actor.user_id, created_at: tx.now }
  tx.queue(store.insertRun, run)
  save(tx, 'payment_suggestion.superseded', plan.superseded.map((kept) => change(tx, kept, { status: 'superseded' })))
  save(tx, 'payment_suggestion.updated', updated)
  insert(tx, created, plan.created)
  if (sure && sure.chosen.length > 0) {
    await pay(tx, sure, sure.chosen.map(({ proposal }) => proposal))
    save(tx, 'payment_suggestion.accepted', sure.chosen.map(({ row }) => change(tx, row, { status: 'accepted', decided_at: tx.now })))
  }
  tx.record(matchRunResource, 'payment_match_run.completed', { before: null, after: run })
  return { run_id, ...figures }
}

/** Invoices and deposits that are locked. */
type Locked = { invoices: Map<string, Loaded>; transactions: Map<string, CashRow> }
type Chosen = { row: SuggestionRow; proposal: Proposal }

/** Those of the sure ones that can be posted and are, once everything is locked, what they were when they were read. */
async function acceptable(
  tx: BusinessTx, rows: readonly SuggestionRow[], deposits: readonly DepositFacts[], proposals: readonly Proposal[],
): Promise<Locked & { chosen: Chosen[] }> {
  const { books } = await readBooks(tx)
  const depositOf = new Map(deposits.map((deposit) => [deposit.id, deposit]))
  const proposalOf = new Map(proposals.map((proposal) => [keyOf(proposal), proposal]))
  const wanted = rows.flatMap((row): Chosen[] => {
    const [proposal, deposit] = [proposalOf.get(keyOf(row)), depositOf.get(row.transaction_id)]
    return proposal && deposit && isPostable(tx, books, deposit) ? [{ row, proposal }] : []
  }).slice(0, MOST_ACCEPTED)
  const invoices = await lockInvoices(tx, wanted.flatMap(({ row }) => row.invoice_ids))
  const transactions = await lockTransactions(tx, wanted.map(({ row }) => row.transaction_id))
  const dismissed = new Set((await tx.many(store.dismissed, { ids: [...transactions.keys()] })).map(({ transaction_id }) => transaction_id))
  const chosen = wanted.filter(({ row, proposal }) => {
    const transaction = transactions.get(row.transaction_id)
    const untouched = transaction?.claimed === row.transaction_claimed && transaction.amount === row.transaction_amount && transaction.exclude_reason === null
    return untouched && !dismissed.has(row.transaction_id) && proposal.allocations.every(({ invoice_id, invoice_paid }) => {
      const invoice = invoices.get(invoice_id)?.invoice
      return invoice && invoice.total_paid === invoice_paid && isOpen(invoice.status) && !invoice.uncollectible
    })
  })
  return { invoices, transactions, chosen }
}

/** A day in a closed period, or a ledger that was archived, waits for a person. */
function isPostable(tx: BusinessTx, books: Books, { ledger_id, datetime }: DepositFacts): boolean {
  if (books.ledgers.get(ledger_id)?.archived !== false) return false
  // Beyond the last period the posting makes new ones, which are open.
  if (datetime > (books.periods.at(-1)?.end_date ?? '')) return true
  try {
    requireOpenDate(books.periods, datetime, 'receivables', { allowed: tx.actor.permissions.has('periods:override'), reason: tx.request.override_reason })
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

type Payable = { transaction_id: string; allocations: readonly { invoice_id: string; amount: number }[] }

/** Pays invoices from deposits: all or none. */
async function pay(tx: BusinessTx, { invoices, transactions }: Locked, wanted: readonly Payable[]): Promise<void> {
  await recordPayments(tx, invoices, wanted.flatMap(({ transaction_id, allocations }) => {
    const transaction = transactions.get(transaction_id) as CashRow
    return allocations.map(({ invoice_id, amount }): ToPay => ({
      invoice_id, amount, transaction, ...paidOn(null, transaction.datetime, tx.business.timezone), method: 'bank_transfer', reference: transaction.reference,
    }))
  }))
}

type ListQuery = PageQuery & { status?: SuggestionStatus[]; transaction_id?: string; min_confidence?: number }

export function listSuggestions(tx: BusinessTx, { status = ['pending'], ...query }: ListQuery): Promise<Page<PaymentSuggestion>> {
  return page(tx, { ...query, status })
}

export async function listInvoiceSuggestions(tx: BusinessTx, invoice_id: string, query: ListQuery): Promise<Page<PaymentSuggestion>> {
  const [found] = await Promise.all([page(tx, { ...query, invoice_id }), loadInvoices(tx, [invoice_id])])
  return found
}

/** One that waits by what is kept may have been overtaken by now. */
function page(tx: BusinessTx, query: ListQuery & { invoice_id?: string }): Promise<Page<PaymentSuggestion>> {
  const kept_status = query.status?.includes('superseded') ? [...new Set([...query.status, 'pending'])] : query.status
  return tx.page(store.suggestions, { ...query, kept_status } as PageQuery)
}

export async function acceptSuggestion(tx: BusinessTx, suggestion_id: string, input: AcceptInput): Promise<PaymentSuggestion> {
  const row = await tx.lock(store.lockSuggestion, { id: suggestion_id }, 'Payment suggestion')
  if (row.status === 'accepted') return get(tx, suggestion_id)
  if (row.status === 'rejected') throw invalid('This suggestion is rejected: pay the invoice from the deposit instead.')
  const suggested = await tx.many(store.allocationsOf, { ids: [suggestion_id] })
  const invoices = await lockInvoices(tx, suggested.map(({ invoice_id }) => invoice_id))
  const transactions = await lockTransactions(tx, [row.transaction_id])
  await requireStanding(tx, row)
  const given = input.allocations ?? suggested
  const twice = given.find(({ invoice_id }, index) => given.findIndex((other) => other.invoice_id === invoice_id) !== index)
  if (twice) throw invalid(`Invoice ${twice.invoice_id} is named twice: add its amounts up.`)
  const allocations = given.map(({ invoice_id, amount }, position) => {
    const known = suggested.find((each) => each.invoice_id === invoice_id)
    if (!known) throw invalid(`Invoice ${invoice_id} is not part of this suggestion: pay it from the deposit instead.`)
    return { ...known, position, amount }
  })
  await pay(tx, { invoices, transactions }, [{ transaction_id: row.transaction_id, allocations }])
  const total = allocations.reduce((sum, { amount }) => sum + amount, 0)
  save(tx, 'payment_suggestion.accepted', [change(tx, row, { status: 'accepted', total, decided_by: tx.actor.user_id, decided_at: tx.now })])
  if (input.allocations) {
    tx.queue(store.deleteAllocations, { suggestion_id })
    tx.queue(store.insertAllocations, { rows: JSON.stringify(allocations) })
  }
  return get(tx, suggestion_id)
}

export async function rejectSuggestion(tx: BusinessTx, suggestion_id: string, { reason }: { reason?: string | null }): Promise<PaymentSuggestion> {
  const row = await tx.lock(store.lockSuggestion, { id: suggestion_id }, 'Payment suggestion')
  if (row.status === 'rejected') return get(tx, suggestion_id)
  if (row.status === 'accepted') throw invalid('This suggestion is accepted: remove the payments instead.')
  await requireStanding(tx, row)
  const decided = { status: 'rejected' as const, decision_reason: reason || null, decided_by: tx.actor.user_id, decided_at: tx.now }
  save(tx, 'payment_suggestion.rejected', [change(tx, row, decided)])
  return get(tx, suggestion_id)
}

/** Refuses what was overtaken, saying by what. */
async function requireStanding(tx: BusinessTx, { id, currency }: SuggestionRow): Promise<void> {
  const { status } = await get(tx, id)
  if (status !== 'pending') throw invalid(whatChanged(await tx.many(store.changesOf, { id }), currency))
}

/** As it is at this point of the transaction: what was queued is read back too. */
function get(tx: BusinessTx, id: string): Promise<PaymentSuggestion> {
  return tx.get(store.findSuggestion, { id }, 'Payment suggestion')
}

function suggestionOf(tx: BusinessTx, { allocations: _allocations, ...proposal }: Proposal, run_id: string): SuggestionRow {
  return {
    id: newId(), business_id: tx.business_id, run_id, ...proposal, currency: proposal.currency as SuggestionRow['currency'], status: 'pending', decision_reason: null,
    decided_by: null, decided_at: null, created_at: tx.now, updated_at: tx.now, version: 1,
  }
}

function insert(tx: BusinessTx, rows: readonly SuggestionRow[], proposals: readonly Proposal[]): void {
  if (rows.length === 0) return
  tx.queue(store.insertSuggestions, { rows: JSON.stringify(rows) })
  const allocations = rows.flatMap(({ id }, index) => (proposals[index]?.allocations ?? []).map((each, position) => ({ suggestion_id: id, position, ...each })))
  tx.queue(store.insertAllocations, { rows: JSON.stringify(allocations) })
  for (const row of rows) tx.record(suggestionResource, 'payment_suggestion.created', { before: null, after: row })
}

type Change = { before: SuggestionRow; after: SuggestionRow }

function change(tx: BusinessTx, { standing: _standing, ...before }: SuggestionRow & { standing?: boolean }, changes: Partial<SuggestionRow>): Change {
  return { before, after: changed<SuggestionRow>(before, changes, tx.now) }
}

function save(tx: BusinessTx, event: (typeof suggestionResource.events)[number], changes: readonly Change[]): void {
  if (changes.length === 0) return
  tx.queue(store.updateSuggestions, { rows: JSON.stringify(changes.map(({ after }) => after)) })
  for (const { before, after } of changes) tx.record(suggestionResource, event, { before, after })
}
