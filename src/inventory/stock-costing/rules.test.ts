import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { correctionsOf, nothingBefore, walk } from '../stock-pools/rules.ts'
import type { CostedMovement, CostingMethod, Effect } from './contract.ts'
import { Costing, share, unitCost, worthAtPoolCost } from './rules.ts'

const anyway = () => true
const method = fc.constantFrom<CostingMethod>('fifo', 'weighted_average')

type Step = { kind: 'receive' | 'issue' | 'return' | 'undo'; quantity: number; value: number; day: number; place: number; choice: number }

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('receive', 'receive', 'issue', 'issue', 'return', 'undo'),
  quantity: fc.integer({ min: 1, max: 50 }), value: fc.integer({ min: 0, max: 10_000 }), day: fc.integer({ min: 1, max: 9 }),
  place: fc.integer({ min: 0, max: 1 }), choice: fc.nat(),
})

function movement(sequence: number, given: Partial<CostedMovement>): CostedMovement {
  return {
    id: `m${sequence}`, location_id: 'here', effective_date: '2026-01-01', sequence, quantity: 0, given_value: null, returns_movement_id: null,
    reverses_movement_id: null, standard_cost: 300, cost_per: 1, ...given,
  }
}

/** Movements that make sense one after another: each is tried, and left out where costing refuses it. */
function likely(steps: readonly Step[], of: CostingMethod, ordered: boolean): CostedMovement[] {
  const kept: CostedMovement[] = []
  let day = 1
  for (const [index, { kind, quantity, value, place, choice, day: any_day }] of steps.entries()) {
    day = ordered ? Math.min(28, day + (choice % 2)) : any_day
    const common = { location_id: place === 0 ? 'here' : 'there', effective_date: `2026-01-${String(day).padStart(2, '0')}` }
    const issues = kept.filter((one) => one.quantity < 0 && one.reverses_movement_id === null)
    const receipts = kept.filter((one) => one.quantity > 0)
    const issue = issues[choice % Math.max(1, issues.length)]
    const receipt = receipts[choice % Math.max(1, receipts.length)]
    const next = kind === 'receive' ? movement(index + 1, { ...common, quantity, given_value: value })
      : kind === 'issue' ? movement(index + 1, { ...common, quantity: -quantity })
        : kind === 'return' && issue ? movement(index + 1, { ...common, quantity: Math.min(quantity, -issue.quantity), returns_movement_id: issue.id })
          : kind === 'undo' && receipt ? movement(index + 1, { ...common, location_id: receipt.location_id, quantity: -receipt.quantity, reverses_movement_id: receipt.id }) : null
    if (next && isCostable(of, [...kept, next])) kept.push(next)
  }
  return kept
}

function isCostable(of: CostingMethod, movements: readonly CostedMovement[]): boolean {
  const undone = movements.flatMap(({ reverses_movement_id }) => reverses_movement_id ?? [])
  if (new Set(undone).size < undone.length) return false
  try {
    walk(of, nothingBefore, movements, new Set(), anyway)
    return true
  } catch {
    return false
  }
}

const history = (ordered: boolean) => fc.tuple(method, fc.array(step, { minLength: 1, maxLength: 30 })).map(([of, steps]) => ({ of, movements: likely(steps, of, ordered) }))
const sum = (effects: readonly Effect[], key: 'value' | 'counter_value' = 'value') => effects.reduce((total, effect) => total + effect[key], 0)

describe('shares', () => {
  it('give all for all, and half a cent away from zero', () => {
    expect([share(1000, 3, 3), share(1000, 1, 3), share(667, 1, 2), share(-5, 1, 2)]).toEqual([1000, 333, 334, -3])
    expect(share(9_007_199_254_740_991, 999_999_999, 1_000_000_000)).toBe(9_007_199_245_733_792)
  })

  it('show a unit cost in cents', () => {
    expect([unitCost(3, 1000), unitCost(-2, -5), unitCost(0, 0), unitCost(1, 7)]).toEqual(['333.333333', '2.500000', null, '7.000000'])
  })
})

