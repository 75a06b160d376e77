// Managerial keys over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const managerialKeyRoutes = [
  on(contract.getMappings, (tx, { query }) => operations.getMappings(tx, query)),
  on(contract.saveMappings, (tx, { body }) => operations.saveMappings(tx, body.mappings)),
  on(contract.exportMappings, (tx, { query }) => operations.exportMappings(tx, query)),
  on(contract.listKeyTypes, (tx) => operations.listKeyTypes(tx)),
  on(contract.createKeyType, (tx, { body }) => operations.createKeyType(tx, body)),
  on(contract.updateKeyType, (tx, { params, body }) => operations.updateKeyType(tx, params.key, body)),
  on(contract.deleteKeyType, (tx, { params, query }) => operations.deleteKeyType(tx, params.key, query)),
]
