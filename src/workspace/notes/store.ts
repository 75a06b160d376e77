// The SQL of notes.
import { Type } from 'typebox'
import { list } from '../../foundation/database/list.ts'
import { Count, deletion, insertion, selectionById, updating } from '../../foundation/database/rows.ts'
import { statement } from '../../foundation/database/statement.ts'
import { id } from '../../foundation/shapes.ts'
import { Note, NoteCount } from './contract.ts'

export const insertNote = insertion('notes', Note)
export const updateNote = updating('notes', 'body', 'pinned', 'mentions', 'edited_at', 'deleted')
export const deleteNote = deletion('notes')
export const findNote = selectionById('notes', Note)
export const lockNote = selectionById('notes', Note, true)

export const notes = list({
  item: Note,
  from: 'notes t',
  where: 't.business_id = :business_id',
  sorts: { created_at: { column: 't.created_at', type: 'timestamptz' } },
  filters: {
    resource_type: 't.resource_type = :resource_type',
    resource_id: 't.resource_id = :resource_id',
    author_id: 't.author_id = :author_id',
    mentions_me: `t.mentions <> '{}' and :actor_id = any(t.mentions)`,
    q: 't.id in (select search_notes(:business_id, :q))',
  },
})

export const countReplies = statement(Count, 'select count(*) as count from notes where business_id = :business_id and parent_id = :id')

export const countPinned = statement(
  Count,
  `select count(*) as count from notes
   where business_id = :business_id and resource_type = :resource_type and resource_id = :resource_id and pinned`,
)

export const countsByRecord = statement(
  NoteCount,
  `select resource_id, count(*) as count, max(created_at) as latest_at from notes
   where business_id = :business_id and resource_type = :resource_type and resource_id = any(:resource_ids) and not deleted
   group by resource_id order by resource_id`,
)

export const membersByAddress = statement(
  Type.Object({ user_id: id(), address: Type.String() }),
  `select u.id as user_id, lower(u.email) as address from memberships m join users u on u.id = m.user_id
   where m.business_id = :business_id and m.status = 'active' and lower(u.email) = any(:addresses)`,
)
