// Security events over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const securityEventRoutes = [on(contract.listSecurityEvents, (tx, { query }) => operations.listSecurityEvents(tx, query))]
