// Makes tables and texts fit into a box: smaller, and where that is not enough, cut where they can go on. Pure.
import type { Box } from '../chart-scales/contract.ts'
import type { Measure, Paragraph, Piece, Table, TableRow } from './contract.ts'

export const LEADING = 1.35
/** Between paragraphs, and between a chart and the line below it. */
export const TEXT_GAP = 6
export const INDENT = 10
export const CELL = 6

const TABLE_SIZES = [12, 11, 10, 9, 8] as const
const LEAST_NAME = 110

type Fitted = { size: number; widths: number[]; header_height: number; heights: number[]; shown: number; fits: boolean }

/** The largest letters in which all columns stand side by side; `shown`: how many rows then fit, with their `heights`. */
export function fitTable(table: Table, width: number, height: number, measure: Measure): Fitted {
  const needed = neededBy(table, measure)
  let best: Fitted | null = null
  for (const size of TABLE_SIZES) {
    const widths = widthsOf(needed, size, width)
    if (!widths) continue
    best = { size, widths, ...rowsIn(table, widths, size, height, measure), fits: true }
    // Letters are only made smaller than 10 where columns need it, and only so small that all rows fit.
    if (best.shown === table.rows.length || size <= 10) return best
  }
  if (best) return best
  const equal = table.columns.map(() => width / table.columns.length)
  return { size: 8, widths: equal, ...rowsIn(table, equal, 8, height, measure), fits: false }
}

/** What each column needs beside its margins, in letters of size 1; the first also what it is set in by. */
function neededBy({ columns, rows }: Table, measure: Measure): { wide: number[]; indent: number } {
  const wide = columns.map((column, index) => {
    const words = index === 0 ? [] : column.split(/\s+/)
    return Math.max(0, ...words.map((word) => measure.width(word, { size: 1, bold: true })),
      ...rows.map(({ cells, bold }) => measure.width(cells[index] ?? '', { size: 1, bold })))
  })
  return { wide, indent: INDENT * Math.max(0, ...rows.map(({ indent }) => indent)) }
}

function widthsOf({ wide, indent }: { wide: readonly number[]; indent: number }, size: number, width: number): number[] | null {
  const [name = 0, ...numbers] = wide.map((each, index) => each * size + 2 * CELL + (index === 0 ? indent : 0))
  const taken = numbers.reduce((sum, each) => sum + each, 0)
  const left = width - taken
  if (left < Math.min(name, Math.max(LEAST_NAME, width * 0.18))) return null
  // Few columns do not drift apart: beyond what they need, each gets a fair share.
  const spare = Math.max(0, left - Math.max(name, width * 0.3))
  const more = numbers.length === 0 ? 0 : Math.min(60, spare / numbers.length)
  return [width - taken - more * numbers.length, ...numbers.map((each) => each + more)]
}

function rowsIn({ columns, rows }: Table, widths: readonly number[], size: number, height: number, measure: Measure) {
  const line = size * LEADING
  const pad = size * 0.55
  const linesOf = (cells: readonly string[], bold: boolean, indent: number) => Math.max(1, ...cells.map((cell, index) => (
    cell === '' ? 1 : measure.lines(cell, { size, bold }, (widths[index] ?? 0) - 2 * CELL - (index === 0 ? indent * INDENT : 0)))))
  const header_height = Math.min(4, linesOf(columns, true, 0)) * line + pad
  const heights: number[] = []
  let used = header_height
  for (const { cells, bold, indent } of rows) {
    const tall = Math.min(6, linesOf(cells, bold, indent)) * line + pad
    used += tall
    if (used > height) break
    heights.push(tall)
  }
  return { header_height, heights, shown: heights.length }
}

