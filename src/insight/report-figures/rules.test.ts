import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays, firstDayOfMonth, lastDayOfMonth } from '../../foundation/calendar.ts'
import type { BookLedger } from '../../ledger/books/contract.ts'
import type { DateRange, FiguresRequest } from './contract.ts'
import { arrangeDimensions, familyOf, figuresFrom, membersOf, planOf, segmentOf, segmentsOf, targetsOf, type Moved } from './rules.ts'

const day = fc.integer({ min: 0, max: 1500 }).map((days) => addDays('2023-11-20', days))
const range: fc.Arbitrary<DateRange> = fc.tuple(day, day, fc.boolean()).map(([a, b, open]) => ({ start_date: open ? null : a < b ? a : b, end_date: a < b ? b : a }))
const ranges = fc.array(range, { minLength: 1, maxLength: 6 })

describe('segments', () => {
  it('cover each range exactly: every day is in one whole month or is one day, and in the segments of just those ranges that hold it', () => {
    fc.assert(fc.property(ranges, (given) => {
      const segments = segmentsOf(given)
      const wrong: string[] = []
      for (let date = '2023-10-25'; date < '2028-02-10'; date = addDays(date, date.endsWith('-05') ? 17 : 1)) {
        const month = firstDayOfMonth(date)
        const whole = month >= segments.first_date && month <= segments.last_date && !segments.broken_months.includes(month)
        const single = segments.day_starts.some((start, index) => start <= date && date <= (segments.day_ends[index] ?? ''))
        const bucket = segmentOf(segments.bounds, date)
        const exact = given.every(({ start_date, end_date }, index) => {
          const { first, last } = segments.ranges[index] ?? { first: 1, last: 0 }
          const inside = (start_date === null || start_date <= date) && date <= end_date
          return ((whole || single) && first <= bucket && bucket <= last) === inside
        })
        // A month that is read whole lies in one segment.
        const undivided = !whole || segmentOf(segments.bounds, lastDayOfMonth(date)) === segmentOf(segments.bounds, month)
        if ((whole && single) || !exact || !undivided) wrong.push(date)
      }
      expect(wrong).toEqual([])
    }), { numRuns: 50 })
  })

  it.each([
    ['a leap February', { start_date: '2024-02-01', end_date: '2024-02-29' }, [], []],
    ['all but its last day', { start_date: '2024-02-01', end_date: '2024-02-28' }, ['2024-02-01'], ['2024-02-28']],
    ['one day', { start_date: '2024-02-29', end_date: '2024-02-29' }, ['2024-02-29'], ['2024-02-29']],
    ['days at both ends', { start_date: '2025-12-30', end_date: '2026-03-02' }, ['2025-12-30', '2026-03-01'], ['2025-12-31', '2026-03-02']],
    ['everything', { start_date: null, end_date: '9999-12-31' }, [], []],
  ])('%s', (_, given, day_starts, day_ends) => {
    expect(segmentsOf([given])).toMatchObject({ day_starts, day_ends })
  })
})

