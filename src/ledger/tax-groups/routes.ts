// Tax groups over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const taxGroupRoutes = [
  on(contract.listTaxGroups, (tx, { query }) => operations.listTaxGroups(tx, query)),
  on(contract.createTaxGroup, (tx, { body }) => operations.createTaxGroup(tx, body)),
  on(contract.getTaxGroup, (tx, { params }) => operations.getTaxGroup(tx, params.tax_group_id)),
  on(contract.updateTaxGroup, (tx, { params, body }) => operations.updateTaxGroup(tx, params.tax_group_id, body)),
  on(contract.deleteTaxGroup, (tx, { params }) => operations.deleteTaxGroup(tx, params.tax_group_id)),
]
