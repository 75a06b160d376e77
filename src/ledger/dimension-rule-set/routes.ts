// The rule set over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const dimensionRuleSetRoutes = [
  on(contract.getRules, (tx) => operations.getRules(tx)),
  on(contract.replaceRules, (tx, { body }) => operations.replaceRules(tx, body.rules)),
]
