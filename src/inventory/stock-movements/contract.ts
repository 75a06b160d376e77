// The stock ledger, to be read: every movement in the order of recording.
import type { Static } from 'typebox'
import { endpointsOf, listQuery, pageOf } from '../../foundation/endpoint.ts'
import { cents, date, id, integer, oneOf, optional, shape, text } from '../../foundation/shapes.ts'
import { MOVEMENT_TYPES, StockMovement } from '../stock-pools/contract.ts'

/** A movement with what there was of the product after it, in the order of recording. */
export const ProductMovement = shape('ProductMovement', {
  ...StockMovement.properties,
  running_quantity: integer(undefined, undefined, { description: 'Units after it, of all that the filters let through.' }),
  running_value: cents({ description: 'Their worth, integer cents in the base currency.' }),
})
export type ProductMovement = Static<typeof ProductMovement>

const endpoint = endpointsOf('inventory', 'business')

const filters = {
  type: optional(oneOf(MOVEMENT_TYPES)),
  location_id: optional(id()),
  from: optional(date()),
  to: optional(date()),
}

export const listMovements = endpoint({
  id: 'list_stock_movements', method: 'GET', path: '/activity/movements', summary: 'The stock ledger by sequence',
  description: 'To keep a copy: ask with descending=false and after=<the last sequence you have>. '
    + 'The sequence has no gap, and nothing appears behind one that was shown.',
  query: listQuery(['sequence'], {
    ...filters,
    after: optional(integer(0, undefined, { description: 'Only movements with a higher sequence.' })),
    variant_id: optional(id()),
    source_type: optional(text(1, 40)),
    source_id: optional(id()),
  }),
  reply: pageOf(StockMovement),
})

export const listProductMovements = endpoint({
  id: 'list_product_movements', method: 'GET', path: '/products/{product_id}/movements', summary: 'The stock ledger of a product with its running balance',
  params: shape('ProductParams', { product_id: id() }),
  query: listQuery(['sequence'], { variant_id: optional(id()), location_id: filters.location_id }),
  reply: pageOf(ProductMovement),
})
