// Two-factor sign-in over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const twoFactorRoutes = [
  on(contract.getTwoFactor, (tx) => operations.getTwoFactor(tx)),
  on(contract.disableTwoFactor, (tx, { body }) => operations.disableTwoFactor(tx, body)),
  on(contract.enrollTwoFactor, (tx) => operations.enrollTwoFactor(tx)),
  on(contract.confirmTwoFactor, (tx, { body }) => operations.confirmTwoFactor(tx, body.code)),
  on(contract.renewRecoveryCodes, (tx) => operations.renewRecoveryCodes(tx)),
]
