// The endpoints of rows that were refused.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import { downloadImportErrors, listImportErrors } from './operations.ts'

export const importErrorRoutes = [
  on(contract.listImportErrors, (tx, { params, query }) => listImportErrors(tx, params.import_id, query)),
  on(contract.downloadImportErrors, (tx, { params }) => downloadImportErrors(tx, params.import_id)),
]
