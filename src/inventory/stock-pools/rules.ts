// How a list of movements is costed: what each is worth, what that changes in those recorded before, what is short and what is posted.
import type { PostingLine } from '../../ledger/posting/contract.ts'
import { invalid } from '../../foundation/refusal.ts'
import type { CostedMovement, CostingMethod, Effect, Layer, Pool, Standing } from '../stock-costing/contract.ts'
import { Costing, inOrder, share, worthAtPoolCost } from '../stock-costing/rules.ts'
import type { LayerRow, MovementRow, PoolRow } from './contract.ts'

export const keyOf = ({ variant_id, location_id }: { variant_id: string; location_id: string }): string => `${variant_id} ${location_id}`

/** What was there before the movements that are walked along. */
export type Start = { pools: readonly Pool[]; standings: ReadonlyMap<string, Standing>; returns: ReadonlyMap<string, string> }

export const nothingBefore: Start = { pools: [], standings: new Map(), returns: new Map() }

/** A pool that new issues leave below zero: from when, and by how much at the worst. */
export type Short = { location_id: string; date: string; quantity: number }

export type Walk = {
  pools: Map<string, Pool>
  effects: Effect[]
  short: Short[]
  /** The worth of new receipts that took it from their pool. */
  resolved: Map<string, number>
}

/** Costs movements one after another. `fresh` are the new ones: only they are held against what is there. */
export function walk(
  method: CostingMethod, start: Start, movements: readonly CostedMovement[], fresh: ReadonlySet<string>, mayGoBelow: (location_id: string) => boolean,
): Walk {
  const costing = new Costing(method, start.pools, start.standings, start.returns)
  const effects: Effect[] = []
  const resolved = new Map<string, number>()
  const short = new Map<string, Short>()
  const issuing = new Set<string>()
  for (const movement of [...movements].sort(inOrder)) {
    const { location_id, effective_date: date } = movement
    const given_value = needsWorth(movement) ? worthOf(costing.pool(location_id), movement) : movement.given_value
    if (given_value !== movement.given_value && given_value !== null) resolved.set(movement.id, given_value)
    effects.push(...costing.apply({ ...movement, given_value }))
    if (fresh.has(movement.id) && movement.quantity < 0) issuing.add(location_id)
    const { quantity } = costing.pool(location_id)
    if (quantity < 0 && issuing.has(location_id) && !mayGoBelow(location_id)) {
      const known = short.get(location_id)
      short.set(location_id, { location_id, date: known?.date ?? date, quantity: Math.max(known?.quantity ?? 0, -quantity) })
    }
  }
  return { pools: costing.pools, effects, short: [...short.values()], resolved }
}

const needsWorth = ({ quantity, given_value, returns_movement_id }: CostedMovement) => quantity > 0 && given_value === null && returns_movement_id === null

/** The pool's own cost, else the standard cost. */
function worthOf(pool: Pool, { quantity, standard_cost, cost_per, effective_date }: CostedMovement): number {
  const worth = worthAtPoolCost(pool, quantity) ?? (standard_cost === null ? null : share(standard_cost, quantity, cost_per))
  if (worth === null) {
    throw invalid(`Nothing says what these ${quantity} units are worth on ${effective_date}: give unit_cost, or set standard_cost of the variant.`)
  }
  return worth
}

export type Correction = { movement_id: string; cause_id: string | null; value: number; counter_value: number }

/** What is to be added to what is recorded so that it says what costing says. New movements are no corrections of themselves. */
export function correctionsOf(effects: readonly Effect[], recorded: readonly Correction[], fresh: ReadonlySet<string>): Correction[] {
  const found = new Map<string, Correction>()
  const add = ({ movement_id, cause_id, value, counter_value }: Correction, sign: 1 | -1) => {
    const key = `${movement_id} ${cause_id ?? ''}`
    const known = found.get(key) ?? { movement_id, cause_id, value: 0, counter_value: 0 }
    found.set(key, { ...known, value: known.value + sign * value, counter_value: known.counter_value + sign * counter_value })
  }
  for (const effect of effects) if (effect.cause_id !== null || !fresh.has(effect.movement_id)) add(effect, 1)
  for (const row of recorded) add(row, -1)
  return [...found.values()].filter(({ value, counter_value }) => value !== 0 || counter_value !== 0)
}

/** The lines of an entry, summed by ledger and tags; empty where nothing is left. Tags stand on the other side of the stock. */
export function linesOf(movements: readonly MovementRow[], adjustment_ledger_id: () => string): PostingLine[] {
  const lines = new Map<string, PostingLine>()
  const add = (ledger_id: string, amount: number, tags: Pick<PostingLine, 'customer_id' | 'project_id' | 'dimension_value_ids'> = {}) => {
    if (amount === 0) return
    const key = JSON.stringify([ledger_id, tags.customer_id ?? null, tags.project_id ?? null, [...(tags.dimension_value_ids ?? [])].sort()])
    const known = lines.get(key)
    lines.set(key, known ? { ...known, amount: known.amount + amount } : { ledger_id, amount, ...tags })
  }
  for (const { value, counter_value, stock_ledger_id, counter_ledger_id, customer_id, project_id, dimension_value_ids } of movements) {
    const tags = { customer_id, project_id, dimension_value_ids }
    add(counter_ledger_id, counter_value, tags)
    add(stock_ledger_id, value)
    if (value + counter_value !== 0) add(adjustment_ledger_id(), 0 - value - counter_value, tags)
  }
  return [...lines.values()].filter(({ amount }) => amount !== 0)
}

export function poolOf(row: PoolRow, layers: readonly LayerRow[], shortages: readonly LayerRow[]): Pool {
  const plain = ({ movement_id, date, sequence, quantity, value }: LayerRow): Layer => ({ movement_id, date, sequence, quantity, value })
  const { location_id, quantity, value, last_quantity, last_value } = row
  return { location_id, quantity, value, last_quantity, last_value, layers: layers.map(plain), shortages: shortages.map(plain) }
}

/** What of the rows before is gone, and what is new or another. */
export function differenceOf(before: readonly LayerRow[], after: readonly LayerRow[]): { gone: string[]; kept: LayerRow[] } {
  const known = new Map(before.map((row) => [row.movement_id, row]))
  const left = new Set(after.map(({ movement_id }) => movement_id))
  const kept = after.filter((row) => {
    const old = known.get(row.movement_id)
    return !old || old.quantity !== row.quantity || old.value !== row.value
  })
  return { gone: before.filter(({ movement_id }) => !left.has(movement_id)).map(({ movement_id }) => movement_id), kept }
}

export function groupBy<Row>(rows: readonly Row[], key: (row: Row) => string): Map<string, Row[]> {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const group = groups.get(key(row))
    if (group) group.push(row)
    else groups.set(key(row), [row])
  }
  return groups
}
