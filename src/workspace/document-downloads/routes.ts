// Downloads over HTTP: contract → operation.
import { on, onOutside } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const documentDownloadRoutes = [
  on(contract.downloadDocument, (tx, { params, query }) => operations.downloadDocument(tx, params.document_id, query.version)),
  onOutside(contract.previewDocument, operations.previewDocument),
]
