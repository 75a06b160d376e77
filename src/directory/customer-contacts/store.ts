// The SQL of contacts.
import { list } from '../../foundation/database/list.ts'
import { deletion, insertion, updating } from '../../foundation/database/rows.ts'
import { columns, command, statement } from '../../foundation/database/statement.ts'
import { CustomerContact } from './contract.ts'

export const insertContact = insertion('customer_contacts', CustomerContact)
export const updateContact = updating('customer_contacts', 'name', 'email', 'phone', 'role', 'receives')
export const deleteContact = deletion('customer_contacts')
export const lockContact = statement(
  CustomerContact,
  `select ${columns(CustomerContact)} from customer_contacts where business_id = :business_id and customer_id = :customer_id and id = :id for update`)
export const lockContactsOf = statement(
  CustomerContact,
  `select ${columns(CustomerContact)} from customer_contacts where business_id = :business_id and customer_id = any(:customer_ids) order by id for update`)
export const moveContacts = command(
  `update customer_contacts set customer_id = :customer_id, updated_at = :now, version = version + 1 where business_id = :business_id and id = any(:ids)`)

export const contacts = list({
  item: CustomerContact,
  from: 'customer_contacts t',
  where: 't.business_id = :business_id',
  sorts: { name: { column: 't.name_key', type: 'text' }, created_at: { column: 't.created_at', type: 'timestamptz' } },
  filters: { customer_id: 't.customer_id = :customer_id' },
})
