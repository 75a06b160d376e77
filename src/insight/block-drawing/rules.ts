// Draws blocks on the page of a PDF: cards, charts, tables, text and pictures in a grid. The same blocks give the same bytes.
//
//   drawBlocks          a grid of blocks in a box; answers what did not fit, for the next page
//   drawPieces          pieces that have their places already
//   measureOf           how much room text takes on this sheet
import type { Line, Sheet, Style } from '../../foundation/typesetting.ts'
import type { Box, Mark } from '../chart-scales/contract.ts'
import { drawChart, lookOf } from '../charts/rules.ts'
import { CELL, INDENT, LEADING, TEXT_GAP } from '../deck-fitting/rules.ts'
import { INK, type Item, type Measure, type Piece, type Setting } from '../deck-fitting/contract.ts'
import { itemsOf, layOut } from '../deck-pages/rules.ts'
import type { Block } from '../slides/contract.ts'

/** Blocks, or what an earlier page has left of them. */
export function drawBlocks(sheet: Sheet, blocks: readonly Block[] | readonly Item[], box: Box, setting: Setting): Item[] {
  const items = blocks.flatMap((block) => ('item' in block ? [block] : itemsOf([block], setting)))
  const { pieces, left } = layOut(items, box, measureOf(sheet))
  drawPieces(sheet, pieces)
  return left
}

export function measureOf(sheet: Sheet): Measure {
  // Width grows with the size of the letters, so one measuring does for all sizes.
  const known = new Map<string, number>()
  const width: Measure['width'] = (text, { size, bold }) => {
    const key = `${bold ? 'b' : 'r'}${text}`
    const found = known.get(key) ?? sheet.fit(text, { size: 10, bold }, Number.MAX_SAFE_INTEGER).width
    known.set(key, found)
    return (found * size) / 10
  }
  return { width, lines: (text, style, room) => (!text.includes('\n') && width(text, style) <= room ? 1 : sheet.wrap(text, style, Math.max(1, room)).length) }
}

export function drawPieces(sheet: Sheet, pieces: readonly Piece[], ink: string = INK.text): void {
  for (const piece of pieces) drawPiece(sheet, piece, ink)
}

function drawPiece(sheet: Sheet, piece: Piece, ink: string): void {
  const { x, y, width, height } = piece.box
  switch (piece.piece) {
    case 'card': return drawCard(sheet, piece)
    case 'chart': return drawMarks(sheet, drawChart(piece.chart, piece.box, lookOf(false)), x, y)
    case 'table': return drawTable(sheet, piece)
    case 'heading': return void write(sheet, [sheet.fit(piece.text, { size: 12, bold: true }, width)],
      { x, y, width, style: { size: 12, bold: true, color: INK.dark } })
    case 'source': return void write(sheet, sheet.wrap(piece.text, { size: 7.5 }, width).slice(0, 2),
      { x, y: y + 2, width, style: { size: 7.5, color: INK.muted } })
    case 'picture': return void sheet.document.image(piece.picture.content, x, y, { fit: [width, height], align: 'center', valign: 'center' })
    case 'problem': {
      sheet.document.rect(x, y, width, height).fill(INK.pale)
      sheet.document.rect(x, y, 3, height).fill(INK.warm)
      const style = { size: 11, color: INK.warm }
      return void write(sheet, sheet.wrap(piece.text, style, width - 28).slice(0, Math.max(1, Math.floor((height - 14) / (11 * LEADING)))),
        { x: x + 16, y: y + 10, width: width - 28, style })
    }
    case 'text': return drawText(sheet, piece, ink)
  }
}

type Written = { x: number; y: number; width: number; style: Style; align?: 'left' | 'right' | 'center' }

/** Line by line; answers the height. */
export function write(sheet: Sheet, lines: readonly Line[], { x, y, width, style, align = 'left' }: Written): number {
  lines.forEach((line, index) => sheet.draw(line, x, y + style.size + index * style.size * LEADING, style, width, align))
  return lines.length * style.size * LEADING
}

function drawText(sheet: Sheet, { box, paragraphs, size }: Extract<Piece, { piece: 'text' }>, color: string): void {
  const style = { size, color }
  let y = box.y
  for (const { text, bullet } of paragraphs) {
    const indent = bullet ? size * 1.2 : 0
    if (bullet) write(sheet, [sheet.fit('•', style, size)], { x: box.x, y, width: size, style: { size, color: INK.accent } })
    y += write(sheet, sheet.wrap(text, style, box.width - indent), { x: box.x + indent, y, width: box.width - indent, style }) + TEXT_GAP
  }
}

