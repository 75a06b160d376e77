// Tax agencies over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const taxAgencyRoutes = [
  on(contract.listTaxAgencies, (tx, { query }) => operations.listTaxAgencies(tx, query)),
  on(contract.createTaxAgency, (tx, { body }) => operations.createTaxAgency(tx, body)),
  on(contract.getTaxAgency, (tx, { params }) => operations.getTaxAgency(tx, params.tax_agency_id)),
  on(contract.updateTaxAgency, (tx, { params, body }) => operations.updateTaxAgency(tx, params.tax_agency_id, body)),
  on(contract.deleteTaxAgency, (tx, { params }) => operations.deleteTaxAgency(tx, params.tax_agency_id)),
]
