// Tests of the order and the number of dimensions.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { reordered, requireNewKey, requireRoom } from './rules.ts'

describe('the order', () => {
  const dimensions = fc.uniqueArray(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 12 })
    .map((positions) => positions.map((position, index) => ({ id: `d${index}`, position })))

  it('has every dimension once, counted from 1, the moved one in its place and the others as they were', () => {
    fc.assert(fc.property(dimensions, fc.nat(), fc.integer({ min: 1, max: 20 }), (all, pick, position) => {
      const moved = all[pick % all.length]!.id
      const places = reordered(all, moved, position)
      const order = [...places].toSorted(([, a], [, b]) => a - b).map(([id]) => id)
      expect([...places.values()].toSorted((a, b) => a - b)).toEqual(all.map((_, index) => index + 1))
      expect(order.indexOf(moved)).toBe(Math.min(position, all.length) - 1)
      const before = all.toSorted((a, b) => a.position - b.position).map(({ id }) => id).filter((id) => id !== moved)
      expect(order.filter((id) => id !== moved)).toEqual(before)
    }))
  })
})

describe('the number', () => {
  it('of active ones is ten at most; archived ones do not count', () => {
    const active = Array.from({ length: 9 }, () => ({ archived: false }))
    expect(() => requireRoom([...active, { archived: true }, { archived: true }])).not.toThrow()
    expect(() => requireRoom([...active, { archived: false }])).toThrow('The business has 10 active dimensions already: archive one first.')
  })

  it('of dimensions with one key is one', () => {
    expect(() => requireNewKey([{ key: 'class', archived: false }], 'place')).not.toThrow()
    expect(() => requireNewKey([{ key: 'class', archived: false }], 'class'))
      .toThrow('A dimension with the key class exists already: use it, or choose another key.')
    expect(() => requireNewKey([{ key: 'class', archived: true }], 'class')).toThrow('exists already and is archived: restore it, or choose another key.')
  })
})
