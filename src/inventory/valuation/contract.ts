// What the stock is worth on a day, and whether the books agree.
import { Type, type Static } from 'typebox'
import { endpointsOf } from '../../foundation/endpoint.ts'
import { cents, date, id, integer, list, nullable, oneOf, optional, shape, text, timestamp } from '../../foundation/shapes.ts'

export const GROUPINGS = ['product', 'location', 'pool'] as const

export const ValuationRow = shape('ValuationRow', {
  product_id: nullable(id()), product_name: nullable(Type.String()), variant_id: nullable(id()), sku: nullable(Type.String()),
  location_id: nullable(id()), location_name: nullable(Type.String()),
  quantity: integer(), value: cents(), unit_cost: nullable(Type.String({ description: 'In cents with six decimals.' })),
})
export type ValuationRow = Static<typeof ValuationRow>

export const ValuationLedger = shape('ValuationLedger', {
  ledger_id: id(), number: nullable(Type.String()), name: Type.String(), stock_value: cents(),
  ledger_balance: cents(), difference: cents({ description: 'Expected to be 0.' }),
})
export type ValuationLedger = Static<typeof ValuationLedger>

export const Valuation = shape('StockValuation', {
  as_of: date(), known_at: nullable(timestamp()), by: oneOf(GROUPINGS), rows: list(ValuationRow),
  total_quantity: integer(), total_value: cents(),
  ledgers: list(ValuationLedger, { description: 'Every ledger that stock stands on, all stock counted, whatever the filters.' }),
  difference: cents({ description: 'Of all ledgers together; expected to be 0.' }),
})
export type Valuation = Static<typeof Valuation>

const endpoint = endpointsOf('inventory', 'business')

export const getValuation = endpoint({
  id: 'get_stock_valuation', method: 'GET', path: '/reports/valuation', summary: 'What the stock is worth', live: true,
  description: 'At the end of as_of, by the dates of movements; with known_at as it was known at that moment. '
    + 'Pools with neither quantity nor worth are left out.',
  query: shape('StockValuationQuery', {
    as_of: optional(date({ description: 'Default: today.' })),
    known_at: optional(timestamp()),
    by: optional(oneOf(GROUPINGS, { default: 'product', description: 'A row per product, per location, or per variant and location.' })),
    location_id: optional(id()),
    variant_id: optional(id()),
    category: optional(text(1, 100)),
    format: optional(oneOf(['json', 'csv', 'xlsx'], { default: 'json' })),
  }),
  reply: Valuation,
})
