// Puts pieces on the slides of a presentation as things that can be edited there: charts with their figures, tables, text.
import type PptxGenJS from 'pptxgenjs'
import { colorAt, PALETTE } from '../charts/rules.ts'
import type { Box, Chart } from '../chart-scales/contract.ts'
import { between, clean, scaleOf, textWidth } from '../chart-scales/rules.ts'
import { CELL, INDENT, LEADING, TEXT_GAP } from '../deck-fitting/rules.ts'
import { INK, type Measure, type Piece } from '../deck-fitting/contract.ts'

export const FONT = 'Arial'

/** What XML cannot hold is left out, and a line break of another system becomes one. */
export function plain(text: string): string {
  return clean(text.replaceAll(/\r\n?|[\u2028\u2029]/g, '\n')).replaceAll('\t', ' ')
}

/** Points become inches. */
export function place({ x, y, width, height }: Box) {
  return { x: x / 72, y: y / 72, w: Math.max(0.02, width / 72), h: Math.max(0.02, height / 72) }
}

export function ink(color: string): string {
  return color.slice(1).toUpperCase()
}

/** Without the font at hand: what fits by this fits on the slide. */
export const estimate: Measure = {
  width: (text, { size, bold }) => textWidth(text, size) * (bold ? 1.02 : 0.94),
  lines: (text, style, room) => text.split('\n').reduce((sum, line) => sum + linesOf(line, (part) => estimate.width(part, style), Math.max(1, room)), 0),
}

function linesOf(text: string, widthOf: (part: string) => number, room: number): number {
  if (widthOf(text) <= room) return 1
  let [lines, used] = [1, 0]
  // Scripts without spaces break after every letter.
  for (const unit of text.match(/ +|[^ \u2e80-\u9fff\uac00-\ud7af\uff00-\uffef]+|./gu) ?? []) {
    const width = widthOf(unit)
    if (used + width > room && used > 0 && !unit.startsWith(' ')) {
      lines += 1
      used = 0
    }
    const over = Math.ceil(width / room) - 1
    lines += over
    used = over > 0 ? width - over * room : used + width
  }
  return lines
}

const box0 = { margin: 0, fontFace: FONT, valign: 'top' as const, paraSpaceAfter: 0 }

export function showPiece(slide: PptxGenJS.default.Slide, piece: Piece, color: string = INK.text): void {
  switch (piece.piece) {
    case 'card': return showCard(slide, piece)
    case 'chart': return showChart(slide, piece)
    case 'table': return showTable(slide, piece)
    case 'heading': return void slide.addText(plain(piece.text), { ...box0, ...place(piece.box), fontSize: 12, bold: true, color: ink(INK.dark) })
    case 'source': return void slide.addText(plain(piece.text), { ...box0, ...place(piece.box), fontSize: 7.5, color: ink(INK.muted) })
    case 'problem': {
      slide.addShape('rect', { ...place({ ...piece.box, width: 3 }), fill: { color: ink(INK.warm) } })
      const words = { ...piece.box, x: piece.box.x + 3, width: piece.box.width - 3 }
      return void slide.addText(plain(piece.text), { ...box0, ...place(words), margin: [10, 12, 8, 12], fontSize: 11, color: ink(INK.warm),
        fill: { color: ink(INK.pale) }, fit: 'shrink' })
    }
    case 'picture': return showPicture(slide, piece)
    case 'text': return showText(slide, piece, color)
  }
}

function showText(slide: PptxGenJS.default.Slide, { box, paragraphs, size }: Extract<Piece, { piece: 'text' }>, color: string): void {
  const runs = paragraphs.map(({ text, bullet }, index) => ({
    text: plain(text), options: { breakLine: index < paragraphs.length - 1, ...(bullet ? { bullet: { indent: Math.round(size * 1.2) } } : {}) },
  }))
  slide.addText(runs, { ...box0, ...place(box), fontSize: size, color: ink(color), lineSpacingMultiple: 1.12, paraSpaceAfter: TEXT_GAP })
}

function showPicture(slide: PptxGenJS.default.Slide, { box, picture }: Extract<Piece, { piece: 'picture' }>): void {
  const scale = Math.min(box.width / picture.width, box.height / picture.height)
  const [width, height] = [picture.width * scale, picture.height * scale]
  const inside = { x: box.x + (box.width - width) / 2, y: box.y + (box.height - height) / 2, width, height }
  slide.addImage({ data: `${picture.content_type};base64,${picture.content.toString('base64')}`, ...place(inside) })
}

