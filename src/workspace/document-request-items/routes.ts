// The items of document requests over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const documentRequestItemRoutes = [
  on(contract.addItem, (tx, { params, body }) => operations.addItem(tx, params.request_id, body)),
  on(contract.updateItem, (tx, { params, body }) => operations.updateItem(tx, params, body)),
  on(contract.deleteItem, (tx, { params }) => operations.deleteItem(tx, params)),
  on(contract.acceptItem, (tx, { params }) => operations.acceptItem(tx, params)),
  on(contract.rejectItem, (tx, { params, body }) => operations.rejectItem(tx, params, body.reason)),
  on(contract.waiveItem, (tx, { params, body }) => operations.waiveItem(tx, params, body.reason)),
  on(contract.reopenItem, (tx, { params }) => operations.reopenItem(tx, params)),
]
