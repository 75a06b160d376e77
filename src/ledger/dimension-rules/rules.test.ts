// Tests of what lines carry under the rules of dimensions.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newId } from '../../foundation/ids.ts'
import type { Refusal } from '../../foundation/refusal.ts'
import { LEDGER_TYPES } from '../ledgers/contract.ts'
import { MODES } from './contract.ts'
import { applyDimensionRules, arranged, ruleFor } from './rules.ts'

type Dimensions = Parameters<typeof arranged>[0]
type Values = Parameters<typeof arranged>[1]
type Rules = Parameters<typeof arranged>[2]

const rent = { id: 'ledger-rent', type: 'expense', number: '6100', name: 'Rent' } as const
const cash = { id: 'ledger-cash', type: 'asset', number: null, name: 'Cash' } as const

const department = { id: 'department', key: 'department', name: 'Department', archived: false }
const place = { id: 'place', key: 'place', name: 'Place', archived: true }
const value = (id: string, more: Partial<Values[number]> = {}): Values[number] => ({
  id, dimension_id: 'department', code: id.toUpperCase(), name: `The ${id}`, valid_from: null, valid_to: null, archived: false, merged_into_id: null, ...more,
})
const values = [
  value('sales'), value('shop'), value('old', { archived: true }), value('gone', { archived: true, merged_into_id: 'sales' }),
  value('spring', { valid_from: '2026-03-01', valid_to: '2026-05-31' }), value('here', { dimension_id: 'place' }),
]
const rule = (more: Partial<Rules[number]>): Rules[number] =>
  ({ dimension_id: 'department', ledger_id: null, ledger_type: null, mode: 'optional', default_value_id: null, ...more })

function carried(rules: Rules, ids: string[], { ledger = rent as typeof rent | typeof cash, date = '2026-01-31', automatic = false } = {}): string[] {
  return applyDimensionRules(arranged([department, place], values, rules), ledger, { dimension_value_ids: ids }, date, automatic, 2)
}

function refusal(work: () => unknown): { status: number; detail: string } {
  try {
    work()
  } catch (error) {
    const { status, detail } = error as Refusal
    return { status, detail }
  }
  throw new Error('Nothing was refused.')
}

