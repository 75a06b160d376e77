// Files of entries over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const journalImportRoutes = [
  on(contract.importEntries, (tx, { body }) => operations.importEntries(tx, body)),
]
