// What of a deck or a dashboard is for everybody: put together piece by piece, so that whatever is not named here stays inside.
//
//   pickSlides(view)            slides without ids of the books, ways into them, notes and bindings: what files and pages are made of
//   publicSlide(slide)          one of them as it is answered
import type { Picture } from '../../foundation/pictures.ts'
import type { Figure } from '../bindings/contract.ts'
import type { SharedBoard, SharedDeck, SharedWidget } from '../shares/contract.ts'
import type { Block, Slide } from '../slides/contract.ts'
import type { PublicBlock, PublicData, PublicFigure, PublicSlide, PublicWidget } from './contract.ts'

export const NOT_AVAILABLE = 'These figures are not available.'

export function pickSlides(view: SharedDeck | SharedBoard): Slide[] {
  if ('widgets' in view) return view.widgets.map((widget, index) => slideOf(widget, view.as_of, index + 1))
  return view.slides.filter(({ hidden }) => !hidden).map(pickSlide)
}

function pickSlide({ id, kind, title, data_as_of, blocks }: Slide, index: number): Slide {
  return { id, deck_id: '', position: index + 1, kind, title, hidden: false, speaker_notes: null, data_as_of, blocks: blocks.map(pickBlock), version: 1 }
}

function pickBlock({ kind, chart, figures, problem, text, document_id }: Block): Block {
  return {
    id: '', kind, chart, binding: null,
    // Those of a text are the ones of its slide, which stand there.
    figures: kind === 'text' ? [] : pickFigures(figures),
    problem: problem === null ? null : NOT_AVAILABLE,
    text, edited: false, generated_by: null, model: null, document_id,
  }
}

/** Keys of rows are ids of ledgers and customers: outside they are numbers. Those of columns tell periods from comparisons, so only ids go. */
export function pickFigures(figures: readonly Figure[]): Figure[] {
  const [rows, parts] = [numbers(figures.map(({ row }) => row)), numbers(figures.flatMap(({ column }) => column.split(':')))]
  return figures.map(({ label, row, column, column_label, kind, depth, unit, value_cents, decimal, formatted }) => {
    const [row_key, column_key] = [String(rows.get(row)), column.split(':').map((part) => (PLAIN.test(part) ? part : `c${parts.get(part)}`)).join(':')]
    return {
      key: `${row_key}@${column_key}`, label, row: row_key, column: column_key, column_label, kind, depth, unit, value_cents, decimal, formatted,
      reason: null, href: null,
    }
  })
}

/** The parts of 2026-03:prior_year say nothing but what they are; any other becomes a number. */
const PLAIN = /^(?:\d{4}(?:-(?:\d\d|Q\d))?(?:-\d\d)?|[a-z_]{1,40})$/

function numbers(keys: readonly string[]): Map<string, number> {
  return new Map([...new Set(keys)].map((key, index) => [key, index + 1]))
}

/** A widget as a slide of its own, for files. */
function slideOf(widget: SharedWidget, data_as_of: string, position: number): Slide {
  const { id, title } = widget
  return { id, deck_id: '', position, kind: 'custom', title, hidden: false, speaker_notes: null, data_as_of, blocks: [widgetBlock(widget)], version: 1 }
}

const BLOCKS: Record<SharedWidget['kind'], Pick<Block, 'kind' | 'chart'>> = {
  metric: { kind: 'metric', chart: null },
  line: { kind: 'chart', chart: 'line' },
  bar: { kind: 'chart', chart: 'bar' },
  table: { kind: 'table', chart: null },
  aging: { kind: 'table', chart: null },
  text: { kind: 'text', chart: null },
}

/** A widget as it is drawn: like the block of a slide. */
export function widgetBlock({ kind, text, figures, problem }: SharedWidget): Block {
  return pickBlock({ id: '', ...BLOCKS[kind], binding: null, figures, problem, text, edited: false, generated_by: null, model: null, document_id: null })
}

/** `pictures` are those of its images, by document, where they are to be shown. */
export function publicSlide({ id, position, kind, title, data_as_of, blocks }: Slide, pictures: ReadonlyMap<string, Picture> = new Map()): PublicSlide {
  return { id, position, kind, title, as_of: data_as_of, blocks: blocks.map((block) => publicBlock(block, pictures)) }
}

function publicBlock({ kind, chart, text, figures, problem, document_id }: Block, pictures: ReadonlyMap<string, Picture>): PublicBlock {
  const picture = document_id === null ? undefined : pictures.get(document_id)
  return { kind, chart, text, figures: publicFigures(figures), missing: problem !== null, picture: picture ? dataAddress(picture) : null }
}

export function dataAddress({ content_type, content }: Picture): string {
  return `data:${content_type};base64,${content.toString('base64')}`
}

/** Of figures that were picked. */
export function publicFigures(figures: readonly Figure[]): PublicFigure[] {
  const [rows, columns] = [numbers(figures.map(({ row }) => row)), numbers(figures.map(({ column }) => column))]
  return figures.map(({ label, row, column, column_label, kind, depth, unit, value_cents, decimal, formatted }) => (
    { row: rows.get(row) ?? 1, column: columns.get(column) ?? 1, label, column_label, kind, depth, unit, value_cents, decimal, formatted }
  ))
}

export function publicWidget(widget: SharedWidget): PublicWidget {
  const { id, kind, title, x, y, w, h } = widget
  const { text, figures, problem } = widgetBlock(widget)
  return { id, kind, title, x, y, w, h, text, figures: publicFigures(figures), missing: problem !== null }
}

/** All figures of what is shown, each with its place. */
export function dataOf(view: SharedDeck | SharedBoard): PublicData['figures'] {
  if ('widgets' in view) {
    return view.widgets.map(publicWidget).flatMap(({ id, figures }) => figures.map((figure) => ({ slide_id: null, widget_id: id, block: 1, ...figure })))
  }
  return pickSlides(view).map((slide) => publicSlide(slide)).flatMap(({ id, blocks }) => blocks.flatMap(({ figures }, index) => (
    figures.map((figure) => ({ slide_id: id, widget_id: null, block: index + 1, ...figure })))))
}

/** Letters, digits and a hyphen where something else was: a name that any system takes. */
export function fileNameOf(title: string, format: string): string {
  const plain = title.normalize('NFKD').replaceAll(/\p{M}/gu, '').replaceAll(/[^A-Za-z0-9]+/g, '-').replaceAll(/^-+|-+$/g, '').slice(0, 80)
  return `${plain === '' ? 'shared' : plain}.${format}`
}
