// Numbering over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const numberingRoutes = [
  on(contract.listNumbering, (tx) => operations.listNumbering(tx)),
  on(contract.updateNumbering, (tx, { params, body }) => operations.updateNumbering(tx, params.kind, body)),
]