function drawCard(sheet: Sheet, { box, label, value, value_size, beside, source }: Extract<Piece, { piece: 'card' }>): void {
  const { document } = sheet
  document.roundedRect(box.x, box.y, box.width, box.height, 6).fill(INK.tint)
  document.rect(box.x, box.y + 12, 3, box.height - 24).fill(INK.accent)
  const [x, width] = [box.x + 16, box.width - 32]
  let y = box.y + 11
  y += write(sheet, [sheet.fit(label, { size: 10.5 }, width)], { x, y, width, style: { size: 10.5, color: INK.muted } }) + 3
  const big = { size: value_size, bold: true, color: INK.dark }
  y += write(sheet, [sheet.fit(value, big, width)], { x, y, width, style: big }) + 2
  for (const line of beside) {
    const style = { size: 9, color: INK.text }
    const shown = sheet.fit(line.value, { ...style, bold: true }, width * 0.65)
    write(sheet, [sheet.fit(line.label, style, width - shown.width - 8)], { x, y, width, style: { ...style, color: INK.muted } })
    y += write(sheet, [shown], { x, y, width, style: { ...style, bold: true }, align: 'right' }) + 0.85
  }
  const small = { size: 6.5, color: INK.muted }
  const lines = sheet.wrap(source, small, width).slice(0, 3)
  write(sheet, lines, { x, y: box.y + box.height - 7 - lines.length * small.size * LEADING, width, style: small })
}

function drawTable(sheet: Sheet, { box, columns, widths, size, header_height, rows }: Extract<Piece, { piece: 'table' }>): void {
  const { document } = sheet
  const line = (at: number, color: string, thick: number) => {
    document.moveTo(box.x, at).lineTo(box.x + box.width, at).lineWidth(thick).strokeColor(color).stroke()
  }
  const cells = (texts: readonly string[], y: number, height: number, style: Style, indent: number) => {
    let x = box.x
    for (const [index, text] of texts.entries()) {
      const inset = CELL + (index === 0 ? indent * INDENT : 0)
      const room = (widths[index] ?? 0) - inset - CELL
      const lines = text === '' ? [] : sheet.wrap(text, style, Math.max(1, room)).slice(0, 6)
      const top = y + (height - lines.length * size * LEADING) / 2 - size * 0.04
      write(sheet, lines, { x: x + inset, y: top, width: room, style, align: index === 0 ? 'left' : 'right' })
      x += widths[index] ?? 0
    }
  }
  document.rect(box.x, box.y, box.width, header_height).fill(INK.dark)
  cells(columns, box.y, header_height, { size, bold: true, color: INK.white }, 0)
  let y = box.y + header_height
  for (const row of rows) {
    if (row.bold) document.rect(box.x, y, box.width, row.height).fill(INK.tint)
    if (row.ruled) line(y, INK.muted, 0.8)
    cells(row.cells, y, row.height, { size, bold: row.bold, color: INK.text }, row.indent)
    y += row.height
    line(y, INK.rule, 0.5)
  }
}

export function drawMarks(sheet: Sheet, marks: readonly Mark[], left: number, top: number): void {
  const { document } = sheet
  for (const mark of marks) {
    if (mark.mark === 'rect') document.rect(left + mark.x, top + mark.y, mark.width, mark.height).fill(mark.fill)
    else if (mark.mark === 'line') {
      document.moveTo(left + mark.x1, top + mark.y1).lineTo(left + mark.x2, top + mark.y2).lineWidth(mark.width).strokeColor(mark.stroke).stroke()
    } else if (mark.mark === 'text') {
      const style = { size: mark.size, bold: mark.bold, color: mark.color }
      const x = left + mark.x - (mark.align === 'left' ? 0 : mark.align === 'right' ? mark.room : mark.room / 2)
      sheet.draw(sheet.fit(mark.text, style, mark.room), x, top + mark.y, style, mark.room, mark.align)
    } else drawPath(document, mark, left, top)
  }
}

function drawPath(document: PDFKit.PDFDocument, { points, closed, fill, stroke, width }: Extract<Mark, { mark: 'path' }>, left: number, top: number): void {
  for (const [index, [x, y]] of points.entries()) {
    if (index === 0) document.moveTo(left + x, top + y)
    else document.lineTo(left + x, top + y)
  }
  if (closed) document.closePath()
  if (stroke) document.lineWidth(width).lineJoin('round').strokeColor(stroke)
  if (fill) document.fillColor(fill)
  if (fill && stroke) document.fillAndStroke(fill, stroke)
  else if (fill) document.fill(fill)
  else document.stroke()
}
