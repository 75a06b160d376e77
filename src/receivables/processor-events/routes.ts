// Events of the card processor over HTTP: contract → operation.
import { on, onMessage } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const processorEventRoutes = [
  on(contract.listEvents, (tx, { query }) => operations.listEvents(tx, query)),
  onMessage(contract.receiveEvent, operations.receiveEvent),
  on(contract.replayEvent, (tx, { params }) => operations.replayEvent(tx, params.event_id)),
]
