// Invoices: what customers owe. The shape of an invoice, and the operations that read it.
import { Type, type Static } from 'typebox'
import { endpointsOf, listQuery, pageOf } from '../../foundation/endpoint.ts'
import { CURRENCIES } from '../../foundation/money.ts'
import { resource } from '../../foundation/resource.ts'
import { boolean, cents, date, id, integer, list, nullable, oneOf, optional, record, shape, text, timestamp } from '../../foundation/shapes.ts'
import { TransactionSummary } from '../../ledger/cash-book/contract.ts'
import { Address } from '../../access/businesses/contract.ts'
import { rate } from '../../ledger/journal/contract.ts'
import { ProcessorSettlement } from '../processor-settlements/contract.ts'
import { LineItem, TAX_MODES } from '../sales-lines/contract.ts'

export const STATUSES = ['draft', 'open', 'partially_paid', 'manual_paid', 'processor_paid', 'void'] as const
export type Status = (typeof STATUSES)[number]

export const ORIGINS = ['manual', 'batch', 'import', 'ai', 'recurring', 'subscription', 'estimate', 'order', 'contract', 'project', 'processor'] as const
export type Origin = (typeof ORIGINS)[number]

export const TREATMENTS = ['earned', 'deferred'] as const
export const ENTRY_ROLES = ['finalization', 'payment', 'write_off', 'recovery', 'delivery', 'related'] as const
export type EntryRole = (typeof ENTRY_ROLES)[number]
export const PAYMENT_KINDS = ['manual', 'processor', 'recovery'] as const
export const METHODS = ['bank_transfer', 'check', 'cash', 'card', 'ach', 'other'] as const

export const currency = oneOf(CURRENCIES, { default: 'USD' })

/** What a person may set on an invoice that has not been finalized, beside its customer, dates, number and lines. */
export const settable = {
  description: nullable(text(0, 2000, { description: 'Description or notes.' })),
  customer_message: nullable(text(0, 2000, { description: 'Printed on the invoice.' })),
  internal_note: nullable(text(0, 2000)),
  purchase_order_number: nullable(text(0, 100)),
  billing_address: nullable(Address),
  shipping_address: nullable(Address),
  payment_terms_id: nullable(id()),
  fulfillment_location_id: nullable(id({ description: 'The default location that stock is taken from.' })),
  project_id: nullable(id()),
  contract_id: nullable(id({ description: 'The contract that is billed.' })),
  revenue_treatment: nullable(oneOf(TREATMENTS, { description: 'A label; posts nothing.' })),
  dimension_value_ids: list(id(), { maxItems: 20 }),
  attachment_ids: list(id(), { maxItems: 20 }),
  collect_online: boolean({ description: 'The customer may pay by card.' }),
  allow_partial_payments: boolean(),
  reminders_paused: boolean(),
  promised_on: nullable(date()),
}

/** An invoice as it is kept. */
export const InvoiceRow = Type.Object({
  ...record,
  status: oneOf(STATUSES),
  currency,
  customer_id: id(),
  invoice_date: nullable(date({ description: 'The date it is shown and reported under, and on which its entry is posted.' })),
  due_date: nullable(date()),
  number: nullable(text(1, 40, { description: 'Given, or assigned when it is finalized.' })),
  ...settable,
  external_id: nullable(text(1, 200)),
  tax_mode: oneOf(TAX_MODES),
  subtotal: cents(),
  discount_total: cents(),
  tax_total: cents(),
  total: cents(),
  total_paid: cents({ description: 'Standing payments and credits applied.' }),
  total_credited: cents(),
  written_off: cents({ description: 'What the books have given up; falls with recoveries.' }),
  fx_rate: nullable(rate),
  base_total: nullable(cents()),
  base_balance: nullable(cents({ description: 'What the receivable is still carried at, in the base currency.' })),
  is_opening_balance: boolean(),
  delivered: boolean(),
  delivered_on: nullable(timestamp()),
  paid_on: nullable(timestamp()),
  finalized_at: nullable(timestamp()),
  sent_at: nullable(timestamp()),
  viewed_at: nullable(timestamp()),
  voided_at: nullable(timestamp()),
  send_at: nullable(timestamp()),
  uncollectible: boolean(),
  uncollectible_on: nullable(date()),
  disputed: boolean(),
  origin: oneOf(ORIGINS),
  origin_id: nullable(id()),
  ai_job_id: nullable(id()),
  recurring_template_id: nullable(id({ description: 'The template it was generated from, or that an update made of it.' })),
  issued_by: oneOf(['service', 'processor']),
  processor_invoice_id: nullable(Type.String()),
  processor_sync_status: oneOf(['none', 'pending', 'synced', 'failed']),
  link_generation: integer(1),
  receivable_line_id: nullable(id()),
})
export type InvoiceRow = Static<typeof InvoiceRow>

