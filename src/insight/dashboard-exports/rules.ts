// The files of a dashboard: the board drawn as the grid that it is, and a workbook of its figures. Pure but for fonts.
//
//   boardPdf(file, { whole })     whole: all on one page, for a picture
//   boardTables(file)             the sheets of the workbook
import { openSheet, type Sheet } from '../../foundation/typesetting.ts'
import type { Table } from '../../foundation/sheets.ts'
import type { Binding, Figure } from '../bindings/contract.ts'
import { drawBlocks, drawPieces, measureOf, write } from '../block-drawing/rules.ts'
import { clean } from '../chart-scales/rules.ts'
import type { Box } from '../chart-scales/contract.ts'
import type { BoardData, WidgetData } from '../dashboard-figures/contract.ts'
import { GRID_COLUMNS } from '../dashboard-widgets/contract.ts'
import { AGED, widgetBinding } from '../dashboard-widgets/rules.ts'
import { INK, type Item, type Setting } from '../deck-fitting/contract.ts'
import { asOf, paragraphsOf, periodText, tableOf } from '../deck-pages/rules.ts'
import { metricOf } from '../metrics/rules.ts'
import { widgetBlock } from '../public-dashboards/rules.ts'
import { AGING } from '../report-reading/operations.ts'
import type { Block } from '../slides/contract.ts'

export type BoardFile = { data: BoardData; business: { name: string; currency: string; country: string } }

const PAGE = { width: 960, height: 679 }
const MARGIN = 36
const TOP = 92
const FOOT = 30
const GAP = 12
const WIDTH = PAGE.width - 2 * MARGIN
const COLUMN = (WIDTH + GAP) / GRID_COLUMNS
/** A row of the grid is never lower, and as much higher as what stands in it needs. */
const ROW = 40
const LEAST: Record<WidgetData['kind'], number> = { metric: 120, line: 200, bar: 200, table: 150, aging: 150, text: 70 }
/** A page of a PDF is no longer than 14,400 points. */
const LONGEST = 12_000

/** Widgets that stand beside each other, from the first row to the last that any of them reaches. */
export type Band = { widgets: WidgetData[]; y: number; rows: number }

export function bandsOf(widgets: readonly WidgetData[]): Band[] {
  const bands: Band[] = []
  for (const widget of widgets.toSorted((a, b) => a.y - b.y || a.x - b.x)) {
    const band = bands.at(-1)
    if (band && widget.y < band.y + band.rows) {
      band.widgets.push(widget)
      band.rows = Math.max(band.rows, widget.y + widget.h - band.y)
    } else bands.push({ widgets: [widget], y: widget.y, rows: widget.h })
  }
  return bands
}

const rowHeight = ({ widgets, rows }: Band): number => Math.min(LONGEST / 2 / rows, Math.max(ROW, ...widgets.map(({ kind, h }) => LEAST[kind] / h)))
const heightOf = (band: Band): number => band.rows * rowHeight(band)

/** As many bands as stand on a page; one that is taller than a page has one of its own. */
function pagesOf(bands: readonly Band[], whole: boolean): Band[][] {
  const room = whole ? LONGEST : PAGE.height - TOP - FOOT
  const pages: Band[][] = []
  let used = Infinity
  for (const band of bands) {
    const height = heightOf(band)
    if (used + height > room) {
      pages.push([])
      used = 0
    }
    pages.at(-1)?.push(band)
    used += height
  }
  return pages.length > 0 ? pages : [[]]
}

export function boardPdf({ data, business }: BoardFile, { whole }: { whole: boolean }): Promise<Buffer> {
  const pages = pagesOf(bandsOf(data.widgets), whole)
  const tall = (bands: readonly Band[]) => Math.max(whole ? 0 : PAGE.height, TOP + bands.reduce((sum, band) => sum + heightOf(band), 0) + FOOT)
  const sheet = openSheet({ size: [PAGE.width, tall(pages[0] ?? [])], title: clean(data.name), author: clean(business.name), created_at: data.as_of })
  const setting: Setting = {
    business, period_start: data.start_date, period_end: data.end_date, basis: data.basis, data_as_of: data.as_of, pictures: new Map(),
  }
  const left: Item[] = []
  let number = 0
  const begin = (height: number) => {
    number += 1
    if (number > 1) sheet.document.addPage({ size: [PAGE.width, height], margin: 0 })
    drawHead(sheet, data, setting, number, height)
  }
  for (const bands of pages) {
    begin(tall(bands))
    let y = TOP
    for (const band of bands) {
      for (const widget of band.widgets) left.push(...drawWidget(sheet, widget, boxOf(widget, band, y), setting))
      y += heightOf(band)
    }
    const plain = { size: 12, color: INK.muted }
    if (data.widgets.length === 0) write(sheet, [sheet.fit('There are no widgets yet.', plain, WIDTH)], { x: MARGIN, y: TOP, width: WIDTH, style: plain })
  }
  if (whole) return sheet.finish()
  const box: Box = { x: MARGIN, y: TOP, width: WIDTH, height: PAGE.height - TOP - FOOT }
  for (const items of [[...left, ...exactTables(data, setting)], definitionTexts(data, setting)]) {
    for (let rest = items; rest.length > 0 && number < MOST_PAGES;) {
      begin(PAGE.height)
      rest = drawBlocks(sheet, rest, box, setting)
    }
  }
  return sheet.finish()
}