/** As many rows, and before that as many columns, as fit; the others in a table of their own with the same names. */
export function cutTable(table: Table, box: Box, measure: Measure): { piece: Piece; height: number; left: Table[] } {
  const [now, columns_left] = cutColumns(table, box.width, measure)
  const { size, widths, header_height, heights, shown } = fitTable(now, box.width, box.height, measure)
  // A row taller than the page is shown all the same: a table always gets shorter.
  const count = Math.max(1, shown)
  const rows = now.rows.slice(0, count).map((row, index) => ({ ...row, height: heights[index] ?? size * 2 }))
  const height = rows.reduce((sum, row) => sum + row.height, header_height)
  const piece: Piece = { piece: 'table', box: { ...box, height }, columns: now.columns, widths, size, header_height, rows }
  // First the other columns of these rows, then the next rows.
  const beside = columns_left ? [{ columns: columns_left, rows: cellsFrom(table.rows.slice(0, count), table.columns.length - columns_left.length + 1) }] : []
  const below = table.rows.length > count ? [{ columns: table.columns, rows: table.rows.slice(count) }] : []
  return { piece, height, left: [...beside, ...below] }
}

function cutColumns(table: Table, width: number, measure: Measure): [Table, string[] | null] {
  const { wide, indent } = neededBy(table, measure)
  const fits = (count: number) => widthsOf({ wide: wide.slice(0, count), indent }, 8, width) !== null
  let most = table.columns.length
  while (most > 2 && !fits(most)) most -= 1
  if (most >= table.columns.length) return [table, null]
  return [firstColumns(table, most), [table.columns[0] ?? '', ...table.columns.slice(most)]]
}

function firstColumns({ columns, rows }: Table, count: number): Table {
  return { columns: columns.slice(0, count), rows: rows.map((row) => ({ ...row, cells: row.cells.slice(0, count) })) }
}

function cellsFrom(rows: readonly TableRow[], from: number): TableRow[] {
  return rows.map((row) => ({ ...row, cells: [row.cells[0] ?? '', ...row.cells.slice(from)] }))
}

/** The largest of these sizes in which everything fits; in the smallest, what fits. */
export function cutText(paragraphs: readonly Paragraph[], box: Box, sizes: readonly number[],
  measure: Measure): { size: number; shown: Paragraph[]; left: Paragraph[] } {
  const heightOf = ({ text, bullet }: Paragraph, size: number) => measure.lines(text, { size, bold: false },
    box.width - (bullet ? size * 1.2 : 0)) * size * LEADING + TEXT_GAP
  const size = sizes.find((each) => paragraphs.reduce((sum, paragraph) => sum + heightOf(paragraph, each), 0) <= box.height + TEXT_GAP)
  if (size !== undefined) return { size, shown: [...paragraphs], left: [] }
  const least = sizes.at(-1) ?? 11
  const shown: Paragraph[] = []
  let room = box.height
  for (const [index, paragraph] of paragraphs.entries()) {
    const height = heightOf(paragraph, least)
    if (height <= room + TEXT_GAP) {
      shown.push(paragraph)
      room -= height
      continue
    }
    const [first, second] = splitParagraph(paragraph, (part) => heightOf(part, least) <= room + TEXT_GAP)
    if (first) shown.push(first)
    return { size: least, shown, left: [...(second ? [second] : []), ...paragraphs.slice(index + 1)] }
  }
  return { size: least, shown, left: [] }
}

/** After the last word that fits; text without words after the last letter. */
function splitParagraph(paragraph: Paragraph, fits: (part: Paragraph) => boolean): [Paragraph | null, Paragraph | null] {
  const units = paragraph.text.includes(' ') ? paragraph.text.split(/(?<= )/) : Array.from(paragraph.text)
  let [good, bad] = [0, units.length + 1]
  while (bad - good > 1) {
    const middle = (good + bad) >> 1
    if (fits({ ...paragraph, text: units.slice(0, middle).join('') })) good = middle
    else bad = middle
  }
  const part = (text: string, bullet: boolean) => (text.trim() === '' ? null : { text: text.trim(), bullet })
  return [part(units.slice(0, good).join(''), paragraph.bullet), part(units.slice(good).join(''), false)]
}
