// Balances over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const ledgerBalanceRoutes = [
  on(contract.getTree, (tx, { query }) => operations.getTree(tx, query)),
  on(contract.listBalances, (tx, { query }) => operations.listBalances(tx, query)),
]
