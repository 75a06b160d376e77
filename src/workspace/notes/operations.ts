// What can be done with notes.
import { changed } from '../../foundation/database/rows.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import type { PageQuery } from '../../foundation/database/list.ts'
import { newId } from '../../foundation/ids.ts'
import { requireRecords } from '../../foundation/records.ts'
import { invalid } from '../../foundation/refusal.ts'
import { noteResource, type Note, type NoteInput, type NoteUpdate } from './contract.ts'
import { mentionedAddresses, MOST_PINNED, requireAuthor, requireAuthorOrAdmin, requireParent, requirePresent, sanitise } from './rules.ts'
import * as store from './store.ts'

type NoteQuery = PageQuery & { mentions_me?: boolean }

export function listNotes(tx: BusinessTx, query: NoteQuery) {
  const asked = { ...query, mentions_me: query.mentions_me || undefined }
  return tx.page(store.notes, asked)
}

export function getNote(tx: BusinessTx, note_id: string): Promise<Note> {
  return tx.get(store.findNote, { id: note_id }, 'Note')
}

export async function createNote(tx: BusinessTx, input: NoteInput): Promise<Note> {
  await requireRecords(tx, input.resource_type, [input.resource_id])
  const parent_id = input.parent_id ?? null
  // Locked, so that it is not deleted as one without replies meanwhile.
  if (parent_id) requireParent(await tx.get(store.lockNote, { id: parent_id }, 'Parent note'), input)
  const note: Note = {
    id: newId(),
    business_id: tx.business_id,
    resource_type: input.resource_type,
    resource_id: input.resource_id,
    parent_id,
    ...(await written(tx, input.body)),
    pinned: false,
    author_id: tx.user_id,
    author_name: tx.actor.name,
    edited_at: null,
    deleted: false,
    created_at: tx.now,
    updated_at: tx.now,
    version: 1,
  }
  tx.queue(store.insertNote, note)
  tx.record(noteResource, 'note.created', { before: null, after: note })
  return note
}

export async function updateNote(tx: BusinessTx, note_id: string, input: NoteUpdate): Promise<Note> {
  const note = await tx.lock(store.lockNote, { id: note_id }, 'Note')
  requireAuthor(note, tx.actor.user_id)
  requirePresent(note)
  if (input.body === undefined) return note
  return save(tx, note, { ...(await written(tx, input.body)), edited_at: tx.now })
}

/** A note that others answered stays as an empty one, so that the thread keeps its shape; it goes with the last of them. */
export async function deleteNote(tx: BusinessTx, note_id: string): Promise<Note> {
  const note = await tx.lock(store.lockNote, { id: note_id }, 'Note')
  requireAuthorOrAdmin(note, tx.actor.user_id, tx.actor.role)
  if (note.deleted) return note
  const gone = changed(note, { deleted: true, body: '', pinned: false, mentions: [] }, tx.now)
  const { count } = await tx.get(store.countReplies, { id: note_id }, 'Note')
  tx.queue(count > 0 ? store.updateNote : store.deleteNote, gone)
  if (note.parent_id) await deleteEmptyThread(tx, note.parent_id)
  tx.record(noteResource, 'note.deleted', { before: note, after: null })
  return gone
}

export async function pinNote(tx: BusinessTx, note_id: string): Promise<Note> {
  const note = await tx.lock(store.lockNote, { id: note_id }, 'Note')
  requirePresent(note)
  if (note.pinned) return note
  await tx.exclusive(`notes pinned on ${note.resource_id}`)
  const { count } = await tx.get(store.countPinned, note, 'Note')
  if (count >= MOST_PINNED) throw invalid(`This record has ${MOST_PINNED} pinned notes already: unpin one first.`)
  return save(tx, note, { pinned: true })
}

export async function unpinNote(tx: BusinessTx, note_id: string): Promise<Note> {
  const note = await tx.lock(store.lockNote, { id: note_id }, 'Note')
  return note.pinned ? save(tx, note, { pinned: false }) : note
}

export function countNotes(tx: BusinessTx, query: { resource_type: string; resource_ids: string[] }) {
  return tx.many(store.countsByRecord, query)
}

/** With the top locked, of two who delete the last two replies the second sees that none is left. */
async function deleteEmptyThread(tx: BusinessTx, note_id: string): Promise<void> {
  const top = await tx.get(store.lockNote, { id: note_id }, 'Note')
  const { count } = await tx.get(store.countReplies, { id: note_id }, 'Note')
  if (top.deleted && count === 0) tx.queue(store.deleteNote, top)
}

function save(tx: BusinessTx, note: Note, changes: Partial<Note>): Note {
  const after = changed(note, changes, tx.now)
  tx.queue(store.updateNote, after)
  tx.record(noteResource, 'note.updated', { before: note, after })
  return after
}

/** The text as it is kept, with the members it mentions. */
async function written(tx: BusinessTx, body: string): Promise<{ body: string; mentions: string[] }> {
  const addresses = mentionedAddresses(body)
  const members = addresses.length > 0 ? await tx.many(store.membersByAddress, { addresses }) : []
  const stranger = addresses.find((address) => !members.some((member) => member.address === address))
  if (stranger) throw invalid(`${stranger} is not in this business and cannot be mentioned.`)
  return { body: sanitise(body), mentions: members.map((member) => member.user_id) }
}
