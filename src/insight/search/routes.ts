// Search over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import { startReindex } from '../search-index/jobs.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const searchRoutes = [
  on(contract.search, (tx, { query }) => operations.search(tx, query)),
  on(contract.suggest, (tx, { query }) => operations.suggest(tx, query)),
  on(contract.listSearchTypes, (tx) => operations.listSearchTypes(tx)),
  on(contract.reindex, (tx) => startReindex(tx)),
]
