// Exchange rates of the business.
import { Type, type Static } from 'typebox'
import { MOST_ITEMS } from '../../foundation/bulk.ts'
import { endpoint, listQuery, pageOf } from '../../foundation/endpoint.ts'
import { resource } from '../../foundation/resource.ts'
import { date, integer, list, nullable, oneOf, optional, partial, record, shape } from '../../foundation/shapes.ts'
import { currency } from '../ledgers/contract.ts'

/** Above zero, with at most 9 digits before the point and 10 behind it. */
export const rate = Type.String({
  pattern: '^(?=.*[1-9])[0-9]{1,9}(\\.[0-9]{1,10})?$',
  description: 'Decimal text above 0 with at most 10 decimals: units of to_currency for one unit of from_currency.',
})

const fields = { from_currency: currency, to_currency: currency, date: date(), rate }

export const FxRate = shape('FxRate', { ...record, ...fields })
export type FxRate = Static<typeof FxRate>

export const VIAS = ['direct', 'inverse', 'cross'] as const

export const EffectiveRate = shape('EffectiveRate', {
  from_currency: currency,
  to_currency: currency,
  rate: nullable(Type.String({ description: 'null where there is none within 31 days.' })),
  date: nullable(date({ description: 'Of the stored rate that it comes from; of a cross, the older of the two.' })),
  via: nullable(oneOf(VIAS, { description: 'The pair itself, its inverse, or through the base currency.' })),
})
export type EffectiveRate = Static<typeof EffectiveRate>

export const FxRateInput = shape('FxRateInput', fields)
export type FxRateInput = Static<typeof FxRateInput>

const one = partial('FxRatesInput', fields).properties
export const FxRatesInput = shape('FxRatesInput', {
  ...one,
  rates: optional(list(FxRateInput, { minItems: 1, maxItems: MOST_ITEMS, description: 'Many at once instead of one: all or nothing.' })),
})
export type FxRatesInput = Static<typeof FxRatesInput>

export const FxRatesSet = shape('FxRatesSet', {
  created: integer(0),
  updated: integer(0),
  unchanged: integer(0),
  rates: list(FxRate, { description: 'In the order in which they were given.' }),
})
export type FxRatesSet = Static<typeof FxRatesSet>

export const fxRateResource = resource({ type: 'fx_rate', group: 'fx-rates', shape: FxRate, table: null, label: 'date', events: ['fx_rate.set'] })

export const listFxRates = endpoint({
  id: 'list_fx_rates', method: 'GET', path: '/fx/rates', group: 'fx-rates', scope: 'business', permission: 'fx-rates:read', summary: 'List exchange rates',
  description: 'With `effective_on` the answer also says which rate would be used that day: for the pair asked for, else for every currency to the one '
    + 'asked for, else to the base currency. '
    + 'A rate counts for 31 days; the pair itself comes first, then its inverse, then the way through the base currency.',
  query: listQuery(['date', 'created_at'], {
    from_currency: optional(currency),
    to_currency: optional(currency),
    start_date: optional(date()),
    end_date: optional(date()),
    effective_on: optional(date()),
  }),
  reply: shape('FxRateList', { ...pageOf(FxRate).properties, effective: nullable(list(EffectiveRate)) }),
})

export const setFxRates = endpoint({
  id: 'set_fx_rates', method: 'POST', path: '/fx/rates', group: 'fx-rates', scope: 'business', permission: 'fx-rates:write', summary: 'Set exchange rates',
  description: 'One rate, or `rates`. What is there for the same pair and date is replaced; entries that are posted already stay as they are.',
  body: FxRatesInput,
  reply: FxRatesSet,
  refusals: ['Both currencies are the same.', 'A pair comes twice for one date.', 'One rate and `rates` are given together.'],
  example: { from_currency: 'CAD', to_currency: 'USD', date: '2026-03-31', rate: '0.72' },
})
