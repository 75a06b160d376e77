// Tax exemptions over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const taxExemptionRoutes = [
  on(contract.listTaxExemptions, (tx, { query }) => operations.listTaxExemptions(tx, query)),
  on(contract.createTaxExemption, (tx, { body }) => operations.createTaxExemption(tx, body)),
  on(contract.getTaxExemption, (tx, { params }) => operations.getTaxExemption(tx, params.tax_exemption_id)),
  on(contract.updateTaxExemption, (tx, { params, body }) => operations.updateTaxExemption(tx, params.tax_exemption_id, body)),
  on(contract.deleteTaxExemption, (tx, { params }) => operations.deleteTaxExemption(tx, params.tax_exemption_id)),
]
