// The people at a customer, and what is mailed to them.
import type { Static } from 'typebox'
import { endpointsOf, listQuery, pageOf } from '../../foundation/endpoint.ts'
import { resource } from '../../foundation/resource.ts'
import { email, id, list, nullable, oneOf, partial, record, shape, text } from '../../foundation/shapes.ts'
import { customerParams } from '../customers/contract.ts'

export const MAIL_KINDS = ['invoices', 'statements', 'reminders'] as const

const fields = {
  name: text(1, 200, { pattern: '\\S' }),
  email: nullable(email()),
  phone: nullable(text(1, 50)),
  role: nullable(text(1, 100, { description: 'What they do there.' })),
  receives: list(oneOf(MAIL_KINDS), { maxItems: 10, description: 'What goes to them instead of to the address of the customer.' }),
}

export const CustomerContact = shape('CustomerContact', { ...record, customer_id: id(), ...fields })
export const CustomerContactInput = shape('CustomerContactInput', { ...partial('CustomerContactFields', fields).properties, name: fields.name })
export const CustomerContactUpdate = partial('CustomerContactUpdate', fields)

export type CustomerContact = Static<typeof CustomerContact>
export type CustomerContactInput = Static<typeof CustomerContactInput>
export type CustomerContactUpdate = Static<typeof CustomerContactUpdate>

export const customerContactResource = resource({
  type: 'customer_contact', group: 'customers', shape: CustomerContact, table: 'customer_contacts', label: 'name',
  events: ['customer_contact.created', 'customer_contact.updated', 'customer_contact.moved', 'customer_contact.deleted'],
})

const endpoint = endpointsOf('customers', 'business')
const params = shape('CustomerContactParams', { customer_id: id(), contact_id: id() })

const misuse = ['It receives mail and has no e-mail address.', 'The customer was merged into another.']

export const listContacts = endpoint({
  id: 'list_customer_contacts', method: 'GET', path: '/{customer_id}/contacts', summary: 'List the contacts of a customer',
  params: customerParams,
  query: listQuery(['name', 'created_at']),
  reply: pageOf(CustomerContact),
})

export const createContact = endpoint({
  id: 'create_customer_contact', method: 'POST', path: '/{customer_id}/contacts', summary: 'Add a contact to a customer',
  params: customerParams,
  body: CustomerContactInput,
  reply: CustomerContact,
  refusals: misuse,
  example: { name: 'Ada Payne', email: 'ada@harborbooks.example', role: 'Accounts payable', receives: ['invoices', 'reminders'] },
})

export const updateContact = endpoint({
  id: 'update_customer_contact', method: 'PUT', path: '/{customer_id}/contacts/{contact_id}', summary: 'Update a contact',
  params,
  body: CustomerContactUpdate,
  reply: CustomerContact,
  refusals: misuse,
  example: { phone: '+1 813 555 0101' },
})

export const deleteContact = endpoint({
  id: 'delete_customer_contact', method: 'DELETE', path: '/{customer_id}/contacts/{contact_id}', summary: 'Delete a contact',
  params,
  reply: CustomerContact,
})