describe('pools', () => {
  it('are the sum of what moved, and of their layers; nothing is left where nothing is', () => fc.assert(fc.property(history(false), ({ of, movements }) => {
    const { pools, effects } = walk(of, nothingBefore, movements, new Set(), anyway)
    for (const pool of pools.values()) {
      const own = new Set(movements.filter(({ location_id }) => location_id === pool.location_id).map(({ id }) => id))
      expect(pool.value).toBe(sum(effects.filter(({ movement_id }) => own.has(movement_id))))
      expect(pool.quantity).toBe(movements.filter(({ id }) => own.has(id)).reduce((total, { quantity }) => total + quantity, 0))
      const [layers, shortages] = [pool.layers, pool.shortages].map((rows) => ({
        quantity: rows.reduce((total, { quantity }) => total + quantity, 0), value: rows.reduce((total, { value }) => total + value, 0),
      })) as [{ quantity: number; value: number }, { quantity: number; value: number }]
      expect(pool.quantity).toBe(layers.quantity - shortages.quantity)
      if (of === 'fifo' || pool.quantity <= 0) expect(pool.value).toBe(layers.value - shortages.value)
      if (pool.quantity === 0) expect(pool.value).toBe(0)
      if (pool.quantity > 0) expect(pool.value).toBeGreaterThanOrEqual(0)
      if (layers.quantity > 0) expect(shortages.quantity).toBe(0)
      for (const row of [...pool.layers, ...pool.shortages]) expect(row.quantity > 0 && row.value >= 0).toBe(true)
    }
  })))

  it('cost the same however often they are costed', () => fc.assert(fc.property(history(false), ({ of, movements }) => {
    const { effects } = walk(of, nothingBefore, movements, new Set(), anyway)
    const again = walk(of, nothingBefore, movements.toReversed(), new Set(), anyway)
    expect(again.effects).toEqual(effects)
    expect(correctionsOf(again.effects, effects, new Set())).toEqual([])
  })))

  it('cost the same one by one as all at once', () => fc.assert(fc.property(history(true), ({ of, movements }) => {
    const whole = walk(of, nothingBefore, movements, new Set(), anyway)
    const costing = new Costing(of)
    const effects: Effect[] = []
    for (const one of movements) {
      // As from rows that were stored meanwhile.
      const next = new Costing(of, [...costing.pools.values()], costing.standings, new Map(movements.flatMap(({ id, returns_movement_id }) => (returns_movement_id ? [[id, returns_movement_id] as const] : []))))
      effects.push(...next.apply(one))
      for (const [place, pool] of next.pools) costing.pools.set(place, pool)
      for (const [id, standing] of next.standings) costing.standings.set(id, standing)
    }
    expect(effects).toEqual(whole.effects)
    expect([...costing.pools.values()]).toEqual([...whole.pools.values()])
  })))

  it('lead to the same costs when movements come in any order of recording', () => fc.assert(fc.property(history(false), fc.nat(), ({ of, movements }, seed) => {
    // The last one comes late: what is recorded is corrected to what costing says of the whole list.
    const late = movements[seed % Math.max(1, movements.length)]
    const others = movements.filter((one) => one !== late)
    if (!late || !isCostable(of, others)) return
    const recorded: Effect[] = walk(of, nothingBefore, others, new Set(), anyway).effects
    const { effects } = walk(of, nothingBefore, movements, new Set([late.id]), anyway)
    const corrections = correctionsOf(effects, recorded, new Set([late.id]))
    const own = effects.filter(({ movement_id, cause_id }) => movement_id === late.id && cause_id === null)
    const carried = (rows: readonly { movement_id: string; value: number }[], id: string) => rows.filter(({ movement_id }) => movement_id === id).reduce((total, { value }) => total + value, 0)
    for (const { id } of movements) expect(carried([...recorded, ...corrections, ...own], id)).toBe(carried(effects, id))
  })))
})

