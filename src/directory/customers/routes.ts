// Customers over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const customerRoutes = [
  on(contract.listCustomers, (tx, { query }) => operations.listCustomers(tx, query)),
  on(contract.createCustomer, (tx, { body }) => operations.createCustomer(tx, body)),
  on(contract.exportCustomers, (tx, { query }) => operations.exportCustomers(tx, query)),
  on(contract.bulkCustomers, (tx, { body }) => operations.bulkCustomers(tx, body)),
  on(contract.getCustomer, (tx, { params }) => operations.getCustomer(tx, params.customer_id)),
  on(contract.updateCustomer, (tx, { params, body }) => operations.updateCustomer(tx, params.customer_id, body)),
  on(contract.deleteCustomer, (tx, { params }) => operations.deleteCustomer(tx, params.customer_id)),
  on(contract.archiveCustomer, (tx, { params }) => operations.archiveCustomer(tx, params.customer_id)),
  on(contract.restoreCustomer, (tx, { params }) => operations.restoreCustomer(tx, params.customer_id)),
]