describe('a line', () => {
  it('carries what it was given, once and in order', () => {
    expect(carried([], ['shop'])).toEqual(['shop'])
    expect(carried([], ['shop', 'shop'])).toEqual(['shop'])
    expect(applyDimensionRules(arranged([department], values, []), rent, {}, '2026-01-31', false, 1)).toEqual([])
  })

  it('costs nothing and carries nothing where there are no dimensions', () => {
    const none = arranged([], [], [])
    expect(applyDimensionRules(none, rent, {}, '2026-01-31', false, 1)).toEqual([])
    expect(refusal(() => applyDimensionRules(none, rent, { dimension_value_ids: ['sales'] }, '2026-01-31', false, 1)).status).toBe(404)
  })

  it.each([
    ['a required value', [rule({ mode: 'required' })], [], {}, 'Line 2 (6100 Rent) needs a value of the dimension Department.'],
    ['a required value of a ledger without a number',
      [rule({ mode: 'required' })], [], { ledger: cash }, 'Line 2 (Cash) needs a value of the dimension Department.'],
    ['a forbidden value', [rule({ mode: 'forbidden' })], ['sales'], {}, 'Line 2 (6100 Rent) takes no value of the dimension Department: leave it out.'],
    ['an archived value', [], ['old'], {}, 'Line 2 (6100 Rent): Department OLD The old is archived: restore it, or use another value.'],
    ['a merged value', [], ['gone'], {}, 'Line 2 (6100 Rent): Department GONE The gone is merged into another value: use that one.'],
    ['a value of an archived dimension', [], ['here'], {}, 'Line 2 (6100 Rent): the dimension Place is archived; restore it, or leave its value out.'],
    ['a value before its time',
      [], ['spring'], { date: '2026-02-28' }, 'Line 2 (6100 Rent): Department SPRING The spring is valid from 2026-03-01 only, not on 2026-02-28.'],
    ['a value after its time',
      [], ['spring'], { date: '2026-06-01' }, 'Line 2 (6100 Rent): Department SPRING The spring is valid until 2026-05-31 only, not on 2026-06-01.'],
    ['two values of one dimension', [], ['sales', 'shop'], {}, 'Line 2 (6100 Rent) carries two values of the dimension Department: leave one.'],
  ] as const)('is refused %s, unless the service itself writes it', (_, rules, ids, more, detail) => {
    expect(refusal(() => carried([...rules], [...ids], more))).toEqual({ status: 400, detail })
    expect(carried([...rules], [...ids], { ...more, automatic: true })).toEqual(ids.slice(0, 1))
  })

  it('is refused an id that does not exist, whoever writes it and whatever else is wrong', () => {
    for (const automatic of [false, true]) {
      expect(refusal(() => carried([], ['old', 'nowhere'], { automatic }))).toEqual({ status: 404, detail: 'Dimension value nowhere of line 2 not found.' })
    }
  })

  it('that takes back what another carries is left alone', () => {
    const rules = [rule({ mode: 'forbidden' }), rule({ ledger_id: rent.id, mode: 'required', default_value_id: 'shop' })]
    const strict = arranged([department, place], values, rules)
    const taken = (ids: string[]) => applyDimensionRules(strict, rent, { dimension_value_ids: ids, tags_as_given: true }, '2026-01-31', false, 1)
    expect(taken([])).toEqual([])
    expect(taken(['old', 'here'])).toEqual(['here', 'old'])
  })

  it('has its first and last day of validity', () => {
    for (const date of ['2026-03-01', '2026-05-31']) expect(carried([], ['spring'], { date })).toEqual(['spring'])
  })
})

describe('a default', () => {
  it('fills only what is absent', () => {
    const rules = [rule({ mode: 'required', default_value_id: 'shop' })]
    expect(carried(rules, [])).toEqual(['shop'])
    expect(carried(rules, [], { automatic: true })).toEqual(['shop'])
    expect(carried(rules, ['sales'])).toEqual(['sales'])
  })

  it('that cannot be used on the date is none', () => {
    const rules = (mode: 'required' | 'optional') => [rule({ mode, default_value_id: 'spring' })]
    expect(carried(rules('required'), [], { date: '2026-03-01' })).toEqual(['spring'])
    expect(carried(rules('optional'), [])).toEqual([])
    expect(refusal(() => carried(rules('required'), [])).detail).toMatch(/needs a value of the dimension Department/)
    expect(carried(rules('required'), [], { automatic: true })).toEqual([])
  })

  it('of an archived dimension fills nothing', () => {
    expect(carried([rule({ dimension_id: 'place', mode: 'required', default_value_id: 'here' })], [])).toEqual([])
  })
})

describe('of several rules', () => {
  it('the most specific counts', () => {
    const all = rule({ mode: 'forbidden' })
    const expenses = rule({ ledger_type: 'expense', mode: 'required' })
    const own = rule({ ledger_id: rent.id, mode: 'optional' })
    const modeOf = (rules: Rules) => ruleFor(arranged([department], values, rules).active[0]!, rent)?.mode
    expect(modeOf([])).toBeUndefined()
    expect(modeOf([all])).toBe('forbidden')
    expect(modeOf([all, expenses])).toBe('required')
    expect(modeOf([expenses, own, all])).toBe('optional')
    expect(ruleFor(arranged([department], values, [expenses, own, all]).active[0]!, cash)?.mode).toBe('forbidden')
  })
})

