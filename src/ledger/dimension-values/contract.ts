// The values of a dimension: the departments, classes or places that lines are counted by.
import { Type, type Static } from 'typebox'
import { endpointsOf, listQuery, pageOf } from '../../foundation/endpoint.ts'
import { resource } from '../../foundation/resource.ts'
import { boolean, date, id, integer, list, nullable, oneOf, optional, partial, record, shape, text } from '../../foundation/shapes.ts'
import { FileInput } from '../../foundation/sheets.ts'
import { archivedFilter, dimensionParams } from '../accounting-dimensions/contract.ts'

export const DEEPEST = 5
export const MOST_IMPORTED = 10_000

const fields = {
  code: text(1, 30, { pattern: '^\\S(?:.*\\S)?$', description: 'Unique in the dimension.' }),
  name: text(1, 120, { pattern: '\\S' }),
  parent_id: nullable(id({ description: `A value of the same dimension; at most ${DEEPEST} deep.` })),
  valid_from: nullable(date({ description: 'The first date of lines that may carry it.' })),
  valid_to: nullable(date({ description: 'The last date of lines that may carry it.' })),
}

export const DimensionValue = shape('DimensionValue', {
  ...record,
  dimension_id: id(),
  ...fields,
  archived: boolean(),
  merged_into_id: nullable(id({ description: 'Statements show it under this value.' })),
})
export const DimensionValueInput = shape('DimensionValueInput', {
  ...partial('DimensionValueFields', fields).properties,
  code: fields.code,
  name: fields.name,
})
export const DimensionValueUpdate = partial('DimensionValueUpdate', fields)

export const IMPORT_ACTIONS = ['create', 'update', 'unchanged', 'error'] as const

export const DimensionValueImport = shape('DimensionValueImport', {
  ...FileInput,
  preview: optional(boolean({ default: false, description: 'Only say what would happen.' })),
})

export const DimensionValueImportResult = shape('DimensionValueImportResult', {
  created: integer(0),
  updated: integer(0),
  unchanged: integer(0),
  failed: integer(0, undefined, { description: 'Only in a preview: without one a row that is wrong stops the import.' }),
  rows: list(shape('DimensionValueImportRow', {
    row: integer(2, undefined, { description: 'Counted as a spreadsheet does; the header is row 1.' }),
    action: oneOf(IMPORT_ACTIONS),
    code: Type.String(),
    id: nullable(id()),
    detail: nullable(Type.String({ description: 'What is wrong with the row.' })),
  })),
})

export type DimensionValue = Static<typeof DimensionValue>
export type DimensionValueInput = Static<typeof DimensionValueInput>
export type DimensionValueUpdate = Static<typeof DimensionValueUpdate>
export type DimensionValueImport = Static<typeof DimensionValueImport>
export type DimensionValueImportResult = Static<typeof DimensionValueImportResult>

export const dimensionValueResource = resource({
  type: 'dimension_value', group: 'accounting-dimensions', shape: DimensionValue, table: 'dimension_values', label: 'name',
  events: [
    'dimension_value.created', 'dimension_value.updated', 'dimension_value.archived', 'dimension_value.restored', 'dimension_value.merged',
    'dimension_value.deleted',
  ],
})

const endpoint = endpointsOf('accounting-dimensions', 'business')
const params = shape('DimensionValueParams', { dimension_id: id(), value_id: id() })

export const listValues = endpoint({
  id: 'list_dimension_values', method: 'GET', path: '/{dimension_id}/values', summary: 'List the values of a dimension',
  params: dimensionParams,
  query: listQuery(['code', 'name'], { archived: archivedFilter, q: optional(text(1, 120, { description: 'Part of the code or the name.' })) }),
  reply: pageOf(DimensionValue),
})

export const createValue = endpoint({
  id: 'create_dimension_value', method: 'POST', path: '/{dimension_id}/values', summary: 'Create a value of a dimension',
  params: dimensionParams,
  body: DimensionValueInput,
  reply: DimensionValue,
  refusals: [
    'The dimension has a value with this code.', 'The dimension is archived.', 'The parent is archived, or the value would be too deep.',
    'valid_to lies before valid_from.',
  ],
  example: { code: 'NYC', name: 'New York' },
})

export const importValues = endpoint({
  id: 'import_dimension_values', method: 'POST', path: '/{dimension_id}/values/import', summary: 'Import values from a file',
  description:
    'Columns: code, name, and if wanted parent_code, valid_from, valid_to. A row whose code exists changes that value, any other makes one; a column that is '
    + `not in the file is left alone, an empty cell clears. All or nothing, at most ${MOST_IMPORTED.toLocaleString('en')} rows.`,
  large_body: true,
  params: dimensionParams,
  body: DimensionValueImport,
  reply: DimensionValueImportResult,
  refusals: ['A row is wrong; the first one is named.', 'A column is missing or unknown.', 'The dimension is archived.'],
  example: { file_name: 'departments.csv', content_base64: 'Y29kZSxuYW1lCk5ZQyxOZXcgWW9yawo=' },
})

export const getValue = endpoint({
  id: 'get_dimension_value', method: 'GET', path: '/{dimension_id}/values/{value_id}', summary: 'Get a value of a dimension',
  params,
  reply: DimensionValue,
})

export const updateValue = endpoint({
  id: 'update_dimension_value', method: 'PUT', path: '/{dimension_id}/values/{value_id}', summary: 'Change a value of a dimension',
  description: 'Its validity binds new lines only.',
  params,
  body: DimensionValueUpdate,
  reply: DimensionValue,
  refusals: [
    'The dimension has another value with this code.', 'The parent is archived or lies below the value, or a value would be too deep.',
    'valid_to lies before valid_from.', 'The value is merged into another one.',
  ],
  example: { name: 'New York City' },
})

export const deleteValue = endpoint({
  id: 'delete_dimension_value', method: 'DELETE', path: '/{dimension_id}/values/{value_id}', summary: 'Delete an unused value of a dimension',
  params,
  reply: DimensionValue,
  refusals: ['A posted line carries it: archive it instead.', 'Other values lie below it or are merged into it.', 'A rule has it as its default.'],
})

export const archiveValue = endpoint({
  id: 'archive_dimension_value', method: 'PUT', path: '/{dimension_id}/values/{value_id}/archive', summary: 'Archive a value of a dimension',
  description: 'New lines cannot carry it; what was posted stays.',
  params,
  reply: DimensionValue,
  refusals: ['A rule has it as its default.', 'Values below it are not archived.'],
})

export const restoreValue = endpoint({
  id: 'restore_dimension_value', method: 'PUT', path: '/{dimension_id}/values/{value_id}/restore', summary: 'Restore an archived value of a dimension',
  params,
  reply: DimensionValue,
  refusals: ['It is merged into another value.', 'Its parent is archived.'],
})

export const mergeValue = endpoint({
  id: 'merge_dimension_value', method: 'PUT', path: '/{dimension_id}/values/{value_id}/merge', summary: 'Merge a value into another of the dimension',
  description:
    'It is archived for good and statements show it under the other one; no line changes. Values below it move below the other one, and rules that have it '
    + 'as their default take the other one.',
  params,
  body: shape('DimensionValueMerge', { into_id: id() }),
  reply: DimensionValue,
  refusals: [
    'Both are the same value.', 'The other value is archived, or lies below it.', 'It is merged into a third value already.', 'A value would be too deep.',
  ],
})
