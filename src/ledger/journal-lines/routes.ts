// Lines and files of entries over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const journalLineRoutes = [
  on(contract.listLines, (tx, { query }) => operations.listLines(tx, query)),
  on(contract.exportEntries, (tx, { query }) => operations.exportEntries(tx, query)),
]
