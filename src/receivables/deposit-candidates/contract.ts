// Deposits that invoices can still be paid from, and what speaks for one of them paying an invoice.
import { Type, type Static } from 'typebox'
import { listQuery, pageOf } from '../../foundation/endpoint.ts'
import { boolean, cents, date, id, integer, list, nullable, oneOf, optional, shape, text, timestamp } from '../../foundation/shapes.ts'
import { TransactionSummary } from '../../ledger/cash-book/contract.ts'
import { endpoint } from '../invoices/contract.ts'

export const REASONS = [
  'invoice_number', 'number_part', 'exact_balance', 'exact_sum', 'known_short_pay', 'part', 'surplus', 'customer', 'customer_name', 'similar_name', 'due_date', 'date',
] as const
export type Reason = (typeof REASONS)[number]

export const reasons = list(oneOf(REASONS), {
  description: 'invoice_number: the text of the deposit has the number of each invoice; number_part: of some, or only its digits. exact_balance, exact_sum: it is '
    + 'what is owed, to the cent. known_short_pay: less by what this customer has left open before. part, surplus: less, or more, than what is owed. customer: the '
    + 'deposit names the customer; customer_name, similar_name: its text does. due_date: it came around the due date; date: not long after.',
})

export const DISMISSAL_REASONS = ['transfer', 'loan', 'owner', 'refund', 'duplicate', 'not_revenue', 'other'] as const

export const Dismissal = shape('CashReceiptDismissal', {
  reason: oneOf(DISMISSAL_REASONS),
  note: nullable(text(0, 2000)),
  dismissed_by: nullable(id()),
  dismissed_at: timestamp(),
})
export type Dismissal = Static<typeof Dismissal>

export const Deposit = shape('Deposit', { ...TransactionSummary.properties, reference: nullable(Type.String()) })
export type Deposit = Static<typeof Deposit>

export const DepositCandidate = shape('DepositCandidate', {
  transaction: Deposit,
  allocated: cents({ description: 'What documents have taken of it.' }),
  remaining: cents({ description: 'What is left of it.' }),
  dismissed: boolean({ description: 'It is no receipt from a customer, so it pays no invoice.' }),
  dismissal: nullable(Dismissal),
  score: nullable(integer(0, 100, { description: 'How well it fits the invoice that was asked for; null where none was.' })),
  reasons: nullable(reasons),
})
export type DepositCandidate = Static<typeof DepositCandidate>

export const listDepositCandidates = endpoint({
  id: 'list_deposit_candidates', method: 'GET', path: '/deposit-candidates', summary: 'List deposits that can pay invoices',
  description: 'Deposits on bank and cash ledgers of which something is left. Excluded and dismissed ones are left out, and what payouts of the card processor '
    + 'or other documents have taken.',
  query: listQuery(['datetime', 'amount'], {
    invoice_id: optional(id({ description: 'Adds how well each fits this invoice.' })),
    ledger_id: optional(id()),
    from: optional(date()),
    to: optional(date()),
    dismissed: optional(boolean({ default: false, description: 'true: those that were dismissed, instead.' })),
  }),
  live: true,
  reply: pageOf(DepositCandidate),
})

/** A deposit as the rules read it. `customer_id` is the customer that counts where one was merged. */
export const DepositFacts = Type.Object({
  ...Deposit.properties, counterparty_raw: nullable(Type.String()), customer_id: nullable(id()), claimed: cents(),
})
export type DepositFacts = Static<typeof DepositFacts>

/** An invoice as the rules read it: with the customer that counts, and the day it is due on. */
export const InvoiceFacts = Type.Object({
  id: id(), number: Type.String(), customer_id: id(), customer_name: Type.String(), currency: Type.String(), total: cents(), total_paid: cents(),
  invoice_date: date(), due_on: date(),
})
export type InvoiceFacts = Static<typeof InvoiceFacts>
