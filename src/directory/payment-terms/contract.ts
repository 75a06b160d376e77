// Payment terms: when an invoice is due, and what early payment earns.
import { Type, type Static } from 'typebox'
import { endpointsOf, listQuery, pageOf } from '../../foundation/endpoint.ts'
import { resource } from '../../foundation/resource.ts'
import { boolean, date, id, integer, nullable, oneOf, optional, partial, record, shape, text } from '../../foundation/shapes.ts'

export const TERM_KINDS = ['due_on_receipt', 'net_days', 'end_of_month', 'day_of_month'] as const

export const PERCENT = '^(100(\\.0{1,4})?|[0-9]{1,2}(\\.[0-9]{1,4})?)$'

export const LateFee = shape('LateFee', {
  kind: oneOf(['percent', 'flat']),
  value: Type.Unsafe<string | number>({
    type: ['string', 'integer'], description: 'percent: decimal text from 0 to 100 with at most 4 decimals. flat: integer cents, not negative.',
  }),
  grace_days: integer(0, 365, { description: 'Days after the due date before it is charged.' }),
})
export type LateFee = Static<typeof LateFee>

const fields = {
  name: text(1, 100, { pattern: '\\S', description: 'Unique in the business, ignoring case.' }),
  kind: oneOf(TERM_KINDS, {
    description: 'due_on_receipt: on the date of the invoice. net_days: that many days later. end_of_month: the last day of its month and days after it. '
      + 'day_of_month: on the next such day; a month that is too short has it on its last day.',
  }),
  days: integer(0, 365, { description: 'For net_days, and after the end of the month for end_of_month; 0 for the others.' }),
  day: nullable(integer(1, 31, { description: 'For day_of_month.' })),
  cutoff_day: nullable(integer(1, 31, {
    description: 'For end_of_month and day_of_month: what is invoiced later in a month counts for the next one. '
      + 'Where the day of payment lies before it, payment is in the month after.',
  })),
  discount_percent: nullable(Type.String({
    pattern: PERCENT, description: 'Off the total with tax for payment of the whole rest in time. Decimal text from 0 to 100 with at most 4 decimals.',
  })),
  discount_days: nullable(integer(0, 365, { description: 'Until how many days after the invoice; never beyond its due date.' })),
  late_fee: nullable(LateFee),
}

export const PaymentTerm = shape('PaymentTerm', {
  ...record,
  ...fields,
  is_default: boolean({ description: 'For invoices to customers without terms of their own.' }),
  system: boolean({ description: 'From the start in every business: only its late fee can change.' }),
  archived: boolean(),
})
export const PaymentTermInput = shape('PaymentTermInput', { ...partial('PaymentTermFields', fields).properties, name: fields.name, kind: fields.kind })
export const PaymentTermUpdate = partial('PaymentTermUpdate', fields)

export type PaymentTerm = Static<typeof PaymentTerm>
export type PaymentTermInput = Static<typeof PaymentTermInput>
export type PaymentTermUpdate = Static<typeof PaymentTermUpdate>

export const DueDate = shape('DueDate', {
  due_date: date(), discount_until: nullable(date({ description: 'The last day for the discount; null: there is none.' })),
})

export const paymentTermResource = resource({
  type: 'payment_term', group: 'payment-terms', shape: PaymentTerm, table: 'payment_terms', label: 'name',
  events: ['payment_term.created', 'payment_term.updated', 'payment_term.archived', 'payment_term.restored', 'payment_term.deleted'],
})

const endpoint = endpointsOf('payment-terms', 'business')
const params = shape('PaymentTermParams', { term_id: id() })

const taken = 'Other payment terms have this name.'

export const listPaymentTerms = endpoint({
  id: 'list_payment_terms', method: 'GET', path: '', summary: 'List payment terms',
  query: listQuery(['name'], {
    archived: optional(oneOf(['false', 'true', 'all'], { default: 'false' })),
    search: optional(text(1, 100, { description: 'Part of the name.' })),
  }),
  reply: pageOf(PaymentTerm),
})

export const createPaymentTerm = endpoint({
  id: 'create_payment_term', method: 'POST', path: '', summary: 'Create payment terms',
  description: 'A discount needs both its percent and its days; for net_days they are no more than the days of payment.',
  body: PaymentTermInput,
  reply: PaymentTerm,
  refusals: [taken],
  example: { name: '1% 14 Net 45', kind: 'net_days', days: 45, discount_percent: '1', discount_days: 14 },
})

export const getPaymentTerm = endpoint({
  id: 'get_payment_term', method: 'GET', path: '/{term_id}', summary: 'Get payment terms',
  params,
  reply: PaymentTerm,
})

export const updatePaymentTerm = endpoint({
  id: 'update_payment_term', method: 'PUT', path: '/{term_id}', summary: 'Update payment terms',
  description: 'Documents that are issued keep their dates.',
  params,
  body: PaymentTermUpdate,
  reply: PaymentTerm,
  refusals: [taken, 'They are there from the start and something other than the late fee would change.'],
  example: { late_fee: { kind: 'percent', value: '1.5', grace_days: 5 } },
})

export const deletePaymentTerm = endpoint({
  id: 'delete_payment_term', method: 'DELETE', path: '/{term_id}', summary: 'Delete payment terms',
  params,
  reply: PaymentTerm,
  refusals: ['They are used, there from the start, or the default.'],
})

export const archivePaymentTerm = endpoint({
  id: 'archive_payment_term', method: 'PUT', path: '/{term_id}/archive', summary: 'Archive payment terms',
  description: 'Whoever has them keeps them; they cannot be chosen any more.',
  params,
  reply: PaymentTerm,
  refusals: ['They are the default.'],
})

export const restorePaymentTerm = endpoint({
  id: 'restore_payment_term', method: 'PUT', path: '/{term_id}/restore', summary: 'Restore archived payment terms',
  params,
  reply: PaymentTerm,
})

export const setDefaultPaymentTerm = endpoint({
  id: 'set_default_payment_term', method: 'PUT', path: '/{term_id}/default', summary: 'Make payment terms the default',
  params,
  reply: PaymentTerm,
  refusals: ['They are archived.'],
})

export const getDueDate = endpoint({
  id: 'get_due_date', method: 'GET', path: '/{term_id}/due-date', summary: 'Work out when an invoice is due',
  params,
  query: shape('DueDateQuery', { invoice_date: date() }),
  reply: DueDate,
})
