// The life of a job, without a database.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { invalid, unavailable } from '../../foundation/refusal.ts'
import { errorOf, eventOf, isPassing, placeOf, progressAfter, requireCancelable, requireFailed } from './rules.ts'

describe('progress', () => {
  it('never goes back and never passes its total', () => {
    const chunk = fc.record({ done: fc.integer({ min: -5, max: 100 }), total: fc.option(fc.integer({ min: 0, max: 100 })) })
    fc.assert(fc.property(fc.array(chunk), (chunks) => {
      let progress: { done: number; total: number | null } = { done: 0, total: null }
      for (const each of chunks) {
        const after = progressAfter(progress, each)
        expect(after.done).toBeGreaterThanOrEqual(progress.done)
        expect(after.total ?? after.done).toBeGreaterThanOrEqual(after.done)
        progress = after
      }
    }))
    expect(progressAfter({ done: 2, total: 9 }, { done: 3 })).toEqual({ done: 3, total: 9 })
  })
})

describe('states', () => {
  it('what may be canceled', () => {
    const of = (status: 'queued' | 'running' | 'succeeded' | 'failed' | 'canceled', more = {}) => ({ status, cancelable: true, cancel_requested: false, ...more })
    expect([of('queued'), of('running'), of('running', { cancel_requested: true }), of('canceled')].map(requireCancelable)).toEqual([true, true, false, false])
    expect(() => requireCancelable(of('succeeded'))).toThrow('This job has succeeded already: only a queued or running job can be canceled.')
    expect(() => requireCancelable(of('failed', { cancel_requested: true }))).toThrow(/has failed/)
    expect(() => requireCancelable(of('queued', { cancelable: false }))).toThrow(/cannot be canceled/)
  })

  it('what may be retried, and what followers hear', () => {
    expect(() => requireFailed({ status: 'running' })).toThrow('This job is running: only a failed job can be retried.')
    const heard = (['queued', 'running', 'succeeded', 'failed', 'canceled'] as const).map((status) => eventOf({ status, phase: 'b' }))
    expect(heard).toEqual(['progress', 'progress', 'done', 'failed', 'canceled'])
    expect(eventOf({ status: 'running', phase: 'b' }, 'a')).toBe('phase')
  })

  it('names a failure in a sentence, and knows one that passes', () => {
    expect(errorOf(invalid('The file has no rows.'))).toBe('The file has no rows.')
    expect(errorOf(new Error('relation "x" does not exist'))).not.toMatch(/relation/)
    expect([invalid('No.'), unavailable('Away.', 1), new Error('x')].map(isPassing)).toEqual([false, true, false])
    expect([null, '3', '9', 'x', '-1'].map((id) => placeOf(id, 5))).toEqual([null, 3, null, null, null])
  })
})
