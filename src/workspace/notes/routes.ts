// Notes over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const noteRoutes = [
  on(contract.listNotes, (tx, { query }) => operations.listNotes(tx, query)),
  on(contract.createNote, (tx, { body }) => operations.createNote(tx, body)),
  on(contract.countNotes, (tx, { query }) => operations.countNotes(tx, query)),
  on(contract.getNote, (tx, { params }) => operations.getNote(tx, params.note_id)),
  on(contract.updateNote, (tx, { params, body }) => operations.updateNote(tx, params.note_id, body)),
  on(contract.deleteNote, (tx, { params }) => operations.deleteNote(tx, params.note_id)),
  on(contract.pinNote, (tx, { params }) => operations.pinNote(tx, params.note_id)),
  on(contract.unpinNote, (tx, { params }) => operations.unpinNote(tx, params.note_id)),
]
