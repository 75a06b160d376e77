import { extractText, getDocumentProxy } from 'unpdf'
import { expect, it } from 'vitest'
import { openSheet } from '../../foundation/typesetting.ts'
import type { Block } from '../slides/contract.ts'
import { drawBlocks } from './rules.ts'

const setting = {
  business: { name: 'Blue Harbor', currency: 'EUR',
    country: 'DE' }, period_start: '2026-01-01', period_end: '2026-03-31', basis: 'cash', data_as_of: '2026-04-06T09:15:00.000Z', pictures: new Map(),
}

it('a grid of blocks fills a box, and what is left goes on the next page', async () => {
  const block = (kind: Block['kind'], rows: number): Block => ({
    id: 'b', kind, chart: 'bar', binding: { metric: 'net_income' }, problem: null, text: null, edited: false, generated_by: null, model: null, document_id: null,
    figures: Array.from({ length: rows }, (_, index) => ({
      key: `r${index}@t`, label: `Row ${index}`, row: `r${index}`, column: 't', column_label: 'Total', kind: 'ledger' as const, depth: 0, unit: 'currency' as const, value_cents: index * 1_001,
      decimal: null, formatted: '', reason: null, href: null,
    })),
  })
  const sheet = openSheet({ size: 'A4', title: 'Grid', author: 'Test', created_at: '2026-04-06T09:15:00.000Z' })
  const box = { x: 40, y: 40, width: 515, height: 700 }
  let left = drawBlocks(sheet, [block('metric', 2), block('chart', 3), block('table', 120)], box, setting)
  let pages = 1
  for (; left.length > 0 && pages < 20; pages += 1) {
    sheet.document.addPage()
    left = drawBlocks(sheet, left, box, setting)
  }
  expect(left).toEqual([])
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(await sheet.finish())), { mergePages: true })
  expect(pages).toBeGreaterThan(2)
  for (const row of [0, 57, 119]) expect(text).toContain(`Row ${row} `)
  expect(text).toContain('1,191.19')
  expect(text).toContain('Net income · January – March 2026 · cash basis · EUR · figures as of 6 April 2026, 09:15 UTC')
})
