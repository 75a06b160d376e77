// Customers: who buys and owes.
import { Type, type Static } from 'typebox'
import { Address } from '../../access/businesses/contract.ts'
import { atomic, MOST_ITEMS } from '../../foundation/bulk.ts'
import { endpointsOf, listQuery, pageOf } from '../../foundation/endpoint.ts'
import { CURRENCIES } from '../../foundation/money.ts'
import { LIST_FILE_REFUSALS, LIST_FILE_WORDS, listFileFormat, listFileReply } from '../../foundation/list-file.ts'
import { resource } from '../../foundation/resource.ts'
import { boolean, cents, date, email, id, integer, list, nullable, oneOf, optional, partial, record, shape, text, timestamp } from '../../foundation/shapes.ts'

export const CUSTOMER_STATUSES = ['active', 'archived'] as const
export const MOST_LEVELS = 5

const currency = oneOf(CURRENCIES, { description: 'The currency of new documents; the base currency unless said.' })

const fields = {
  name: text(1, 200, { pattern: '\\S' }),
  email: nullable(email()),
  phone: nullable(text(1, 50)),
  website: nullable(text(1, 500)),
  tax_number: nullable(text(1, 50)),
  billing_address: nullable(Address),
  shipping_address: nullable(Address),
  currency,
  payment_terms_id: nullable(id({ description: 'Unless said, documents have the default terms.' })),
  default_tax_code_id: nullable(id({ description: 'For lines whose item has no tax code.' })),
  credit_limit: nullable(integer(0, undefined, { description: 'Integer cents in the base currency; with those below, where this customer has others below.' })),
  language: text(2, 5, { pattern: '^[a-z]{2}(-[A-Z]{2})?$', description: 'Such as en or pt-BR; en unless said.' }),
  parent_id: nullable(id({ description: `The customer it belongs to; at most ${MOST_LEVELS} levels.` })),
  external_id: nullable(text(1, 200, { pattern: '\\S', description: 'What another system calls it; unique in the business.' })),
  notes: nullable(text(1, 5000)),
  reminders_paused: boolean({ description: 'No reminders of what is due.' }),
}
const tag_ids = list(id(), { maxItems: 50 })

/** A row of the table. */
export const CustomerRow = Type.Object({
  ...record,
  ...fields,
  status: oneOf(CUSTOMER_STATUSES),
  merged_into: nullable(id({ description: 'The customer that this one became part of.' })),
  processor_customer_id: nullable(text(1, 255)),
})
export type CustomerRow = Static<typeof CustomerRow>

/** What its history tells. */
export const CustomerRecord = Type.Object({ ...CustomerRow.properties, tag_ids })
export type CustomerRecord = Static<typeof CustomerRecord>

export const Figures = Type.Object({
  open_balance: cents({ description: 'Integer cents in the base currency: what is receivable.' }),
  overdue_balance: cents({ description: 'What of it is past its due date.' }),
  unapplied_credit: cents({ description: 'Credit notes that are not applied yet.' }),
  deposit_balance: cents({ description: 'Deposits and over-payments that are not used yet.' }),
  last_payment_on: nullable(date()),
})

export type Figures = Static<typeof Figures>

/** What is worked out when it is shown. */
export const Live = Type.Object({ tax_exempt: boolean({ description: 'Has a tax exemption that is valid today.' }), tag_ids, ...Figures.properties })

export const Customer = shape('Customer', { ...CustomerRow.properties, ...Live.properties })
export type Customer = Static<typeof Customer>

const Warning = shape('CustomerWarning', {
  kind: oneOf(['same_email', 'same_name']),
  customer_ids: list(id(), { description: 'The others, at most ten.' }),
  detail: Type.String(),
})
export type Warning = Static<typeof Warning>

export const SavedCustomer = shape('SavedCustomer', {
  ...Customer.properties, warnings: list(Warning, { description: 'What somebody should look at; nothing was refused for it.' }),
})
export type SavedCustomer = Static<typeof SavedCustomer>

const given = { ...fields, tag_ids }
export const CustomerInput = shape('CustomerInput', { ...partial('CustomerFields', given).properties, name: fields.name })
export const CustomerUpdate = partial('CustomerUpdate', given)
export type CustomerInput = Static<typeof CustomerInput>
export type CustomerUpdate = Static<typeof CustomerUpdate>

export const CustomerBulk = shape('CustomerBulk', { customers: list(CustomerInput, { minItems: 1, maxItems: MOST_ITEMS }), atomic })
export type CustomerBulk = Static<typeof CustomerBulk>

export const BULK_STATUSES = ['created', 'updated', 'skipped', 'error'] as const
const CustomerBulkRow = shape('CustomerBulkRow', {
  index: integer(0),
  status: oneOf(BULK_STATUSES, { description: 'skipped: the customer is so already.' }),
  id: nullable(id()),
  detail: nullable(Type.String()),
})
export type CustomerBulkRow = Static<typeof CustomerBulkRow>
export const CustomerBulkResult = shape('CustomerBulkResult', {
  created: integer(0), updated: integer(0), skipped: integer(0), failed: integer(0), rows: list(CustomerBulkRow),
})
export type CustomerBulkResult = Static<typeof CustomerBulkResult>

