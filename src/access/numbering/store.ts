// The SQL of numbering.
import { Type } from 'typebox'
import { command, columns, statement } from '../../foundation/database/statement.ts'
import { date, integer } from '../../foundation/shapes.ts'
import { Numbering } from './contract.ts'

const { next_number: _next_number, preview: _preview, ...stored } = Numbering.properties
const Sequence = Type.Object(stored)
const Locked = Type.Object({ ...stored, typed: Type.Boolean() })
const Mark = Type.Object({ month: date(), highest_used: integer(0), starts_at: integer(1) })

export const insertSequences = command(
  `insert into numbering_sequences (business_id, kind, id, prefix, suffix, padding, reset, created_at, updated_at, version)
   select :business_id, kind, id, prefix, '', 4, 'never', :now, :now, 1
   from unnest(:kinds::text[], :ids::uuid[], :prefixes::text[]) as given (kind, id, prefix)`)

export const allSequences = statement(Sequence, `select ${columns(Sequence)} from numbering_sequences where business_id = :business_id order by kind`)

export const lockSequence = statement(
  Locked,
  `select ${columns(Locked)} from numbering_sequences where business_id = :business_id and kind = :kind for update`)

export const updateSequence = command(
  `update numbering_sequences set prefix = :prefix, suffix = :suffix, padding = :padding, reset = :reset, updated_at = :updated_at, version = :version
   where business_id = :business_id and kind = :kind`)

export const setLastAssigned = command('update numbering_sequences set last_assigned = :last_assigned where business_id = :business_id and kind = :kind')

/** The marks of every sequence as its prefix and suffix are now. */
export const allMarks = statement(
  Type.Object({ kind: Numbering.properties.kind, ...Mark.properties }),
  `select m.kind, m.month, m.highest_used, m.starts_at
   from numbering_sequences s join numbering_marks m using (business_id, kind, prefix, suffix) where s.business_id = :business_id`)

export const marksOf = statement(
  Mark,
  `select month, highest_used, starts_at from numbering_marks
   where business_id = :business_id and kind = :kind and prefix = :prefix and suffix = :suffix`)

/** Those of one kind, as its prefix and suffix are now. */
export const marksOfKind = statement(
  Mark,
  `select m.month, m.highest_used, m.starts_at from numbering_sequences s join numbering_marks m using (business_id, kind, prefix, suffix)
   where s.business_id = :business_id and s.kind = :kind`)

export const markTyped = command('update numbering_sequences set typed = true where business_id = :business_id and kind = :kind and not typed')

export const saveMarks = command(
  `insert into numbering_marks (business_id, kind, prefix, suffix, month, highest_used, starts_at)
   select :business_id, :kind, :prefix, :suffix, * from unnest(:months::date[], :highest_used::bigint[], :starts_at::bigint[])
   on conflict (business_id, kind, prefix, suffix, month) do update set highest_used = excluded.highest_used, starts_at = excluded.starts_at`)
