// Documents over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const documentRoutes = [
  on(contract.listDocuments, (tx, { query }) => operations.listDocuments(tx, query)),
  on(contract.getDocument, (tx, { params }) => operations.getDocument(tx, params.document_id)),
  on(contract.updateDocument, (tx, { params, body }) => operations.updateDocument(tx, params.document_id, body)),
  on(contract.listVersions, (tx, { params, query }) => operations.listVersions(tx, params.document_id, query)),
]
