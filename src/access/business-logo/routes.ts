// The logo of a business over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const businessLogoRoutes = [
  on(contract.setLogo, (tx, { body }) => operations.setLogo(tx, body)),
  on(contract.getLogo, (tx) => operations.downloadLogo(tx)),
  on(contract.removeLogo, (tx) => operations.removeLogo(tx)),
]
