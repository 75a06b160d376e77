// Dimensions: the business's own axes of analysis, such as department, class or location.
import type { Static } from 'typebox'
import { endpointsOf, listQuery, pageOf } from '../../foundation/endpoint.ts'
import { resource } from '../../foundation/resource.ts'
import { boolean, id, integer, nullable, oneOf, optional, partial, record, shape, text } from '../../foundation/shapes.ts'

export const MOST_ACTIVE = 10

const fields = {
  name: text(1, 120, { pattern: '\\S' }),
  description: nullable(text(1, 500)),
  position: integer(1, 10_000, { description: 'Its place among the dimensions, from 1; the others make room.' }),
}
const key = text(2, 40, { pattern: '^[a-z][a-z0-9_-]*$', description: 'Unique in the business; never changes. Reports name the dimension by it.' })

export const Dimension = shape('Dimension', { ...record, key, ...fields, archived: boolean() })
export const DimensionInput = shape('DimensionInput', { key, ...partial('DimensionFields', fields).properties, name: fields.name })
export const DimensionUpdate = partial('DimensionUpdate', fields)

export type Dimension = Static<typeof Dimension>
export type DimensionInput = Static<typeof DimensionInput>
export type DimensionUpdate = Static<typeof DimensionUpdate>

export const dimensionResource = resource({
  type: 'dimension', group: 'accounting-dimensions', shape: Dimension, table: 'accounting_dimensions', label: 'name',
  events: ['dimension.created', 'dimension.updated', 'dimension.archived', 'dimension.restored', 'dimension.deleted'],
})

export const archivedFilter = optional(oneOf(['false', 'true', 'all'], { default: 'false' }))

const endpoint = endpointsOf('accounting-dimensions', 'business')
export const dimensionParams = shape('DimensionParams', { dimension_id: id() })

export const listDimensions = endpoint({
  id: 'list_dimensions', method: 'GET', path: '', summary: 'List dimensions',
  query: listQuery(['position', 'name'], { archived: archivedFilter, q: optional(text(1, 120, { description: 'Part of the key or the name.' })) }),
  reply: pageOf(Dimension),
})

export const createDimension = endpoint({
  id: 'create_dimension', method: 'POST', path: '', summary: 'Create a dimension',
  body: DimensionInput,
  reply: Dimension,
  refusals: ['A dimension with this key exists.', `The business has ${MOST_ACTIVE} active dimensions already.`],
  example: { key: 'department', name: 'Department' },
})

export const getDimension = endpoint({
  id: 'get_dimension', method: 'GET', path: '/{dimension_id}', summary: 'Get a dimension',
  params: dimensionParams,
  reply: Dimension,
})

export const updateDimension = endpoint({
  id: 'update_dimension', method: 'PUT', path: '/{dimension_id}', summary: 'Rename or move a dimension',
  params: dimensionParams,
  body: DimensionUpdate,
  reply: Dimension,
  example: { name: 'Cost centre' },
})

export const deleteDimension = endpoint({
  id: 'delete_dimension', method: 'DELETE', path: '/{dimension_id}', summary: 'Delete a dimension that was never used',
  description: 'Its values and rules go with it.',
  params: dimensionParams,
  reply: Dimension,
  refusals: ['A posted line carries one of its values: archive it instead.'],
})

export const archiveDimension = endpoint({
  id: 'archive_dimension', method: 'PUT', path: '/{dimension_id}/archive', summary: 'Archive a dimension',
  description: 'New lines cannot carry its values and its rules stop; what was posted stays.',
  params: dimensionParams,
  reply: Dimension,
})

export const restoreDimension = endpoint({
  id: 'restore_dimension', method: 'PUT', path: '/{dimension_id}/restore', summary: 'Restore an archived dimension',
  description: 'Its rules bind again.',
  params: dimensionParams,
  reply: Dimension,
  refusals: [`The business has ${MOST_ACTIVE} active dimensions already.`],
})
