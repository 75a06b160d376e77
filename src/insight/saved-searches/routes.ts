// Saved searches over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const savedSearchRoutes = [
  on(contract.listSavedSearches, (tx, { query }) => operations.listSavedSearches(tx, query)),
  on(contract.createSavedSearch, (tx, { body }) => operations.createSavedSearch(tx, body)),
  on(contract.updateSavedSearch, (tx, { params, body }) => operations.updateSavedSearch(tx, params.saved_search_id, body)),
  on(contract.deleteSavedSearch, (tx, { params }) => operations.deleteSavedSearch(tx, params.saved_search_id)),
]
