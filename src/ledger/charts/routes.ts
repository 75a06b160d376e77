// The default charts over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const chartRoutes = [
  on(contract.listTemplates, (tx) => operations.listTemplates(tx)),
  on(contract.applyTemplate, (tx, { body }) => operations.applyTemplate(tx, body)),
]
