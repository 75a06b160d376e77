// A resource is a kind of record that can be referred to: its events, who may read it, and where its label is found.
import { Type, type TObject } from 'typebox'
import { statement, type Statement } from './database/statement.ts'
import { id } from './shapes.ts'

export type Resource<Event extends string = string> = {
  /** As in `resource_type` on the wire: `note`, `invoice`. */
  type: string
  /** Whoever holds `<group>:read` may read its records and events. */
  group: string
  shape: TObject
  events: readonly Event[]
  /** The member of the shape that names a record for people. */
  label: string
  /** Which of these ids exist in the business, with their labels; null where notes, todos and tags cannot point at it. */
  lookup: Statement<{ id: string; label: string }> | null
}

export const resources = new Map<string, Resource>()

/** `present`: what is true of a record that is there, where a row may also be one that is gone. */
type Given<Event extends string> = Omit<Resource<Event>, 'lookup'> & { table: string | null; present?: string }

const Found = Type.Object({ id: id(), label: Type.String() })

/** `table` makes records of this kind known to everything that can point at any record. */
export function resource<const Event extends string>({ table, present = 'true', ...given }: Given<Event>): Resource<Event> {
  const lookup = table
    ? statement(Found, `select id, coalesce(${given.label}, '') as label from ${table} where business_id = :business_id and id = any(:ids) and ${present}`)
    : null
  const made = { ...given, lookup }
  resources.set(given.type, made)
  return made
}
