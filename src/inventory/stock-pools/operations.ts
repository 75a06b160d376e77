// Recording movements of stock: the pools are locked, each movement gets its cost, and what it is worth goes into the journal.
import { getSettings } from '../../access/business-settings/operations.ts'
import { addDays } from '../../foundation/calendar.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import { invalid, notFound } from '../../foundation/refusal.ts'
import type { Books } from '../../ledger/books/contract.ts'
import { extendPeriods, ledgerOfRole, lockJournal } from '../../ledger/books/operations.ts'
import type { PostedEntry } from '../../ledger/journal/contract.ts'
import type { Posting } from '../../ledger/posting/contract.ts'
import { postEntries } from '../../ledger/posting/operations.ts'
import { firstOpenDate, requireOpenDate } from '../../ledger/posting/rules.ts'
import type { Standing } from '../stock-costing/contract.ts'
import type { LayerRow, MovementDraft, MovementRow, PoolRow, StockedVariant, StockPlace } from './contract.ts'
import {
  correctionsOf, differenceOf, groupBy, keyOf, linesOf, nothingBefore, poolOf, walk, type Correction, type Short, type Start, type Walk,
} from './rules.ts'
import * as store from './store.ts'

export type PoolKey = { variant_id: string; location_id: string }

/** Pools that nobody else moves until the transaction ends. */
export type LockedPools = ReadonlyMap<string, PoolRow>

/** Locks pools in the order of variant and location, with those that exchange units with them. */
export async function lockPools(tx: BusinessTx, wanted: readonly PoolKey[]): Promise<LockedPools> {
  if (wanted.length === 0) return new Map()
  const keys = keysOf(wanted)
  await tx.run(store.ensurePools, keys)
  return new Map((await tx.many(store.lockPools, keys)).map((pool) => [keyOf(pool), pool]))
}

export async function stockedVariants(tx: BusinessTx, ids: readonly string[]): Promise<Map<string, StockedVariant>> {
  return new Map((await tx.many(store.variants, { ids: [...new Set(ids)] })).map((variant) => [variant.id, variant]))
}

/** These locations, and the default one. */
export async function stockPlaces(tx: BusinessTx, ids: readonly string[]): Promise<Map<string, StockPlace>> {
  return new Map((await tx.many(store.places, { ids: [...new Set(ids)] })).map((place) => [place.id, place]))
}

/** What has become of movements, and of the issues that they brought back. */
export async function standingsOf(tx: BusinessTx, ids: readonly string[]): Promise<Pick<Start, 'standings' | 'returns'>> {
  if (ids.length === 0) return nothingBefore
  const rows = await tx.many(store.standings, { ids: [...new Set(ids)] })
  const issues = rows.flatMap(({ returns_movement_id }) => returns_movement_id ?? [])
  if (issues.length > 0) rows.push(...await tx.many(store.standings, { ids: issues }))
  const standings = new Map(rows.map(({ id, returns_movement_id: _issue, ...standing }): [string, Standing] => [id, standing]))
  return { standings, returns: new Map(rows.flatMap(({ id, returns_movement_id }) => (returns_movement_id ? [[id, returns_movement_id] as const] : []))) }
}

/** How many of the units that each of these receipts brought are still there, as the queue of layers tells. */
export async function unitsLeft(tx: BusinessTx, ids: readonly string[]): Promise<Map<string, number>> {
  return new Map((await tx.many(store.layersByMovements, { ids: [...ids] })).map(({ movement_id, quantity }) => [movement_id, quantity]))
}

export type StockEvent = {
  source_type: string
  source_id: string
  memo: string | null
  drafts: readonly MovementDraft[]
  /** What is undone may lie further back than what is done may. */
  is_reversal?: boolean
}

export type RecordedStock = { entries: PostedEntry[]; movements: MovementRow[] }

