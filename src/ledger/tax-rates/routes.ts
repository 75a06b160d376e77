// Tax rates over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const taxRateRoutes = [
  on(contract.listTaxRates, (tx, { query }) => operations.listTaxRates(tx, query)),
  on(contract.createTaxRate, (tx, { body }) => operations.createTaxRate(tx, body)),
  on(contract.getTaxRate, (tx, { params }) => operations.getTaxRate(tx, params.tax_rate_id)),
  on(contract.updateTaxRate, (tx, { params, body }) => operations.updateTaxRate(tx, params.tax_rate_id, body)),
  on(contract.deleteTaxRate, (tx, { params }) => operations.deleteTaxRate(tx, params.tax_rate_id)),
]
