// The doors through which documents of every room move stock, in the transaction of the document and once for each of its lines.
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import { invalid, notFound } from '../../foundation/refusal.ts'
import type { Books } from '../../ledger/books/contract.ts'
import { ledgerOfRole, readBooks } from '../../ledger/books/operations.ts'
import type { PostedEntry } from '../../ledger/journal/contract.ts'
import type { MovementDraft, MovementRow, MovementType, StockedVariant, StockPlace } from '../stock-pools/contract.ts'
import { lockPools, recordMovements, standingsOf, stockedVariants, stockPlaces, unitsLeft, type RecordedStock } from '../stock-pools/operations.ts'
import { groupBy } from '../stock-pools/rules.ts'
import { partsToReturn, progressOf } from './rules.ts'
import * as store from './store.ts'

type Source = { source_type: string; source_id: string }
type Tags = { customer_id?: string | null; project_id?: string | null; dimension_value_ids?: readonly string[] }

/** `quantity` is all of the line that shall have left by now; without a location, the default one. */
export type IssueLine = Tags & { source_line_id: string; variant_id: string; location_id?: string | null; quantity: number }
export type MovedLine = { source_line_id: string; quantity: number; value: number }
export type Moved = { entry: PostedEntry | null; lines: MovedLine[] }
type Document = Source & { date: string; memo?: string | null }

/** Takes what documents deliver: only what has not left yet for that line. Kits leave as their components; services do not move. */
export async function issueStock(tx: BusinessTx, document: Document & { lines: readonly IssueLine[] }): Promise<Moved> {
  const { source_type, source_id, date, memo = null, lines } = document
  const { variants, places, books, progress } = await surroundings(tx, document, lines, 'sale')
  const kits = lines.flatMap(({ variant_id }) => (variants.get(variant_id)?.type === 'kit' ? [variants.get(variant_id)?.product_id ?? ''] : []))
  const components = groupBy(kits.length > 0 ? await tx.many(store.components, { product_ids: [...new Set(kits)] }) : [], ({ product_id }) => product_id)
  const parts = await stockedVariants(tx, [...components.values()].flat().map(({ variant_id }) => variant_id))
  const todo = lines.map((line) => ({ line, quantity: Math.max(0, line.quantity - (progress.get(line.source_line_id)?.quantity ?? 0)) }))
  const drafts = todo.flatMap(({ line, quantity }): MovementDraft[] => {
    const variant = requireVariant(variants, line.variant_id)
    if (quantity === 0 || variant.type === 'service' || variant.type === 'non_stocked') return []
    const place = requirePlace(places, line.location_id, 'sells')
    const moving = variant.type === 'kit' ? requireComponents(variant, components.get(variant.product_id)) : [{ variant_id: variant.id, quantity: 1 }]
    return moving.map((part) => ({
      ...draftOf(books, parts.get(part.variant_id) ?? variant, place, line, date),
      type: 'sale',
      quantity: -quantity * part.quantity,
      ordinal: progress.get(line.source_line_id)?.ordinal ?? 1,
      line_quantity: quantity,
      counter_ledger_id: (parts.get(part.variant_id) ?? variant).cogs_ledger_id ?? ledgerOfRole(books, 'cost_of_goods_sold').id,
    }))
  })
  const recorded = await recordMovements(tx, await lockPools(tx, drafts), { source_type, source_id, memo, drafts })
  return movedOf(recorded, todo.map(({ line, quantity }) => ({ source_line_id: line.source_line_id, quantity })))
}

/** `quantity` is all of the line that shall have come back by now; without a location, to where it was issued from. */
export type ReturnLine = Tags & {
  source_line_id: string
  issued_source_type: string
  issued_source_id: string
  issued_line_id: string
  quantity: number
  location_id?: string | null
}

