// Many products at once, found by the sku of a variant or by the name that another system gives them.
import type { Static } from 'typebox'
import { atomic, BulkResult, MOST_ITEMS } from '../../foundation/bulk.ts'
import { endpointsOf } from '../../foundation/endpoint.ts'
import { list, optional, partial, shape } from '../../foundation/shapes.ts'
import { fields as productFields } from '../products/contract.ts'
import { fields as variantFields } from '../variants/contract.ts'

const { name: variant_name, is_default: _default, ...ofVariant } = variantFields

export const ProductUpsert = shape('ProductUpsert', {
  ...partial('ProductUpsertFields', productFields).properties,
  ...partial('ProductUpsertVariant', ofVariant).properties,
  variant_name: optional(variant_name),
})
export type ProductUpsert = Static<typeof ProductUpsert>

export const ProductBulk = shape('ProductBulk', { items: list(ProductUpsert, { minItems: 1, maxItems: MOST_ITEMS }), atomic })
export type ProductBulk = Static<typeof ProductBulk>

export const bulkProducts = endpointsOf('inventory', 'business')({
  id: 'bulk_products', method: 'POST', path: '/products/bulk', summary: 'Make or change many products',
  description: 'An item with an external_id or sku that is known changes that product and variant; '
    + 'another sku of a known external_id becomes a new variant of it; else a product is made, which needs a name. '
    + 'Absent fields are left alone. The id in a result is that of the product.',
  body: ProductBulk, reply: BulkResult,
  refusals: ['An item has neither sku nor external_id, or is in the call twice.', 'What POST and PUT of a product refuse.'],
  example: { items: [{ sku: 'TEA-250', name: 'Green tea', price: 890, standard_cost: 310 }] },
})
