// New credit memos over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const creditIntakeRoutes = [
  on(contract.createMemo, (tx, { body }) => operations.createMemo(tx, body)),
  on(contract.createFromInvoice, (tx, { body }) => operations.createFromInvoice(tx, body)),
]
