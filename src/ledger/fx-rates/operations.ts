// What can be done with exchange rates, and the look-up behind every posting in another currency.
import type { PageQuery } from '../../foundation/database/list.ts'
import { changed } from '../../foundation/database/rows.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import type { Currency } from '../../foundation/money.ts'
import type { RateOf } from '../posting/rules.ts'
import { fxRateResource, type FxRate, type FxRatesInput, type FxRatesSet } from './contract.ts'
import { asAnswered, effectiveRate, keyOf, pairsAsked, pairsBehind, ratesGiven, type Effective, type Newest, type Wanted } from './rules.ts'
import * as store from './store.ts'

/** The rates of currencies to the base currency on their days, for postings. */
export async function ratesFor(tx: BusinessTx, wanted: readonly { currency: Currency; date: string }[]): Promise<RateOf> {
  const base = baseOf(tx)
  const rateBetween = await ratesBetween(tx, wanted.map(({ currency, date }) => ({ from_currency: currency, to_currency: base, on: date })))
  return (currency, date) => rateBetween({ from_currency: currency, to_currency: base, on: date })?.rate ?? null
}

/** The rates of any pairs on their days, with one statement for all of them. */
export async function ratesBetween(tx: BusinessTx, wanted: readonly Wanted[]): Promise<(pair: Wanted) => Effective | null> {
  const base = baseOf(tx)
  const behind = pairsBehind(wanted, base)
  const found = behind.length === 0 ? [] : await tx.many(store.newestRates, asColumns(behind))
  const newest = new Map(found.map((row): [string, Newest] => [keyOf(row), row]))
  return (pair) => effectiveRate(newest, pair, base)
}

type RateQuery = PageQuery & { from_currency?: Currency; to_currency?: Currency; effective_on?: string }

export async function listFxRates(tx: BusinessTx, query: RateQuery) {
  const asked = query.effective_on === undefined ? null : pairsAsked(query, baseOf(tx), query.effective_on)
  const [page, rateBetween] = await Promise.all([tx.page(store.rates, query), ratesBetween(tx, asked ?? [])])
  return { ...page, effective: asked && asked.map((pair) => asAnswered(pair, rateBetween(pair))) }
}

export async function setFxRates(tx: BusinessTx, input: FxRatesInput): Promise<FxRatesSet> {
  const given = ratesGiven(input)
  // One writer at a time, so that of two who set the same rate the second replaces what the first has written.
  await tx.exclusive(`fx rates of ${tx.business_id}`)
  const pairs = given.map(({ date, ...pair }) => ({ ...pair, on: date }))
  const stored = await tx.many(store.ratesOf, asColumns(pairs))
  const known = new Map(stored.map((row) => [keyOf({ ...row, on: row.date }), row]))
  const rates = given.map((each): { before: FxRate | null; after: FxRate } => {
    const before = known.get(keyOf({ ...each, on: each.date })) ?? null
    if (before?.rate === each.rate) return { before, after: before }
    if (before) return { before, after: changed(before, { rate: each.rate }, tx.now) }
    return { before, after: { id: newId(), business_id: tx.business_id, ...each, created_at: tx.now, updated_at: tx.now, version: 1 } }
  })
  const written = rates.filter(({ before, after }) => before !== after)
  if (written.length > 0) tx.queue(store.upsertRates, { rates: JSON.stringify(written.map(({ after }) => after)) })
  for (const change of written) tx.record(fxRateResource, 'fx_rate.set', change)
  const created = rates.filter(({ before }) => before === null).length
  return { created, updated: written.length - created, unchanged: rates.length - written.length, rates: rates.map(({ after }) => after) }
}

function asColumns(pairs: readonly Wanted[]): { from_currencies: string[]; to_currencies: string[]; days: string[] } {
  return { from_currencies: pairs.map((pair) => pair.from_currency), to_currencies: pairs.map((pair) => pair.to_currency), days: pairs.map((pair) => pair.on) }
}

function baseOf(tx: BusinessTx): Currency {
  return tx.business.base_currency as Currency
}
