// Tax calculation over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const taxCalculationRoutes = [on(contract.calculateTax, (tx, { body }) => operations.calculate(tx, body))]
