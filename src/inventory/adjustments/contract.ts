// Adjustments: changes of stock outside buying and selling.
import { Type, type Static } from 'typebox'
import { endpointsOf, listQuery, pageOf } from '../../foundation/endpoint.ts'
import { resource } from '../../foundation/resource.ts'
import { boolean, cents, date, id, integer, list, nullable, oneOf, optional, partial, record, shape, text } from '../../foundation/shapes.ts'
import { MOST_UNITS } from '../stock-pools/contract.ts'

export const KINDS = ['quantity', 'value'] as const
export const REASONS = ['damage', 'theft', 'expired', 'found', 'sample', 'internal_use', 'write_down', 'correction', 'other'] as const
export const STATUSES = ['draft', 'posted', 'reversed'] as const

const fields = {
  kind: oneOf(KINDS, { description: 'quantity: units come or go. value: what is there is worth more or less.' }),
  reason: oneOf(REASONS),
  adjusted_on: date(),
  ledger_id: nullable(id({ description: 'The other side; null: the ledger with the role inventory_adjustment.' })),
  note: nullable(text(1, 1000)),
  project_id: nullable(id()),
  dimension_value_ids: list(id(), { maxItems: 10 }),
}

const place = { variant_id: id(), location_id: id() }
const cost = {
  unit_cost: nullable(
    cents({ minimum: 0, description: 'Of what comes in: integer cents for cost_per units; without it what the pool says, else the standard cost.' }),
  ),
  cost_per: integer(1, 1_000_000),
}

export const AdjustmentLineInput = shape('AdjustmentLineInput', {
  ...place,
  quantity: optional(integer(-MOST_UNITS, MOST_UNITS, { description: 'For the kind quantity: units in (positive) or out (negative).' })),
  value: optional(cents({ description: 'For the kind value: integer cents more (positive) or less (negative).' })),
  ...partial('AdjustmentLineCost', cost).properties,
})
export type AdjustmentLineInput = Static<typeof AdjustmentLineInput>

export const AdjustmentLine = shape('AdjustmentLine', {
  id: id(),
  ...place,
  quantity: integer(),
  value: cents({ description: 'What the line changed the worth of the stock by; in a draft of quantities 0.' }),
  ...cost,
})
export type AdjustmentLine = Static<typeof AdjustmentLine>

/** A row of the table. */
export const AdjustmentRow = shape('AdjustmentRow', {
  ...record,
  ...fields,
  number: nullable(Type.String({ description: 'Given when it is posted.' })),
  source: oneOf(['count', 'import', 'manual']),
  status: oneOf(STATUSES),
  total_value: cents({ description: 'What it changed the worth of the stock by.' }),
  entry_id: nullable(id()),
})
export type AdjustmentRow = Static<typeof AdjustmentRow>

export const Adjustment = shape('Adjustment', { ...AdjustmentRow.properties, lines: list(AdjustmentLine) })
export type Adjustment = Static<typeof Adjustment>

const lines = list(AdjustmentLineInput, { minItems: 1, maxItems: 500 })
const given = partial('AdjustmentFields', fields).properties
export const AdjustmentInput = shape('AdjustmentInput', {
  ...given, reason: fields.reason, lines, post: optional(boolean({ default: false, description: 'Post it at once.' })),
})
export const AdjustmentUpdate = partial('AdjustmentUpdate', { ...fields, lines })
export type AdjustmentInput = Static<typeof AdjustmentInput>
export type AdjustmentUpdate = Static<typeof AdjustmentUpdate>

export const adjustmentResource = resource({
  type: 'adjustment', group: 'inventory', shape: Adjustment, table: 'stock_adjustments', label: 'number',
  events: ['adjustment.created', 'adjustment.updated', 'adjustment.posted', 'adjustment.reversed', 'adjustment.deleted'],
})

const endpoint = endpointsOf('inventory', 'business')
const params = shape('AdjustmentParams', { adjustment_id: id() })
const at = '/adjustments/{adjustment_id}'
const posting = [
  'The date is in a closed period, in the future or too far back.', 'Not enough stock, on the date or later.', 'Nothing says what an increase is worth.',
]

export const listAdjustments = endpoint({
  id: 'list_adjustments', method: 'GET', path: '/adjustments', summary: 'List adjustments',
  query: listQuery(['created_at', 'adjusted_on', 'total_value'], {
    status: optional(oneOf(STATUSES)), kind: optional(oneOf(KINDS)), reason: optional(oneOf(REASONS)),
    variant_id: optional(id()), location_id: optional(id()), from: optional(date()), to: optional(date()),
  }),
  reply: pageOf(Adjustment),
})

export const createAdjustment = endpoint({
  id: 'create_adjustment', method: 'POST', path: '/adjustments', summary: 'Make an adjustment',
  description: 'A draft, or with post at once in the books: increases Dr stock / Cr adjustments, decreases the other way round at the cost of what leaves.',
  body: AdjustmentInput, reply: Adjustment,
  refusals: [
    'A line has neither quantity nor value, or the one that its kind has not.', 'A write-up that reverses no write-down of the year and is no correction.',
    ...posting,
  ],
})

export const getAdjustment = endpoint({ id: 'get_adjustment', method: 'GET', path: at, summary: 'Get an adjustment', params, reply: Adjustment })

export const updateAdjustment = endpoint({
  id: 'update_adjustment', method: 'PUT', path: at, summary: 'Change an adjustment',
  description: 'All of a draft; of a posted one the note.',
  params, body: AdjustmentUpdate, reply: Adjustment,
  refusals: ['It is posted or reversed, and more than the note is given.'],
  example: { note: 'Seen by the night shift.' },
})

export const deleteAdjustment = endpoint({
  id: 'delete_adjustment', method: 'DELETE', path: at, summary: 'Delete a draft',
  params, reply: Adjustment, refusals: ['It is posted: reverse it instead.'],
})

export const postAdjustment = endpoint({
  id: 'post_adjustment', method: 'PUT', path: `${at}/post`, summary: 'Post an adjustment',
  params, reply: Adjustment, refusals: ['It is reversed.', ...posting],
})

export const reverseAdjustment = endpoint({
  id: 'reverse_adjustment', method: 'PUT', path: `${at}/reverse`, summary: 'Reverse a posted adjustment', permission: 'documents:correct',
  description: 'The opposite quantities at what they are worth now, on the day of the adjustment or on reversal_date.',
  params, body: shape('AdjustmentReversal', { reversal_date: optional(nullable(date())) }), reply: Adjustment,
  refusals: ['It is a draft.', 'Some of the units that it brought in are used already.', 'The date is in a closed period.'],
  example: {},
})
