// The sandbox mailbox over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const sandboxMailRoutes = [
  on(contract.listSandboxMail, (tx, { query }) => operations.listSandboxMail(tx, query)),
]
