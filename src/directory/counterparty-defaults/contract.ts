// Counterparty defaults: what the transactions of a counterparty usually are.
import { Type, type Static } from 'typebox'
import { endpointsOf, listQuery, pageOf } from '../../foundation/endpoint.ts'
import { resource } from '../../foundation/resource.ts'
import { boolean, id, integer, list, nullable, oneOf, optional, partial, record, shape, text, timestamp } from '../../foundation/shapes.ts'

export const DIRECTIONS = ['in', 'out', 'any'] as const
export const DEFAULT_SOURCES = ['manual', 'learned'] as const

export const counterparty = text(1, 120, { pattern: '\\S', description: 'The clean name. Case, spaces, punctuation and accents make no difference.' })

/** What a transaction becomes. */
const choice = {
  ledger_id: id({ description: 'The ledger that the other side of the transaction goes to.' }),
  tax_code_id: nullable(id()),
  customer_id: nullable(id()),
  vendor_id: nullable(id()),
  project_id: nullable(id()),
  dimension_value_ids: list(id(), { maxItems: 20, description: 'At most one value per dimension.' }),
}

const fields = {
  counterparty,
  direction: oneOf(DIRECTIONS, { description: 'in: deposits. out: withdrawals. any: both.' }),
  bank_ledger_id: nullable(id({ description: 'Only on this cash ledger; null: on all of them.' })),
  ...choice,
  tag_ids: list(id(), { maxItems: 50 }),
  memo: nullable(text(1, 500)),
  auto_apply: boolean({ description: 'Applied without asking; otherwise it is only proposed.' }),
}

/** A row of the table, as its history tells it. */
export const DefaultRow = Type.Object({
  ...record,
  ...fields,
  source: oneOf(DEFAULT_SOURCES, { description: 'learned: made from what people chose. A change by hand makes it manual, and learning leaves it alone from then on.' }),
  applied_count: integer(0),
  corrected_count: integer(0),
  last_applied_at: nullable(timestamp()),
})
export type DefaultRow = Static<typeof DefaultRow>

export const CounterpartyDefault = shape('CounterpartyDefault', {
  ...DefaultRow.properties,
  problem: nullable(Type.String({ description: 'Why it is passed over at present: something it names was archived.' })),
})
export type CounterpartyDefault = Static<typeof CounterpartyDefault>

const { counterparty: _name, ledger_id, ...others } = fields
export const CounterpartyDefaultInput = shape('CounterpartyDefaultInput', {
  counterparty, ledger_id,
  ...partial('CounterpartyDefaultFields', others).properties,
  apply_to_existing: optional(boolean({ default: false, description: 'Transactions of the counterparty that nobody has reviewed yet are handed over to it too.' })),
})
export type CounterpartyDefaultInput = Static<typeof CounterpartyDefaultInput>

export const CounterpartyDefaultUpdate = partial('CounterpartyDefaultUpdate', fields)
export type CounterpartyDefaultUpdate = Static<typeof CounterpartyDefaultUpdate>

const Choice = Type.Object(choice)
export type Choice = Static<typeof Choice>

/** What a person chose for a transaction. */
export type HumanChoice = { counterparty: string; direction: 'in' | 'out'; bank_ledger_id: string } & Choice

/** The transaction for which a default is looked for. */
export type Wanted = { counterparty: string; direction: 'in' | 'out'; bank_ledger_id: string }

/** How often in a row people have chosen the same for one counterparty in one direction. */
export const Streak = Type.Object({ counterparty_key: Type.String(), direction: oneOf(['in', 'out']), choice: Choice, run: integer(1) })
export type Streak = Static<typeof Streak>

/** The created event of one that is to be applied to what is there carries `apply_to_existing: true`. */
export const defaultResource = resource({
  type: 'counterparty_default', group: 'counterparty-defaults', shape: shape('CounterpartyDefaultRecord', DefaultRow.properties),
  table: 'counterparty_defaults', label: 'counterparty',
  events: ['counterparty_default.created', 'counterparty_default.updated', 'counterparty_default.deleted'],
})

const endpoint = endpointsOf('counterparty-defaults', 'business')
const params = shape('CounterpartyDefaultParams', { default_id: id() })

const misuse = [
  'The counterparty has a default for this direction and cash ledger already.',
  'The ledger is archived, a heading, a cash ledger, or one whose lines come from documents.',
  'bank_ledger_id is not a cash ledger.',
  'The tax code, the customer, a value or a tag is archived.',
  'Two values are of the same dimension.',
]

export const listDefaults = endpoint({
  id: 'list_counterparty_defaults', method: 'GET', path: '', summary: 'List counterparty defaults',
  query: listQuery(['counterparty', 'applied_count', 'created_at'], {
    counterparty: optional(text(1, 120, { description: 'The whole name; case, spaces, punctuation and accents make no difference.' })),
    direction: optional(oneOf(DIRECTIONS)),
    ledger_id: optional(id()),
    source: optional(oneOf(DEFAULT_SOURCES)),
    auto_apply: optional(boolean()),
    q: optional(text(1, 120, { description: 'Part of the name.' })),
  }),
  reply: pageOf(CounterpartyDefault),
})

export const createDefault = endpoint({
  id: 'create_counterparty_default', method: 'POST', path: '', summary: 'Say what the transactions of a counterparty usually are',
  description: [
    'The most specific default counts: that of the direction on the cash ledger, then that of the direction, then that for any direction.',
    'direction is any and auto_apply false unless said otherwise.',
  ].join(' '),
  body: CounterpartyDefaultInput,
  reply: CounterpartyDefault,
  refusals: misuse,
})

export const updateDefault = endpoint({
  id: 'update_counterparty_default', method: 'PATCH', path: '/{default_id}', summary: 'Update a counterparty default',
  description: 'Holds for transactions from now on; what was categorized stays as it is.',
  params,
  body: CounterpartyDefaultUpdate,
  reply: CounterpartyDefault,
  refusals: misuse,
  example: { memo: 'Monthly rent' },
})

export const deleteDefault = endpoint({
  id: 'delete_counterparty_default', method: 'DELETE', path: '/{default_id}', summary: 'Delete a counterparty default',
  description: 'What was categorized by it stays as it is. Learning begins anew.',
  params,
  reply: CounterpartyDefault,
})
