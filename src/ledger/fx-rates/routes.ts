// Exchange rates over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const fxRateRoutes = [
  on(contract.listFxRates, (tx, { query }) => operations.listFxRates(tx, query)),
  on(contract.setFxRates, (tx, { body }) => operations.setFxRates(tx, body)),
]
