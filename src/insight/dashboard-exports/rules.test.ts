// Tests of how a board is put on pages.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { extractText, getDocumentProxy } from 'unpdf'
import type { Figure } from '../bindings/contract.ts'
import type { BoardData, WidgetData } from '../dashboard-figures/contract.ts'
import { bandsOf, boardPdf, downward } from './rules.ts'

const widget = (more: Partial<WidgetData>): WidgetData => ({
  id: 'w', dashboard_id: 'b', kind: 'metric', title: 'Title', query: null, text: null, x: 0, y: 0, w: 3, h: 4, created_at: '', updated_at: '', version: 1,
  start_date: '2026-01-01', end_date: '2026-03-31', as_of: '2026-04-01T00:00:00.000Z', restricted: false, problem: null, figures: [], ...more,
})
const figure = (row: string, column: string, value_cents: number): Figure => ({
  key: `${row}@${column}`, label: row, row, column, column_label: column, kind: 'total', depth: 0, unit: 'currency', value_cents, decimal: null,
  formatted: String(value_cents), reason: null, href: null,
})
const board = (widgets: WidgetData[]): BoardData => ({
  dashboard_id: 'b', name: 'Board', as_of: '2026-04-01T00:00:00.000Z', currency: 'USD', basis: 'accrual', start_date: '2026-01-01', end_date: '2026-03-31',
  period: 'last_quarter', comparison: 'none', widgets,
})
const business = { name: 'Test Trading', currency: 'USD', country: 'US' }
const pagesOf = async (content: Buffer) => (await extractText(await getDocumentProxy(new Uint8Array(content)))).text

const place = fc.record({ x: fc.nat(8), y: fc.nat(1000), w: fc.integer({ min: 1, max: 4 }), h: fc.integer({ min: 1, max: 20 }) })

describe('bands', () => {
  it('hold every widget once, beside those that it overlaps, and follow each other', () => {
    fc.assert(fc.property(fc.array(place, { maxLength: 40 }), (places) => {
      const widgets = places.map((each, index) => widget({ ...each, id: String(index) }))
      const bands = bandsOf(widgets)
      expect(bands.flatMap((band) => band.widgets.map(({ id }) => Number(id))).toSorted((a, b) => a - b)).toEqual(places.map((_, index) => index))
      for (const [index, band] of bands.entries()) {
        for (const { y, h } of band.widgets) expect(y >= band.y && y + h <= band.y + band.rows).toBe(true)
        const next = bands[index + 1]
        if (next) expect(next.y).toBeGreaterThanOrEqual(band.y + band.rows)
      }
    }))
  })
})

describe('a page', () => {
  it('of any layout can be made, with every widget on it', async () => {
    await fc.assert(fc.asyncProperty(fc.array(place, { minLength: 1, maxLength: 12 }), fc.boolean(), async (places, whole) => {
      const widgets = places.map((each, index) => widget({ ...each, title: `Number${index}`, w: 4, figures: [figure('Revenue', 'total', index)] }))
      const pages = await pagesOf(await boardPdf({ data: board(widgets), business }, { whole }))
      for (const { title } of widgets) expect(pages.join(' ')).toContain(title)
      if (whole) expect(pages).toHaveLength(1)
    }), { numRuns: 12 })
  })

  it('is the same for the same board, and says what cannot be shown', async () => {
    const data = board([widget({ restricted: true }), widget({ kind: 'bar', problem: 'The ledger is gone.', y: 4 }), widget({ kind: 'text', text: 'Words',
      y: 8 })])
    const [first, second] = [await boardPdf({ data, business }, { whole: false }), await boardPdf({ data, business }, { whole: false })]
    expect(first.equals(second)).toBe(true)
    const text = (await pagesOf(first)).join(' ').replaceAll(/\s+/g, ' ')
    for (const told of ['may not be read', 'The ledger is gone.', 'Words']) expect(text).toContain(told)
  })
})

describe('a series', () => {
  it('stands downward, with what it is compared with beside it; anything else stays as it is', () => {
    const columns = ['2026-01', '2026-01:previous_year', '2026-01:previous_year:variance', '2026-02', '2026-02:previous_year', '2026-02:previous_year:variance']
    const turned = downward(columns.map((column, index) => figure('Revenue', column, index)))
    expect(turned.map(({ row, column_label, value_cents }) => [row, column_label, value_cents])).toEqual([
      ['2026-01', 'Revenue', 0], ['2026-01', 'Previous year', 1], ['2026-01', 'Change', 2], ['2026-02', 'Revenue', 3], ['2026-02', 'Previous year', 4],
        ['2026-02', 'Change', 5],
    ])
    const table = [figure('a', 'total', 1), figure('b', 'total', 2)]
    expect(downward(table)).toEqual(table)
  })
})
