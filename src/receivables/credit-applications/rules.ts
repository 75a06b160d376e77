// How credits settle invoices: what may be applied to what, the entry it posts, and which goes to which by itself.
import { invalid } from '../../foundation/refusal.ts'
import type { Posting } from '../../ledger/posting/contract.ts'
import type { MemoRow } from '../credit-memos/contract.ts'
import { baseShare, isMoney, nameOf, remainingOf, requireStatus } from '../credit-memos/rules.ts'
import { requireApplicable } from '../invoice-credits/rules.ts'
import type { InvoiceRow } from '../invoices/contract.ts'
import { balanceOf, dueOn, isOpen, money, nameOf as invoiceName } from '../invoices/rules.ts'

export type Wanted = { credit_memo_id: string; invoice_id: string; amount: number; applied_on: string }

type Party = { id: string; parent_id: string | null; merged_into: string | null }

/** The same customer, or one that belongs to the other. */
export function areRelated(one: Party, other: Party): boolean {
  const [first, second] = [one.merged_into ?? one.id, other.merged_into ?? other.id]
  return first === second || one.parent_id === second || other.parent_id === first
}

/** Refuses what cannot be applied, as both stand by now. */
export function requireFits(memo: MemoRow, invoice: InvoiceRow, related: boolean, { amount, applied_on }: Wanted): void {
  requireStatus(memo, ['open', 'closed'], 'only finalized credits are applied')
  if (!related) throw invalid(`${invoiceName(invoice)} is one of another customer than ${nameOf(memo)}.`)
  if (invoice.currency !== memo.currency) throw invalid(`${invoiceName(invoice)} is in ${invoice.currency}, ${nameOf(memo)} in ${memo.currency}.`)
  if (amount > remainingOf(memo)) throw invalid(`${nameOf(memo)} has ${money(remainingOf(memo), memo.currency)} left, less than ${money(amount, memo.currency)}.`)
  if (applied_on < memo.credit_date) throw invalid(`${nameOf(memo)} is of ${memo.credit_date}: apply it on that day or later, not on ${applied_on}.`)
  requireApplicable(invoice, amount, applied_on)
}

export type Accounts = { receivable: string; deposits: string }

/** Debits what the customer has to their credit, in the first line; credits the receivable of the invoice. A credit note and an invoice settle each other. */
export function applicationPosting(id: string, memo: MemoRow, invoice: InvoiceRow, { amount, applied_on }: Wanted, accounts: Accounts, base_currency: string): Posting {
  const { currency, customer_id } = memo
  const base_amount = currency === base_currency ? undefined : baseShare(memo, amount)
  return {
    date: applied_on, source_type: 'credit_application', source_id: id, area: 'receivables', currency, automatic: true,
    memo: `${nameOf(memo)} applied to ${invoiceName(invoice)}`,
    lines: [
      isMoney(memo)
        ? { ledger_id: accounts.deposits, amount, base_amount, customer_id }
        : { ledger_id: accounts.receivable, amount, customer_id, settles_line_id: memo.receivable_line_id },
      { ledger_id: accounts.receivable, amount: -amount, customer_id: invoice.customer_id, settles_line_id: invoice.receivable_line_id },
    ],
  }
}

/** The oldest credit to the invoice that has been due for longest, currency by currency. */
export function oldestFirst(memos: readonly MemoRow[], invoices: readonly InvoiceRow[], applied_on: string): Wanted[] {
  const credits = memos.filter((memo) => memo.status === 'open' && memo.credit_date <= applied_on)
    .toSorted((a, b) => compare(a.credit_date, b.credit_date) || compare(a.id, b.id))
  const owed = invoices.filter((invoice) => isOpen(invoice.status) && !invoice.uncollectible && invoice.receivable_line_id !== null && (invoice.invoice_date ?? '') <= applied_on)
    .toSorted((a, b) => compare(dueOn(a) ?? '', dueOn(b) ?? '') || compare(a.id, b.id))
  const balances = new Map(owed.map((invoice) => [invoice.id, balanceOf(invoice)]))
  return credits.flatMap((memo) => {
    let remaining = remainingOf(memo)
    return owed.filter(({ currency }) => currency === memo.currency).flatMap(({ id }) => {
      const amount = Math.min(remaining, balances.get(id) ?? 0)
      remaining -= amount
      balances.set(id, (balances.get(id) ?? 0) - amount)
      return amount > 0 ? [{ credit_memo_id: memo.id, invoice_id: id, amount, applied_on }] : []
    })
  })
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
