// Changing the prices of many variants at once.
import { Type, type Static } from 'typebox'
import { MOST_ITEMS } from '../../foundation/bulk.ts'
import { endpointsOf } from '../../foundation/endpoint.ts'
import { cents, id, list, oneOf, optional, shape } from '../../foundation/shapes.ts'

const percent = Type.String({ pattern: '^-?[0-9]{1,6}(\\.[0-9]{1,6})?$' })

export const PriceChange = shape('PriceChange', {
  mode: oneOf(['list', 'percent', 'margin'], {
    description: 'list: the prices given. percent: so much more or less. '
      + 'margin: so much of the price is left over what a unit costs, on average or by its standard cost.',
  }),
  prices: optional(list(shape('VariantPrice', { variant_id: id(), price: cents({ minimum: 0 }) }), { minItems: 1, maxItems: MOST_ITEMS })),
  variant_ids: optional(list(id(), { minItems: 1, maxItems: MOST_ITEMS, description: 'For percent and margin.' })),
  percent: optional(percent),
})
export type PriceChange = Static<typeof PriceChange>

export const ChangedPrice = shape('ChangedPrice', { variant_id: id(), sku: Type.String(), old_price: cents(), new_price: cents() })

export const changePrices = endpointsOf('inventory', 'business')({
  id: 'change_prices', method: 'POST', path: '/products/prices', summary: 'Change the prices of many variants',
  description: 'Rounded half away from zero. Lines of existing documents keep their prices. All or nothing.',
  body: PriceChange, reply: list(ChangedPrice),
  refusals: [
    'The mode lacks what it works with.', 'A variant is named twice.', 'A margin is 100 or more, or the cost of a variant is unknown.',
    'A price would fall below 0.',
  ],
})
