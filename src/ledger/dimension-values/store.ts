// The SQL of the values of dimensions.
import { Type } from 'typebox'
import { constraintMeans } from '../../foundation/database/errors.ts'
import { list } from '../../foundation/database/list.ts'
import { deletion, insertion, updating } from '../../foundation/database/rows.ts'
import { columns, command, statement } from '../../foundation/database/statement.ts'
import { boolean, id } from '../../foundation/shapes.ts'
import { DimensionValue } from './contract.ts'

constraintMeans('dimension_values_code', 'The dimension has a value with this code already: use it, or choose another code.')

const rows = 'jsonb_populate_recordset(null::dimension_values, :rows::jsonb)'
const changing = ['code', 'name', 'parent_id', 'valid_from', 'valid_to', 'archived', 'merged_into_id']

export const insertValue = insertion('dimension_values', DimensionValue)
export const insertValues = command(
  `insert into dimension_values (${columns(DimensionValue)}) select ${columns(DimensionValue)} from ${rows} where business_id = :business_id`)
export const updateValue = updating('dimension_values', ...changing)
export const updateValues = command(
  `update dimension_values t set ${[...changing, 'updated_at', 'version'].map((name) => `${name} = r.${name}`).join(', ')}
   from ${rows} r where t.business_id = :business_id and t.id = r.id`)
export const deleteValue = deletion('dimension_values')
export const deleteValuesOf = statement(
  DimensionValue,
  `delete from dimension_values where business_id = :business_id and dimension_id = :dimension_id returning ${columns(DimensionValue)}`)

const one = `select ${columns(DimensionValue)} from dimension_values where business_id = :business_id and dimension_id = :dimension_id and id = :id`
export const findValue = statement(DimensionValue, one)
export const lockValue = statement(DimensionValue, `${one} for update`)

export const valuesOf = statement(
  DimensionValue,
  `select ${columns(DimensionValue)} from dimension_values where business_id = :business_id and dimension_id = :dimension_id`)

export const valueWithCode = statement(
  Type.Object({ id: id() }),
  'select id from dimension_values where business_id = :business_id and dimension_id = :dimension_id and code = :code')

export const findDimension = statement(
  Type.Object({ id: id(), name: Type.String(), archived: boolean() }),
  'select id, name, archived from accounting_dimensions where business_id = :business_id and id = :dimension_id')

export const values = list({
  item: DimensionValue,
  from: 'dimension_values t',
  where: 't.business_id = :business_id',
  sorts: {
    code: { column: 't.code', type: 'text' },
    name: { column: 't.name_key', type: 'text' },
  },
  filters: {
    dimension_id: 't.dimension_id = :dimension_id',
    archived: `:archived in ('all', t.archived::text)`,
    q: 'position(lower(:q) in t.name_key) > 0 or position(lower(:q) in lower(t.code)) > 0',
  },
})

const sameDimension = 'business_id = :business_id and dimension_id = :dimension_id'

/** What stands in the way of a value's end. */
export const usesOf = statement(
  Type.Object({ lines: boolean(), children: boolean(), active_children: boolean(), merged: boolean(), rules: boolean() }),
  `select exists (select from journal_line_dimensions where business_id = :business_id and value_id = :id) as lines,
     exists (select from dimension_values where ${sameDimension} and parent_id = :id) as children,
     exists (select from dimension_values where ${sameDimension} and parent_id = :id and not archived) as active_children,
     exists (select from dimension_values where ${sameDimension} and merged_into_id = :id) as merged,
     exists (select from dimension_rules where ${sameDimension} and default_value_id = :id) as rules`)