/** Brings back what another document issued, at the cost it left with. */
export async function returnStock(tx: BusinessTx, document: Document & { lines: readonly ReturnLine[] }): Promise<Moved> {
  const { source_type, source_id, date, memo = null, lines } = document
  const sources = [{ source_type, source_id }, ...lines.map((line) => ({ source_type: line.issued_source_type, source_id: line.issued_source_id }))]
  const movements = groupBy(await movementsOf(tx, sources), (row) => `${row.source_type} ${row.source_id}`)
  const progress = progressOf((movements.get(`${source_type} ${source_id}`) ?? []).filter(({ type }) => type === 'sale_return'))
  const todo = lines.map((line) => {
    const issues = (movements.get(`${line.issued_source_type} ${line.issued_source_id}`) ?? [])
      .filter((row) => row.type === 'sale' && row.quantity < 0 && row.source_line_id === line.issued_line_id)
    return { line, issues, quantity: Math.max(0, line.quantity - (progress.get(line.source_line_id)?.quantity ?? 0)) }
  })
  const moving = todo.filter(({ quantity, issues }) => quantity > 0 && issues.length > 0)
  const [places, variants, { books }] = await Promise.all([
    stockPlaces(tx, lines.flatMap(({ location_id }) => location_id ?? [])),
    stockedVariants(tx, moving.flatMap(({ issues }) => issues.map(({ variant_id }) => variant_id))), readBooks(tx),
  ])
  const pools = await lockPools(tx, moving.flatMap(({ line, issues }) => issues.flatMap(({ variant_id, location_id }) => [
    { variant_id, location_id }, ...(line.location_id ? [{ variant_id, location_id: requirePlace(places, line.location_id, 'receives').id }] : []),
  ])))
  const { standings } = await standingsOf(tx, moving.flatMap(({ issues }) => issues.map(({ id }) => id)))
  const drafts = moving.flatMap(({ line, issues, quantity }) => partsToReturn(issues, standings, quantity).map((part): MovementDraft => {
    const { issue } = part
    if (date < issue.effective_date) throw invalid(`Stock that was issued on ${issue.effective_date} cannot come back on ${date}: use a later date.`)
    // What comes back within this call is no longer there for the next line.
    const standing = standings.get(issue.id)
    if (standing) standing.returned_quantity += part.quantity
    const elsewhere = line.location_id && line.location_id !== issue.location_id ? places.get(line.location_id) : undefined
    const stock_ledger_id = elsewhere ? stockLedger(books, requireVariant(variants, issue.variant_id), elsewhere) : issue.stock_ledger_id
    return {
      ...issue, ...tagsOf(line, issue), id: newId(), type: 'sale_return', quantity: part.quantity,
      effective_date: date, location_id: elsewhere?.id ?? issue.location_id, stock_ledger_id,
      source_line_id: line.source_line_id, ordinal: progress.get(line.source_line_id)?.ordinal ?? 1, line_quantity: part.line_quantity,
      given_value: null, returns_movement_id: issue.id, reverses_movement_id: null,
    }
  }))
  const recorded = await recordMovements(tx, pools, { source_type, source_id, memo, drafts })
  return movedOf(recorded, todo.map(({ line, quantity, issues }) => ({ source_line_id: line.source_line_id, quantity: issues.length > 0 ? quantity : 0 })))
}

