// The line of a sales document: what is sold, at which price, with which tax. Invoices and credit memos share it.
import { Type, type Static } from 'typebox'
import { boolean, cents, date, id, integer, list, nullable, oneOf, optional, shape, text } from '../../foundation/shapes.ts'

export const TAX_MODES = ['exclusive', 'inclusive', 'none'] as const
export type TaxMode = (typeof TAX_MODES)[number]

export const MOST_LINES = 500
export const CUSTOM = 'custom'

const percent = Type.String({ pattern: '^(?:100(?:\\.0{1,4})?|[0-9]{1,2}(?:\\.[0-9]{1,4})?)$', description: 'Decimal text from 0 to 100.' })
const price = integer(0, Number.MAX_SAFE_INTEGER, { description: 'Integer cents for one.' })

/** What a line has besides what it sells. */
const details = {
  note: nullable(text(0, 2000, { description: 'Shown beside the description; no part of the price.' })),
  ledger_id: nullable(id({ description: 'The income ledger. Default: that of the item, else the one with the role sales.' })),
  tax_code_id: nullable(id({ description: 'Default: that of the item, of the customer, of the settings.' })),
  discount_percent: nullable(percent),
  discount_amount: nullable(integer(0, Number.MAX_SAFE_INTEGER, { description: 'Integer cents; instead of discount_percent.' })),
  service_date: nullable(date()),
  service_end_date: nullable(date()),
  project_id: nullable(id()),
}

export const LineInput = shape('LineItemInput', {
  id: optional(nullable(id({ description: 'Of the line that this one replaces: keeps its identity.' }))),
  variant_id: optional(nullable(Type.String({ maxLength: 100, description: 'A product variant; absent or the word custom for a line by hand.' }))),
  catalog_item_id: optional(nullable(id({ description: 'A catalog item, whose description and price are the defaults; not together with a variant.' }))),
  quantity: optional(nullable(integer(0, Number.MAX_SAFE_INTEGER, { description: 'Default 1.' }))),
  description: optional(nullable(text(0, 2000, { description: 'Required for a line by hand.' }))),
  unit_price: optional(nullable(integer(0, Number.MAX_SAFE_INTEGER, {
    description: 'Integer cents. Required for a line by hand; otherwise it overrides the current price and is kept on the line.',
  }))),
  amount: optional(nullable(cents({ deprecated: true, description: 'Stands in for unit_price where that is absent. Use unit_price.' }))),
  location_id: optional(nullable(id({ description: 'The location this line is taken from; without effect on lines without a variant.' }))),
  deferred: optional(nullable(boolean({ description: 'Its revenue is meant to be deferred later; defers nothing by itself.' }))),
  ...Object.fromEntries(Object.entries(details).map(([name, schema]) => [name, Type.Optional(schema)])) as {
    [K in keyof typeof details]: ReturnType<typeof Type.Optional<(typeof details)[K]>>
  },
  dimension_value_ids: optional(nullable(list(id(), { maxItems: 20 }))),
})
export type LineInput = Static<typeof LineInput>

export const LineTax = shape('LineTaxComponent', { rate_id: id(), name: Type.String(), rate: Type.String(), ledger_id: id(), amount: cents() })
export type LineTax = Static<typeof LineTax>

/** A line as it is kept. */
export const SalesLine = Type.Object({
  id: id(),
  position: integer(1, MOST_LINES),
  variant_id: nullable(id()),
  catalog_item_id: nullable(id()),
  quantity: integer(0),
  description: nullable(text(0, 2000)),
  unit_price: nullable(price),
  price_source: oneOf(['catalog', 'override']),
  ...details,
  deferred: boolean(),
  location_id: nullable(id()),
  dimension_value_ids: list(id()),
  gross: cents(),
  discount: cents(),
  amount: cents(),
  tax_amount: cents(),
  tax_components: list(LineTax),
})
export type SalesLine = Static<typeof SalesLine>

/** A line as it is shown. */
export const LineItem = shape('LineItem', {
  ...SalesLine.properties,
  variant_id: nullable(Type.String({ description: 'A product variant, or the word custom for a line by hand.' })),
  amount: cents({ description: 'Integer cents of the whole line, after its discount.' }),
  variant_name: nullable(Type.String()),
  price_source: oneOf(['catalog', 'override'], { description: 'catalog: read again when the document is finalized.' }),
  quantity_delivered: integer(0),
  quantity_credited: integer(0),
})
export type LineItem = Static<typeof LineItem>

export type Totals = { subtotal: number; discount_total: number; tax_total: number; total: number }
