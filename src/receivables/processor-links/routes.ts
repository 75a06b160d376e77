// The hosted link of an invoice over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const processorLinkRoutes = [
  on(contract.rotateInvoiceLink, (tx, { params }) => operations.rotateInvoiceLink(tx, params.invoice_id)),
]