/** Undoes every movement of a document that is not undone yet, at what it is worth now: on its own date, or all on a later one. */
export async function reverseStock(
  tx: BusinessTx, { source_type, source_id, reversal_date, memo = null }: Source & { reversal_date?: string; memo?: string | null },
): Promise<{ entries: PostedEntry[] }> {
  const movements = await movementsOf(tx, [{ source_type, source_id }])
  const undone = new Set(movements.flatMap(({ reverses_movement_id }) => reverses_movement_id ?? []))
  const standing = movements.filter(({ id, reverses_movement_id }) => reverses_movement_id === null && !undone.has(id))
  if (standing.length === 0) return { entries: [] }
  const progress = progressOf(movements)
  const pools = await lockPools(tx, standing)
  const [{ standings }, left] = await Promise.all([standingsOf(tx, standing.map(({ id }) => id)), unitsLeft(tx, standing.map(({ id }) => id))])
  const drafts = standing.map((movement): MovementDraft => {
    const { id, quantity, effective_date, source_line_id } = movement
    if (reversal_date && reversal_date < effective_date) throw invalid(`reversal_date cannot be before ${effective_date}, when the stock moved.`)
    if (quantity < 0 && (standings.get(id)?.returned_quantity ?? 0) > 0) throw invalid('Some of what was issued has come back already: undo the return first.')
    if (quantity > 0 && (left.get(id) ?? 0) < quantity) {
      throw invalid(`Only ${left.get(id) ?? 0} of the ${quantity} units that came in are still there: what is used cannot be undone.`)
    }
    return {
      ...movement,
      id: newId(),
      quantity: 0 - quantity,
      effective_date: reversal_date ?? effective_date,
      ordinal: progress.get(source_line_id)?.ordinal ?? 1,
      line_quantity: 0 - movement.line_quantity,
      given_value: quantity === 0 ? 0 - movement.value : null,
      returns_movement_id: quantity < 0 ? id : null,
      reverses_movement_id: id,
    }
  })
  const { entries } = await recordMovements(tx, pools, { source_type, source_id, memo, drafts, is_reversal: true })
  return { entries }
}

export type ReceiptLine = Tags & { source_line_id: string; variant_id: string; location_id?: string | null; quantity: number; value: number }

/** Brings in what was bought, or what was there when the books began: `quantity` and `value` are all of the line that shall have come by now. */
export async function receiveStock(
  tx: BusinessTx, document: Document & { type: 'purchase_receipt' | 'opening'; lines: readonly ReceiptLine[] },
): Promise<Moved> {
  const { source_type, source_id, date, memo = null, type, lines } = document
  const { variants, places, books, progress } = await surroundings(tx, document, lines, type)
  const counter_ledger_id = ledgerOfRole(books, type === 'opening' ? 'opening_balance' : 'goods_received_not_invoiced').id
  const todo = lines.map((line) => {
    const { quantity = 0, value = 0, ordinal = 1 } = progress.get(line.source_line_id) ?? {}
    return { line, quantity: Math.max(0, line.quantity - quantity), value: Math.max(0, line.value - value), ordinal }
  })
  const drafts = todo.filter(({ quantity }) => quantity > 0).map(({ line, quantity, value, ordinal }): MovementDraft => ({
    ...draftOf(books, requireStocked(requireVariant(variants, line.variant_id)), requirePlace(places, line.location_id, 'receives'), line, date),
    type, quantity, given_value: value, ordinal, line_quantity: quantity, counter_ledger_id,
  }))
  const recorded = await recordMovements(tx, await lockPools(tx, drafts), { source_type, source_id, memo, drafts })
  return movedOf(recorded, todo.map(({ line, quantity }) => ({ source_line_id: line.source_line_id, quantity })))
}

/** quantity 0: the value alone changes, by `value`. Else `value` is what comes in is worth; null: what the pool says. */
export type AdjustmentLine = Tags & { source_line_id: string; variant_id: string; location_id: string; quantity: number; value: number | null }

/** Changes stock outside buying and selling; the other side is `ledger_id`, or the ledger of adjustments. */
export async function adjustStock(tx: BusinessTx, document: Document & { ledger_id: string | null; lines: readonly AdjustmentLine[] }): Promise<Moved> {
  const { source_type, source_id, date, memo = null, ledger_id, lines } = document
  const { variants, places, books } = await surroundings(tx, document, lines, 'adjustment_in')
  const counter_ledger_id = ledger_id ?? ledgerOfRole(books, 'inventory_adjustment').id
  const drafts = lines.map((line): MovementDraft => ({
    ...draftOf(books, requireStocked(requireVariant(variants, line.variant_id)), requirePlace(places, line.location_id, null), line, date),
    type: line.quantity === 0 ? 'revaluation' : line.quantity > 0 ? 'adjustment_in' : 'adjustment_out',
    quantity: line.quantity,
    given_value: line.quantity < 0 ? null : line.value,
    ordinal: 1,
    line_quantity: line.quantity,
    counter_ledger_id,
  }))
  const recorded = await recordMovements(tx, await lockPools(tx, drafts), { source_type, source_id, memo, drafts })
  return movedOf(recorded, lines)
}

