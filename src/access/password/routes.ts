// Passwords over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const passwordRoutes = [
  on(contract.changePassword, (tx, { body }) => operations.changePassword(tx, body)),
  on(contract.forgotPassword, (tx, { body }) => operations.forgotPassword(tx, body.email)),
  on(contract.resetPassword, (tx, { body }) => operations.resetPassword(tx, body)),
]
