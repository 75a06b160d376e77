// The token endpoints over HTTP: contract → operation.
import { onMessage } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const oauthTokenRoutes = [
  onMessage(contract.createToken, (tx, message) => operations.createToken(tx, message)),
  onMessage(contract.revokeToken, (tx, message) => operations.revokeToken(tx, message)),
  onMessage(contract.introspectToken, (tx, message) => operations.introspectToken(tx, message)),
]
