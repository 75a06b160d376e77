// Reading deposits of which something is left, and the invoices that they could pay.
import type { Static } from 'typebox'
import type { Page, PageQuery } from '../../foundation/database/list.ts'
import type { Statement } from '../../foundation/database/statement.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { notFound } from '../../foundation/refusal.ts'
import type { DepositCandidate, DepositFacts, InvoiceFacts } from './contract.ts'
import { fitOf } from './rules.ts'
import * as store from './store.ts'

type CandidateRow = Static<typeof store.CandidateRow>

type CandidateQuery = PageQuery & { invoice_id?: string; dismissed?: boolean }

export async function listDepositCandidates(tx: BusinessTx, { invoice_id, dismissed = false, ...query }: CandidateQuery): Promise<Page<DepositCandidate>> {
  const [page, invoice] = await Promise.all([
    tx.page(store.candidates, { ...query, dismissed } as PageQuery), invoice_id ? invoiceAsked(tx, invoice_id) : undefined,
  ])
  return { ...page, items: page.items.map((row) => shown(row, invoice)) }
}

export async function getDepositCandidate(tx: BusinessTx, transaction_id: string): Promise<DepositCandidate> {
  return shown(await tx.get(store.findCandidate, { id: transaction_id }, 'Transaction'))
}

/** A deposit with what was said of it; null fits nothing, undefined was not asked for. */
function shown(row: CandidateRow, invoice?: InvoiceFacts | null): DepositCandidate {
  const { counterparty_raw: _raw, customer_id: _customer, claimed, reason, note, dismissed_by, dismissed_at, ...transaction } = row
  const dismissal = reason && dismissed_at ? { reason, note, dismissed_by, dismissed_at } : null
  const none = invoice === undefined ? { score: null, reasons: null } : { score: 0, reasons: [] }
  const fit = invoice ? fitOf(row, invoice) : none
  return { transaction, allocated: claimed, remaining: transaction.amount - claimed, dismissed: dismissal !== null, dismissal, ...fit }
}

/** Null for one that nothing can pay: a draft, a paid one. */
async function invoiceAsked(tx: BusinessTx, invoice_id: string): Promise<InvoiceFacts | null> {
  const [[invoice]] = await Promise.all([openInvoices(tx, [invoice_id]), requireKnown(tx, store.knownInvoices, [invoice_id], 'invoice_id: invoice')])
  return invoice ?? null
}

export const MOST_DEPOSITS = 2000

type Scope = { transaction_ids?: string[] | null; from?: string | null; to?: string | null }

/** Deposits that can pay something, the newest first. */
export async function openDeposits(tx: BusinessTx, { transaction_ids, from, to }: Scope): Promise<DepositFacts[]> {
  if (transaction_ids) await requireKnown(tx, store.knownTransactions, transaction_ids, 'transaction_ids: transaction')
  return tx.many(store.openDeposits, { transaction_ids: transaction_ids ?? null, from: from ?? null, to: to ?? null, most: MOST_DEPOSITS })
}

/** Invoices that can be paid: all, or those of these. */
export async function openInvoices(tx: BusinessTx, invoice_ids?: string[] | null): Promise<InvoiceFacts[]> {
  return tx.many(store.openInvoices, { invoice_ids: invoice_ids ?? null })
}

export function requireInvoices(tx: BusinessTx, invoice_ids: readonly string[]): Promise<void> {
  return requireKnown(tx, store.knownInvoices, invoice_ids, 'invoice_ids: invoice')
}

async function requireKnown(tx: BusinessTx, statement: Statement<{ id: string }>, ids: readonly string[], what: string): Promise<void> {
  const known = new Set((await tx.many(statement, { ids: [...new Set(ids)] })).map(({ id }) => id))
  const missing = ids.find((id) => !known.has(id))
  if (missing) throw notFound(`${what} ${missing}`)
}
