// Public links of documents over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const documentShareRoutes = [
  on(contract.listLinks, (tx, { params, query }) => operations.listLinks(tx, params.document_id, query)),
  on(contract.createLink, (tx, { params, body }) => operations.createLink(tx, params.document_id, body)),
  on(contract.revokeLink, (tx, { params }) => operations.revokeLink(tx, params.link_id)),
]