/** Costs, writes and posts what a document moves. Its pools are locked, and those of the movements that it returns. */
export async function recordMovements(tx: BusinessTx, pools: LockedPools, event: StockEvent): Promise<RecordedStock> {
  const { drafts } = event
  if (drafts.length === 0) return { entries: [], movements: [] }
  const keys = keysOf([...pools.values()])
  const [variants, places, { inventory: settings }, layers, shortages, { sequence }] = await Promise.all([
    stockedVariants(tx, drafts.map(({ variant_id }) => variant_id)), stockPlaces(tx, keys.location_ids), getSettings(tx),
    tx.many(store.layersOf, keys), tx.many(store.shortagesOf, keys), tx.get(store.lockHead, {}, 'Stock'),
  ])
  const { books: known } = await lockJournal(tx)
  let books = known
  for (const { effective_date } of drafts) {
    books = extendPeriods(tx, books, effective_date)
    requireDate(tx, books, effective_date, event.is_reversal ? null : settings.backdating_days)
  }
  const numbered = drafts.map((draft, index) => ({ ...draft, sequence: sequence + index + 1, ...standardOf(variants, draft) }))
  const mayGoBelow = (location_id: string) => (places.get(location_id)?.negative_stock ?? (settings.allow_negative_stock ? 'allow' : 'block')) === 'allow'
  const costed = await costByVariant(tx, { pools, layers, shortages, variants, numbered, mayGoBelow, limit: settings.recost_limit })
  requireEnough(costed, variants, places)

  const fresh = freshRows(tx, event, numbered, costed)
  const corrections = await correctionRows(tx, books, costed, fresh, sequence + fresh.length)
  const movements = withEntries(books, event, fresh, corrections)
  const entries = movements.postings.length > 0 ? await postEntries(tx, movements.postings) : []
  save(tx, { pools, layers, shortages, costed, rows: movements.rows, drafts: numbered })
  return { entries: entries.filter(({ source_type }) => source_type !== CORRECTION), movements: movements.rows.slice(0, fresh.length) }
}

/** For a new business: the head of its stock ledger. */
export function foundStock(tx: BusinessTx): void {
  tx.queue(store.insertHead)
}

/** The source of the entries that carry corrections. */
const CORRECTION = 'stock_correction'

type Numbered = MovementDraft & { sequence: number; standard_cost: number | null; cost_per: number }

type Costed = Walk & { variant_id: string; corrections: Correction[]; known: ReadonlyMap<string, MovementRow> }

type Costable = {
  pools: LockedPools
  layers: readonly LayerRow[]
  shortages: readonly LayerRow[]
  variants: ReadonlyMap<string, StockedVariant>
  numbered: readonly Numbered[]
  mayGoBelow: (location_id: string) => boolean
  limit: number
}

async function costByVariant(tx: BusinessTx, { pools, layers, shortages, variants, numbered, mayGoBelow, limit }: Costable): Promise<Costed[]> {
  const byPool = [groupBy(layers, keyOf), groupBy(shortages, keyOf)] as const
  const ids = numbered.flatMap(({ returns_movement_id, reverses_movement_id }) => [returns_movement_id, reverses_movement_id].filter((id) => id !== null))
  const [{ standings, returns }, cited] = await Promise.all([standingsOf(tx, ids), ids.length > 0 ? tx.many(store.movementsByIds, { ids }) : []])
  const placeOf = new Map(cited.map(({ id, location_id }) => [id, location_id]))
  const parts = [...groupBy(numbered, ({ variant_id }) => variant_id)].map(([variant_id, drafts]) => {
    const own = poolsFor(pools, variant_id, drafts, placeOf)
    const backdated = drafts.some(({ effective_date }) => own.some(({ last_date }) => last_date !== null && effective_date < last_date))
    return { variant_id, drafts, own, backdated }
  })
  const again = parts.filter(({ backdated }) => backdated)
  const history = again.length > 0 ? await readHistory(tx, again, limit) : null
  return parts.map(({ variant_id, drafts, own, backdated }) => {
    const method = variants.get(variant_id)?.costing_method ?? 'fifo'
    const fresh = new Set(drafts.map(({ id }) => id))
    if (!backdated || !history) {
      const start = { pools: own.map((pool) => poolOf(pool, byPool[0].get(keyOf(pool)) ?? [], byPool[1].get(keyOf(pool)) ?? [])), standings, returns }
      const walked = walk(method, start, drafts, fresh, mayGoBelow)
      return { variant_id, ...walked, corrections: correctionsOf(walked.effects, [], fresh), known: new Map() }
    }
    const known = new Map((history.movements.get(variant_id) ?? []).map((row) => [row.id, row]))
    const walked = walk(method, nothingBefore, [...known.values(), ...drafts], fresh, mayGoBelow)
    return { variant_id, ...walked, corrections: correctionsOf(walked.effects, history.recorded.get(variant_id) ?? [], fresh), known }
  })
}

/** The pools of a variant whose costs hang together with these movements. A return to another place ties that place to the first. */
function poolsFor(pools: LockedPools, variant_id: string, drafts: readonly Numbered[], placeOf: ReadonlyMap<string, string>): PoolRow[] {
  const touched = new Set(drafts.map(({ location_id }) => location_id))
  for (const { location_id, returns_movement_id } of drafts) {
    const place = placeOf.get(returns_movement_id ?? '')
    if (place === undefined || place === location_id) continue
    touched.add(place)
    for (const tied of [place, location_id]) {
      const pool = pools.get(keyOf({ variant_id, location_id: tied }))
      if (pool) pool.linked = true
    }
  }
  const own = [...pools.values()].filter((pool) => pool.variant_id === variant_id)
  const linked = own.some((pool) => pool.linked && touched.has(pool.location_id))
  return own.filter((pool) => touched.has(pool.location_id) || (linked && pool.linked))
}

