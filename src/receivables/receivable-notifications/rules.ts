// What people are told of invoices and of the card processor.
import type { NotificationRule, Resolution, Told } from '../../workspace/notification-rules/contract.ts'
import { amountOf, idOf, textOf } from '../../workspace/notification-rules/rules.ts'

const numberOf = (event: Told) => textOf(event, 'number') || 'without a number'
const balanceOf = (event: Told) =>
  amountOf({ ...event, data: { ...event.data, balance: Number(event.data['total']) - Number(event.data['total_paid']) } }, 'balance')
const toInvoice = ({ resource_id }: Told) => `/invoices/${resource_id}`
/** A failed charge is a matter of the invoice that was to be paid. */
const ofInvoice = (event: Told) => ({ type: 'invoice', id: idOf(event, 'invoice_id') })

export const receivableRules: (NotificationRule | Resolution)[] = [
  {
    event: 'invoice.overdue', rule: 'invoice.overdue', topic: 'invoice', severity: 'warning', audience: 'business', once: true,
    title: (event) => `Invoice ${numberOf(event)} is overdue`,
    body: (event) => `${balanceOf(event)} was due on ${textOf(event, 'due_date') || textOf(event, 'invoice_date')}.`,
    action_url: toInvoice,
  },
  {
    event: 'invoice.paid', rule: 'invoice.paid', topic: 'payment', severity: 'info', audience: 'business', resolves: ['invoice.overdue', 'charge.failed'],
    title: (event) => `Invoice ${numberOf(event)} is paid`, body: (event) => amountOf(event, 'total'), action_url: toInvoice,
  },
  ...['invoice.voided', 'invoice.written_off', 'invoice.deleted'].map((event) => ({ event, resolves: ['invoice.overdue', 'charge.failed'] })),
  {
    event: 'charge.failed', rule: 'charge.failed', topic: 'payment', severity: 'warning', audience: 'business', about: ofInvoice, once: true,
    title: (event) => `A card payment of ${amountOf(event, 'amount')} failed`, body: (event) => textOf(event, 'failure_reason'),
    action_url: (event) => `/processor/charges/${event.resource_id}`,
  },
  {
    event: 'dispute.opened', rule: 'dispute.opened', topic: 'payment', severity: 'critical', audience: 'business', once: true,
    title: () => 'A customer disputes a payment', body: (event) => (textOf(event, 'due_by') ? `Evidence is taken until ${textOf(event, 'due_by')}.` : ''),
    action_url: ({ resource_id }) => `/processor/disputes/${resource_id}`,
  },
  {
    event: 'dispute.closed', rule: 'dispute.closed', topic: 'payment', severity: (event) => (textOf(event, 'status') === 'lost' ? 'warning' : 'info'),
    audience: 'business', resolves: ['dispute.opened'],
    title: (event) => `A dispute was ${textOf(event, 'status') || 'closed'}`, action_url: ({ resource_id }) => `/processor/disputes/${resource_id}`,
  },
  {
    event: 'payout.failed', rule: 'payout.failed', topic: 'payment', severity: 'critical', audience: 'business',
    title: (event) => `A payout of ${amountOf(event, 'amount_cents')} failed`, action_url: ({ resource_id }) => `/processor/payouts/${resource_id}`,
  },
  { event: 'payout.paid', resolves: ['payout.failed'] },
]
