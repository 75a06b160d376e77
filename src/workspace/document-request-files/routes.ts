// Files of document requests over HTTP, from inside: contract → operation.
import { on, onOutside } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const documentRequestFileRoutes = [
  onOutside(contract.supplyFiles, operations.supplyFiles),
  on(contract.removeFile, (tx, { params }) => operations.removeFile(tx, params)),
]
