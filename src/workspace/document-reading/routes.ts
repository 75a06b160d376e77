// Reading documents over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const documentReadingRoutes = [
  on(contract.extractDocument, (tx, { params }) => operations.extractDocument(tx, params.document_id)),
]
