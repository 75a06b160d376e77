// Tax codes over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const taxCodeRoutes = [
  on(contract.listTaxCodes, (tx, { query }) => operations.listTaxCodes(tx, query)),
  on(contract.createTaxCode, (tx, { body }) => operations.createTaxCode(tx, body)),
  on(contract.getTaxCode, (tx, { params }) => operations.getTaxCode(tx, params.tax_code_id)),
  on(contract.updateTaxCode, (tx, { params, body }) => operations.updateTaxCode(tx, params.tax_code_id, body)),
  on(contract.deleteTaxCode, (tx, { params }) => operations.deleteTaxCode(tx, params.tax_code_id)),
]
