// Counterparty defaults over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const counterpartyDefaultRoutes = [
  on(contract.listDefaults, (tx, { query }) => operations.listDefaults(tx, query)),
  on(contract.createDefault, (tx, { body }) => operations.createDefault(tx, body)),
  on(contract.updateDefault, (tx, { params, body }) => operations.updateDefault(tx, params.default_id, body)),
  on(contract.deleteDefault, (tx, { params }) => operations.deleteDefault(tx, params.default_id)),
]
