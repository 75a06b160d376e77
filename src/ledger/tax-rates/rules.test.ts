// The versions of a rate over time.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changedSpans, percentOn, tidyVersions } from './rules.ts'

const versions = (...given: [string, string][]) => given.map(([valid_from, percent]) => ({ valid_from, percent }))

describe('versions', () => {
  it('are put in order, each percent in its one writing', () => {
    expect(tidyVersions(versions(['2026-07-01', '06.5000'], ['2026-01-01', '6.0'], ['2027-01-01', '100.0000'], ['2028-01-01', '0.00'])))
      .toEqual(versions(['2026-01-01', '6'], ['2026-07-01', '6.5'], ['2027-01-01', '100'], ['2028-01-01', '0']))
  })

  it('have a date each', () => {
    expect(() => tidyVersions(versions(['2026-01-01', '6'], ['2026-01-01', '7']))).toThrow('Two versions are valid from 2026-01-01: leave one of them out.')
  })

  it('hold from their date on', () => {
    const given = versions(['2026-01-01', '6'], ['2026-07-01', '6.5'])
    expect(['2025-12-31', '2026-01-01', '2026-06-30', '2026-07-01', '9999-12-31'].map((date) => percentOn(given, date))).toEqual([null, '6', '6', '6.5', '6.5'])
  })
})

describe('what a change of versions changes', () => {
  const old = versions(['2026-01-01', '6'], ['2026-07-01', '6.5'])

  it.each([
    ['nothing', old, []],
    ['a later one', [...old, ...versions(['2027-01-01', '7'])], [{ from: '2027-01-01', before: null }]],
    ['an earlier one', [...versions(['2025-01-01', '5']), ...old], [{ from: '2025-01-01', before: '2026-01-01' }]],
    ['one in between', versions(['2026-01-01', '6'], ['2026-03-01', '6.2'], ['2026-07-01', '6.5']), [{ from: '2026-03-01', before: '2026-07-01' }]],
    ['one in between that says the same', versions(['2026-01-01', '6'], ['2026-03-01', '6'], ['2026-07-01', '6.5']), []],
    ['the last one gone', versions(['2026-01-01', '6']), [{ from: '2026-07-01', before: null }]],
    ['the first one gone', versions(['2026-07-01', '6.5']), [{ from: '2026-01-01', before: '2026-07-01' }]],
    ['another percent', versions(['2026-01-01', '6.1'], ['2026-07-01', '6.5']), [{ from: '2026-01-01', before: '2026-07-01' }]],
    ['another date', versions(['2026-01-01', '6'], ['2026-08-01', '6.5']), [{ from: '2026-07-01', before: '2026-08-01' }]],
  ])('%s', (_, renewed, spans) => {
    expect(changedSpans(old, renewed)).toEqual(spans)
  })

  it('is exactly the dates on which the percents differ', () => {
    const day = fc.integer({ min: 1, max: 28 }).map((number) => `2026-01-${String(number).padStart(2, '0')}`)
    const version = fc.record({ valid_from: day, percent: fc.constantFrom('5', '6', '7') })
    const some = fc.uniqueArray(version, { minLength: 1, maxLength: 6, selector: ({ valid_from }) => valid_from }).map(tidyVersions)
    fc.assert(fc.property(some, some, day, (before, after, date) => {
      const inside = changedSpans(before, after).some((span) => span.from <= date && (span.before === null || date < span.before))
      expect(inside).toBe(percentOn(before, date) !== percentOn(after, date))
    }))
  })
})
