// What foreign balances are worth at a day's rate, and the entries that say so at the end of a period.
import { Type, type Static } from 'typebox'
import { endpoint } from '../../foundation/endpoint.ts'
import { resource } from '../../foundation/resource.ts'
import { boolean, cents, date, id, list, nullable, oneOf, optional, record, shape } from '../../foundation/shapes.ts'
import { currency } from '../ledgers/contract.ts'

/** The foreign balance of one ledger in one currency. Amounts are debit positive, gains are positive on either side. */
export const FxPosition = shape('FxPosition', {
  ledger_id: id(),
  ledger_number: nullable(Type.String()),
  ledger_name: Type.String(),
  currency,
  balance: cents({ description: 'Cents of the currency, debit positive.' }),
  carrying_base: cents({ description: 'What the books carry it at, in base cents, without a revaluation of the same day.' }),
  rate: nullable(Type.String()),
  rate_date: nullable(date()),
  revalued_base: nullable(cents({ description: 'The balance at the rate; null where there is none.' })),
  gain: nullable(cents({ description: 'What a revaluation posts; a loss is negative.' })),
  kind: oneOf(['unrealized', 'realized'], { description: 'realized: the balance is zero, and what is left in base goes to realized gains for good.' }),
  booked: cents({ description: 'Of the gain, what the revaluation that stands for this day has posted.' }),
})
export type FxPosition = Static<typeof FxPosition>

export const MissingRate = shape('MissingRate', { from_currency: currency, to_currency: currency, on: date() })
export type MissingRate = Static<typeof MissingRate>

const totals = { unrealized_gain: cents(), realized_gain: cents() }

export const FxExposure = shape('FxExposure', { as_of: date(), base_currency: currency, items: list(FxPosition), ...totals, missing_rates: list(MissingRate) })
export type FxExposure = Static<typeof FxExposure>

const limits = { ledger_ids: list(id(), { minItems: 1, maxItems: 1000 }), currencies: list(currency, { minItems: 1, maxItems: 5 }) }

export const FxRevaluation = shape('FxRevaluation', {
  ...record,
  as_of: date(),
  status: oneOf(['live', 'replaced']),
  ledger_ids: nullable(limits.ledger_ids),
  currencies: nullable(limits.currencies),
  ...totals,
  entry_id: nullable(id({ description: 'The entry of the day; null where every balance stood at its rate already.' })),
  mirror_id: nullable(id({ description: 'Its opposite on the day after.' })),
  realized_entry_id: nullable(id({ description: 'What was left on balances of zero.' })),
})
export type FxRevaluation = Static<typeof FxRevaluation>

export const FxRevaluationInput = shape('FxRevaluationInput', {
  as_of: date({ description: 'The last day of a period.' }),
  ledger_ids: optional({ ...limits.ledger_ids, description: 'Only these.' }),
  currencies: optional({ ...limits.currencies, description: 'Only these.' }),
  preview: optional(boolean({ default: false, description: 'Answer what would be posted, and post nothing.' })),
})
export type FxRevaluationInput = Static<typeof FxRevaluationInput>

export const FxRevaluationResult = shape('FxRevaluationResult', {
  as_of: date(),
  reverses_on: date({ description: 'The day of the mirror.' }),
  items: list(FxPosition),
  ...totals,
  replaces_id: nullable(id({ description: 'The revaluation of the same day that this one replaces.' })),
  revaluation: nullable(FxRevaluation),
})
export type FxRevaluationResult = Static<typeof FxRevaluationResult>

export const revaluationResource = resource({
  type: 'fx_revaluation', group: 'fx-rates', shape: FxRevaluation, table: null, label: 'as_of', events: ['fx.revalued', 'fx.revaluation_replaced'],
})

const shared = { group: 'fx-rates', scope: 'business' } as const

export const getFxExposure = endpoint({
  ...shared, id: 'get_fx_exposure', method: 'GET', path: '/fx/exposure', permission: 'fx-rates:read', summary: 'What foreign balances would gain or lose',
  description: 'Cash, receivables, payables, loans, cards and other current ledgers, per ledger and currency, at the rates of a day (default: today). '
    + 'Inventory, prepayments, fixed assets and equity keep the rate they were booked at.',
  query: shape('FxExposureQuery', { as_of: optional(date()) }),
  reply: FxExposure,
})

export const revalueFx = endpoint({
  ...shared, id: 'revalue_fx', method: 'POST', path: '/fx/revalue', permission: 'fx-rates:write', summary: 'Revalue foreign balances at the end of a period',
  description: 'Posts the difference against unrealized gains and losses on that day, and its mirror on the day after. Run again for the same day '
    + 'it reverses the run before and posts anew, whatever that one was limited to: one revaluation stands per day.',
  body: FxRevaluationInput,
  reply: FxRevaluationResult,
  refusals: [
    'The day is not the end of a period.', 'The period, or the one after it, is closed.', 'A rate is missing.', 'There is no foreign balance.',
    'A ledger is none that is revalued.',
  ],
})
