// Applying credits to invoices and taking that back. Memos are locked before invoices.
import type { PageQuery } from '../../foundation/database/list.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import type { Currency } from '../../foundation/money.ts'
import { notFound } from '../../foundation/refusal.ts'
import { customersByIds } from '../../directory/customers/operations.ts'
import { ledgerOfRole, readBooks } from '../../ledger/books/operations.ts'
import type { PostedEntry } from '../../ledger/journal/contract.ts'
import { postEntries, reverseEntries } from '../../ledger/posting/operations.ts'
import type { CreditMemo, MemoRow } from '../credit-memos/contract.ts'
import { getMemo, lockMemo, lockMemos, openMemoIds, saveMemo, saveMemos } from '../credit-memos/operations.ts'
import { used } from '../credit-memos/rules.ts'
import { applyCredits, reverseCredits } from '../invoice-credits/operations.ts'
import type { InvoiceRow } from '../invoices/contract.ts'
import { lockInvoices, type Loaded } from '../invoices/operations.ts'
import type { CreditApplication } from './contract.ts'
import { applicationPosting, areRelated, oldestFirst, requireFits, type Wanted } from './rules.ts'
import * as store from './store.ts'

export type Applied = { memos: Map<string, MemoRow>; invoices: Map<string, Loaded>; applications: CreditApplication[] }

/** Applies credits to invoices, all of them locked: all or none, each by an entry of its own. */
export async function applyCreditsTo(tx: BusinessTx, memos: Map<string, MemoRow>, invoices: Map<string, Loaded>, wanted: readonly Wanted[]): Promise<Applied> {
  if (wanted.length === 0) return { memos, invoices, applications: [] }
  const [customers, { books }] = await Promise.all([
    customersByIds(tx, [...[...memos.values()].map(({ customer_id }) => customer_id), ...[...invoices.values()].map(({ invoice }) => invoice.customer_id)]), readBooks(tx),
  ])
  const accounts = { receivable: ledgerOfRole(books, 'accounts_receivable').id, deposits: ledgerOfRole(books, 'customer_deposits').id }
  const base = tx.business.base_currency
  const memo_now = new Map(memos)
  const owed = new Map([...invoices].map(([id, { invoice }]) => [id, invoice]))
  const ids = wanted.map(() => newId())
  // Each is held against what those before it leave.
  const postings = wanted.map((each, index) => {
    const memo = memo_now.get(each.credit_memo_id) as MemoRow
    const invoice = owed.get(each.invoice_id) as InvoiceRow
    const [payer, debtor] = [customers.get(memo.customer_id), customers.get(invoice.customer_id)]
    requireFits(memo, invoice, payer !== undefined && debtor !== undefined && areRelated(payer, debtor), each)
    const posting = applicationPosting(ids[index] ?? '', memo, invoice, each, accounts, base)
    const total_paid = invoice.total_paid + each.amount
    owed.set(invoice.id, { ...invoice, total_paid, status: total_paid === invoice.total ? 'manual_paid' : 'partially_paid' })
    memo_now.set(memo.id, used(memo, { applied: each.amount, base: posting.lines[0]?.base_amount ?? 0 }))
    return posting
  })
  const entries = await postEntries(tx, postings)
  const credits = wanted.map((each, index) => ({ ...each, id: ids[index] ?? '', number: memos.get(each.credit_memo_id)?.number ?? null, entry: entries[index] as PostedEntry }))
  const settled = applyCredits(tx, invoices, credits)
  const saved = saveMemos(tx, [...Map.groupBy(credits, ({ credit_memo_id }) => credit_memo_id)].map(([id, own]) => {
    const before = memos.get(id) as MemoRow
    const after = own.reduce((memo, { amount, entry }) => used(memo, { applied: amount, base: entry.lines[0]?.base_amount ?? 0 }), before)
    return { before, changes: after, event: 'credit_memo.applied' as const }
  }))
  return {
    memos: new Map([...memos, ...saved.map((memo): [string, MemoRow] => [memo.id, memo])]),
    invoices: settled,
    applications: credits.map(({ entry, number: _number, ...credit }) => {
      const { number, currency } = (invoices.get(credit.invoice_id) as Loaded).invoice
      return { ...credit, invoice_number: number, currency: currency as Currency, journal_entry_id: entry.id, created_at: tx.now, reversed_at: null }
    }),
  }
}

