// Collections over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const collectionRoutes = [
  on(contract.getCollections, (tx, { query }) => operations.getCollections(tx, query)),
]