describe('figures', () => {
  const row = (ledger_id: string, segment: number, debit: number, credit = 0, values: (string | null)[] = []): Moved => ({ ledger_id, segment, debit: String(debit), credit: String(credit), values })

  it('add segments up to ranges and take off what is less', () => {
    const segments = segmentsOf([{ start_date: null, end_date: '2026-03-31' }, { start_date: '2026-02-01', end_date: '2026-03-31' }])
    const [group] = figuresFrom(segments, new Map([['b', 'a']]), [row('a', 0, 5), row('a', 1, 7, 1), row('b', 1, 10)], [row('a', 1, 2)])
    expect(group?.ledgers.get('a')).toEqual([{ debit: 20, credit: 1 }, { debit: 15, credit: 1 }])
    expect(group?.ledgers.has('b')).toBe(false)
  })

  it('leave out groups without lines', () => {
    const segments = segmentsOf([{ start_date: null, end_date: '2026-03-31' }])
    expect(figuresFrom(segments, new Map(), [row('a', 0, 5, 0, ['x']), row('a', 0, 5, 0, [null])], [row('a', 0, 5, 0, [null])]).map(({ values }) => values)).toEqual([['x']])
    expect(figuresFrom(segments, new Map(), [row('a', 0, 5)], [row('a', 0, 5)])).toEqual([])
  })

  it('refuse sums that no number can hold', () => {
    const segments = segmentsOf([{ start_date: null, end_date: '2026-03-31' }])
    expect(() => figuresFrom(segments, new Map(), [{ ...row('a', 0, 0), debit: '9007199254740993' }])).toThrow('out of range')
    expect(() => figuresFrom(segments, new Map(), [row('a', 0, 9007199254740991), row('a', 0, 1)])).toThrow('out of range')
  })

  it('show a merged ledger under the last one it was merged into', () => {
    const ledger = (id: string, merged_into_id: string | null) => [id, { id, merged_into_id } as BookLedger] as const
    const ledgers = new Map([ledger('a', 'b'), ledger('b', 'c'), ledger('c', null)])
    expect([...targetsOf(ledgers)]).toEqual([['a', 'c'], ['b', 'c'], ['c', 'c']])
    expect(membersOf(ledgers).get('c')).toEqual(['c', 'a', 'b'])
  })
})

describe('the way to read', () => {
  const value = (id: string, dimension_id: string, parent_id: string | null = null, merged_into_id: string | null = null) => ({ id, dimension_id, parent_id, merged_into_id, code: id, name: id })
  const dimensions = arrangeDimensions(
    [{ id: 'D', key: 'place', name: 'Place' }, { id: 'E', key: 'team', name: 'Team' }],
    [value('north', 'D'), value('york', 'D', 'north'), value('leeds', 'D', 'york'), value('old', 'D', null, 'york'), value('south', 'D'), value('red', 'E')])
  const way = (request: Pick<FiguresRequest, 'filters' | 'split'>) => planOf(request, dimensions)

  it('a value has its family: those below it and those merged into them', () => {
    expect(familyOf(dimensions, 'north').toSorted()).toEqual(['leeds', 'north', 'old', 'york'])
    expect(familyOf(dimensions, 'old').toSorted()).toEqual(['leeds', 'old', 'york'])
    expect(familyOf(dimensions, 'south')).toEqual(['south'])
  })

  it.each([
    ['nothing asked', {}, { way: 'balances' }],
    ['one party', { filters: { customer_id: 'c' } }, { way: 'analysis', axis: 'customer', value_ids: ['c'], with_rest: false }],
    ['values of one dimension', { filters: { dimension_value_ids: ['york', 'south'] } }, { way: 'analysis', axis: 'dimension', with_rest: false }],
    ['split by a party', { split: ['vendor'] }, { way: 'analysis', axis: 'vendor', value_ids: null, with_rest: true }],
    ['split by a dimension', { split: ['dimension:team'] }, { way: 'analysis', axis: 'dimension', value_ids: ['red'], with_rest: true }],
    ['a part of the axis it is split by', { split: ['dimension:place'], filters: { dimension_value_ids: ['york'] } }, { way: 'analysis', with_rest: false }],
    ['two parties', { filters: { customer_id: 'c', project_id: 'p' } }, { way: 'lines', driver: 'customer' }],
    ['a party, split by another', { filters: { project_id: 'p' }, split: ['customer'] }, { way: 'lines', driver: 'project' }],
    ['two dimensions', { filters: { dimension_value_ids: ['york', 'red'] } }, { way: 'lines', driver: 'dimension' }],
    ['a dimension, split by another', { filters: { dimension_value_ids: ['red'] }, split: ['dimension:place'] }, { way: 'lines', driver: 'dimension' }],
    ['two axes', { split: ['customer', 'dimension:team'] }, { way: 'lines', driver: null }],
  ] as const)('%s', (_, request, expected) => {
    expect(way(request as FiguresRequest)).toMatchObject(expected)
  })

  it('refuses what is not there', () => {
    expect(() => way({ split: ['dimension:none'] })).toThrow('Dimension none not found.')
    expect(() => way({ filters: { dimension_value_ids: ['none'] } })).toThrow('Dimension value none not found.')
  })
})
