// Changes of the e-mail address over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const userEmailRoutes = [
  on(contract.requestEmailChange, (tx, { body }) => operations.requestEmailChange(tx, body.email)),
  on(contract.confirmEmailChange, (tx, { body }) => operations.confirmEmailChange(tx, body.token)),
  on(contract.undoEmailChange, (tx, { body }) => operations.undoEmailChange(tx, body.token)),
]
