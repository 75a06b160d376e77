// The SQL of dimensions.
import { Type } from 'typebox'
import { constraintMeans } from '../../foundation/database/errors.ts'
import { list } from '../../foundation/database/list.ts'
import { deletion, insertion, selectionById, updating } from '../../foundation/database/rows.ts'
import { columns, command, statement } from '../../foundation/database/statement.ts'
import { boolean, id, integer } from '../../foundation/shapes.ts'
import { Dimension } from './contract.ts'

constraintMeans('accounting_dimensions_key', 'A dimension with this key exists already: use it, or choose another key.')

export const insertDimension = insertion('accounting_dimensions', Dimension)
export const updateDimension = updating('accounting_dimensions', 'name', 'description', 'position', 'archived')
export const deleteDimension = deletion('accounting_dimensions')
export const findDimension = selectionById('accounting_dimensions', Dimension)
export const lockDimension = selectionById('accounting_dimensions', Dimension, true)

export const allDimensions = statement(
  Dimension,
  `select ${columns(Dimension)} from accounting_dimensions where business_id = :business_id order by position, id`)

export const setPositions = command(
  `update accounting_dimensions t set position = given.position, updated_at = :now, version = version + 1
   from unnest(:ids::uuid[], :positions::int[]) as given (id, position) where t.business_id = :business_id and t.id = given.id`)

export const dimensions = list({
  item: Dimension,
  from: 'accounting_dimensions t',
  where: 't.business_id = :business_id',
  sorts: {
    position: { column: 't.position', type: 'integer' },
    name: { column: 't.name_key', type: 'text' },
  },
  filters: {
    archived: `:archived in ('all', t.archived::text)`,
    q: 'position(lower(:q) in t.name_key) > 0 or position(lower(:q) in t.key) > 0',
  },
})

/** Whether a posted line carries one of its values. */
export const isUsed = statement(
  Type.Object({ used: boolean() }),
  `select exists (
     select from dimension_values v join journal_line_dimensions d on d.business_id = v.business_id and d.value_id = v.id
     where v.business_id = :business_id and v.dimension_id = :id) as used`)

const carried = `
  select l.id as line_id, l.date, value_id from journal_lines l cross join unnest(l.dimension_value_ids) as value_id where l.business_id = :business_id`

export const countCarried = statement(Type.Object({ carried: integer() }), `select count(*) as carried from (${carried}) as found`)

/** Where the index of values by line and the lines themselves differ, either way. */
export const disagreements = statement(
  Type.Object({ line_id: id(), value_id: id(), indexed: boolean() }),
  `select line_id, value_id, d.business_id is not null as indexed
   from (select true as there, * from (${carried}) as found) as c
   full join (select * from journal_line_dimensions where business_id = :business_id) as d using (line_id, date, value_id)
   where c.there is null or d.business_id is null order by line_id limit 20`)

/** Lines with two values of one dimension, and values that no dimension has. */
export const strayValues = statement(
  Type.Object({ line_id: id(), known: integer(), dimensions: integer(), values: integer() }),
  `select c.line_id, count(v.id) as known, count(distinct v.dimension_id) as dimensions, count(*) as values
   from (${carried}) as c left join dimension_values v on v.business_id = :business_id and v.id = c.value_id
   group by c.line_id having count(distinct v.dimension_id) <> count(*) order by c.line_id limit 20`)
