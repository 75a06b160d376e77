// Locations over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const locationRoutes = [
  on(contract.listLocations, (tx, { query }) => operations.listLocations(tx, query)),
  on(contract.createLocation, (tx, { body }) => operations.createLocation(tx, body)),
  on(contract.exportLocations, (tx, { query }) => operations.exportLocations(tx, query)),
  on(contract.getLocation, (tx, { params }) => operations.getLocation(tx, params.location_id)),
  on(contract.updateLocation, (tx, { params, body }) => operations.updateLocation(tx, params.location_id, body)),
  on(contract.deleteLocation, (tx, { params }) => operations.deleteLocation(tx, params.location_id)),
  on(contract.setDefaultLocation, (tx, { params }) => operations.setDefaultLocation(tx, params.location_id)),
  on(contract.archiveLocation, (tx, { params }) => operations.archiveLocation(tx, params.location_id)),
  on(contract.unarchiveLocation, (tx, { params }) => operations.unarchiveLocation(tx, params.location_id)),
]
