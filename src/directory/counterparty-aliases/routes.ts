// Counterparty aliases over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const counterpartyAliasRoutes = [
  on(contract.listAliases, (tx, { query }) => operations.listAliases(tx, query)),
  on(contract.createAlias, (tx, { body }) => operations.createAlias(tx, body)),
  on(contract.exportAliases, (tx, { query }) => operations.exportAliases(tx, query)),
  on(contract.suggestAliases, (tx) => operations.suggestAliases(tx)),
  on(contract.bulkAliases, (tx, { body }) => operations.bulkAliases(tx, body)),
  on(contract.resolveTexts, (tx, { body }) => operations.resolveTexts(tx, body.texts)),
  on(contract.applyAliases, (tx, { body }) => operations.applyAliases(tx, body)),
  on(contract.mergeCounterparties, (tx, { body }) => operations.mergeCounterparties(tx, body)),
  on(contract.getAlias, (tx, { params }) => operations.getAlias(tx, params.alias_id)),
  on(contract.updateAlias, (tx, { params, body }) => operations.updateAlias(tx, params.alias_id, body)),
  on(contract.deleteAlias, (tx, { params }) => operations.deleteAlias(tx, params.alias_id)),
]
