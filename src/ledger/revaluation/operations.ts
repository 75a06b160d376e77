// Looking at foreign balances, and revaluing them.
import { changed } from '../../foundation/database/rows.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import type { Currency } from '../../foundation/money.ts'
import { invalid } from '../../foundation/refusal.ts'
import type { CloseCheck } from '../accounting-periods/operations.ts'
import type { Books } from '../books/contract.ts'
import { ledgerOfRole, lockJournal, readBooks } from '../books/operations.ts'
import { ratesBetween } from '../fx-rates/operations.ts'
import type { PostedEntry } from '../journal/contract.ts'
import { postEntries, reverseEntry } from '../posting/operations.ts'
import { revaluationResource, type FxExposure, type FxRevaluation, type FxRevaluationInput, type FxRevaluationResult } from './contract.ts'
import {
  linesOf, mirrorDate, missingRates, monetaryBalances, positionOf, postingsOf, requireMonetary, requireRevaluable, totalsOf, type Limits,
} from './rules.ts'
import * as store from './store.ts'

export async function getFxExposure(tx: BusinessTx, query: { as_of?: string }): Promise<FxExposure> {
  const { books } = await readBooks(tx)
  return exposureAt(tx, books, query.as_of ?? tx.today, {})
}

export async function revalueFx(tx: BusinessTx, input: FxRevaluationInput): Promise<FxRevaluationResult> {
  const { as_of } = input
  const { books } = await (input.preview ? readBooks(tx) : lockJournal(tx))
  requireMonetary(books, input.ledger_ids ?? [])
  requireRevaluable(books.periods, as_of, { allowed: tx.actor.permissions.has('periods:override'), reason: tx.request.override_reason })
  const [exposure, live] = await Promise.all([exposureAt(tx, books, as_of, input), tx.find(store.liveRevaluation, { as_of })])
  const { items, missing_rates: [missing], unrealized_gain, realized_gain } = exposure
  if (items.length === 0) throw invalid(`There is no foreign balance to revalue at ${as_of}.`)
  if (missing) throw invalid(`No ${missing.from_currency}/${missing.to_currency} rate on or before ${missing.on}: add one with POST /fx/rates.`)
  const result = { as_of, reverses_on: mirrorDate(as_of), items, unrealized_gain, realized_gain, replaces_id: live?.id ?? null, revaluation: null }
  if (input.preview) return result
  if (live) await replace(tx, live)
  return { ...result, revaluation: await postRevaluation(tx, books, input, result) }
}

/** Before a period is closed, foreign balances should stand at the rate of its last day. */
export const revaluationCheck: CloseCheck = async (tx, { end_date, name }, books) => {
  const base_currency = tx.business.base_currency
  const [balances, live] = await Promise.all([tx.many(store.foreignBalances, { as_of: end_date, base_currency }), tx.find(store.liveRevaluation, { as_of: end_date })])
  const waiting = live ? [] : monetaryBalances(books, balances, {}).filter(({ amount }) => amount !== 0)
  const named = waiting.map(({ ledger, currency }) => `${ledger.name} (${currency})`).join(', ')
  const detail = waiting.length === 0 ? 'No foreign balance waits for a revaluation.' : `${named} not revalued at the end of ${name}.`
  return [{ key: 'fx_revaluation', severity: 'warning', ok: waiting.length === 0, count: waiting.length, detail, href: `/fx/exposure?as_of=${end_date}` }]
}

async function exposureAt(tx: BusinessTx, books: Books, as_of: string, limits: Limits): Promise<FxExposure> {
  const base_currency = tx.business.base_currency as Currency
  const balances = monetaryBalances(books, await tx.many(store.foreignBalances, { as_of, base_currency }), limits)
  const pairs = balances.map(({ currency }) => ({ from_currency: currency, to_currency: base_currency, on: as_of }))
  const rateBetween = await ratesBetween(tx, pairs)
  const items = balances.map((balance) => positionOf(balance, rateBetween({ from_currency: balance.currency, to_currency: base_currency, on: as_of })))
  return { as_of, base_currency, items, ...totalsOf(items), missing_rates: missingRates(items, base_currency, as_of) }
}

/** Its entry and mirror go; what it realized stays, for that is not undone by a mirror either. */
async function replace(tx: BusinessTx, live: FxRevaluation): Promise<void> {
  if (live.entry_id) await reverseEntry(tx, live.entry_id, { memo: `Revaluation at ${live.as_of} replaced` })
  const after = changed(live, { status: 'replaced' }, tx.now)
  tx.queue(store.updateRevaluation, after)
  tx.record(revaluationResource, 'fx.revaluation_replaced', { before: live, after })
}

async function postRevaluation(tx: BusinessTx, books: Books, input: FxRevaluationInput, result: FxRevaluationResult): Promise<FxRevaluation> {
  const base = tx.business.base_currency as Currency
  const id = newId()
  const unrealized = linesOf(result.items, 'unrealized', () => ledgerOfRole(books, 'unrealized_fx'), base)
  const realized = linesOf(result.items, 'realized', () => ledgerOfRole(books, 'realized_fx'), base)
  const postings = postingsOf(id, input.as_of, unrealized, realized)
  const posted: PostedEntry[] = postings.length > 0 ? await postEntries(tx, postings) : []
  const mirror = posted.find(({ mirror_of_id }) => mirror_of_id !== null)
  const revaluation: FxRevaluation = {
    id,
    business_id: tx.business_id,
    as_of: input.as_of,
    status: 'live',
    ledger_ids: input.ledger_ids ?? null,
    currencies: input.currencies ?? null,
    unrealized_gain: result.unrealized_gain,
    realized_gain: result.realized_gain,
    entry_id: mirror?.mirror_of_id ?? null,
    mirror_id: mirror?.id ?? null,
    realized_entry_id: posted.find(({ auto_reverse_on, mirror_of_id }) => auto_reverse_on === null && mirror_of_id === null)?.id ?? null,
    created_at: tx.now,
    updated_at: tx.now,
    version: 1,
  }
  tx.queue(store.insertRevaluation, revaluation)
  tx.record(revaluationResource, 'fx.revalued', { before: null, after: revaluation })
  return revaluation
}
