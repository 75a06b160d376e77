// What stock costs: pools and layers of whole cents, from which each movement in turn takes and to which it gives. Pure, so that
// the cost of every movement is a function of the ordered list of movements and can be worked out again at any time.
import { divideRounded, splitCents, toCents } from '../../foundation/money.ts'
import { invalid } from '../../foundation/refusal.ts'
import type { CostedMovement, CostingMethod, Effect, Layer, Pool, Standing } from './contract.ts'

/** The part of a worth that some of its units carry: all of it for all of them, else rounded half away from zero. */
export function share(value: number, part: number, whole: number): number {
  if (part === whole) return value
  return toCents(divideRounded(BigInt(value) * BigInt(part), BigInt(whole)))
}

export function emptyPool(location_id: string): Pool {
  return { location_id, quantity: 0, value: 0, layers: [], shortages: [], last_quantity: 0, last_value: 0 }
}

/** By date, then in the order of recording. */
export function inOrder(a: { effective_date: string; sequence: number }, b: { effective_date: string; sequence: number }): number {
  if (a.effective_date !== b.effective_date) return a.effective_date < b.effective_date ? -1 : 1
  return a.sequence - b.sequence
}

export class Costing {
  readonly method: CostingMethod
  readonly pools: Map<string, Pool>
  /** Only of movements that others come back to. */
  readonly standings: Map<string, Standing>
  readonly #returns = new Map<string, string>()

  /** Goes on from these pools; `standings` has the movements before, as far as later ones return or undo them. */
  constructor(
    method: CostingMethod, pools: readonly Pool[] = [], standings: ReadonlyMap<string, Standing> = new Map(), returns: ReadonlyMap<string, string> = new Map(),
  ) {
    this.method = method
    this.pools = new Map(pools.map((pool) => [pool.location_id, structuredClone(pool)]))
    this.standings = new Map([...standings].map(([id, standing]) => [id, { ...standing }]))
    for (const [id, issue_id] of returns) this.#returns.set(id, issue_id)
  }

  /** Takes the next movement in order; the first effect is its own. */
  apply(movement: CostedMovement): Effect[] {
    const pool = this.pool(movement.location_id)
    const effects = this.#move(pool, movement)
    this.standings.set(movement.id, { quantity: movement.quantity, value: 0, returned_quantity: 0, returned_value: 0 })
    for (const { movement_id, value } of effects) {
      const standing = this.standings.get(movement_id)
      if (standing) standing.value += value
    }
    return effects
  }

  pool(location_id: string): Pool {
    let pool = this.pools.get(location_id)
    if (!pool) this.pools.set(location_id, (pool = emptyPool(location_id)))
    return pool
  }

  #move(pool: Pool, movement: CostedMovement): Effect[] {
    if (movement.quantity === 0) return [this.#revalue(pool, movement)]
    if (movement.quantity < 0) return [
      movement.reverses_movement_id ? this.#takeBack(pool, movement, movement.reverses_movement_id) : this.#issue(pool, movement),
    ]
    const issue_id = movement.returns_movement_id
    if (issue_id === null) return this.#receive(pool, movement, movement.given_value ?? 0, null)
    return this.#giveBack(pool, movement, issue_id)
  }

