// Notes: comments on any record of the business.
import type { Static } from 'typebox'
import { endpointsOf, listQuery, pageOf } from '../../foundation/endpoint.ts'
import { resource } from '../../foundation/resource.ts'
import { boolean, id, integer, list, nullable, optional, partial, record, shape, text, timestamp } from '../../foundation/shapes.ts'

const body = text(1, 20_000, { description: 'Markdown. Raw HTML is shown as text; @name@example.com mentions a member.' })

export const Note = shape('Note', {
  ...record,
  resource_type: text(1, 50),
  resource_id: id(),
  parent_id: nullable(id({ description: 'The note this one answers; one level only.' })),
  body: text(0, 100_000, { description: 'Made safe to show, and so longer at times than what was written. Empty where the note was deleted but has replies.' }),
  pinned: boolean(),
  author_id: id(),
  author_name: text(1, 200),
  mentions: list(id(), { description: 'The members whom the text mentions.' }),
  edited_at: nullable(timestamp()),
  deleted: boolean(),
})

export const NoteInput = shape('NoteInput', { resource_type: text(1, 50), resource_id: id(), body, parent_id: optional(nullable(id())) })
export const NoteUpdate = partial('NoteUpdate', { body })

export const NoteCount = shape('NoteCount', { resource_id: id(), count: integer(0), latest_at: timestamp() })

export type Note = Static<typeof Note>
export type NoteInput = Static<typeof NoteInput>
export type NoteUpdate = Static<typeof NoteUpdate>

export const noteResource = resource({
  type: 'note', group: 'notes', shape: Note, table: null, label: 'resource_type',
  events: ['note.created', 'note.updated', 'note.deleted'],
})

const endpoint = endpointsOf('notes', 'business')
const params = shape('NoteParams', { note_id: id() })

export const listNotes = endpoint({
  id: 'list_notes', method: 'GET', path: '', summary: 'List notes',
  query: listQuery(['created_at'], {
    resource_type: optional(text(1, 50)),
    resource_id: optional(id()),
    author_id: optional(id()),
    mentions_me: optional(boolean({ description: 'Only notes that mention the caller.' })),
    q: optional(text(1, 200, { description: 'Words of the text.' })),
  }),
  reply: pageOf(Note),
})

export const createNote = endpoint({
  id: 'create_note', method: 'POST', path: '', summary: 'Write a note on a record',
  body: NoteInput,
  reply: Note,
  refusals: ['The parent is itself a reply, belongs to another record, or was deleted.', 'A mentioned address is nobody who is in this business.'],
})

export const getNote = endpoint({
  id: 'get_note', method: 'GET', path: '/{note_id}', summary: 'Get a note',
  params,
  reply: Note,
})

export const updateNote = endpoint({
  id: 'update_note', method: 'PUT', path: '/{note_id}', summary: 'Edit a note',
  description: 'Only its author edits a note.',
  params,
  body: NoteUpdate,
  reply: Note,
  refusals: ['The note was deleted.', 'A mentioned address is nobody who is in this business.'],
  example: { body: 'Checked with the **bank**: it clears on Monday.' },
})

export const deleteNote = endpoint({
  id: 'delete_note', method: 'DELETE', path: '/{note_id}', summary: 'Delete a note',
  description: 'By its author or an admin. A note stays as an empty one while it has replies.',
  params,
  reply: Note,
})

export const pinNote = endpoint({
  id: 'pin_note', method: 'PUT', path: '/{note_id}/pin', summary: 'Pin a note',
  params,
  reply: Note,
  refusals: ['The record has five pinned notes already.', 'The note was deleted.'],
})

export const unpinNote = endpoint({
  id: 'unpin_note', method: 'PUT', path: '/{note_id}/unpin', summary: 'Unpin a note',
  params,
  reply: Note,
})

export const countNotes = endpoint({
  id: 'count_notes', method: 'GET', path: '/counts', summary: 'Count the notes of several records',
  description: 'How many notes each record has and when the latest was written; records without notes are left out.',
  query: shape('NoteCountsQuery', { resource_type: text(1, 50), resource_ids: list(id(), { minItems: 1, maxItems: 500 }) }),
  reply: list(NoteCount),
})
