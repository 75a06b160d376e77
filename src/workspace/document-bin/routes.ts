// The bin over HTTP: contract → operation.
import { on, type Route } from '../../foundation/endpoint.ts'
import type { RecordStates } from '../document-attachments/contract.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const documentBinRoutes = (states: RecordStates): Route[] => [
  on(contract.deleteDocument, (tx, { params }) => operations.deleteDocument(tx, params.document_id, states)),
  on(contract.restoreDocument, (tx, { params }) => operations.restoreDocument(tx, params.document_id)),
]
