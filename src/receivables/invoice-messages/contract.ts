// Mail about an invoice: the invoice itself, a reminder, a receipt.
import { Type, type Static } from 'typebox'
import { boolean, email, id, integer, list, nullable, oneOf, optional, shape, text, timestamp } from '../../foundation/shapes.ts'
import { endpoint, Invoice, params } from '../invoices/contract.ts'

export const MESSAGE_KINDS = ['invoice', 'reminder', 'receipt'] as const
export type MessageKind = (typeof MESSAGE_KINDS)[number]

/** A message as it is kept. */
export const MessageRow = Type.Object({
  business_id: id(),
  id: id(),
  invoice_id: id(),
  kind: oneOf(MESSAGE_KINDS),
  status: oneOf(['waiting', 'mailed', 'sent', 'failed', 'canceled']),
  offset_days: nullable(integer(-365, 365)),
  recipients: list(Type.String()),
  cc: list(Type.String()),
  bcc: list(Type.String()),
  subject: nullable(Type.String()),
  message: nullable(Type.String()),
  attach_pdf: boolean(),
  include_payment_link: boolean(),
  send_at: nullable(timestamp()),
  mail_id: nullable(id()),
  sent_at: nullable(timestamp()),
  problem: nullable(Type.String()),
  created_by: nullable(id()),
  created_at: timestamp(),
})
export type MessageRow = Static<typeof MessageRow>

const addresses = (description: string) => optional(nullable(list(email(), { maxItems: 20, description })))

export const InvoiceSending = shape('InvoiceSending', {
  kind: optional(oneOf(MESSAGE_KINDS, { default: 'invoice' })),
  to: addresses('Default: the contacts of the customer that receive invoices (for a reminder: reminders), else the address of the customer.'),
  cc: addresses('Copies that all can see.'),
  bcc: addresses('Copies that nobody else sees.'),
  subject: optional(nullable(text(1, 300))),
  message: optional(nullable(text(1, 10_000, { description: 'Plain text, instead of the words that are usual.' }))),
  attach_pdf: optional(boolean({ default: true })),
  include_payment_link: optional(boolean({ default: true })),
  send_at: optional(nullable(timestamp({ description: 'Later than now: a draft is finalized then, not before. Otherwise at once.' }))),
})
export type InvoiceSending = Static<typeof InvoiceSending>

export const InvoiceSent = shape('InvoiceSent', { invoice: Invoice, message_id: id(), to: list(email()) })
export type InvoiceSent = Static<typeof InvoiceSent>

export const sendInvoice = endpoint({
  id: 'send_invoice', method: 'POST', path: '/{invoice_id}/send', summary: 'Mail an invoice, a reminder or a receipt',
  description: 'A draft is finalized first, both or neither. The mail leaves after that; sent_at of the invoice is when a mail server has taken it.',
  params,
  body: InvoiceSending,
  reply: InvoiceSent,
  refusals: [
    'Nobody to send it to: the customer has no address and none is given.', 'The invoice is void.', 'A reminder of an invoice that is paid, written off or a draft.',
    'A receipt of an invoice without a payment.', 'Whatever refuses to finalize.',
  ],
  example: { to: ['customer@example.com'], message: 'Thank you for your order.' },
})
