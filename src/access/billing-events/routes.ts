// Events about plans over HTTP: contract → operation.
import { onMessage } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import { receiveEvent } from './operations.ts'

export const billingEventRoutes = [
  onMessage(contract.receiveEvent, receiveEvent),
]
