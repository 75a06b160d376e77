// Billing over HTTP: contract → operation.
import { on, onOutside } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const billingRoutes = [
  on(contract.getBilling, operations.getBilling),
  on(contract.getUsage, operations.getUsage),
  onOutside(contract.previewPlan, operations.previewPlan),
  onOutside(contract.changePlan, operations.changePlan),
  onOutside(contract.cancelPlan, operations.cancelPlan),
  onOutside(contract.resumePlan, operations.resumePlan),
  onOutside(contract.openPortal, operations.openPortal),
]