/** All that happened in the pools that are to be costed anew. */
async function readHistory(tx: BusinessTx, parts: readonly { own: readonly PoolRow[]; drafts: readonly Numbered[] }[], limit: number) {
  const keys = keysOf(parts.flatMap(({ own }) => own))
  const since = parts.flatMap(({ drafts }) => drafts.map(({ effective_date }) => effective_date)).sort()[0] ?? tx.today
  const { count } = await tx.get(store.countLater, { ...keys, since }, 'Stock')
  if (count > limit) {
    throw invalid(`${count} later movements would have to be costed anew, more than recost_limit (${limit}): use a later date, or raise the setting.`)
  }
  const [movements, recorded] = await Promise.all([tx.many(store.movementsOf, keys), tx.many(store.recordedValues, keys)])
  const variantOf = new Map(movements.map(({ id, variant_id }) => [id, variant_id]))
  return { movements: groupBy(movements, ({ variant_id }) => variant_id), recorded: groupBy(recorded, ({ movement_id }) => variantOf.get(movement_id) ?? '') }
}

function requireEnough(
  costed: readonly (Walk & { variant_id: string })[], variants: ReadonlyMap<string, StockedVariant>, places: ReadonlyMap<string, StockPlace>,
): void {
  const missing = costed.flatMap(({ variant_id, short }) => short.map((one) => ({ variant_id, ...one })))
  if (missing.length === 0) return
  const told = missing.map(({ variant_id, location_id, date, quantity }: Short & { variant_id: string }) =>
    `${variants.get(variant_id)?.sku} at ${places.get(location_id)?.name} is short ${quantity} on ${date}`)
  throw invalid(`Not enough stock: ${told.join('; ')}. Receive it first, or allow negative stock.`)
}

function freshRows(tx: BusinessTx, event: StockEvent, drafts: readonly Numbered[], costed: readonly Costed[]): MovementRow[] {
  const effects = new Map(costed.flatMap((part) => part.effects.filter(({ cause_id }) => cause_id === null)).map((effect) => [effect.movement_id, effect]))
  const resolved = new Map(costed.flatMap((part) => [...part.resolved]))
  return drafts.map((draft) => {
    const effect = effects.get(draft.id)
    return {
      ...draft,
      business_id: tx.business_id,
      given_value: draft.given_value ?? resolved.get(draft.id) ?? null,
      value: effect?.value ?? 0,
      counter_value: effect?.counter_value ?? 0,
      estimated: effect?.estimated ?? false,
      recorded_at: tx.now,
      source_type: event.source_type,
      source_id: event.source_id,
      entry_id: null,
      corrects_movement_id: null,
      cause_movement_id: null,
    }
  })
}

/** A correction stands on the day of what it corrects, or of the receipt that is its cause; where that is closed, on the first open day after. */
async function correctionRows(
  tx: BusinessTx, books: Books, costed: readonly Costed[], fresh: readonly MovementRow[], sequence: number,
): Promise<MovementRow[]> {
  const wanted = costed.flatMap(({ corrections }) => corrections)
  const known = new Map([...costed.flatMap((part) => [...part.known]), ...fresh.map((row) => [row.id, row] as const)])
  const absent = wanted.flatMap(({ movement_id, cause_id }) => [movement_id, cause_id ?? movement_id]).filter((id) => !known.has(id))
  if (absent.length > 0) for (const row of await tx.many(store.movementsByIds, { ids: absent })) known.set(row.id, row)
  return wanted.map(({ movement_id, cause_id, value, counter_value }, index): MovementRow => {
    const corrected = known.get(movement_id)
    const date = known.get(cause_id ?? movement_id)?.effective_date
    if (!corrected || !date) throw new Error(`Movement ${movement_id} is corrected and not there.`)
    return {
      ...corrected,
      id: newId(),
      sequence: sequence + index + 1,
      type: 'correction',
      quantity: 0,
      line_quantity: 0,
      value,
      counter_value,
      given_value: null,
      estimated: false,
      effective_date: firstOpenDate(books.periods, date, 'inventory') ?? date,
      recorded_at: tx.now,
      entry_id: null,
      corrects_movement_id: movement_id,
      cause_movement_id: cause_id,
      returns_movement_id: null,
      reverses_movement_id: null,
    }
  })
}

