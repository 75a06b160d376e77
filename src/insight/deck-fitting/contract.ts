// Pages of blocks as data: which piece stands where. A presentation and a PDF are both made from them.
//
//   Piece               something with a place on a page
//   Measure             how much room text takes, which only who writes it knows
//   Setting             what every block is told: whose figures, for when, known when
import type { Picture } from '../../foundation/pictures.ts'
import type { Box, Chart } from '../chart-scales/contract.ts'

export type TextStyle = { size: number; bold: boolean }

export type Measure = { lines: (text: string, style: TextStyle, width: number) => number; width: (text: string, style: TextStyle) => number }

export type Setting = {
  business: { name: string; currency: string; country: string }
  period_start: string
  period_end: string
  basis: string
  data_as_of: string | null
  pictures: ReadonlyMap<string, Picture>
}

export type TableRow = { cells: string[]; indent: number; bold: boolean; ruled: boolean }
export type Table = { columns: string[]; rows: TableRow[] }
export type Paragraph = { text: string; bullet: boolean }
export type CardLine = { label: string; value: string }

/** What a block shows, before it has a place. `source` says where its figures come from. */
export type Item =
  | { item: 'card'; label: string; value: string; beside: CardLine[]; source: string }
  | { item: 'chart'; heading: string; chart: Chart; source: string }
  | { item: 'table'; heading: string; table: Table; source: string }
  | { item: 'text'; paragraphs: Paragraph[] }
  | { item: 'picture'; picture: Picture }
  | { item: 'problem'; heading: string; problem: string; source: string }

export type Piece =
  | { piece: 'card'; box: Box; label: string; value: string; value_size: number; beside: CardLine[]; source: string }
  | { piece: 'heading'; box: Box; text: string }
  | { piece: 'chart'; box: Box; chart: Chart; description: string }
  | { piece: 'table'; box: Box; columns: string[]; widths: number[]; size: number; header_height: number; rows: (TableRow & { height: number })[] }
  | { piece: 'text'; box: Box; paragraphs: Paragraph[]; size: number }
  | { piece: 'picture'; box: Box; picture: Picture }
  | { piece: 'problem'; box: Box; text: string }
  | { piece: 'source'; box: Box; text: string }

export type Page = { title: string; title_size: number; title_lines: number; cover: boolean; pieces: Piece[] }

/** The colours of pages. */
export const INK = { dark: '#14213d', text: '#1b2430', muted: '#5b6673', rule: '#d9dfe7', tint: '#f4f6fa', accent: '#1f5eff', warm: '#8a5a00',
  pale: '#fff6e0', white: '#ffffff' } as const
