// Puts blocks on pages: what belongs together stands side by side, and what is too long goes on on the next page. Pure.
import { amountText, dateText, moneyText } from '../../foundation/wording.ts'
import type { Binding, Figure } from '../bindings/contract.ts'
import { chartOf } from '../chart-figures/rules.ts'
import { clean } from '../chart-scales/rules.ts'
import type { Box } from '../chart-scales/contract.ts'
import { describe } from '../charts/rules.ts'
import type { Block, Slide } from '../slides/contract.ts'
import type { Item, Measure, Page, Paragraph, Piece, Setting, Table } from '../deck-fitting/contract.ts'
import { cutTable, cutText, fitTable, LEADING, TEXT_GAP } from '../deck-fitting/rules.ts'

export const PAGE = { width: 960, height: 540 } as const
const CONTENT: Box = { x: 48, y: 104, width: 864, height: 382 }
const GAP = 18
const SOURCE = 7.5
const SOURCE_HEIGHT = 13
const HEADING = 12
const MOST_ON_A_PAGE = 4
/** A table is not begun where only its first rows would stand. */
const LEAST_TABLE = 130
/** A slide whose blocks hold a whole ledger still ends. */
const MOST_PAGES = 400

// What blocks say

export function itemsOf(blocks: readonly Block[], setting: Setting): Item[] {
  return blocks.flatMap((block) => itemsOfBlock(block, setting))
}

function itemsOfBlock(block: Block, setting: Setting): Item[] {
  const { kind, figures, binding } = block
  if (kind === 'text') return (block.text ?? '').trim() === '' ? [] : [{ item: 'text', paragraphs: paragraphsOf(block.text ?? '') }]
  const picture = setting.pictures.get(block.document_id ?? '')
  if (kind === 'image') return [picture ? { item: 'picture', picture } : { item: 'problem', heading: '', problem: 'The picture cannot be shown.', source: '' }]
  const [heading, source] = [nameOf(binding), sourceOf(binding, setting)]
  if (figures.length === 0 || block.problem !== null) return [{ item: 'problem', heading, problem: clean(block.problem ?? 'There are no figures.'), source }]
  if (kind === 'chart') return [{ item: 'chart', heading, chart: chartOf(block), source }]
  if (kind === 'table') return [{ item: 'table', heading, table: tableOf(figures), source }]
  return rowsOf(figures).map((row): Item => {
    const [first, ...rest] = row
    return {
      item: 'card', label: clean(first.label), value: shown(first, setting.business.currency), source,
      beside: rest.map((figure) => ({ label: clean(figure.column_label), value: shown(figure, setting.business.currency) })),
    }
  })
}

function rowsOf(figures: readonly Figure[]): [Figure, ...Figure[]][] {
  const rows = new Map<string, [Figure, ...Figure[]]>()
  for (const figure of figures) {
    const row = rows.get(figure.row)
    if (row) row.push(figure)
    else rows.set(figure.row, [figure])
  }
  return [...rows.values()]
}

function shown({ unit, value_cents, formatted }: Figure, currency: string): string {
  return unit === 'currency' && value_cents !== null ? moneyText(value_cents, currency) : clean(formatted)
}

export function tableOf(figures: readonly Figure[]): Table {
  const columns = new Map(figures.map(({ column, column_label }) => [column, clean(column_label)]))
  const least = Math.min(...figures.map(({ depth }) => depth))
  const rows = rowsOf(figures).map((row) => {
    const [{ label, kind, depth }] = row
    const cells = new Map(row.map((figure) => [figure.column, figure]))
    return {
      indent: Math.min(depth - least, 6), bold: kind !== 'ledger', ruled: kind === 'total' || kind === 'subtotal',
      cells: [clean(label), ...[...columns.keys()].map((column) => cellText(cells.get(column)))],
    }
  })
  return { columns: ['', ...columns.values()], rows }
}

/** Amounts without the currency: the line below the table names it. */
function cellText(figure: Figure | undefined): string {
  if (!figure) return ''
  return figure.unit === 'currency' && figure.value_cents !== null ? amountText(figure.value_cents) : clean(figure.formatted)
}

export function paragraphsOf(text: string): Paragraph[] {
  return clean(text).split(/\n+/).map((line) => line.trim()).filter((line) => line !== '').map((line) => {
    const bullet = /^[-*•–]\s+/.exec(line)
    return { text: bullet ? line.slice(bullet[0].length) : line, bullet: bullet !== null }
  })
}