const MOST_PAGES = 400

function boxOf({ x, y, w, h }: WidgetData, band: Band, top: number): Box {
  const unit = rowHeight(band)
  return { x: MARGIN + x * COLUMN, y: top + (y - band.y) * unit, width: w * COLUMN - GAP, height: h * unit - GAP }
}

function drawHead(sheet: Sheet, data: BoardData, { business }: Setting, number: number, height: number): void {
  const { document } = sheet
  document.rect(0, 0, PAGE.width, 6).fill(INK.accent)
  const line = (text: string, y: number, style: { size: number; bold?: boolean; color: string }, align: 'left' | 'right' = 'left') => (
    write(sheet, [sheet.fit(clean(text), style, WIDTH)], { x: MARGIN, y, width: WIDTH, style, align }))
  line(business.name, 20, { size: 10, color: INK.muted })
  line(data.name, 33, { size: 22, bold: true, color: INK.dark })
  const told = [periodText(data.start_date, data.end_date, business.country), `${data.basis} basis`, business.currency, asOf(data.as_of)]
  line(told.join('  ·  '), 64, { size: 9, color: INK.muted })
  line(String(number), height - 22, { size: 8, color: INK.muted }, 'right')
}

/** What did not fit, for the pages behind the board. */
function drawWidget(sheet: Sheet, widget: WidgetData, box: Box, setting: Setting): Item[] {
  if (isCard(widget)) return drawCard(sheet, widget, box, setting) ? [] : [tableItem(widget, setting)]
  sheet.document.roundedRect(box.x, box.y, box.width, box.height, 5).lineWidth(0.75).strokeColor(INK.rule).stroke()
  const [inset, head] = [10, { size: 10.5, bold: true, color: INK.dark }]
  const width = box.width - 2 * inset
  write(sheet, [sheet.fit(clean(widget.title), head, width)], { x: box.x + inset, y: box.y + 7, width, style: head })
  const body: Box = { x: box.x + inset, y: box.y + 27, width, height: Math.max(24, box.height - 40) }
  const left = drawBlocks(sheet, [blockOf(widget, setting.basis)], body, setting)
  const small = { size: 7, color: INK.muted }
  const corner = { x: box.x + inset, y: box.y + box.height - 13, width, style: small, align: 'right' as const }
  if (left.length > 0) write(sheet, [sheet.fit('There is more of it than fits here.', small, width)], corner)
  return left.map((item) => ('heading' in item ? { ...item, heading: clean(widget.title) } : item))
}

/** One value, with what it is compared with. A metric that is split is a table. */
function isCard({ kind, figures }: WidgetData): boolean {
  return kind === 'metric' && figures.length > 0 && figures.filter(({ column }) => !column.includes(':')).length === 1
}

/** Whether all of it found room. */
function drawCard(sheet: Sheet, { title, figures: [first, ...others], start_date, end_date }: WidgetData, box: Box, setting: Setting): boolean {
  const measure = measureOf(sheet)
  const value = clean(first?.formatted ?? '')
  const value_size = [26, 22, 18, 15, 12, 10].find((size) => measure.width(value, { size, bold: true }) <= box.width - 32) ?? 8
  const own = start_date !== setting.period_start || end_date !== setting.period_end
  const source = first?.reason ?? (own ? periodText(start_date, end_date, setting.business.country) : '')
  const room = Math.max(0, Math.floor((box.height - 40 - value_size * 1.35 - (source === '' ? 0 : 24)) / 13))
  const beside = others.slice(0, room).map(({ column, column_label, formatted }) => (
    { label: CHANGES[column.split(':').at(-1) ?? ''] ?? clean(column_label), value: clean(formatted) }))
  drawPieces(sheet, [{ piece: 'card', box, label: clean(title), value, value_size, beside, source: clean(source) }])
  return beside.length === others.length
}

function blockOf(widget: WidgetData, basis: string): Block {
  const problem = widget.restricted ? 'These figures may not be read by whoever asked for this file.' : widget.problem
  const kind = widget.kind === 'metric' ? 'table' : widget.kind
  const figures = kind === 'text' ? [] : kind === 'table' ? downward(widget.figures) : widget.figures
  return { ...widgetBlock({ ...widget, kind, problem }), figures, problem, binding: namedBinding(widget, basis) }
}