function movementsOf(tx: BusinessTx, sources: readonly Source[]): Promise<MovementRow[]> {
  return tx.many(
    store.movementsOfSources, { source_types: sources.map(({ source_type }) => source_type), source_ids: sources.map(({ source_id }) => source_id) },
  )
}

async function surroundings(tx: BusinessTx, document: Source, lines: readonly { variant_id: string; location_id?: string | null }[], type: MovementType) {
  const [variants, places, { books }, movements] = await Promise.all([
    stockedVariants(tx, lines.map(({ variant_id }) => variant_id)),
    stockPlaces(tx, lines.flatMap(({ location_id }) => location_id ?? [])), readBooks(tx), movementsOf(tx, [document]),
  ])
  return { variants, places, books, progress: progressOf(movements.filter((movement) => movement.type === type)) }
}

function draftOf(books: Books, variant: StockedVariant, place: StockPlace, line: Tags & { source_line_id: string }, date: string) {
  return {
    ...tagsOf(line),
    id: newId(),
    variant_id: variant.id,
    location_id: place.id,
    effective_date: date,
    source_line_id: line.source_line_id,
    given_value: null,
    returns_movement_id: null,
    reverses_movement_id: null,
    stock_ledger_id: stockLedger(books, variant, place),
  }
}

/** That of the place, else that of the product, else the one that has the role. */
function stockLedger(books: Books, variant: StockedVariant, place: StockPlace): string {
  return place.inventory_ledger_id ?? variant.inventory_ledger_id ?? ledgerOfRole(books, 'inventory').id
}

function tagsOf(line: Tags, otherwise: Tags = {}) {
  return {
    customer_id: (line.customer_id === undefined ? otherwise.customer_id : line.customer_id) ?? null,
    project_id: (line.project_id === undefined ? otherwise.project_id : line.project_id) ?? null,
    dimension_value_ids: [...(line.dimension_value_ids ?? otherwise.dimension_value_ids ?? [])],
  }
}

/** What each line has moved now, with its cost. */
function movedOf({ entries, movements }: RecordedStock, lines: readonly { source_line_id: string; quantity: number }[]): Moved {
  const values = new Map<string, number>()
  for (const { source_line_id, value } of movements) values.set(source_line_id, (values.get(source_line_id) ?? 0) + Math.abs(value))
  return {
    entry: entries[0] ?? null, lines: lines.map(({ source_line_id, quantity }) => ({ source_line_id, quantity, value: values.get(source_line_id) ?? 0 })),
  }
}

function requireVariant(variants: ReadonlyMap<string, StockedVariant>, id: string): StockedVariant {
  const variant = variants.get(id)
  if (!variant) throw notFound(`Variant ${id}`)
  return variant
}

function requireStocked(variant: StockedVariant): StockedVariant {
  if (variant.type !== 'stocked') throw invalid(`${variant.sku} is of type ${variant.type}: only stocked products have stock.`)
  return variant
}

function requirePlace(places: ReadonlyMap<string, StockPlace>, id: string | null | undefined, needed: 'sells' | 'receives' | null): StockPlace {
  const place = id ? places.get(id) : [...places.values()].find(({ is_default }) => is_default)
  if (!place) throw notFound(`Location ${id ?? ''}`)
  if (place.status === 'archived') throw invalid(`Location ${place.name} is archived: take it out of the archive, or choose another one.`)
  if (needed === 'sells' && !place.sells) throw invalid(`Nothing is sold from ${place.name}: choose another location.`)
  if (needed === 'receives' && !place.receives) throw invalid(`Nothing is delivered to ${place.name}: choose another location.`)
  return place
}

function requireComponents(kit: StockedVariant, components: { variant_id: string; quantity: number }[] | undefined) {
  if (!components || components.length === 0) throw invalid(`${kit.sku} is a kit without components: say what it consists of first.`)
  return components
}
