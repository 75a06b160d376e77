// Price changes over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const priceChangeRoutes = [on(contract.changePrices, (tx, { body }) => operations.changePrices(tx, body))]