/** One row that goes on over many periods is easier to read as a column, with what each is compared with beside it. */
export function downward(figures: readonly Figure[]): Figure[] {
  const bases = new Map(figures.filter(({ column }) => !column.includes(':')).map(({ column, column_label }) => [column, column_label]))
  if (bases.size < 2 || figures.some(({ row }) => row !== figures[0]?.row)) return [...figures]
  return figures.map((figure): Figure => {
    const [base = '', ...rest] = figure.column.split(':')
    const column = rest.join(':') || 'value'
    const words = rest.length === 0 ? figure.label : (CHANGES[rest.at(-1) ?? ''] ?? capital((rest[0] ?? '').replaceAll('_', ' ')))
    return { ...figure, key: `${base}@${column}`, row: base, label: bases.get(base) ?? base, kind: 'ledger', column, column_label: words }
  })
}

const CHANGES: Partial<Record<string, string>> = { variance: 'Change', variance_percent: 'Change in %' }
const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)

/** With the dates that were used, so that the line below the figures tells them. */
function namedBinding(widget: WidgetData, basis: string): Binding | null {
  const binding = widgetBinding(widget)
  return binding && { ...binding, params: { start_date: widget.start_date, end_date: widget.end_date, basis } }
}

const tableItem = (widget: WidgetData, setting: Setting): Item => (
  { item: 'table', heading: clean(widget.title), table: tableOf(downward(widget.figures)), source: definitionOf(widget, setting) })

/** The figures that charts only show by their length. */
function exactTables(data: BoardData, setting: Setting): Item[] {
  return data.widgets.filter(({ kind, figures }) => (kind === 'line' || kind === 'bar') && figures.length > 0).map((widget) => tableItem(widget, setting))
}

function definitionTexts(data: BoardData, setting: Setting): Item[] {
  const told = data.widgets.filter(({ kind }) => kind !== 'text').map((widget) => `- ${widget.title}: ${definitionOf(widget, setting)}`)
  return told.length === 0 ? [] : [{ item: 'text', paragraphs: paragraphsOf(`What the figures mean\n${told.join('\n')}`) }]
}

/** What it is, where it stands in which report, and for when. */
function definitionOf(widget: WidgetData, { business, basis }: Setting): string {
  const { description, report, row } = definedBy(widget)
  return `${description} Report ${report}, ${row}; ${periodText(widget.start_date, widget.end_date, business.country)}; ${basis} basis.`
}

function definedBy({ kind, query }: WidgetData): { metric: string; description: string; report: string; row: string } {
  const metric = metricOf(query?.metric ?? '')
  const aged = { metric: AGED, description: 'What customers owe, by how long it has been due.', report: AGING, row: 'all ages' }
  if (kind === 'aging') return aged
  return { metric: metric?.metric ?? '', description: metric?.description ?? '', report: metric?.report ?? '', row: metric?.row ?? '' }
}

export function boardTables({ data, business }: BoardFile): Table[] {
  const figures: Table = {
    title: 'Figures',
    columns: [
      { key: 'widget', label: 'Widget', kind: 'text' }, { key: 'figure', label: 'Figure', kind: 'text' }, { key: 'column', label: 'Column', kind: 'text' },
      { key: 'amount', label: `Amount (${business.currency})`, kind: 'money' }, { key: 'value', label: 'Value', kind: 'decimal' },
      { key: 'unit', label: 'Unit', kind: 'text' }, { key: 'note', label: 'Note', kind: 'text' }, { key: 'source', label: 'Source', kind: 'text' },
    ],
    rows: data.widgets.flatMap((widget) => {
      const said = widget.restricted ? 'These figures may not be read by whoever asked for this file.' : (widget.problem ?? widget.text)
      if (widget.figures.length === 0) return [{ widget: widget.title, note: said }]
      return widget.figures.map(({ label, column_label, value_cents, decimal, unit, reason, href }) => (
        { widget: widget.title, figure: label, column: column_label, amount: value_cents, value: decimal, unit, note: reason, source: href }))
    }),
  }
  const definitions: Table = {
    title: 'Definitions',
    columns: [
      { key: 'widget', label: 'Widget', kind: 'text' }, { key: 'metric', label: 'Metric', kind: 'text' },
      { key: 'description', label: 'Definition', kind: 'text' }, { key: 'report', label: 'Report', kind: 'text' },
      { key: 'row', label: 'Row', kind: 'text' }, { key: 'start_date', label: 'From', kind: 'date' },
      { key: 'end_date', label: 'To', kind: 'date' }, { key: 'basis', label: 'Basis', kind: 'text' }, { key: 'as_of', label: 'Known at', kind: 'text' },
    ],
    rows: data.widgets.filter(({ kind }) => kind !== 'text').map((widget) => (
      { widget: widget.title, ...definedBy(widget), start_date: widget.start_date, end_date: widget.end_date, basis: data.basis, as_of: data.as_of })),
  }
  return [figures, definitions]
}
