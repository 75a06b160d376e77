// The statements that every table needs, made from the shape of its rows. A new row is complete before it is written
// (id, times and version come from the code), so an insert has nothing to return and can travel with the commit.
import { Type, type TObject } from 'typebox'
import { columns, command, statement, type Statement } from './statement.ts'

/** insert one row, all columns of the shape. */
export function insertion(table: string, row: TObject): Statement {
  const names = Object.keys(row.properties)
  return command(`insert into ${table} (${names.join(', ')}) values (${names.map((name) => `:${name}`).join(', ')})`)
}

/** Rows of a table, given as one parameter of JSON; the rows are called `r`. */
export function rowsGiven(table: string, parameter = 'rows'): string {
  return `jsonb_populate_recordset(null::${table}, :${parameter}::jsonb) r`
}

/** Insert many rows of a business, given as JSON: all columns of the shape. */
export function insertions(table: string, row: TObject, parameter = 'rows'): Statement {
  const names = Object.keys(row.properties).filter((name) => name !== 'business_id')
  return command(`insert into ${table} (business_id, ${names.join(', ')}) select :business_id, ${names.map((name) => `r.${name}`).join(', ')} from ${rowsGiven(table, parameter)}`)
}

/** Update many rows of a business by id, given as JSON: the named columns. */
export function updatings(table: string, names: readonly string[], parameter = 'rows'): Statement {
  return command(`update ${table} t set ${names.map((name) => `${name} = r.${name}`).join(', ')} from ${rowsGiven(table, parameter)} where t.business_id = :business_id and t.id = r.id`)
}

/** What can change of a row: all of its columns but those that name it, its beginning, and these. */
export function changing(row: TObject, ...fixed: string[]): string[] {
  return Object.keys(row.properties).filter((name) => !['id', 'business_id', 'created_at', ...fixed].includes(name))
}

/** Update one row of a business by id: the named columns, updated_at and version. */
export function updating(table: string, ...names: string[]): Statement {
  const sets = [...names, 'updated_at', 'version'].map((name) => `${name} = :${name}`)
  return command(`update ${table} set ${sets.join(', ')} where business_id = :business_id and id = :id`)
}

/** Delete one row of a business by id. */
export function deletion(table: string): Statement {
  return command(`delete from ${table} where business_id = :business_id and id = :id`)
}

/** One row of a business by id; `locking` keeps it until the transaction ends. */
export function selectionById<T extends TObject>(table: string, row: T, locking = false) {
  return statement<T['properties']>(row as TObject<T['properties']>, `select ${columns(row)} from ${table} where business_id = :business_id and id = :id${locking ? ' for update' : ''}`)
}

/** What an update writes: the record with its changes, one version further. An absent field is left alone. */
export function changed<Row extends { version: number; updated_at: string }>(row: Row, changes: Partial<Row>, now: string): Row {
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
  return { ...row, ...given, updated_at: now, version: row.version + 1 }
}

export const Count = Type.Object({ count: Type.Integer() })
