// The SQL of exchange rates.
import { Type } from 'typebox'
import { list } from '../../foundation/database/list.ts'
import { columns, command, statement } from '../../foundation/database/statement.ts'
import { date } from '../../foundation/shapes.ts'
import { currency } from '../ledgers/contract.ts'
import { FxRate } from './contract.ts'

export const rates = list({
  item: FxRate,
  from: 'fx_rates t',
  where: 't.business_id = :business_id',
  sorts: { date: { column: 't.date', type: 'date' }, created_at: { column: 't.created_at', type: 'timestamptz' } },
  filters: {
    from_currency: 't.from_currency = :from_currency',
    to_currency: 't.to_currency = :to_currency',
    start_date: 't.date >= :start_date',
    end_date: 't.date <= :end_date',
  },
})

/** The newest of each pair on or before its day, by one step down the index for each. */
export const newestRates = statement(
  Type.Object({ from_currency: currency, to_currency: currency, on: date(), rate: Type.String(), date: date() }),
  `select r.from_currency, r.to_currency, w."on", r.rate, r.date
   from unnest(:from_currencies::text[], :to_currencies::text[], :days::date[]) as w (from_currency, to_currency, "on")
   cross join lateral (
     select from_currency, to_currency, rate, date from fx_rates
     where business_id = :business_id and from_currency = w.from_currency and to_currency = w.to_currency and date <= w."on"
     order by date desc limit 1
   ) r`)

export const ratesOf = statement(
  FxRate,
  `select ${columns(FxRate, 'r')}
   from unnest(:from_currencies::text[], :to_currencies::text[], :days::date[]) as w (from_currency, to_currency, "on")
   join fx_rates r on r.business_id = :business_id and r.from_currency = w.from_currency and r.to_currency = w.to_currency and r.date = w."on"`)

export const upsertRates = command(
  `insert into fx_rates (${columns(FxRate)})
   select ${columns(FxRate)} from json_populate_recordset(null::fx_rates, :rates::json) where business_id = :business_id
   on conflict (business_id, from_currency, to_currency, date) do update
     set rate = excluded.rate, updated_at = excluded.updated_at, version = excluded.version`)
