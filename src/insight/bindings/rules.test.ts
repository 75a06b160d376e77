import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { MetricSeries } from '../metrics/contract.ts'
import { figuresOf, formattedOf, largestRows, money, seriesGrid, type GridRow } from './rules.ts'

const shown = (unit: 'currency' | 'percent' | 'ratio' | 'days' | 'months' | 'count', decimal: string | null, value_cents: number | null = null) =>
  formattedOf({ unit, value_cents, decimal }, 'USD')

describe('values are shown', () => {
  it('with the code of the currency and all cents, others with one decimal', () => {
    expect(shown('currency', null, 123_456_789)).toBe('USD\u00a01,234,567.89')
    expect(shown('currency', null, -5)).toBe('USD\u00a0-0.05')
    expect([shown('percent', '45.45'), shown('percent', '-0.05'), shown('percent', '12.0')]).toEqual(['45.5%', '-0.1%', '12.0%'])
    expect([shown('days', '28.0'), shown('months', '2.25'), shown('ratio', '6.00'), shown('count', '12345')]).toEqual(['28.0 days', '2.3 months', '6.00', '12,345'])
    expect([shown('percent', null), shown('currency', null)]).toEqual(['n/m', 'n/m'])
  })

  it('without losing a cent of any amount', () => {
    fc.assert(fc.property(fc.maxSafeInteger(), (cents) => {
      expect(BigInt(shown('currency', null, cents).replaceAll(/[^\d-]/g, ''))).toBe(BigInt(cents))
    }))
  })
})

const row = (key: string, ...amounts: number[]): GridRow => ({ key, label: key.toUpperCase(), kind: key === 'total' ? 'total' : 'ledger', depth: 0, cells: amounts.map((amount) => money(amount)) })
const columns = [{ key: '2026-01', label: 'Jan' }, { key: 'total', label: 'Total' }]

describe('the largest rows', () => {
  it('come first, the others as one, and nothing is lost', () => {
    const grid = { columns, rows: [row('a', 1, 10), row('b', 2, 30), row('c', 3, 20), row('unassigned', 0, 5), row('total', 6, 65)] }
    expect(largestRows(grid, 1).rows.map(({ key, cells }) => [key, ...cells.map(({ value_cents }) => value_cents)])).toEqual([
      ['b', 2, 30], ['others', 4, 30], ['unassigned', 0, 5], ['total', 6, 65],
    ])
    expect(largestRows(grid, 3).rows.map(({ key }) => key)).toEqual(['b', 'c', 'a', 'unassigned', 'total'])
  })

  it('add up to the same whatever they are', () => {
    fc.assert(fc.property(fc.array(fc.integer({ min: -1e9, max: 1e9 }), { maxLength: 20 }), fc.integer({ min: 1, max: 20 }), (amounts, top) => {
      const grid = { columns: [{ key: 'total', label: 'Total' }], rows: amounts.map((amount, index) => row(`r${index}`, amount)) }
      const sum = (rows: readonly GridRow[]) => rows.reduce((all, { cells }) => all + (cells[0]?.value_cents ?? 0), 0)
      expect(sum(largestRows(grid, top).rows)).toBe(sum(grid.rows))
    }))
  })
})

describe('a metric', () => {
  const point = (given: object) => ({ key: 'total', label: 'Total', start_date: null, end_date: '2026-03-31', value_cents: null, decimal: null, reason: null, href: null, compared: null, ...given })
  const series = (unit: string, points: object[], more: object = {}) => ({ metric: 'm', title: 'M', unit, group_by: 'none', compare: 'prior_year', points, ...more }) as MetricSeries
  const figures = (of: MetricSeries) => figuresOf(seriesGrid(of), 'USD', '/reports/x?known_at=y').map(({ key, formatted, unit, reason }) => [key, formatted, unit, reason])

  it('has its comparison beside it; a change from nothing or less is no percentage', () => {
    const compared = (value_cents: number, change_cents: number, change_percent: string | null) => ({ value_cents, decimal: null, reason: null, href: null, change_cents, change_decimal: null, change_percent })
    expect(figures(series('currency', [point({ value_cents: 150, compared: compared(100, 50, '50.0') })]))).toEqual([
      ['m@total', 'USD\u00a01.50', 'currency', null], ['m@total:previous_year', 'USD\u00a01.00', 'currency', null],
      ['m@total:previous_year:variance', 'USD\u00a00.50', 'currency', null], ['m@total:previous_year:variance_percent', '50.0%', 'percent', null],
    ])
    expect(figures(series('currency', [point({ value_cents: 150, compared: compared(0, 150, null) })])).at(-1)?.slice(1)).toEqual(['n/m', 'percent', 'It is compared with zero.'])
    expect(figures(series('currency', [point({ value_cents: 150, compared: compared(-1, 151, null) })])).at(-1)?.slice(1)).toEqual(['n/m', 'percent', 'It is compared with a negative amount.'])
  })

  it('without a value says why, in every cell that hangs on it', () => {
    const none = { value_cents: null, decimal: null, reason: 'Nothing to divide by.', href: null }
    const compared = { ...none, change_cents: null, change_decimal: null, change_percent: null }
    expect(figures(series('percent', [point({ decimal: '50.00', compared })])).map((each) => each.slice(1))).toEqual([
      ['50.0%', 'percent', null], ...Array.from({ length: 3 }, () => ['n/m', 'percent', 'Nothing to divide by.']),
    ])
  })

  it('over time is one row, otherwise a row each', () => {
    const months = series('currency', [point({ key: '2026-01', value_cents: 1 }), point({ key: '2026-02', value_cents: 2 })], { group_by: 'month', compare: 'none' })
    expect(figures(months).map(([key]) => key)).toEqual(['m@2026-01', 'm@2026-02'])
    const parties = series('currency', [point({ key: 'a', value_cents: 1 }), point({ key: 'others', value_cents: 2 })], { group_by: 'customer', compare: 'none' })
    expect(figures(parties).map(([key]) => key)).toEqual(['a@total', 'others@total'])
  })
})
