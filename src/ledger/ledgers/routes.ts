// Ledgers over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const ledgerRoutes = [
  on(contract.listLedgers, (tx, { query }) => operations.listLedgers(tx, query)),
  on(contract.createLedger, (tx, { body }) => operations.createLedger(tx, body)),
  on(contract.bulkLedgers, (tx, { body }) => operations.bulkLedgers(tx, body)),
  on(contract.getLedger, (tx, { params }) => operations.getLedger(tx, params.ledger_id)),
  on(contract.updateLedger, (tx, { params, body }) => operations.updateLedger(tx, params.ledger_id, body)),
  on(contract.deleteLedger, (tx, { params }) => operations.deleteLedger(tx, params.ledger_id)),
  on(contract.archiveLedger, (tx, { params }) => operations.archiveLedger(tx, params.ledger_id)),
  on(contract.restoreLedger, (tx, { params }) => operations.restoreLedger(tx, params.ledger_id)),
  on(contract.mergeLedger, (tx, { params, body }) => operations.mergeLedger(tx, params.ledger_id, body.into_id)),
  on(contract.unmergeLedger, (tx, { params }) => operations.unmergeLedger(tx, params.ledger_id)),
]
