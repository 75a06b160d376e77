// Cash receipts: what came into the bank, week by week, against what was recorded as received.
import { Type, type Static } from 'typebox'
import { CURRENCIES } from '../../foundation/money.ts'
import { resource } from '../../foundation/resource.ts'
import { cents, date, id, integer, list, nullable, oneOf, optional, shape, text } from '../../foundation/shapes.ts'
import { currency } from '../../ledger/ledgers/contract.ts'
import { Deposit, DepositCandidate, Dismissal, DISMISSAL_REASONS } from '../deposit-candidates/contract.ts'
import { endpoint } from '../invoices/contract.ts'

export const DEFAULT_WEEKS = 13
export const MOST_WEEKS = 104

export const Figures = {
  deposits: cents({ description: 'invoice_payments + sales_receipts + customer_deposits + payouts + other + dismissed + unmatched.' }),
  deposit_count: integer(0),
  invoice_payments: cents({ description: 'What payments of invoices have taken of these deposits.' }),
  sales_receipts: cents(),
  customer_deposits: cents({ description: 'Money on account: overpayments and deposits of customers.' }),
  payouts: cents({ description: 'What payouts of the card processor account for.' }),
  other: cents({ description: 'What other documents have taken.' }),
  dismissed: cents({ description: 'What is left of deposits that are no receipts from customers.' }),
  unmatched: cents({ description: 'What nobody has accounted for yet.' }),
  unmatched_count: integer(0),
  undeposited: cents({ description: 'Received in this week by the books, and still on undeposited funds or with the card processor.' }),
}

export const CashReceiptWeek = shape('CashReceiptWeek', {
  week_start: date({ description: 'A Monday.' }),
  week_end: date(),
  ...Figures,
  status: oneOf(['reconciled', 'open'], { description: 'reconciled: nothing is unmatched and nothing undeposited.' }),
})
export type CashReceiptWeek = Static<typeof CashReceiptWeek>

export const ReceiptUse = shape('CashReceiptUse', {
  type: Type.String({ description: 'The kind of document: invoice, credit_memo, processor_payout.' }),
  id: id({ description: 'Of the document.' }),
  number: nullable(Type.String()),
  amount: cents(),
})

export const ROW_STATUSES = ['matched', 'partially_matched', 'unmatched', 'dismissed'] as const

export const CashReceiptRow = shape('CashReceiptRow', {
  transaction: Deposit,
  uses: list(ReceiptUse),
  remaining: cents({ description: 'What no document has taken.' }),
  dismissal: nullable(Dismissal),
  status: oneOf(ROW_STATUSES),
})
export type CashReceiptRow = Static<typeof CashReceiptRow>

export const UndepositedReceipt = shape('UndepositedReceipt', {
  ...ReceiptUse.properties,
  payment_id: id({ description: 'Of the payment, where the document is an invoice.' }),
  transaction: Deposit,
})

const scope = {
  ledger_id: optional(id({ description: 'Only deposits on this ledger.' })),
  currency: optional(oneOf(CURRENCIES, { description: 'Default: that of the ledger, or the base currency. Deposits in others are left out.' })),
}

export const CashReceiptsQuery = shape('CashReceiptsQuery', {
  from: optional(date({ description: `The week of this day is the first. Default: ${DEFAULT_WEEKS} weeks in all.` })),
  to: optional(date({ description: 'The week of this day is the last. Default: this week.' })),
  ...scope,
})
export type CashReceiptsQuery = Static<typeof CashReceiptsQuery>

const described = 'Deposits on bank and cash ledgers by the day of the bank; excluded ones are left out.'

export const getCashReceipts = endpoint({
  id: 'get_cash_receipts', method: 'GET', path: '/cash-receipts', summary: 'Reconcile deposits with receipts, week by week',
  description: `${described} Weeks run from Monday to Sunday; at most ${MOST_WEEKS}.`,
  query: CashReceiptsQuery,
  live: true,
  reply: shape('CashReceipts', {
    from: date(), to: date(), currency, ledger_id: nullable(id()), weeks: list(CashReceiptWeek), totals: shape('CashReceiptTotals', Figures),
  }),
  refusals: ['The range falls outside the calendar.'],
})

export const WeekDetailQuery = shape('CashReceiptWeekQuery', { week_start: date({ description: 'A Monday.' }), ...scope })
export type WeekDetailQuery = Static<typeof WeekDetailQuery>

export const getWeekDetail = endpoint({
  id: 'get_cash_receipts_week', method: 'GET', path: '/cash-receipts/week-detail', summary: 'Show the deposits of a week and their uses',
  description: described,
  query: WeekDetailQuery,
  live: true,
  reply: shape('CashReceiptWeekDetail', {
    week: CashReceiptWeek, rows: list(CashReceiptRow), undeposited: list(UndepositedReceipt, { description: 'Receipts of the week that are not in the bank yet.' }),
  }),
  refusals: ['The week falls outside the calendar.'],
})

export const DismissInput = shape('CashReceiptDismiss', {
  transaction_id: id(), reason: oneOf(DISMISSAL_REASONS), note: optional(nullable(text(0, 2000))),
})
export type DismissInput = Static<typeof DismissInput>

export const dismissCashReceipt = endpoint({
  id: 'dismiss_cash_receipt', method: 'POST', path: '/cash-receipts/dismiss', summary: 'Dismiss a deposit that is no receipt',
  description: 'It leaves the reconciliation, pays no invoice and is not matched; posts nothing. Dismissed already: nothing happens.',
  body: DismissInput,
  reply: DepositCandidate,
  refusals: ['A document has taken some of it: remove that first.', 'It is a withdrawal, excluded, or was posted by a document.'],
})

export const restoreCashReceipt = endpoint({
  id: 'restore_cash_receipt', method: 'POST', path: '/cash-receipts/restore', summary: 'Take a dismissed deposit back',
  description: 'Not dismissed: nothing happens.',
  body: shape('CashReceiptRestore', { transaction_id: id() }),
  reply: DepositCandidate,
})

/** A dismissal as it is kept; its id in the history is that of the transaction. */
export const DismissalRow = Type.Object({ transaction_id: id(), ...Dismissal.properties })
export type DismissalRow = Static<typeof DismissalRow>

export const dismissalResource = resource({
  type: 'cash_receipt_dismissal', group: 'invoices', shape: Type.Object({ id: id(), ...Dismissal.properties }), table: null, label: 'reason',
  events: ['cash_receipt.dismissed', 'cash_receipt.restored'],
})
