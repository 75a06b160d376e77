// Contacts over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const customerContactRoutes = [
  on(contract.listContacts, (tx, { params, query }) => operations.listContacts(tx, params.customer_id, query)),
  on(contract.createContact, (tx, { params, body }) => operations.createContact(tx, params.customer_id, body)),
  on(contract.updateContact, (tx, { params, body }) => operations.updateContact(tx, params.customer_id, params.contact_id, body)),
  on(contract.deleteContact, (tx, { params }) => operations.deleteContact(tx, params.customer_id, params.contact_id)),
]