export const customerResource = resource({
  type: 'customer', group: 'customers', shape: CustomerRecord, table: 'customers', label: 'name',
  events: ['customer.created', 'customer.updated', 'customer.archived', 'customer.restored', 'customer.merged', 'customer.deleted'],
})

const endpoint = endpointsOf('customers', 'business')
export const customerParams = shape('CustomerParams', { customer_id: id() })
const params = customerParams

const filters = {
  status: optional(oneOf([...CUSTOMER_STATUSES, 'all'], { default: 'active' })),
  has_balance: optional(boolean({ description: 'Whether anything is receivable from them, or the other way round.' })),
  overdue: optional(boolean({ description: 'Whether something is past its due date.' })),
  currency: optional(oneOf(CURRENCIES)),
  parent_id: optional(id()),
  external_id: optional(text(1, 200, { description: 'That of a merged customer finds the one it was merged into.' })),
  email: optional(text(1, 254)),
  tag_id: optional(id()),
  updated_since: optional(timestamp()),
  search: optional(text(1, 200, { description: 'Beginnings of words of the name, the e-mail address, the tax number and the external id.' })),
}

export const listCustomers = endpoint({
  id: 'list_customers', method: 'GET', path: '', summary: 'List customers',
  query: listQuery(['name', 'created_at', 'open_balance', 'last_payment_on'], filters),
  reply: pageOf(Customer),
})

const taken = 'Another customer has this external_id.'
const misuse = [
  taken, 'The payment terms, the tax code, the parent or a tag is archived.', `The parent lies below it, or there would be more than ${MOST_LEVELS} levels.`,
]

export const createCustomer = endpoint({
  id: 'create_customer', method: 'POST', path: '', summary: 'Create a customer',
  description: 'Where others have the same e-mail address or name, the answer says so in warnings.',
  body: CustomerInput,
  reply: SavedCustomer,
  refusals: misuse,
  example: {
    name: 'Harbor Books', email: 'accounts@harborbooks.example', billing_address: { line1: '1 Pier Road', city: 'Tampa', region: 'FL', country: 'US' },
  },
})

export const getCustomer = endpoint({
  id: 'get_customer', method: 'GET', path: '/{customer_id}', summary: 'Get a customer',
  live: true,
  params,
  reply: Customer,
})

export const updateCustomer = endpoint({
  id: 'update_customer', method: 'PUT', path: '/{customer_id}', summary: 'Update a customer',
  description: 'Addresses and tag_ids are replaced whole. The currency stays once something is posted for the customer.',
  params,
  body: CustomerUpdate,
  reply: SavedCustomer,
  refusals: ['It was merged into another customer.', 'Its currency would change although something is posted for it.', ...misuse],
  example: { phone: '+1 813 555 0100' },
})

export const deleteCustomer = endpoint({
  id: 'delete_customer', method: 'DELETE', path: '/{customer_id}', summary: 'Delete a customer',
  description: 'Its contacts go with it.',
  params,
  reply: Customer,
  refusals: ['A document, an entry or another customer names it: archive it.'],
})

export const archiveCustomer = endpoint({
  id: 'archive_customer', method: 'PUT', path: '/{customer_id}/archive', summary: 'Archive a customer',
  description: 'No new documents; what is open stays to be paid.',
  params,
  reply: Customer,
  refusals: ['Something still makes documents for it.'],
})

export const restoreCustomer = endpoint({
  id: 'restore_customer', method: 'PUT', path: '/{customer_id}/restore', summary: 'Restore an archived customer',
  params,
  reply: Customer,
  refusals: ['It was merged into another customer.'],
})

export const bulkCustomers = endpoint({
  id: 'bulk_customers', method: 'POST', path: '/bulk', summary: 'Create or update many customers',
  description: 'A customer whose external_id is known is updated with what is given, any other is created.',
  body: CustomerBulk,
  reply: CustomerBulkResult,
  refusals: ['Two items are about the same customer.', ...misuse],
  example: { customers: [{ external_id: 'crm-1', name: 'Harbor Books' }, { external_id: 'crm-2', name: 'Pier Cafe', currency: 'CAD' }] },
})

export const exportCustomers = endpoint({
  id: 'export_customers', method: 'GET', path: '/export', summary: 'Take customers away as a file',
  description: `In the order of their names. ${LIST_FILE_WORDS}`,
  query: shape('CustomerExportQuery', { format: listFileFormat, ...filters }),
  reply: listFileReply,
  refusals: LIST_FILE_REFUSALS,
})

const Filters = Type.Object(filters)
export type CustomerFilters = Static<typeof Filters>
