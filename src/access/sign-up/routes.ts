// Signing up over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const signUpRoutes = [
  on(contract.signUp, (tx, { body }) => operations.signUp(tx, body)),
  on(contract.verifyEmail, (tx, { body }) => operations.verifyEmail(tx, body.token)),
  on(contract.resendVerification, (tx, { body }) => operations.resendVerification(tx, body.email)),
]
