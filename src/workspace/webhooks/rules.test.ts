import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Refusal } from '../../foundation/refusal.ts'
import { healthAfter, isHopeless, requireKinds, typesToSend, type Health } from './rules.ts'

describe('kinds', () => {
  const types = typesToSend([{ events: ['invoice.created', 'invoice_payment.added'] }, { events: ['webhook.created', 'customer.merged', 'todo.created'] }])

  it('are the events whose first word is one of the list', () => expect(types).toEqual(['invoice.created', 'customer.merged']))

  it('are asked for by name, by word or all together', () => {
    for (const events of [['*'], ['invoice.created'], ['invoice.*', 'estimate.*', 'customer.merged']]) expect(() => requireKinds(events, types)).not.toThrow()
  })

  it('are refused where nothing has such a name, each in its place', () => {
    try {
      requireKinds(['invoice.created', 'invoice.exploded', 'webhook.created', 'webhook.*', 'todo.*', ''], types)
      expect.fail('It was taken.')
    } catch (error) {
      const { problems = [] } = error as Refusal
      expect(problems.map(({ loc, type }) => [loc.join('.'), type])).toEqual([1, 2, 3, 4, 5].map((index) => [`body.events.${index}`, 'enum']))
      expect(problems[0]?.ctx).toMatchObject({ allowed: expect.arrayContaining(['*', 'invoice.*', 'customer.merged']) })
    }
  })
})

describe('health', () => {
  const DAY = 86_400_000
  const at = (milliseconds: number) => new Date(Date.parse('2026-03-01T00:00:00.000Z') + milliseconds).toISOString()
  const run = (answers: [number, boolean][]): Health =>
    answers.reduce<Health>((health, [moment, succeeded]) => healthAfter(health, succeeded, at(moment)), { last_success_at: null, last_failure_at: null, failing_since: null })
  const halfDays = (count: number): [number, boolean][] => Array.from({ length: count }, (_, n) => [n * DAY / 2, false])

  it('is hopeless after five days of failures without a longer silence', () => {
    expect(isHopeless(run(halfDays(10)))).toBe(false)
    expect(isHopeless(run(halfDays(11)))).toBe(true)
    expect(isHopeless(run([[0, false], [5 * DAY, false]]))).toBe(false)
  })

  it('is mended by one success, whatever came before', () => {
    fc.assert(fc.property(fc.array(fc.tuple(fc.integer({ min: 0, max: DAY }), fc.boolean()), { minLength: 1, maxLength: 60 }), (steps) => {
      let moment = 0
      const answers = steps.map(([wait, succeeded]): [number, boolean] => [(moment += wait), succeeded])
      const health = run(answers)
      const failures = answers.slice(answers.findLastIndex(([, succeeded]) => succeeded) + 1)
      expect(health.failing_since).toBe(failures[0] ? at(failures[0][0]) : null)
      expect(isHopeless(health)).toBe(failures[0] !== undefined && moment - failures[0][0] >= 5 * DAY)
    }))
  })
})
