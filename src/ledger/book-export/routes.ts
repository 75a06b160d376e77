// The export of the books over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const bookExportRoutes = [
  on(contract.exportBooks, (tx, { query }) => operations.exportBooks(tx, query)),
]
