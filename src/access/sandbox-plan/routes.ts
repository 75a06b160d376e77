// The test door of plans over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const sandboxPlanRoutes = [
  on(contract.setPlanTier, (tx, { body }) => operations.setPlanTier(tx, body.plan_tier)),
]
