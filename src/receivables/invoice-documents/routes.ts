// The papers of an invoice over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import { page } from '../../foundation/page.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const invoiceDocumentRoutes = [
  on(contract.getPaymentLink, (tx, { params }) => operations.getPaymentLink(tx, params.invoice_id)),
  on(contract.getPdfLink, (tx, { params }) => operations.getPdfLink(tx, params.invoice_id)),
  on(contract.getPdf, (tx, { params }) => operations.downloadPdf(tx, params.invoice_id)),
]

export const invoiceDocumentPages = [
  page('GET', '/files/invoices/{ticket}', (tx, { params }) => operations.openPdf(tx, params['ticket'] ?? ''), 60),
]
