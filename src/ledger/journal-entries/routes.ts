// Journal entries over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const journalEntryRoutes = [
  on(contract.listEntries, (tx, { query }) => operations.listEntries(tx, query)),
  on(contract.createEntry, (tx, { body }) => operations.createEntry(tx, body)),
  on(contract.bulkCreateEntries, (tx, { body }) => operations.bulkCreateEntries(tx, body)),
  on(contract.previewEntry, (tx, { body }) => operations.previewEntry(tx, body)),
  on(contract.getEntry, (tx, { params }) => operations.getEntry(tx, params.entry_id)),
  on(contract.updateEntry, (tx, { params, body }) => operations.updateEntry(tx, params.entry_id, body)),
  on(contract.deleteEntry, (tx, { params }) => operations.deleteEntry(tx, params.entry_id)),
  on(contract.submitEntry, (tx, { params }) => operations.submitEntry(tx, params.entry_id)),
  on(contract.approveEntry, (tx, { params }) => operations.approveEntry(tx, params.entry_id)),
  on(contract.rejectEntry, (tx, { params, body }) => operations.rejectEntry(tx, params.entry_id, body.reason)),
  on(contract.postEntry, (tx, { params }) => operations.postDraft(tx, params.entry_id)),
  on(contract.reverseEntry, (tx, { params, body }) => operations.reverseEntry(tx, params.entry_id, body)),
  on(contract.redateEntry, (tx, { params, body }) => operations.redateEntry(tx, params.entry_id, body.date)),
  on(contract.duplicateEntry, (tx, { params }) => operations.duplicateEntry(tx, params.entry_id)),
  on(contract.listEntryHistory, (tx, { params, query }) => operations.listEntryHistory(tx, params.entry_id, query)),
]