export async function applyMemo(tx: BusinessTx, memo_id: string, input: { allocations: { invoice_id: string; amount: number }[]; applied_on?: string | null }): Promise<CreditMemo> {
  const { memo } = await lockMemo(tx, memo_id)
  await allocate(tx, memo, input.allocations, input.applied_on)
  return getMemo(tx, memo_id)
}

/** Of a memo that is locked or was made in this transaction; `held` are invoices that are locked already. */
export async function allocate(
  tx: BusinessTx, memo: MemoRow, allocations: readonly { invoice_id: string; amount: number }[], applied_on?: string | null, held: Map<string, Loaded> = new Map(),
): Promise<Applied> {
  const ids = allocations.map(({ invoice_id }) => invoice_id).filter((id) => !held.has(id))
  const invoices = new Map([...held, ...(ids.length > 0 ? await lockInvoices(tx, ids) : [])])
  return applyCreditsTo(tx, new Map([[memo.id, memo]]), invoices, allocations.map((each) => ({ ...each, credit_memo_id: memo.id, applied_on: applied_on ?? tx.today })))
}

export async function autoApply(tx: BusinessTx, input: { customer_id: string; applied_on?: string | null }): Promise<{ applications: CreditApplication[] }> {
  const applied_on = input.applied_on ?? tx.today
  const members = await tx.many(store.membersOf, input)
  if (members.length === 0) throw notFound(`customer_id: customer ${input.customer_id}`)
  const customer_ids = members.map(({ id }) => id)
  const memos = await lockMemos(tx, await openMemoIds(tx, customer_ids, applied_on))
  const open = memos.size > 0 ? await tx.many(store.openInvoicesOf, { customer_ids, applied_on }) : []
  if (open.length === 0) return { applications: [] }
  const invoices = await lockInvoices(tx, open.map(({ id }) => id))
  const wanted = oldestFirst([...memos.values()], [...invoices.values()].map(({ invoice }) => invoice), applied_on)
  return { applications: (await applyCreditsTo(tx, memos, invoices, wanted)).applications }
}

export async function listApplications(tx: BusinessTx, memo_id: string, { include_superseded, ...query }: PageQuery & { include_superseded?: boolean }) {
  await getMemo(tx, memo_id)
  return tx.page(store.applications, { ...query, credit_memo_id: memo_id, ...(include_superseded ? {} : { standing: true }) } as PageQuery)
}

export async function removeApplication(tx: BusinessTx, memo_id: string, application_id: string, reversal_date?: string): Promise<CreditMemo> {
  const { memo } = await lockMemo(tx, memo_id)
  const found = await tx.get(store.invoiceOf, { id: application_id, memo_id }, 'Application')
  const loaded = (await lockInvoices(tx, [found.invoice_id])).get(found.invoice_id) as Loaded
  const credit = loaded.credits.find(({ id }) => id === application_id)
  if (!credit) throw notFound('Application')
  if (credit.reversed_at) return getMemo(tx, memo_id)
  const [reversal] = await reverseEntries(tx, [credit.journal_entry_id], { reversal_date, area: 'receivables' })
  reverseCredits(tx, loaded, [credit])
  // The first line gives the credit back what it was carried at.
  saveMemo(tx, memo, used(memo, { applied: -credit.amount, base: reversal?.lines[0]?.base_amount ?? 0 }), 'credit_memo.unapplied')
  return getMemo(tx, memo_id)
}
