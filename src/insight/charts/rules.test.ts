import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chartOf } from '../chart-figures/rules.ts'
import { textWidth } from '../chart-scales/rules.ts'
import type { Figure } from '../bindings/contract.ts'
import { CHART_KINDS, type ChartKind } from '../slides/contract.ts'
import type { Mark } from '../chart-scales/contract.ts'
import { chartSvg, drawChart, lookOf } from './rules.ts'

function figure(row: number, column: number, cents: number | null, label = `Row ${row}`, column_label = `Column ${column}`): Figure {
  return {
    key: `r${row}@c${column}`, label, row: `r${row}`, column: `c${column}`, column_label, kind: 'ledger', depth: 1, unit: 'currency', value_cents: cents, decimal: null,
    formatted: cents === null ? 'n/m' : String(cents), reason: null, href: null,
  }
}

const cents = fc.oneof(fc.constant(0), fc.constant(null), fc.integer({ min: -1_000_000, max: 1_000_000 }), fc.maxSafeInteger(),
  fc.constantFrom(1, -1, 999_999_999_999_999))
const label = fc.oneof(fc.string({ maxLength: 12 }), fc.string({ unit: 'binary', minLength: 60, maxLength: 80 }), fc.constant('株式会社日本の長い名前の取引先'))
const blocks = fc.record({
  chart: fc.constantFrom(...CHART_KINDS),
  size: fc.tuple(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 60 })),
  values: fc.array(cents, { minLength: 1, maxLength: 40 }),
  names: fc.array(label, { minLength: 1, maxLength: 5 }),
}).map(({ chart, size: [rows, columns], values, names }) => ({
  chart,
  table: Array.from({ length: rows * columns }, (_, index) => {
    const [row, column] = [Math.floor(index / columns), index % columns]
    return figure(row, column, values[index % values.length] ?? null, names[row % names.length], names[column % names.length])
  }),
}))

function coordinates(mark: Mark): [number, number][] {
  switch (mark.mark) {
    case 'rect': return [[mark.x, mark.y], [mark.x + mark.width, mark.y + mark.height]]
    case 'line': return [[mark.x1, mark.y1], [mark.x2, mark.y2]]
    case 'path': return mark.points
    case 'text': {
      const width = textWidth(mark.text, mark.size)
      const left = mark.x - (mark.align === 'left' ? 0 : mark.align === 'right' ? width : width / 2)
      return [[left, mark.y - mark.size * 0.75], [left + width, mark.y]]
    }
  }
}

describe('drawing', () => {
  it('whatever the values, everything is finite and inside the box', () => {
    fc.assert(fc.property(blocks, fc.integer({ min: 60, max: 1200 }), fc.integer({ min: 40, max: 800 }), ({ chart, table }, width, height) => {
      const marks = drawChart(chartOf({ chart, figures: table }), { width, height }, lookOf(false))
      expect(marks.length).toBeGreaterThan(0)
      const outside = marks.filter((mark) => coordinates(mark).some(([x, y]) => !(x >= -0.01 && x <= width + 0.01 && y >= -0.01 && y <= height + 0.01)))
      expect(outside).toEqual([])
      expect(marks.filter((mark) => mark.mark === 'rect' && (mark.width < 0 || mark.height < 0))).toEqual([])
    }), { numRuns: 150 })
  })

  it('bars are as long as their values, and go down for those below zero', () => {
    const marks = drawChart(chartOf({ chart: 'bar', figures: [figure(0, 0, 10_000), figure(0, 1, 5_000), figure(0, 2, -5_000)] }),
      { width: 400, height: 200 }, lookOf(false))
    const [first, second, third] = marks.filter((mark) => mark.mark === 'rect')
    expect(first!.height / second!.height).toBeCloseTo(2)
    expect(third!.height).toBeCloseTo(second!.height)
    expect(third!.y).toBeCloseTo(first!.y + first!.height)
  })

  it('slices share the whole ring', () => {
    const marks = drawChart(chartOf({ chart: 'donut', figures: [figure(0, 0, 7_500), figure(1, 0, 2_500), figure(2, 0, 0)] }), { width: 400, height: 200 },
      lookOf(false))
    expect(marks.filter(({ mark }) => mark === 'path')).toHaveLength(2)
    expect(marks.flatMap((mark) => (mark.mark === 'text' ? [mark.text] : []))).toEqual(expect.arrayContaining(['75.00   75.0%', '25.00   25.0%',
      '0.00   0.0%']))
  })

  it('a missing value leaves a gap in a line', () => {
    const values = [1, 2, null, 4, 5].map((value, column) => figure(0, column, value))
    const marks = drawChart(chartOf({ chart: 'line', figures: values }), { width: 400, height: 200 }, lookOf(false))
    expect(marks.filter((mark) => mark.mark === 'path' && !mark.closed)).toHaveLength(2)
  })

  it('the steps of an axis are round', () => {
    const texts = (value: number) => drawChart(chartOf({ chart: 'bar', figures: [figure(0, 0, value), figure(0, 1, 0)] }), { width: 400, height: 240 },
      lookOf(false))
      .flatMap((mark) => (mark.mark === 'text' && mark.align === 'right' ? [mark.text] : []))
    expect(texts(123_456_700)).toEqual(['0', '0.25M', '0.50M', '0.75M', '1.00M', '1.25M'])
    expect(texts(98_000)).toEqual(['0', '200', '400', '600', '800', '1000'].slice(0, texts(98_000).length))
    expect(texts(0)).toHaveLength(new Set(texts(0)).size)
  })
})

describe('a picture', () => {
  it('tells what it is, and holds hostile text as text', () => {
    const svg = chartSvg({ chart: 'bar', figures: [figure(0, 0, 100, '<script>&"\u0000\u000b', 'Total'), figure(1, 0, 50, 'Other', 'Total')] },
      { width: 500, height: 240, dark: true, currency: 'USD' })
    expect(svg).toContain('role="img"')
    expect(svg).toContain('<title>Bar chart of Total, &lt;script&gt;&amp;&quot; to Other, in USD</title>')
    expect(svg).not.toMatch(/<script|(?!\n)\p{Cc}/u)
  })

  it.each(CHART_KINDS)('without figures a %s says so', (chart: ChartKind) => {
    expect(chartSvg({ chart, figures: [] }, { width: 300, height: 200, dark: false, currency: 'EUR' })).toContain('No figures')
  })
})
