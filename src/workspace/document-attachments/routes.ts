// Attachments over HTTP: contract → operation.
import { on, type Route } from '../../foundation/endpoint.ts'
import type { RecordStates } from './contract.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const documentAttachmentRoutes = (states: RecordStates): Route[] => [
  on(contract.attachDocument, (tx, { params, body }) => operations.attachDocument(tx, params.document_id, body)),
  on(contract.detachDocument, (tx, { params }) => operations.detachDocument(tx, params.document_id, params.attachment_id, states)),
  on(contract.listAttachments, (tx, { query }) => operations.listAttachments(tx, query)),
]
