// SQL as data: a statement has its text, its named parameters and the shape of its rows. All of them are kept in one
// registry, so that a test can hold each against the real schema (see test/statements.test.ts).
import { createHash } from 'node:crypto'
import { Type, type Static, type TObject, type TProperties } from 'typebox'

export type SqlValue = string | number | bigint | boolean | null | Buffer | readonly SqlValue[] | object
export type Parameters = Record<string, SqlValue | undefined>

export type Statement<Row = unknown> = {
  /** Derived from the text: the same text is prepared once per connection. */
  name: string
  text: string
  /** Named parameters in the order of $1, $2, … */
  parameters: string[]
  row: TObject
  readonly result?: Row
}

export const statements: Statement[] = []

/** A statement whose rows have this shape. Parameters are written `:name`; `:business_id`, `:today`, `:now` and `:actor_id` are the transaction's own. */
export function statement<P extends TProperties>(row: TObject<P>, text: string): Statement<Static<TObject<P>>> {
  const made = unregistered(row, text)
  statements.push(made)
  return made
}

/** A statement that returns no rows. */
export function command(text: string): Statement<object> {
  return statement(Type.Object({}), text)
}

/** For text put together at run time from a fixed set of parts, as lists do; whoever makes it registers its variants elsewhere. */
export function unregistered<P extends TProperties>(row: TObject<P>, text: string): Statement<Static<TObject<P>>> {
  const parameters: string[] = []
  // Quoted text is passed over; `::type` is a cast, not a parameter.
  const numbered = text.replace(/'(?:[^']|'')*'|::\w+|:([a-z_][a-z0-9_]*)/g, (whole, name: string | undefined) => {
    if (name === undefined) return whole
    let index = parameters.indexOf(name)
    if (index < 0) index = parameters.push(name) - 1
    return `$${index + 1}`
  })
  const name = createHash('sha1').update(numbered).digest('hex').slice(0, 20)
  return { name, text: numbered, parameters, row: row as unknown as TObject }
}

/** The columns of a shape, listed one by one: `select *` breaks a prepared statement when a migration adds a column. */
export function columns(row: TObject, table?: string): string {
  return Object.keys(row.properties).map((column) => (table ? `${table}.${column}` : column)).join(', ')
}
