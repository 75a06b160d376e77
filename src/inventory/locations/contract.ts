// Locations: where stock is kept.
import { Type, type Static } from 'typebox'
import { Address } from '../../access/businesses/contract.ts'
import { endpointsOf, listQuery, pageOf } from '../../foundation/endpoint.ts'
import { resource } from '../../foundation/resource.ts'
import { boolean, cents, id, nullable, oneOf, optional, partial, record, shape, text } from '../../foundation/shapes.ts'

export const LOCATION_TYPES = ['warehouse', 'store', 'third_party', 'consignment', 'vehicle'] as const
export const STATUSES = ['active', 'archived'] as const

export const fields = {
  name: text(1, 120, { pattern: '\\S', description: 'Unique in the business, whatever its case.' }),
  code: text(1, 20, { pattern: '^\\S+$', description: 'Unique in the business, whatever its case.' }),
  type: oneOf(LOCATION_TYPES),
  address: nullable(Address),
  negative_stock: nullable(oneOf(['block', 'allow'], { description: 'Whether more may be issued than is there; null: as the business says.' })),
  inventory_ledger_id: nullable(
    id({ description: 'The ledger of the stock that is kept here; null: that of the product, or the one with the role inventory.' }),
  ),
  sells: boolean({ description: 'Sales may take from it.' }),
  receives: boolean({ description: 'Deliveries may come here.' }),
}

/** A row of the table. */
export const LocationRow = shape(
  'LocationRow', { ...record, ...fields, is_default: boolean({ description: 'Lines that name no location use this one.' }), status: oneOf(STATUSES) },
)
export type LocationRow = Static<typeof LocationRow>

export const Location = shape(
  'Location', { ...LocationRow.properties, value: cents({ description: 'What its stock is worth, integer cents in the base currency.' }) },
)
export type Location = Static<typeof Location>

const given = partial('LocationFields', fields).properties
export const LocationInput = shape('LocationInput', { ...given, name: fields.name, code: fields.code })
export const LocationUpdate = partial('LocationUpdate', fields)
export type LocationInput = Static<typeof LocationInput>
export type LocationUpdate = Static<typeof LocationUpdate>

export const locationResource = resource({
  type: 'location', group: 'inventory', shape: LocationRow, table: 'locations', label: 'name',
  events: ['location.created', 'location.updated', 'location.archived', 'location.unarchived', 'location.deleted'],
})

const endpoint = endpointsOf('inventory', 'business')
const params = shape('LocationParams', { location_id: id() })
const at = '/locations/{location_id}'

const filters = {
  type: optional(oneOf(LOCATION_TYPES)), status: optional(oneOf(STATUSES)), q: optional(text(1, 100, { description: 'Part of the name or the code.' })),
}

export const listLocations = endpoint({
  id: 'list_locations', method: 'GET', path: '/locations', summary: 'List locations', live: true,
  query: listQuery(['name', 'code', 'created_at'], filters),
  reply: pageOf(Location),
})

export const createLocation = endpoint({
  id: 'create_location', method: 'POST', path: '/locations', summary: 'Make a location',
  body: LocationInput, reply: Location,
  refusals: ['The name or the code is taken.', 'The ledger is not an asset, or takes no lines.'],
  example: { name: 'Shop in the old town', code: 'SHOP', type: 'store' },
})

export const getLocation = endpoint({ id: 'get_location', method: 'GET', path: at, summary: 'Get a location', live: true, params, reply: Location })

export const updateLocation = endpoint({
  id: 'update_location', method: 'PUT', path: at, summary: 'Change a location',
  params, body: LocationUpdate, reply: Location,
  refusals: ['The name or the code is taken.', 'Another ledger is given while stock is there.'],
  example: { name: 'Shop at the harbour' },
})

export const deleteLocation = endpoint({
  id: 'delete_location', method: 'DELETE', path: at, summary: 'Delete a location that was never used',
  params, reply: Location,
  refusals: ['Stock has moved there, or a draft names it: archive it instead.', 'It is the default.'],
})

const action = (verb: string, summary: string, refusals: string[]) =>
  endpoint({ id: `${verb === 'default' ? 'set_default' : verb}_location`, method: 'PUT', path: `${at}/${verb}`, summary, params, reply: Location, refusals })

export const setDefaultLocation = action('default', 'Make it the default location', ['The location is archived.'])
export const archiveLocation = action('archive', 'Archive a location', ['Stock is there, a draft names it, or it is the default.'])
export const unarchiveLocation = action('unarchive', 'Take a location out of the archive', [])

export const exportLocations = endpoint({
  id: 'export_locations', method: 'GET', path: '/locations/export.csv', summary: 'Export locations as CSV',
  query: shape('LocationExportQuery', filters),
  reply: Type.Unsafe<never>({ type: 'string', contentMediaType: 'text/csv' }),
})
