// The connection with the card processor over HTTP: contract → operation.
import { on, onOutside } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const processorConnectionRoutes = [
  on(contract.getConnection, (tx) => operations.getConnection(tx)),
  onOutside(contract.connectProcessor, operations.connect),
  on(contract.updateConnection, (tx, { body }) => operations.updateConnection(tx, body)),
  on(contract.disconnectProcessor, (tx, { query }) => operations.disconnect(tx, query.force ?? false)),
  onOutside(contract.refreshConnection, operations.refresh),
]
