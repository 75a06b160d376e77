import { describe, expect, it } from 'vitest'
import type { Figure } from '../bindings/contract.ts'
import { chartOf, decimalOf } from './rules.ts'

function figure(row: string, column: string, cents: number | null, more: Partial<Figure> = {}): Figure {
  return {
    key: `${row}@${column}`, label: row, row, column, column_label: column, kind: 'ledger', depth: 1, unit: 'currency', value_cents: cents, decimal: null,
    formatted: String(cents), reason: null, href: null, ...more,
  }
}

const exact = (chart: ReturnType<typeof chartOf>) => chart.series.map(({ name, points }) => [name, ...points.map((point) => point?.decimal ?? null)])

describe('labels and series', () => {
  it('months run along the axis, rows are series', () => {
    const chart = chartOf({ chart: 'line', figures: ['revenue', 'costs'].flatMap((row) => ['2026-01', '2026-02'].map((month, index) => figure(row, month,
      index * 100 + 5))) })
    expect(chart.labels).toEqual(['2026-01', '2026-02'])
    expect(exact(chart)).toEqual([['revenue', '0.05', '1.05'], ['costs', '0.05', '1.05']])
  })

  it('rows run along the axis where the columns are few and no periods', () => {
    const chart = chartOf({ chart: 'bar', figures: ['a', 'b', 'c'].flatMap((row) => ['total', 'total:previous_year'].map((column) => figure(row, column,
      100))) })
    expect(chart.labels).toEqual(['a', 'b', 'c'])
    expect(chart.series.map(({ name }) => name)).toEqual(['total', 'total:previous_year'])
  })

  it('months with those of the year before become two series', () => {
    const columns = ['2026-01', '2026-01:previous_year', '2026-02', '2026-02:previous_year']
    const chart = chartOf({ chart: 'bar', figures: ['revenue', 'costs'].flatMap((row) => columns.map((column, index) => figure(row, column, index))) })
    expect(chart.labels).toEqual(['2026-01', '2026-02'])
    expect(exact(chart)).toEqual([
      ['revenue', '0.00', '0.02'], ['revenue, previous year', '0.01', '0.03'], ['costs', '0.00', '0.02'], ['costs, previous year', '0.01', '0.03'],
    ])
  })

  it('so does one row alone, and differences are not drawn', () => {
    const columns = ['2026-01', '2026-02'].flatMap((month) => [month, ...['', ':variance', ':variance_percent'].map((more) => `${month}:previous_year${more}`)])
    const chart = chartOf({ chart: 'line', figures: columns.map((column, index) => figure('revenue', column, index)) })
    expect(chart.labels).toEqual(['2026-01', '2026-02'])
    expect(exact(chart)).toEqual([['revenue', '0.00', '0.04'], ['revenue, previous year', '0.01', '0.05']])
  })

  it('a whole is made of its parts: sums of them are left out', () => {
    const figures = [
      figure('income', 't', 300, { kind: 'section', depth: 0 }), figure('sales', 't', 200, { depth: 1 }), figure('online', 't', 150,
        { depth: 2 }), figure('shop', 't', 50, { depth: 2 }),
      figure('interest', 't', 100, { depth: 1 }), figure('all', 't', 300, { kind: 'total', depth: 0 }),
    ]
    expect(chartOf({ chart: 'donut', figures }).labels).toEqual(['online', 'shop', 'interest'])
    expect(chartOf({ chart: 'bar', figures }).labels).toHaveLength(6)
  })

  it('a donut with something below zero is drawn as bars', () => {
    expect(chartOf({ chart: 'donut', figures: [figure('a', 't', 5), figure('b', 't', -5)] }).kind).toBe('bar')
  })

  it('one unit only: money before per cent; figures without a value are gaps', () => {
    const figures = [figure('margin', 't', null, { unit: 'percent', decimal: '12.5' }), figure('a', 't', 5), figure('b', 't', null, { formatted: 'n/m' })]
    const chart = chartOf({ chart: 'bar', figures })
    expect(chart.unit).toBe('currency')
    expect(exact(chart)).toEqual([['t', '0.05', null]])
  })

  it('names that are too long to stand below a bar make it lie', () => {
    expect(chartOf({ chart: 'bar', figures: [figure('A customer with a long name', 't', 5), figure('b', 't', 5)] }).lying).toBe(true)
  })
})

it('cents become decimals without a loss', () => {
  expect([0, 5, -5, 100, -123_456, Number.MAX_SAFE_INTEGER].map(decimalOf)).toEqual(['0.00', '0.05', '-0.05', '1.00', '-1234.56', '90071992547409.91'])
})
