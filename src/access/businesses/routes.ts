// Businesses over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

/** The rooms above give a new business what it needs of them, and the books say what may still change. */
export const businessRoutes = (founders: readonly operations.Founder[], books: operations.BooksKeeper) => [
  on(contract.listBusinesses, (tx, { query }) => operations.listBusinesses(tx, query)),
  on(contract.createBusiness, (tx, { body }) => operations.createBusiness(tx, body, founders)),
  on(contract.getBusiness, (tx) => operations.getBusiness(tx)),
  on(contract.updateBusiness, (tx, { body }) => operations.updateBusiness(tx, body, books)),
  on(contract.deleteBusiness, (tx, { query }) => operations.deleteBusiness(tx, query.confirm_name)),
  on(contract.archiveBusiness, (tx) => operations.archiveBusiness(tx)),
  on(contract.restoreBusiness, (tx) => operations.restoreBusiness(tx)),
  on(contract.cancelDeletion, (tx) => operations.cancelDeletion(tx)),
]
