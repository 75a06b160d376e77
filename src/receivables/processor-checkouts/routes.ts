// Checkouts over HTTP: contract → operation.
import { onOutside } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import { openCheckout } from './operations.ts'

export const processorCheckoutRoutes = [
  onOutside(contract.openCheckout, openCheckout),
]
