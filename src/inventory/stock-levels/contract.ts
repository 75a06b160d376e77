// How much there is of what, and where.
import { Type, type Static } from 'typebox'
import { endpointsOf, listQuery, pageOf } from '../../foundation/endpoint.ts'
import { date, id, integer, list, optional, shape, text } from '../../foundation/shapes.ts'
import { figures } from '../variants/contract.ts'

const { on_hand, reserved, available, unit_cost, value } = figures

export const StockLevel = shape('StockLevel', {
  variant_id: id(), sku: Type.String(), variant_name: Type.String(), location_id: id(),
  location_name: Type.String(), on_hand, reserved, available, unit_cost, value,
})
export type StockLevel = Static<typeof StockLevel>

export const LocationStock = shape('LocationStock', {
  id: id({ description: 'That of the variant.' }), product_id: id(), product_name: Type.String(), sku: Type.String(),
  variant_name: Type.String(), on_hand, reserved, available, unit_cost, value,
})

export const Availability = shape('Availability', {
  variant_id: id(), sku: Type.String(), location_id: id(), location_name: Type.String(), date: date(),
  on_hand: integer(), reserved: integer(0), available: integer(), incoming: integer(0),
})
export type Availability = Static<typeof Availability>

const endpoint = endpointsOf('inventory', 'business')

export const getProductStock = endpoint({
  id: 'get_product_stock', method: 'GET', path: '/products/{product_id}/stock', summary: 'Stock of a product by variant and location', live: true,
  params: shape('ProductParams', { product_id: id() }),
  reply: list(StockLevel),
})

export const listLocationStock = endpoint({
  id: 'list_location_stock', method: 'GET', path: '/locations/{location_id}/stock', summary: 'Stock at a location by variant', live: true,
  params: shape('LocationParams', { location_id: id() }),
  query: listQuery(['sku'], { q: optional(text(1, 100, { description: 'Part of the sku or of the name of the product.' })) }),
  reply: pageOf(LocationStock),
})

export const listAvailability = endpoint({
  id: 'list_availability', method: 'GET', path: '/products/availability', summary: 'What of many variants is available, by location', live: true,
  description: 'On a date in the past, what was on hand at its end. Locations that never had any of a variant are left out. '
    + 'Of a kit, how many its components make.',
  query: shape('AvailabilityQuery', {
    variant_ids: list(id(), { minItems: 1, maxItems: 500 }), location_id: optional(id()), date: optional(date({ description: 'Default: today.' })),
  }),
  reply: list(Availability),
})
