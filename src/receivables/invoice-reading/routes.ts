// Reading documents into invoices over HTTP: contract → operation.
import { onOutside } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const invoiceReadingRoutes = [
  onOutside(contract.aiCreateInvoices, operations.aiCreate),
]