function showCard(slide: PptxGenJS.default.Slide, { box, label, value, value_size, beside, source }: Extract<Piece, { piece: 'card' }>): void {
  slide.addShape('roundRect', { ...place(box), fill: { color: ink(INK.tint) }, rectRadius: 0.08 })
  slide.addShape('rect', { ...place({ x: box.x, y: box.y + 12, width: 3, height: box.height - 24 }), fill: { color: ink(INK.accent) } })
  const [x, width] = [box.x + 16, box.width - 32]
  slide.addText(plain(label), { ...box0, ...place({ x, y: box.y + 11, width, height: 15 }), fontSize: 10.5, color: ink(INK.muted), wrap: false })
  const tall = value_size * LEADING
  slide.addText(plain(value), { ...box0, ...place({ x, y: box.y + 27, width, height: tall }), fontSize: value_size, bold: true, color: ink(INK.dark),
    wrap: false })
  for (const [index, line] of beside.entries()) {
    const row = { x, y: box.y + 30 + tall + index * 13, width, height: 12.5 }
    slide.addText(plain(line.label), { ...box0, ...place({ ...row, width: width * 0.5 }), fontSize: 9, color: ink(INK.muted) })
    slide.addText(plain(line.value), { ...box0, ...place({ ...row, x: x + width * 0.35, width: width * 0.65 }), fontSize: 9, bold: true, align: 'right',
      color: ink(INK.text) })
  }
  const height = Math.min(3, estimate.lines(source, { size: 6.5, bold: false }, width)) * 6.5 * LEADING
  slide.addText(plain(source), { ...box0, ...place({ x, y: box.y + box.height - 7 - height, width, height }), fontSize: 6.5, color: ink(INK.muted) })
}

const HAIR = { type: 'solid' as const, pt: 0.5, color: ink(INK.rule) }
const NONE = { type: 'none' as const }

function showTable(slide: PptxGenJS.default.Slide, { box, columns, widths, size, header_height, rows }: Extract<Piece, { piece: 'table' }>): void {
  const pad = size * 0.2
  const cell = (text: string, index: number, more: object, indent = 0) => ({
    text: plain(text),
    options: { align: index === 0 ? 'left' as const : 'right' as const, margin: [pad, CELL, pad, CELL + indent * INDENT] as [number, number, number, number],
      ...more },
  })
  const head = columns.map((column, index) => cell(column, index, { bold: true, color: ink(INK.white), fill: { color: ink(INK.dark) },
    border: [NONE, NONE, NONE, NONE] }))
  const body = rows.map((row) => row.cells.map((text, index) => cell(text, index, {
    bold: row.bold, color: ink(INK.text), border: [row.ruled ? { type: 'solid', pt: 0.8, color: ink(INK.muted) } : NONE, NONE, HAIR, NONE],
    ...(row.bold ? { fill: { color: ink(INK.tint) } } : {}),
  }, index === 0 ? row.indent : 0)))
  slide.addTable([head, ...body] as PptxGenJS.default.TableRow[], {
    ...place(box), colW: widths.map((width) => width / 72), rowH: [header_height, ...rows.map(({ height }) => height)].map((height) => height / 72),
    fontFace: FONT, fontSize: size, valign: 'middle', autoPage: false,
  })
}

const FORMATS: Partial<Record<Chart['unit'], string>> = { percent: '0.0"%"', ratio: '0.00', days: '0', months: '0.0', count: '#,##0' }
/** One form for all values of a chart: a form per size would lose the sign of what is below zero in some programs. */
function shortFormat(values: readonly number[]): string {
  const most = Math.max(0, ...values.map(Math.abs))
  return most >= 1e9 ? '#,##0.00,,,"B"' : most >= 1e6 ? '#,##0.00,,"M"' : most >= 100 ? '#,##0' : '#,##0.00'
}

