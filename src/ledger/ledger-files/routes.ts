// The chart as a file over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const ledgerFileRoutes = [
  on(contract.importLedgers, (tx, { body }) => operations.importLedgers(tx, body)),
  on(contract.exportLedgers, (tx, { query }) => operations.exportLedgers(tx, query)),
]
