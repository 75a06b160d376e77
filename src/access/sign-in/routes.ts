// Signing in over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const signInRoutes = [
  on(contract.signIn, (tx, { body }) => operations.signIn(tx, body)),
  on(contract.signInTwoFactor, (tx, { body }) => operations.signInTwoFactor(tx, body)),
  on(contract.reauthenticate, (tx, { body }) => operations.reauthenticate(tx, body)),
]