/** profit-and-loss → Profit and loss */
export function nameOf(binding: Binding | null): string {
  const key = clean(binding?.report ?? binding?.metric ?? '').replaceAll(/[-_]/g, ' ').trim()
  return key === '' ? '' : key.charAt(0).toUpperCase() + key.slice(1)
}

export function sourceOf(binding: Binding | null, { business, period_start, period_end, basis, data_as_of }: Setting): string {
  const params = (binding?.params ?? {}) as Record<string, unknown>
  const given = (key: string) => (typeof params[key] === 'string' && /^\d{4}-\d\d-\d\d$/.test(params[key]) ? params[key] : null)
  const end = given('end_date') ?? given('as_of') ?? period_end
  const start = given('start_date') ?? (end < period_start ? end : period_start)
  const used = params['basis'] === 'cash' || params['basis'] === 'accrual' ? params['basis'] : basis
  return [nameOf(binding), periodText(start, end, business.country), `${used} basis`, business.currency, asOf(data_as_of)].filter(Boolean).join(' · ')
}

export function asOf(moment: string | null): string {
  return moment === null ? '' : `figures as of ${dateText(moment.slice(0, 10), 'GB')}, ${moment.slice(11, 16)} UTC`
}

const month = new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' })
const dayAfter = (date: string) => new Date(Date.parse(`${date}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10)

/** Whole months by their names, everything else by its days. */
export function periodText(start: string, end: string, country: string): string {
  const whole = start.endsWith('-01') && dayAfter(end).endsWith('-01')
  if (start === end) return dateText(end, country)
  if (!whole) return `${dateText(start, country)} – ${dateText(end, country)}`
  const [from, to] = [start, end].map((date) => ({ month: month.format(new Date(`${date}T00:00:00Z`)), year: date.slice(0, 4) }))
  if (!from || !to || start.slice(0, 7) === end.slice(0, 7)) return `${to?.month} ${to?.year}`
  return from.year === to.year ? `${from.month} – ${to.month} ${to.year}` : `${from.month} ${from.year} – ${to.month} ${to.year}`
}

// Where they stand

export function pagesOf(slide: Slide, setting: Setting, measure: Measure): Page[] {
  const items = itemsOf(slide.blocks, { ...setting, data_as_of: slide.data_as_of })
  if (slide.kind !== 'title') return pagesOfItems(slide.title, items, measure)
  const words = items.find((item) => item.item === 'text')
  const { pieces, left } = words ? put(words, { x: 72, y: 330, width: 640, height: 90 }, measure, { bare: true }) : { pieces: [], left: [] as Item[] }
  const cover = { ...titleOf(oneLine(slide.title), 816, [40, 34, 28, 22], 3, measure), cover: true, pieces }
  const rest = items.flatMap((item) => (item === words ? left : [item]))
  return [cover, ...(rest.length > 0 ? pagesOfItems(slide.title, rest, measure) : [])]
}

export function pagesOfItems(title: string, items: readonly Item[], measure: Measure): Page[] {
  const pages: Page[] = []
  let rest = [...items]
  do {
    const named = pages.length === 0 ? oneLine(title) : `${oneLine(title)} (continued)`
    const { pieces, left } = layOut(rest, CONTENT, measure)
    pages.push({ ...titleOf(named, CONTENT.width, [26, 22, 18, 15], 2, measure), cover: false, pieces })
    rest = left
  } while (rest.length > 0 && pages.length < MOST_PAGES)
  return pages
}

/** The exact figures of what charts only show by their length. */
export function chartTables(slides: readonly Slide[], setting: Setting): Item[] {
  const drawn = ({ kind, figures, problem }: Block) => kind === 'chart' && figures.length > 0 && problem === null
  return slides.flatMap((slide) => slide.blocks.filter(drawn).map((block): Item => ({
    item: 'table', heading: oneLine(slide.title), table: tableOf(block.figures), source: sourceOf(block.binding, { ...setting, data_as_of: slide.data_as_of }),
  })))
}

function oneLine(title: string): string {
  return clean(title).replaceAll(/\s+/g, ' ').trim()
}

/** The largest size in which it stands in so many lines. */
function titleOf(text: string, width: number, sizes: readonly number[], most: number, measure: Measure) {
  const lines = (size: number) => measure.lines(text, { size, bold: true }, width)
  const title_size = sizes.find((size) => lines(size) <= (size === sizes[0] ? Math.max(1, most - 1) : most)) ?? sizes.at(-1) ?? 15
  return { title: text, title_size, title_lines: Math.min(lines(title_size), most + 1) }
}

/** As many items as look well in this box, and those that have to wait for the next one. */
export function layOut(items: readonly Item[], box: Box, measure: Measure): { pieces: Piece[]; left: Item[] } {
  const cards = items.filter((item) => item.item === 'card')
  const others = items.filter((item) => item.item !== 'card')
  const { pieces, height, left } = putCards(cards, box, others.length > 0, measure)
  if (left.length > 0) return { pieces, left: [...left, ...others] }
  const below = { ...box, y: box.y + height + (height > 0 ? GAP : 0), height: box.height - height - (height > 0 ? GAP : 0) }
  if (others.length === 0) return { pieces, left: [] }
  if (below.height < 150 && height > 0) return { pieces, left: others }
  if (others.length > 1 && others.every(({ item }) => item === 'table')) {
    const stacked = stack(others, below, measure)
    return { pieces: [...pieces, ...stacked.pieces], left: stacked.left }
  }
  const waiting: Item[] = []
  let chosen = others.slice(0, MOST_ON_A_PAGE)
  // A table that would be squeezed gets a page of its own.
  for (let tight = firstTight(chosen, below, measure); tight !== null; tight = firstTight(chosen, below, measure)) {
    waiting.push(tight)
    chosen = chosen.filter((item) => item !== tight)
  }
  const placed = cellsOf(chosen, below).map((cell, index) => put(chosen[index] as Item, cell, measure, { headed: chosen.length > 1 }))
  return {
    pieces: [...pieces, ...placed.flatMap((each) => each.pieces)],
    left: [...placed.flatMap(({ left: rest }) => rest), ...waiting, ...others.slice(MOST_ON_A_PAGE)],
  }
}

/** Tables stand below each other, and the one that reaches the end of the page goes on on the next. */
function stack(items: readonly Item[], box: Box, measure: Measure): { pieces: Piece[]; left: Item[] } {
  const pieces: Piece[] = []
  let y = box.y
  for (const [index, item] of items.entries()) {
    const room = { ...box, y, height: box.y + box.height - y }
    if (index > 0 && room.height < LEAST_TABLE) return { pieces, left: items.slice(index) }
    const placed = put(item, room, measure, { headed: true })
    pieces.push(...placed.pieces)
    if (placed.left.length > 0) return { pieces, left: [...placed.left, ...items.slice(index + 1)] }
    y = Math.max(...placed.pieces.map((piece) => piece.box.y + piece.box.height)) + GAP
  }
  return { pieces, left: [] }
}

function firstTight(items: readonly Item[], box: Box, measure: Measure): Item | null {
  if (items.length < 2) return null
  const cells = cellsOf(items, box)
  return items.find((item, index) => {
    if (item.item !== 'table') return false
    const { width = 0, height = 0 } = cells[index] ?? {}
    const room = height - SOURCE_HEIGHT - HEADING * 1.8
    const { fits, shown: rows } = fitTable(item.table, width, room, measure)
    return !fits || rows < Math.min(item.table.rows.length, 8)
  }) ?? null
}

function cellsOf(items: readonly Item[], box: Box): Box[] {
  const isText = (item: Item | undefined) => item?.item === 'text'
  const across = (widths: readonly number[], row: Box = box): Box[] => {
    const whole = widths.reduce((sum, width) => sum + width, 0)
    const free = row.width - GAP * (widths.length - 1)
    let x = row.x
    return widths.map((share) => {
      const width = (free * share) / whole
      const cell = { ...row, x, width }
      x += width + GAP
      return cell
    })
  }
  const rowsOfBox = (shares: readonly number[]): Box[] => {
    let y = box.y
    return shares.map((share) => {
      const height = (box.height - GAP * (shares.length - 1)) * share
      const row = { ...box, y, height }
      y += height + GAP
      return row
    })
  }
  if (items.length <= 1) return [box]
  if (items.length === 2) return across(items.map((item) => (isText(item) === isText(items[1 - items.indexOf(item)]) ? 1 : isText(item) ? 0.52 : 1)))
  if (items.length === 3) {
    const words = items.findIndex(isText)
    if (items.filter(isText).length !== 1) return across([1, 1, 1])
    const [upper = box, lower = box] = rowsOfBox(words === 0 ? [0.3, 0.7] : [0.7, 0.3])
    const visuals = across([1, 1], words === 0 ? lower : upper)
    return items.map((item) => (isText(item) ? (words === 0 ? upper : lower) : visuals.shift() ?? box))
  }
  return rowsOfBox([0.5, 0.5]).flatMap((row) => across([1, 1], row))
}

type Card = Extract<Item, { item: 'card' }>

const MOST_BESIDE = 4
const VALUE_SIZES = [26, 24, 22, 20, 18, 16, 14, 12, 10]
const CARDS_IN_A_ROW: Record<number, number> = { 1: 1, 2: 2, 3: 3, 5: 3, 6: 3, 9: 3 }

function putCards(cards: readonly Card[], box: Box, company: boolean, measure: Measure): { pieces: Piece[]; height: number; left: Card[] } {
  if (cards.length === 0) return { pieces: [], height: 0, left: [] }
  const in_a_row = CARDS_IN_A_ROW[cards.length] ?? 4
  const width = Math.min(360, (box.width - GAP * (in_a_row - 1)) / in_a_row)
  const room = width - 32
  const most = (count: (card: Card) => number) => Math.max(...cards.map(count))
  // All in the same size, so that none looks more important than the others.
  const value_size = VALUE_SIZES.find((size) => most(({ value }) => measure.width(value, { size, bold: true })) <= room) ?? 9
  const beside = most((card) => Math.min(MOST_BESIDE, card.beside.length))
  const source_lines = most(({ source }) => Math.min(3, measure.lines(source, { size: 6.5, bold: false }, room)))
  const tall = 30 + value_size * LEADING + beside * 13 + 6 + source_lines * 6.5 * LEADING + 8
  const most_rows = Math.max(1, Math.floor((box.height + GAP) / (tall + GAP)))
  const rows = Math.min(Math.ceil(cards.length / in_a_row), most_rows)
  const height = company ? tall : Math.min(tall + 40, (box.height - GAP * (rows - 1)) / rows)
  const pieces = cards.slice(0, rows * in_a_row).map(({ label, value, beside: lines, source }, index): Piece => ({
    piece: 'card', label, value, value_size, beside: lines.slice(0, MOST_BESIDE), source,
    box: { x: box.x + (index % in_a_row) * (width + GAP), y: box.y + Math.floor(index / in_a_row) * (height + GAP), width, height },
  }))
  return { pieces, height: rows * height + (rows - 1) * GAP, left: cards.slice(rows * in_a_row) }
}

type Manner = { headed?: boolean; bare?: boolean }

/** One item in a box; what does not fit is left for another one. */
function put(item: Item, box: Box, measure: Measure, { headed = false, bare = false }: Manner): { pieces: Piece[]; left: Item[] } {
  if (item.item === 'text') {
    const { size, shown: paragraphs, left } = cutText(item.paragraphs, box, bare ? [16, 14, 12] : headed ? [14, 13, 12, 11] : [20, 18, 16, 14, 13, 12], measure)
    return { pieces: [{ piece: 'text', box, paragraphs, size }], left: left.length > 0 ? [{ item: 'text', paragraphs: left }] : [] }
  }
  if (item.item === 'picture') return { pieces: [{ piece: 'picture', box, picture: item.picture }], left: [] }
  if (item.item === 'card') return { pieces: putCards([item], box, true, measure).pieces, left: [] }
  const top = headed && item.heading !== '' ? HEADING * 1.8 : 0
  const head: Piece[] = top > 0 ? [{ piece: 'heading', box: { ...box, height: top }, text: item.heading }] : []
  const source_lines = Math.min(2, Math.max(1, measure.lines(item.source, { size: SOURCE, bold: false }, box.width)))
  const source_height = item.source === '' ? 0 : SOURCE_HEIGHT + (source_lines - 1) * SOURCE * LEADING
  const body = { ...box, y: box.y + top, height: box.height - top - source_height }
  const told = (bottom: number): Piece[] => (item.source === '' ? [] : [{ piece: 'source', box: { ...box, y: bottom, height: source_height },
    text: item.source }])
  if (item.item === 'problem') {
    const problem = item.heading === '' ? item.problem : `${item.heading}: ${item.problem}`
    const height = Math.min(body.height, 72)
    return { pieces: [{ piece: 'problem', box: { ...body, height }, text: problem }, ...told(body.y + height + 2)], left: [] }
  }
  if (item.item === 'chart') {
    const described = describe(item.chart, item.source.match(/ · ([A-Z]{3}) · /)?.[1] ?? '')
    return { pieces: [...head, { piece: 'chart', box: { ...body, height: body.height - TEXT_GAP }, chart: item.chart, description: described },
      ...told(body.y + body.height)], left: [] }
  }
  const { piece, height, left } = cutTable(item.table, body, measure)
  return { pieces: [...head, piece, ...told(body.y + height + 3)], left: left.map((rest) => ({ ...item, table: rest })) }
}
