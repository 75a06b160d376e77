// The plans over HTTP: contract → operation.
import { onOutside } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const billingPlanRoutes = [
  onOutside(contract.listPlans, operations.listPlans),
]
