// The SQL of the rows of imports.
import { Type } from 'typebox'
import { list } from '../../foundation/database/list.ts'
import { insertions } from '../../foundation/database/rows.ts'
import { command, statement } from '../../foundation/database/statement.ts'
import { id, integer, list as listOf } from '../../foundation/shapes.ts'
import { ImportRow } from './contract.ts'

const own = 'business_id = :business_id and import_id = :import_id'

export const insertRows = insertions('import_rows', ImportRow)

// Rows have just been written when they are read and changed, and nobody has counted them yet: what joins them to others may take the square of
// their number. So none of these statements joins; what is to be written is looked up in the parameter itself.

/** Rows whose text in the key column stands in a row before, and the first that has it. */
export const repeatedKeys = statement(
  Type.Object({ row_number: integer(), unit: integer() }),
  `select row_number, unit from (
     select row_number, min(row_number) over (partition by case when :folded::boolean then lower(key) else key end) as unit
     from (select row_number, btrim(cells ->> :position::int) as key from import_rows where ${own}) k where key <> '') u
   where unit < row_number`)

/** `units` has the first row of the same record for every row, at its number; 0 where that is the row itself. */
export const joinUnits = command(
  `update import_rows set unit = coalesce(nullif((:units::int[])[row_number], 0), row_number)
   where ${own} and unit <> coalesce(nullif((:units::int[])[row_number], 0), row_number)`)

/** The first cell of these columns that could be two different days. */
export const ambiguousDate = statement(
  Type.Object({ row_number: integer(), position: integer(), text: Type.String() }),
  `select t.row_number, p.position, coalesce(btrim(t.cells ->> p.position)) as text
   from import_rows t cross join unnest(:positions::int[]) as p (position)
   where t.business_id = :business_id and t.import_id = :import_id
     and btrim(t.cells ->> p.position) ~ '^(0?[1-9]|1[0-2])([./-])(0?[1-9]|1[0-2])\\2\\d{4}$'
     and btrim(t.cells ->> p.position) !~ '^0?(\\d{1,2})[./-]0?\\1[./-]'
   order by t.row_number limit 1`)

const cells = Type.Object({ row_number: integer(), unit: integer(), cells: listOf(Type.String()) })

/** The next units that wait. */
export const nextUnits = statement(
  Type.Object({ unit: integer() }),
  `select distinct unit from import_rows where ${own} and status = 'pending' and unit > :after order by unit limit :limit`)

export const rowsOfUnits = statement(
  cells, `select row_number, unit, cells from import_rows where ${own} and status = 'pending' and unit = any(:units) order by unit, row_number`)

/** What became of rows, by their numbers. */
export const saveResults = command(
  `update import_rows set status = :results::jsonb -> row_number::text ->> 'status', record_id = (:results::jsonb -> row_number::text ->> 'record_id')::uuid,
     problems = :results::jsonb -> row_number::text -> 'problems'
   where ${own} and row_number = any(:row_numbers)`)

/** Rows that were refused wait again. */
export const renew = command(`update import_rows set status = 'pending', problems = '[]' where ${own} and status = 'error'`)

export const createdRecords = statement(
  Type.Object({ record_id: id() }), `select distinct coalesce(record_id) as record_id from import_rows where ${own} and status = 'created' order by 1`)

export const deleteRows = command(`delete from import_rows where ${own}`)

export const refused = list({
  item: ImportRow,
  from: 'import_rows t',
  where: `t.business_id = :business_id and t.status = 'error'`,
  sorts: { row_number: { column: 't.row_number', type: 'integer' } },
  filters: { import_id: 't.import_id = :import_id' },
})
