// Checkouts of plans over HTTP: contract → operation.
import { on, onOutside } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const billingCheckoutRoutes = [
  onOutside(contract.migrate, operations.migrate),
  onOutside(contract.checkout, operations.checkout),
  on(contract.getSession, (tx, { params }) => operations.getSession(tx, params.session_id)),
]