describe('returns', () => {
  it('of everything bring back exactly what was issued, in whatever parts', () => fc.assert(fc.property(
    method, fc.array(fc.tuple(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 0, max: 5000 })), { minLength: 1, maxLength: 6 }), fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 8 }),
    (of, receipts, parts) => {
      const total = receipts.reduce((sum_, [quantity]) => sum_ + quantity, 0)
      const costing = new Costing(of)
      let sequence = 0
      for (const [quantity, value] of receipts) costing.apply(movement(++sequence, { quantity, given_value: value }))
      const issued = 1 + (sequence * 7) % total
      const [sale] = costing.apply(movement(++sequence, { id: 'sale', quantity: -issued }))
      let [left, back] = [issued, 0]
      for (const part of [...parts, issued]) {
        const quantity = Math.min(part, left)
        if (quantity === 0) break
        back += sum(costing.apply(movement(++sequence, { quantity, returns_movement_id: 'sale' })))
        left -= quantity
      }
      expect(left).toBe(0)
      expect(back).toBe(0 - (sale?.value ?? 0))
      expect(() => costing.apply(movement(++sequence, { quantity: 1, returns_movement_id: 'sale' }))).toThrow('Only 0 of what was issued can still come back.')
    })))

  it('of a whole issue leave no cost behind, even where some of it was never there', () => fc.assert(fc.property(
    method, fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 999 }), fc.integer({ min: 1, max: 30 }), (of, there, worth, issued) => {
      const costing = new Costing(of)
      if (there > 0) costing.apply(movement(1, { quantity: there, given_value: worth }))
      costing.apply(movement(2, { id: 'sale', quantity: -issued }))
      const effects = costing.apply(movement(3, { quantity: issued, returns_movement_id: 'sale' }))
      expect(effects).toHaveLength(1)
      expect(costing.pool('here')).toMatchObject({ quantity: there, value: there > 0 ? worth : 0, shortages: [] })
    })))
})

describe('single rules', () => {
  const apply = (of: CostingMethod, ...movements: CostedMovement[]) => {
    const costing = new Costing(of)
    return { costing, effects: movements.flatMap((one) => costing.apply(one)) }
  }

  it('undoes a receipt only while all its units are there', () => {
    const receipt = movement(1, { quantity: 5, given_value: 500 })
    const undoing = movement(3, { quantity: -5, reverses_movement_id: 'm1' })
    expect(apply('fifo', receipt, undoing).costing.pool('here')).toMatchObject({ quantity: 0, value: 0, layers: [] })
    expect(() => apply('fifo', receipt, movement(2, { quantity: -1 }), undoing)).toThrow('some of its units are used already')
  })

  it('never takes more out of an average pool than it is worth; the rest is an adjustment', () => {
    const { effects, costing } = apply('weighted_average',
      movement(1, { quantity: 10, given_value: 100 }), movement(2, { quantity: 10, given_value: 3000 }), movement(3, { quantity: -10 }), movement(4, { quantity: -10, reverses_movement_id: 'm2' }))
    expect(effects.at(-1)).toMatchObject({ value: -1550, counter_value: 3000 })
    expect(costing.pool('here')).toMatchObject({ quantity: 0, value: 0 })
  })

  it('fills what was issued short with what really came', () => {
    const { effects, costing } = apply('fifo', movement(1, { quantity: -5 }), movement(2, { quantity: -2 }), movement(3, { quantity: 8, given_value: 3600 }))
    expect(effects).toEqual([
      { movement_id: 'm1', cause_id: null, value: -1500, counter_value: 1500, estimated: true },
      { movement_id: 'm2', cause_id: null, value: -600, counter_value: 600, estimated: true },
      { movement_id: 'm3', cause_id: null, value: 3600, counter_value: -3600, estimated: false },
      { movement_id: 'm1', cause_id: 'm3', value: -750, counter_value: 750, estimated: false },
      { movement_id: 'm2', cause_id: 'm3', value: -300, counter_value: 300, estimated: false },
    ])
    expect(costing.pool('here')).toMatchObject({ quantity: 1, value: 450 })
  })

  it('spreads a change of value over the layers, and refuses what is not there', () => {
    const receipts = [movement(1, { quantity: 1, given_value: 100 }), movement(2, { quantity: 1, given_value: 300 })]
    expect(apply('fifo', ...receipts, movement(3, { given_value: -101 })).costing.pool('here').layers.map(({ value }) => value)).toEqual([75, 224])
    expect(() => apply('fifo', ...receipts, movement(3, { given_value: -401 }))).toThrow('cannot be written down by more')
    expect(() => apply('fifo', movement(3, { given_value: 5 }))).toThrow('no stock to revalue')
  })

  it('says what more of the same is worth', () => {
    const { costing } = apply('fifo', movement(1, { quantity: 3, given_value: 1000 }))
    expect(worthAtPoolCost(costing.pool('here'), 2)).toBe(667)
    costing.apply(movement(2, { quantity: -3 }))
    expect([worthAtPoolCost(costing.pool('here'), 3), worthAtPoolCost(costing.pool('nowhere'), 3)]).toEqual([1000, null])
  })
})
