// Deposits that can pay invoices over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const depositCandidateRoutes = [
  on(contract.listDepositCandidates, (tx, { query }) => operations.listDepositCandidates(tx, query)),
]