  /** Units that come back carry the cost they left with, as it stands now: all of them together exactly what was issued. */
  #giveBack(pool: Pool, movement: CostedMovement, issue_id: string): Effect[] {
    const issue = this.standings.get(issue_id)
    if (!issue) throw invalid(`Stock cannot come back on ${movement.effective_date}, before it was issued.`)
    const [issued, cost] = [-issue.quantity, -issue.value]
    const quantity = issue.returned_quantity + movement.quantity
    if (quantity > issued) throw invalid(`Only ${issued - issue.returned_quantity} of what was issued can still come back.`)
    const value = Math.max(0, share(cost, quantity, issued) - issue.returned_value)
    const whole = movement.quantity === issued
    issue.returned_quantity = quantity
    issue.returned_value += value
    this.#returns.set(movement.id, issue_id)
    return this.#receive(pool, movement, value, whole ? issue_id : null)
  }

  /** `own`: an issue that is undone as a whole, so what of it was still missing is filled first, at what it was taken to cost. */
  #receive(pool: Pool, movement: CostedMovement, value: number, own: string | null): Effect[] {
    const { id, effective_date: date, sequence } = movement
    const effects: Effect[] = [effectOf(id, value)]
    let [quantity, worth] = [movement.quantity, value]
    const missing = own === null ? undefined : pool.shortages.find(({ movement_id }) => movement_id === own)
    if (missing) {
      quantity -= missing.quantity
      worth -= missing.value
      missing.quantity = 0
      missing.value = 0
    }
    const filling = Math.min(quantity, pool.shortages.reduce((sum, shortage) => sum + shortage.quantity, 0))
    const actual = quantity === 0 ? 0 : share(worth, filling, quantity)
    effects.push(...fill(pool, id, filling, actual))
    pool.shortages = pool.shortages.filter((shortage) => shortage.quantity > 0)
    if (quantity > filling) {
      pool.layers.push({ movement_id: id, date, sequence, quantity: quantity - filling, value: this.method === 'fifo' ? worth - actual : 0 })
    }
    pool.quantity += movement.quantity
    pool.value += effects.reduce((sum, effect) => sum + effect.value, 0)
    pool.last_quantity = movement.quantity
    pool.last_value = value
    return effects
  }

  #issue(pool: Pool, movement: CostedMovement): Effect {
    const { id, effective_date: date, sequence } = movement
    const wanted = -movement.quantity
    const covered = Math.min(wanted, Math.max(0, pool.quantity))
    const cost = covered === 0 ? 0 : this.#take(pool, covered)
    if (covered > 0) [pool.last_quantity, pool.last_value] = [covered, cost]
    const missing = wanted - covered
    const estimate = missing === 0 ? 0 : estimateOf(pool, movement, missing)
    if (missing > 0) pool.shortages.push({ movement_id: id, date, sequence, quantity: missing, value: estimate })
    pool.quantity -= wanted
    pool.value -= cost + estimate
    return effectOf(id, -(cost + estimate), missing > 0)
  }

  /** Takes from the oldest layers; under weighted_average they tell the quantities only. The pool itself is left to the caller. */
  #take(pool: Pool, quantity: number): number {
    let [left, cost] = [quantity, 0]
    while (left > 0) {
      const layer = pool.layers[0] as Layer
      const part = Math.min(left, layer.quantity)
      const value = share(layer.value, part, layer.quantity)
      cost += value
      left -= part
      layer.quantity -= part
      layer.value -= value
      if (layer.quantity === 0) pool.layers.shift()
    }
    return this.method === 'fifo' ? cost : share(pool.value, quantity, pool.quantity)
  }

  /** A receipt is undone while all its units are there. The pool never gives more than it is worth. */
  #takeBack(pool: Pool, movement: CostedMovement, receipt_id: string): Effect {
    const receipt = this.standings.get(receipt_id)
    const layer = pool.layers.find(({ movement_id }) => movement_id === receipt_id)
    if (!receipt || !layer || layer.quantity !== -movement.quantity) {
      throw invalid(`What came in cannot be undone on ${movement.effective_date}: some of its units are used already.`)
    }
    const all = pool.quantity === layer.quantity
    const value = this.method === 'fifo' ? layer.value : all ? pool.value : Math.min(receipt.value, pool.value)
    pool.layers = pool.layers.filter((other) => other !== layer)
    pool.quantity -= layer.quantity
    pool.value -= value
    const issue = this.standings.get(this.#returns.get(receipt_id) ?? '')
    if (issue) {
      issue.returned_quantity -= receipt.quantity
      issue.returned_value -= receipt.value
    }
    return { ...effectOf(movement.id, -value), counter_value: receipt.value }
  }

  /** A change of worth alone is spread over the layers by their worth. */
  #revalue(pool: Pool, movement: CostedMovement): Effect {
    const value = movement.given_value ?? 0
    if (pool.quantity <= 0) throw invalid(`There is no stock to revalue on ${movement.effective_date}.`)
    if (pool.value + value < 0) throw invalid(`The stock is worth ${pool.value} cents on ${movement.effective_date}: it cannot be written down by more.`)
    if (this.method === 'fifo') {
      const weights = pool.layers.map((layer) => (pool.value > 0 ? layer.value : layer.quantity))
      for (const [index, part] of splitCents(value, weights).entries()) (pool.layers[index] as Layer).value += part
    }
    pool.value += value
    return effectOf(movement.id, value)
  }
}

/** What a receipt is worth fills the oldest shortages first; where they were taken to cost something else, the issue is corrected. */
function fill(pool: Pool, receipt_id: string, quantity: number, worth: number): Effect[] {
  const effects: Effect[] = []
  let [left, rest] = [quantity, worth]
  for (const shortage of pool.shortages) {
    if (left === 0) break
    const part = Math.min(left, shortage.quantity)
    if (part === 0) continue
    const estimate = share(shortage.value, part, shortage.quantity)
    const actual = share(rest, part, left)
    left -= part
    rest -= actual
    shortage.quantity -= part
    shortage.value -= estimate
    if (actual !== estimate) effects.push({ ...effectOf(shortage.movement_id, estimate - actual), cause_id: receipt_id })
  }
  return effects
}

/** The last unit cost of the pool, else the standard cost, else nothing. */
function estimateOf({ last_quantity, last_value }: Pool, { standard_cost, cost_per }: CostedMovement, quantity: number): number {
  if (last_quantity > 0) return share(last_value, quantity, last_quantity)
  return standard_cost === null ? 0 : share(standard_cost, quantity, cost_per)
}

function effectOf(movement_id: string, value: number, estimated = false): Effect {
  return { movement_id, cause_id: null, value: value + 0, counter_value: 0 - value, estimated }
}

/** What a number of units would be worth if they came in now at the pool's own cost; null where it has none. */
export function worthAtPoolCost(pool: Pool, quantity: number): number | null {
  if (pool.quantity > 0) return share(pool.value, quantity, pool.quantity)
  return pool.last_quantity > 0 ? share(pool.last_value, quantity, pool.last_quantity) : null
}

/** The cost of one unit in cents, as decimal text of six places, for show. */
export function unitCost(quantity: number, value: number): string | null {
  if (quantity === 0) return null
  const units = divideRounded(BigInt(value) * 1_000_000n, BigInt(quantity))
  const digits = String(units < 0n ? -units : units).padStart(7, '0')
  return `${units < 0n ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}`
}
