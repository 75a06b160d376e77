// What people opened last, over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const searchRecentRoutes = [
  on(contract.listRecent, (tx) => operations.listRecent(tx)),
  on(contract.rememberRecent, (tx, { body }) => operations.rememberRecent(tx, body)),
  on(contract.forgetRecent, (tx) => operations.forgetRecent(tx)),
]
