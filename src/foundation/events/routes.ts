// The event log over HTTP: contract → operation.
import { on } from '../endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const eventRoutes = [
  on(contract.listEvents, (tx, { query }) => operations.listEvents(tx, query)),
  on(contract.listEventTypes, (tx) => operations.listEventTypes(tx)),
  on(contract.streamEvents, (tx, { query }) => operations.streamEvents(tx, query)),
  on(contract.getEvent, (tx, { params }) => operations.getEvent(tx, params.event_id)),
]
