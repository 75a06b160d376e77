// The rows of the stock ledger and of the pools that follow from it.
import { Type, type Static } from 'typebox'
import { boolean, cents, date, id, integer, list, nullable, oneOf, shape, text, timestamp } from '../../foundation/shapes.ts'
import { COSTING_METHODS } from '../stock-costing/contract.ts'

export const MOST_UNITS = 1_000_000_000

export const MOVEMENT_TYPES = [
  'opening', 'purchase_receipt', 'purchase_return', 'sale', 'sale_return', 'adjustment_in', 'adjustment_out', 'count_gain', 'count_loss', 'scrap',
  'transfer_out', 'transfer_in', 'production_issue', 'production_output', 'production_cost', 'revaluation', 'correction',
] as const
export type MovementType = (typeof MOVEMENT_TYPES)[number]

/** A movement of stock as it is shown. */
export const StockMovement = shape('StockMovement', {
  id: id(),
  business_id: id(),
  sequence: integer(1, undefined, { description: 'Its place in the stock ledger of the business.' }),
  variant_id: id(),
  location_id: id(),
  type: oneOf(MOVEMENT_TYPES),
  quantity: integer(-MOST_UNITS, MOST_UNITS, { description: 'Positive in, negative out; 0 for a correction or a change of value.' }),
  value: cents({ description: 'Integer cents in the base currency, signed like the quantity.' }),
  effective_date: date(),
  recorded_at: timestamp(),
  source_type: text(1, 40),
  source_id: id(),
  source_line_id: id(),
  entry_id: nullable(id({ description: 'The journal entry that carries its value; null where it has none.' })),
  estimated: boolean({ description: 'Issued before it was there: its cost is a guess until a receipt fills it.' }),
  corrects_movement_id: nullable(id({ description: 'Of a correction: the movement whose cost it changes.' })),
  cause_movement_id: nullable(id({ description: 'Of a correction: the receipt that filled what had been issued short.' })),
  returns_movement_id: nullable(id({ description: 'The issue whose units come back.' })),
  reverses_movement_id: nullable(id({ description: 'The movement that it undoes.' })),
})
export type StockMovement = Static<typeof StockMovement>

/** A row of the table. */
export const MovementRow = Type.Object({
  ...StockMovement.properties,
  ordinal: integer(),
  line_quantity: integer(),
  given_value: nullable(cents()),
  standard_cost: nullable(cents()),
  cost_per: integer(),
  stock_ledger_id: id(),
  counter_ledger_id: id(),
  counter_value: cents(),
  customer_id: nullable(id()),
  project_id: nullable(id()),
  dimension_value_ids: list(id()),
})
export type MovementRow = Static<typeof MovementRow>

export const PoolRow = Type.Object({
  variant_id: id(),
  location_id: id(),
  quantity: integer(),
  value: cents(),
  last_quantity: integer(),
  last_value: cents(),
  last_date: nullable(date()),
  linked: boolean(),
})
export type PoolRow = Static<typeof PoolRow>

export const LayerRow = Type.Object({
  movement_id: id(), variant_id: id(), location_id: id(), date: date(), sequence: integer(), quantity: integer(), value: cents(),
})
export type LayerRow = Static<typeof LayerRow>

/** What costing and posting need to know of a variant. */
export const StockedVariant = Type.Object({
  id: id(),
  product_id: id(),
  sku: Type.String(),
  product_name: Type.String(),
  type: oneOf(['stocked', 'non_stocked', 'service', 'kit']),
  costing_method: oneOf(COSTING_METHODS),
  standard_cost: nullable(cents()),
  cost_per: integer(),
  cogs_ledger_id: nullable(id()),
  inventory_ledger_id: nullable(id()),
})
export type StockedVariant = Static<typeof StockedVariant>

export const StockPlace = Type.Object({
  id: id(),
  name: Type.String(),
  status: oneOf(['active', 'archived']),
  sells: boolean(),
  receives: boolean(),
  is_default: boolean(),
  negative_stock: nullable(oneOf(['block', 'allow'])),
  inventory_ledger_id: nullable(id()),
})
export type StockPlace = Static<typeof StockPlace>

/** A movement before it has its cost. */
export type MovementDraft = Pick<MovementRow,
  'id' | 'variant_id' | 'location_id' | 'type' | 'quantity' | 'effective_date' | 'source_line_id' | 'ordinal' | 'line_quantity' | 'given_value'
  | 'returns_movement_id' | 'reverses_movement_id' | 'stock_ledger_id' | 'counter_ledger_id' | 'customer_id' | 'project_id' | 'dimension_value_ids'>
