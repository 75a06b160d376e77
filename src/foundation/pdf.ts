// Prints tables of text as PDF pages, with the font inside the file so that every script it knows looks the same everywhere.
import { createRequire } from 'node:module'
import { setImmediate as pause } from 'node:timers/promises'
import PDFDocument from 'pdfkit'
import { invalid } from './refusal.ts'

export type Printed = {
  title: string
  columns: { label: string; right: boolean }[]
  rows: { cells: string[]; bold: boolean; indent: number }[]
}

const { resolve } = createRequire(import.meta.url)
const REGULAR = resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf')
const BOLD = resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf')

const MOST_ROWS = 20_000
const MARGIN = 40
const GAP = 8
const INDENT = 10
const TITLE_SIZE = 14
const SIZE = 8
const SMALLEST_SIZE = 5
const LINE = 1.3
// The font's own lines are 1.16 of its size apart.
const LINE_GAP = LINE - 1.16
const FOOTER = 18
const MOST_UPRIGHT_COLUMNS = 6
const NARROWEST = 24
// Longer text is broken into lines.
const WIDEST_TEXT = 220
// Enough to know how wide a column is; measuring every row of a long table would take longer than printing it.
const MEASURED_ROWS = 500
const ROWS_BETWEEN_PAUSES = 100

type Page = { document: PDFKit.PDFDocument; size: number; widths: number[] }

export async function printTable(table: Printed): Promise<Buffer> {
  if (table.rows.length > MOST_ROWS) throw invalid(`A PDF takes at most ${MOST_ROWS} rows; ask for CSV or XLSX, or for fewer.`)
  const layout = table.columns.length > MOST_UPRIGHT_COLUMNS ? 'landscape' : 'portrait'
  const document = new PDFDocument({ size: 'A4', layout, margin: MARGIN, bufferPages: true, info: { Title: table.title } })
  const chunks: Buffer[] = []
  document.on('data', (chunk: Buffer) => chunks.push(chunk))
  const ended = new Promise<void>((done, failed) => document.on('end', done).on('error', failed))
  document.registerFont('regular', REGULAR).registerFont('bold', BOLD)

  document.font('bold').fontSize(TITLE_SIZE).text(table.title, { width: document.page.width - 2 * MARGIN })
  document.moveDown(0.5)
  const page = layOut(document, table)
  let y = printHeader(page, table, document.y)
  for (const [index, row] of table.rows.entries()) {
    const height = heightOf(page, row)
    if (y + height > document.page.height - MARGIN - FOOTER) {
      document.addPage()
      y = printHeader(page, table, MARGIN)
    }
    printRow(page, table, row, y, height)
    y += height
    if (index % ROWS_BETWEEN_PAUSES === 0) await pause()
  }
  numberPages(document)
  document.end()
  await ended
  return Buffer.concat(chunks)
}

/** Columns as wide as what stands in them; where that is more than the page, smaller letters, and then text columns give way. */
function layOut(document: PDFKit.PDFDocument, table: Printed): Page {
  const available = document.page.width - 2 * MARGIN - GAP * (table.columns.length - 1)
  const natural = table.columns.map(({ label, right }, index) => {
    document.font('bold').fontSize(SIZE)
    const cells = table.rows.slice(0, MEASURED_ROWS).map((row) => document.widthOfString(row.cells[index] ?? '') + (index === 0 ? row.indent * INDENT : 0))
    const widest = Math.max(NARROWEST, document.widthOfString(label), ...cells) + 1
    return right ? widest : Math.min(widest, WIDEST_TEXT)
  })
  const total = sum(natural)
  if (total <= available) {
    // What is left goes to the first column, so that the figures stand together on the right.
    return { document, size: SIZE, widths: natural.map((width, index) => (index === 0 ? width + available - total : width)) }
  }
  const scale = Math.max(SMALLEST_SIZE / SIZE, available / total)
  const scaled = natural.map((width) => width * scale)
  const spare = available - sum(scaled.filter((_, index) => table.columns[index]?.right))
  const flexible = sum(scaled.filter((_, index) => !table.columns[index]?.right))
  const widths = spare > NARROWEST && flexible > 0
    ? scaled.map((width, index) => (table.columns[index]?.right ? width : (width * spare) / flexible))
    : scaled.map((width) => (width * available) / sum(scaled))
  return { document, size: SIZE * scale, widths }
}

function printHeader(page: Page, table: Printed, y: number): number {
  const { document, widths, size } = page
  const header = { cells: table.columns.map(({ label }) => label), bold: true, indent: 0 }
  const height = heightOf(page, header)
  const line = y + height
  printRow(page, table, header, y, height)
  document.moveTo(MARGIN, line).lineTo(MARGIN + sum(widths) + GAP * (widths.length - 1), line).lineWidth(0.5).stroke()
  return line + size * 0.4
}

function printRow({ document, widths, size }: Page, table: Printed, row: Printed['rows'][number], y: number, height: number): void {
  document.font(row.bold ? 'bold' : 'regular').fontSize(size)
  let x = MARGIN
  for (const [index, width] of widths.entries()) {
    const cell = row.cells[index] ?? ''
    const shift = index === 0 ? Math.min(row.indent * INDENT, width / 2) : 0
    const align = table.columns[index]?.right ? 'right' : 'left'
    if (cell !== '') document.text(cell, x + shift, y, { width: width - shift, height, align, lineGap: size * LINE_GAP, ellipsis: true })
    x += width + GAP
  }
}

function heightOf({ document, widths, size }: Page, row: Printed['rows'][number]): number {
  document.font(row.bold ? 'bold' : 'regular').fontSize(size)
  const heights = widths.map((width, index) => {
    const inside = width - (index === 0 ? Math.min(row.indent * INDENT, width / 2) : 0)
    const cell = row.cells[index] ?? ''
    return document.widthOfString(cell) <= inside && !cell.includes('\n') ? 0 : document.heightOfString(cell, { width: inside, lineGap: size * LINE_GAP })
  })
  // A single row is never taller than a page, whatever stands in it.
  return Math.min(Math.max(size * LINE, ...heights), document.page.height - 2 * MARGIN - FOOTER - 4 * size) + size * 0.3
}

function numberPages(document: PDFKit.PDFDocument): void {
  const { count } = document.bufferedPageRange()
  for (let index = 0; index < count; index++) {
    document.switchToPage(index)
    // Below the margin a new page would begin.
    document.page.margins.bottom = 0
    const { width, height } = document.page
    document.font('regular').fontSize(SIZE).text(`Page ${index + 1} of ${count}`, MARGIN, height - MARGIN + 4, {
      width: width - 2 * MARGIN, align: 'right', lineBreak: false,
    })
  }
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
