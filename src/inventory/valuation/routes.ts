// The valuation of stock over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const valuationRoutes = [on(contract.getValuation, (tx, { query }) => operations.getValuation(tx, query))]