/** A payment as it is kept. */
export const PaymentRow = Type.Object({
  ...record,
  invoice_id: id(),
  transaction_id: id({ description: 'The bank transaction.' }),
  amount: cents({ description: 'Integer cents allocated to the invoice, in its currency.' }),
  currency,
  paid_on: timestamp(),
  posted_on: date({ description: 'The day it is posted on.' }),
  kind: oneOf(PAYMENT_KINDS),
  method: oneOf(METHODS),
  reference: nullable(text(0, 200)),
  note: nullable(text(0, 2000)),
  journal_entry_id: id(),
  transaction_amount: cents({ description: 'Integer cents taken of the transaction, in its currency.' }),
  fx_rate: nullable(rate),
  realized_fx: cents({ description: 'Integer cents in the base currency; positive is a gain.' }),
  base_amount: cents({ description: 'What of the receivable it takes off, in the base currency.' }),
  processor_charge_id: nullable(Type.String()),
  reversed_at: nullable(timestamp()),
})
export type PaymentRow = Static<typeof PaymentRow>

export const InvoicePayment = shape('InvoicePayment', { ...PaymentRow.properties, transaction: nullable(TransactionSummary) })
export type InvoicePayment = Static<typeof InvoicePayment>

export const CreditRow = Type.Object({
  id: id(), invoice_id: id(), credit_memo_id: id(), number: nullable(Type.String()), amount: cents(), base_amount: cents(), applied_on: date(),
  journal_entry_id: id(), reversed_at: nullable(timestamp()), created_at: timestamp(),
})
export type CreditRow = Static<typeof CreditRow>

export const AppliedCredit = shape('AppliedCredit', { application_id: id(), credit_memo_id: id(), number: nullable(Type.String()), amount: cents(), applied_on: date() })

export const InvoiceEntry = shape('InvoiceEntry', { id: id(), date: date(), role: oneOf(ENTRY_ROLES), total: cents(), memo: nullable(Type.String()) })
export type InvoiceEntry = Static<typeof InvoiceEntry>

const { link_generation: _generation, receivable_line_id: _line, ...shown } = InvoiceRow.properties

export const Invoice = shape('Invoice', {
  ...shown,
  total: nullable(cents()),
  total_paid: nullable(cents({ description: 'Standing payments and credits applied.' })),
  balance_due: nullable(cents({ description: 'total - total_paid, also after a write-off.' })),
  customer_name: nullable(Type.String()),
  customer_email: nullable(Type.String()),
  project_name: nullable(Type.String()),
  project_code: nullable(Type.String()),
  is_overdue: boolean(),
  days_overdue: integer(0),
  hosted_invoice_url: nullable(Type.String({ description: 'Where the customer sees and pays it.' })),
  pdf_url: nullable(Type.String({ description: 'Where its PDF can be downloaded.' })),
  line_items: nullable(list(LineItem)),
  payments: nullable(list(InvoicePayment)),
  credits_applied: nullable(list(AppliedCredit)),
  journal_entries: nullable(list(InvoiceEntry)),
  processor_settlement: nullable(ProcessorSettlement),
})
export type Invoice = Static<typeof Invoice>

export const invoiceResource = resource({
  type: 'invoice', group: 'invoices', shape: InvoiceRow, table: 'invoices', label: 'number',
  events: [
    'invoice.created', 'invoice.updated', 'invoice.deleted', 'invoice.finalized', 'invoice.redated', 'invoice.sent', 'invoice.viewed', 'invoice.delivered',
    'invoice.payment_recorded', 'invoice.payment_reversed', 'invoice.partially_paid', 'invoice.paid', 'invoice.unpaid', 'invoice.written_off',
    'invoice.recovered', 'invoice.voided', 'invoice.overdue', 'invoice.credited', 'invoice.disputed',
  ],
})

export const endpoint = endpointsOf('invoices', 'business')
export const params = shape('InvoiceParams', { invoice_id: id() })

export const INCLUDES = ['line_items', 'payments', 'journal_entries'] as const

export const filters = {
  status: optional(list(oneOf(STATUSES), { maxItems: 6 })),
  customer_id: optional(id()),
  project_id: optional(id()),
  contract_id: optional(id()),
  currency: optional(oneOf(CURRENCIES)),
  number: optional(text(1, 40)),
  invoice_date_from: optional(date()),
  invoice_date_to: optional(date()),
  due_date_from: optional(date()),
  due_date_to: optional(date()),
  total_min: optional(cents()),
  total_max: optional(cents()),
  overdue: optional(boolean()),
  has_balance: optional(boolean()),
  delivered: optional(boolean()),
  uncollectible: optional(boolean()),
  revenue_treatment: optional(oneOf(TREATMENTS)),
  origin: optional(oneOf(ORIGINS)),
  recurring_template_id: optional(id()),
  ai_job_id: optional(id()),
  external_id: optional(text(1, 200)),
  tag_id: optional(id()),
  updated_since: optional(timestamp()),
  search: optional(text(1, 200, { description: 'The beginning of a number.' })),
}

export const listInvoices = endpoint({
  id: 'list_invoices', method: 'GET', path: '', summary: 'List invoices',
  description: 'line_items, payments and journal_entries are null unless `include` names them.',
  query: listQuery(['created_at', 'updated_at', 'invoice_date', 'due_date', 'number', 'total', 'balance_due', 'customer_name'], {
    ...filters,
    include: optional(list(oneOf(INCLUDES), { maxItems: 3 })),
  }),
  reply: pageOf(Invoice),
})

export const getInvoice = endpoint({
  id: 'get_invoice', method: 'GET', path: '/{invoice_id}', summary: 'Get an invoice',
  params,
  live: true,
  query: shape('InvoiceQuery', { include_superseded: optional(boolean({ description: 'Also entries that were reversed or replaced, and payments that were reversed.' })) }),
  reply: Invoice,
})