/** A chart of the presentation: its workbook holds the figures with their cents. */
function showChart(slide: PptxGenJS.default.Slide, { box, chart, description }: Extract<Piece, { piece: 'chart' }>): void {
  const { kind, unit, lying, series } = chart
  const labels = chart.labels.map((label) => plain(label).replaceAll('\n', ' '))
  const shown = kind === 'donut' ? series.slice(0, 1) : series
  const data = shown.map(({ name, points }) => {
    // Decimal text goes into the file as it is; a number would lose zeros, and cents of large amounts. A gap is left out.
    const values: string[] = []
    for (const [index, point] of points.entries()) if (point) values[index] = point.decimal
    values.length = labels.length
    return { name: plain(name).replaceAll('\n', ' '), labels: [...labels], values: values as unknown as number[] }
  })
  if (!shown.some(({ points }) => points.some((point) => point !== null))) {
    return void slide.addText('No figures', { ...box0, ...place(box), fontSize: 11, align: 'center', valign: 'middle', color: ink(INK.muted) })
  }
  const values = shown.flatMap(({ points }) => points.flatMap((point) => (point ? [point.value] : [])))
  const exact = FORMATS[unit] ?? '#,##0.00'
  const short = FORMATS[unit] ?? shortFormat(values)
  const many = labels.length * shown.length
  const words = { fontFace: FONT, color: ink(INK.muted) }
  const common: PptxGenJS.default.IChartOpts = {
    ...place(box), altText: plain(description), valLabelFormatCode: exact, dataLabelFormatCode: short,
    chartColors: chartColors(kind === 'donut' ? labels.length : shown.length),
    showLegend: kind === 'donut' || shown.length > 1, legendPos: kind === 'donut' ? 'r' : 't',
    legendFontFace: FONT, legendFontSize: 10, legendColor: ink(INK.text),
    dataLabelColor: ink(INK.text), dataLabelFontFace: FONT, dataLabelFontSize: 9, displayBlanksAs: 'gap', chartArea: { roundedCorners: false },
  }
  if (kind === 'donut') {
    return void slide.addChart('doughnut', data, {
      ...common, holeSize: 60, showPercent: true, showValue: false, showLabel: false, dataLabelFormatCode: '0.0%',
      dataLabelColor: ink(INK.white), dataBorder: { pt: 1, color: 'FFFFFF' }, dataNoEffects: true,
    })
  }
  const scale = scaleOf(kind === 'stacked_bar' ? stackEnds(chart) : values, between(2, Math.floor(box.height / 40), 6))
  const axes: PptxGenJS.default.IChartOpts = {
    catAxisLabelFontFace: words.fontFace, catAxisLabelColor: words.color, catAxisLabelFontSize: many > 60 ? 7 : 9,
    catAxisLabelPos: 'low', catAxisMajorTickMark: 'none', valAxisMajorTickMark: 'none', catAxisLineColor: ink('#8792a2'),
    valAxisLabelFontFace: words.fontFace, valAxisLabelColor: words.color, valAxisLabelFontSize: 9, valAxisLabelFormatCode: short, valAxisLineShow: false,
    valGridLine: { color: ink('#e4e8ee'), size: 0.75 }, catGridLine: { style: 'none' },
    valAxisMinVal: scale.low, valAxisMaxVal: scale.high, valAxisMajorUnit: scale.step,
    showValue: many <= 14 && kind !== 'stacked_bar',
  }
  if (kind === 'line') return void slide.addChart('line', data, { ...common, ...axes, lineSize: 2.25, lineDataSymbol: 'circle', lineDataSymbolSize: 6,
    dataLabelPosition: 't' })
  slide.addChart('bar', data, {
    ...common, ...axes, barDir: lying ? 'bar' : 'col', barGrouping: kind === 'stacked_bar' ? 'stacked' : 'clustered',
    barGapWidthPct: kind === 'bar' && shown.length > 1 ? 60 : 45,
    ...(kind === 'stacked_bar' ? { barOverlapPct: 100 } : {}), ...(lying ? { catAxisOrientation: 'maxMin' as 'minMax', valAxisLabelPos: 'high' as const } : {}),
  })
}

function stackEnds({ labels, series }: Chart): number[] {
  return labels.flatMap((_, index) => {
    const values = series.map(({ points }) => points[index]?.value ?? 0)
    return [values.reduce((sum, value) => sum + Math.max(0, value), 0), values.reduce((sum, value) => sum + Math.min(0, value), 0)]
  })
}

function chartColors(count: number): string[] {
  return Array.from({ length: Math.max(1, count) }, (_, index) => ink(colorAt(PALETTE, index)))
}