/** One entry for each day of the document, and one for each day on which something is corrected. */
function withEntries(
  books: Books, event: StockEvent, fresh: readonly MovementRow[], corrections: readonly MovementRow[],
): { rows: MovementRow[]; postings: Posting[] } {
  const postings: Posting[] = []
  const posted = (rows: readonly MovementRow[], source_type: string, memo: string | null) => {
    const entryOf = new Map<string, string>()
    for (const [date, some] of groupBy(rows, ({ effective_date }) => effective_date)) {
      const lines = linesOf(some, () => ledgerOfRole(books, 'inventory_adjustment').id)
      if (lines.length === 0) continue
      const id = newId()
      postings.push({ id, date, memo, source_type, source_id: event.source_id, area: 'inventory', automatic: true, lines })
      entryOf.set(date, id)
    }
    return rows.map((row) => ({ ...row, entry_id: row.value === 0 && row.counter_value === 0 ? null : entryOf.get(row.effective_date) ?? null }))
  }
  const rows = [...posted(fresh, event.source_type, event.memo), ...posted(corrections, CORRECTION, 'Cost of stock corrected')]
  return { rows, postings }
}

type Saved = Pick<Costable, 'pools' | 'layers' | 'shortages'> & { costed: readonly Costed[]; rows: readonly MovementRow[]; drafts: readonly Numbered[] }

function save(tx: BusinessTx, { pools, layers, shortages, costed, rows, drafts }: Saved): void {
  const lastDates = new Map<string, string>()
  for (const draft of drafts) if (draft.effective_date > (lastDates.get(keyOf(draft)) ?? '')) lastDates.set(keyOf(draft), draft.effective_date)
  const after = costed.flatMap(({ variant_id, pools: own }) => [...own.values()].map((pool) => ({ variant_id, pool })))
  const saved = after.map(({ variant_id, pool: { location_id, quantity, value, last_quantity, last_value } }): PoolRow => {
    const before = pools.get(keyOf({ variant_id, location_id }))
    const last = lastDates.get(keyOf({ variant_id, location_id })) ?? null
    const last_date = before?.last_date && (last === null || before.last_date > last) ? before.last_date : last
    return { variant_id, location_id, quantity, value, last_quantity, last_value, last_date, linked: before?.linked ?? false }
  })
  const mine = new Set(saved.map(keyOf))
  const rowsOf = (which: 'layers' | 'shortages') => after.flatMap(
    ({ variant_id, pool }) => pool[which].map((row): LayerRow => ({ ...row, variant_id, location_id: pool.location_id })),
  )
  tx.queue(store.insertMovements, { movements: JSON.stringify(rows) })
  tx.queue(store.savePools, { pools: JSON.stringify(saved) })
  const changes = (before: readonly LayerRow[], which: 'layers' | 'shortages') => differenceOf(before.filter((row) => mine.has(keyOf(row))), rowsOf(which))
  const [layer, shortage] = [changes(layers, 'layers'), changes(shortages, 'shortages')]
  if (layer.gone.length > 0) tx.queue(store.dropLayers, { ids: layer.gone })
  if (layer.kept.length > 0) tx.queue(store.saveLayers, { rows: JSON.stringify(layer.kept) })
  if (shortage.gone.length > 0) tx.queue(store.dropShortages, { ids: shortage.gone })
  if (shortage.kept.length > 0) tx.queue(store.saveShortages, { rows: JSON.stringify(shortage.kept) })
  const ledgers = [...groupBy(rows, ({ stock_ledger_id }) => stock_ledger_id)].sort(([a], [b]) => (a < b ? -1 : 1))
  tx.queue(store.moveLedgers, { ledger_ids: ledgers.map(([id]) => id), values: ledgers.map(([, some]) => some.reduce((sum, { value }) => sum + value, 0)) })
  tx.queue(store.moveHead, { sequence: rows.at(-1)?.sequence ?? 0 })
}

function requireDate(tx: BusinessTx, books: Books, date: string, backdating_days: number | null): void {
  if (date > tx.today) throw invalid(`Stock cannot move on ${date}, which is yet to come: use ${tx.today} or earlier.`)
  if (backdating_days !== null && date < addDays(tx.today, -backdating_days)) {
    throw invalid(`${date} lies more than ${backdating_days} days back: use ${addDays(tx.today, -backdating_days)} or later, or change backdating_days.`)
  }
  requireOpenDate(books.periods, date, 'inventory', { allowed: tx.actor.permissions.has('periods:override'), reason: tx.request.override_reason })
}

function standardOf(variants: ReadonlyMap<string, StockedVariant>, { variant_id }: MovementDraft) {
  const variant = variants.get(variant_id)
  if (!variant) throw notFound(`Variant ${variant_id}`)
  return { standard_cost: variant.standard_cost, cost_per: variant.cost_per }
}

function keysOf(keys: readonly PoolKey[]): { variant_ids: string[]; location_ids: string[] } {
  return { variant_ids: keys.map(({ variant_id }) => variant_id), location_ids: keys.map(({ location_id }) => location_id) }
}
