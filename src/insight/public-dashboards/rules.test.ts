import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { block, figure } from '../../../test/support/ready-deck.ts'
import { newId } from '../../foundation/ids.ts'
import { chartOf } from '../chart-figures/rules.ts'
import type { SharedDeck } from '../shares/contract.ts'
import type { Slide } from '../slides/contract.ts'
import { dataOf, fileNameOf, pickFigures, pickSlides, publicFigures, publicSlide } from './rules.ts'

const slide = (more: Partial<Slide> = {}): Slide => ({
  id: newId(), deck_id: newId(), position: 1, kind: 'custom', title: 'T', hidden: false, speaker_notes: 'notes', data_as_of: '2026-03-31T00:00:00.000Z', blocks: [], version: 3, ...more })
const deck = (slides: Slide[]): SharedDeck => ({ title: 'D', as_of: '2026-03-31T00:00:00.000Z', currency: 'USD', period_start: null, period_end: null, basis: 'accrual', slides })

describe('what is picked', () => {
  it('has no key of the books, whatever the keys are, and the same figures in the same places', () => {
    const key = fc.oneof(fc.uuid(), fc.constantFrom('2026-03', '2026-03:prior_year', 'total', 'ledger:0af3', '4711'), fc.uuid().map((id) => `2026:${id}`), fc.uuid().map((id) => `${id}:prior_year`))
    fc.assert(fc.property(fc.uniqueArray(fc.tuple(key, key, fc.integer()), { maxLength: 30, selector: ([row, column]) => `${row}@${column}` }), (cells) => {
      const given = cells.map(([row, column, cents]) => figure(row, column, cents, { label: 'L', column_label: 'C' }))
      const picked = pickFigures(given)
      const text = JSON.stringify([picked, publicFigures(picked)])
      expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/i)
      expect(text).not.toMatch(/0af3|explain|because-of-inside/)
      expect(JSON.stringify(publicFigures(picked).map(({ value_cents: _cents, formatted: _text, ...figure_ }) => figure_))).not.toMatch(/4711|ledger:/)
      expect(picked.map(({ value_cents }) => value_cents)).toEqual(cells.map(([, , cents]) => cents))
      const outside = publicFigures(picked)
      for (const [index, [row, column]] of cells.entries()) {
        for (const [other, [other_row, other_column]] of cells.entries()) {
          expect(outside[index]?.row === outside[other]?.row).toBe(row === other_row)
          expect(outside[index]?.column === outside[other]?.column).toBe(column === other_column)
        }
      }
    }), { numRuns: 200 })
  })

  it('is drawn as what it was picked from', () => {
    const figures = ['2026-01', '2026-01:prior_year', '2026-02', '2026-02:prior_year'].map((column, index) => figure(newId().slice(0, 1), column, index, { row: 'one', label: 'One' }))
    expect(chartOf({ chart: 'bar', figures: pickFigures(figures) })).toEqual(chartOf({ chart: 'bar', figures }))
  })

  it('leaves hidden slides out and counts the others anew; notes, bindings and authors stay inside', () => {
    const [one, two] = [slide({ position: 1, hidden: true }), slide({ position: 2, blocks: [block('text', { text: 'Hello' }), block('table', { problem: 'Ledger 12 is gone' })] })]
    const picked = pickSlides(deck([one, two]))
    expect(picked.map(({ id, position }) => [id, position])).toEqual([[two.id, 1]])
    expect(Object.keys(publicSlide(picked[0] ?? one))).toEqual(['id', 'position', 'kind', 'title', 'as_of', 'blocks'])
    expect(JSON.stringify(picked)).not.toMatch(/notes":"|Ledger 12|model-x|profit-and-loss/)
    expect(dataOf(deck([one]))).toEqual([])
  })

  it('has a file name that any system takes', () => {
    expect(['März / Überblick', '../../etc', '株式会社', ''].map((title) => fileNameOf(title, 'pdf'))).toEqual(['Marz-Uberblick.pdf', 'etc.pdf', 'shared.pdf', 'shared.pdf'])
  })
})