/** A set of dimensions with values and rules, and a line on one of its ledgers. */
const ledgerIds = ['a', 'b', 'c']
const switches = fc.record({ archived: fc.array(fc.boolean(), { maxLength: 4 }), valid: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }) })
const world = switches.chain(({ archived, valid }) => {
  const dimensions: Dimensions = archived.map((off, index) => ({ id: `d${index}`, key: `d${index}`, name: `D${index}`, archived: off }))
  const all: Values = dimensions.flatMap(({ id }) => valid.map((usable, index) =>
    value(`${id}v${index}`, { dimension_id: id, archived: !usable && index === 0, valid_to: usable ? null : '2026-01-01' })))
  const ledger_id = fc.constantFrom(...ledgerIds)
  const ledger_type = fc.constantFrom(...LEDGER_TYPES)
  const target = fc.oneof(fc.record({ ledger_id }), fc.record({ ledger_type }), fc.constant({}))
  const rules = dimensions.length === 0 ? fc.constant([]) : fc.uniqueArray(
    fc.record({ dimension: fc.constantFrom(...dimensions), target, mode: fc.constantFrom(...MODES), filled: fc.integer({ min: -1, max: 2 }) })
      .map(({ dimension, target: at, mode, filled }) =>
        rule({ dimension_id: dimension.id, ...at, mode, default_value_id: filled < 0 || mode === 'forbidden' ? null : `${dimension.id}v${filled}` })),
    { selector: (each) => `${each.dimension_id} ${each.ledger_id} ${each.ledger_type}` })
  return fc.record({
    dimensions: fc.constant(dimensions), values: fc.constant(all), rules,
    given: fc.array(fc.constantFrom('', ...all.map(({ id }) => id)), { maxLength: 4 }).map((ids) => ids.filter((id) => id !== '')),
    ledger: fc.record({ id: fc.constantFrom(...ledgerIds), type: fc.constantFrom(...LEDGER_TYPES), number: fc.constant(null), name: fc.constant('L') }),
  })
})

describe('whatever the rules', () => {
  const date = '2026-02-01'

  it('a line of the service is never refused, and carries sorted values, one of each dimension at most, its own first', () => {
    fc.assert(fc.property(world, ({ dimensions, values: all, rules, given, ledger }) => {
      const result = applyDimensionRules(arranged(dimensions, all, rules), ledger, { dimension_value_ids: given }, date, true, 1)
      expect(result).toEqual(result.toSorted())
      const dimensionOf = (id: string) => all.find((each) => each.id === id)?.dimension_id
      expect(new Set(result.map(dimensionOf)).size).toBe(result.length)
      for (const id of given) expect(result.map(dimensionOf)).toContain(dimensionOf(id))
      const [first] = given
      if (first) expect(result).toContain(first)
    }))
  })

  it('a line that passes is left as it is when it comes again, and breaks no rule', () => {
    fc.assert(fc.property(world, ({ dimensions, values: all, rules, given, ledger }) => {
      const book = arranged(dimensions, all, rules)
      let result: string[]
      try {
        result = applyDimensionRules(book, ledger, { dimension_value_ids: given }, date, false, 1)
      } catch (error) {
        expect((error as Refusal).status).toBe(400)
        return
      }
      expect(applyDimensionRules(book, ledger, { dimension_value_ids: result }, date, false, 1)).toEqual(result)
      expect(given.every((id) => result.includes(id))).toBe(true)
      for (const dimension of book.active) {
        const mode = ruleFor(dimension, ledger)?.mode
        const has = result.some((id) => book.values.get(id)?.dimension_id === dimension.id)
        if (mode === 'required') expect(has).toBe(true)
        if (mode === 'forbidden') expect(has).toBe(false)
      }
    }))
  })

  it('an unknown id is a 404', () => {
    fc.assert(fc.property(world, fc.boolean(), ({ dimensions, values: all, rules, given, ledger }, automatic) => {
      const ids = [...given, newId()]
      expect(refusal(() => applyDimensionRules(arranged(dimensions, all, rules), ledger, { dimension_value_ids: ids }, date, automatic, 1)).status).toBe(404)
    }))
  })
})
