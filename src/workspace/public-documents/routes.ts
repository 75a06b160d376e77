// Public links of documents over HTTP, for programs and for people: contract → operation.
import { on, onOutside } from '../../foundation/endpoint.ts'
import { page, type PageRoute } from '../../foundation/page.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const publicDocumentRoutes = [
  on(contract.viewDocument, (tx, { params, query }) => operations.viewDocument(tx, params.link_token, query.view_token)),
  on(contract.unlockDocument, (tx, { params, body }) => operations.unlockDocument(tx, params.link_token, body.password)),
  onOutside(contract.publicFile, operations.publicFile),
  onOutside(contract.sendFiles, operations.sendFiles),
  on(contract.withdrawFile, (tx, { params }) => operations.withdrawFile(tx, params.link_token, params.file_id)),
  on(contract.submitFiles, (tx, { params }) => operations.submitFiles(tx, params.link_token)),
]

export const publicDocumentPages: PageRoute[] = [
  page('GET', '/shared/{token}', operations.showPage, 60),
  page('POST', '/shared/{token}', operations.takePassword, 20),
]
