// The test door of the embedded bank over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const sandboxBankRoutes = [
  on(contract.readSandboxDays, (tx, { params, body }) => operations.readSandboxDays(tx, params.ledger_id, body.days)),
]
