// What can be done with the contacts of a customer.
import type { Page, PageQuery } from '../../foundation/database/list.ts'
import { changed } from '../../foundation/database/rows.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import { requireCustomer } from '../customers/operations.ts'
import { requireNotMerged } from '../customers/rules.ts'
import { differs } from '../../ledger/tax-agencies/rules.ts'
import { customerContactResource, type CustomerContact, type CustomerContactInput, type CustomerContactUpdate } from './contract.ts'
import { requireAddress, tidy } from './rules.ts'
import * as store from './store.ts'

export async function listContacts(tx: BusinessTx, customer_id: string, query: PageQuery): Promise<Page<CustomerContact>> {
  const asked = { ...query, customer_id }
  const [, page] = await Promise.all([requireCustomer(tx, customer_id), tx.page(store.contacts, asked)])
  return page
}

export async function createContact(tx: BusinessTx, customer_id: string, input: CustomerContactInput): Promise<CustomerContact> {
  requireNotMerged(await requireCustomer(tx, customer_id))
  const { name, email = null, phone = null, role = null, receives = [] } = tidy(input)
  const contact: CustomerContact = {
    id: newId(), business_id: tx.business_id, customer_id, name, email, phone, role, receives, created_at: tx.now, updated_at: tx.now, version: 1,
  }
  requireAddress(contact)
  tx.queue(store.insertContact, contact)
  tx.record(customerContactResource, 'customer_contact.created', { before: null, after: contact })
  return contact
}

export async function updateContact(tx: BusinessTx, customer_id: string, contact_id: string, input: CustomerContactUpdate): Promise<CustomerContact> {
  const contact = await tx.lock(store.lockContact, { customer_id, id: contact_id }, 'Contact')
  const changes = tidy(input) as Partial<CustomerContact>
  if (!differs(contact, changes)) return contact
  const after = changed(contact, changes, tx.now)
  requireAddress(after)
  tx.queue(store.updateContact, after)
  tx.record(customerContactResource, 'customer_contact.updated', { before: contact, after })
  return after
}

export async function deleteContact(tx: BusinessTx, customer_id: string, contact_id: string): Promise<CustomerContact> {
  const contact = await tx.lock(store.lockContact, { customer_id, id: contact_id }, 'Contact')
  tx.queue(store.deleteContact, contact)
  tx.record(customerContactResource, 'customer_contact.deleted', { before: contact, after: null })
  return contact
}

/** The people of customers that became part of another are found there. */
export async function moveContacts(tx: BusinessTx, from_ids: readonly string[], customer_id: string): Promise<void> {
  const contacts = await tx.many(store.lockContactsOf, { customer_ids: from_ids })
  if (contacts.length === 0) return
  tx.queue(store.moveContacts, { customer_id, ids: contacts.map(({ id }) => id) })
  for (const before of contacts) {
    tx.record(customerContactResource, 'customer_contact.moved', { before, after: changed(before, { customer_id }, tx.now) })
  }
}
