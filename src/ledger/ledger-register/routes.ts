// Registers over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const ledgerRegisterRoutes = [
  on(contract.listLines, (tx, { params, query }) => operations.listLines(tx, params.ledger_id, query)),
]
