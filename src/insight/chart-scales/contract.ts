// Charts as data: what is plotted, the marks it is drawn with, and how those look.
//
//   Chart               labels, series and unit, worked out from the figures of a block (chartOf in ../chart-figures/rules.ts)
//   Mark                one thing on the page; the same marks become an SVG picture and a part of a PDF page
//   Look                the colours
import type { FigureUnit } from '../bindings/contract.ts'
import type { ChartKind } from '../slides/contract.ts'

/** `decimal` is exact, in units of the currency or of the figure; `value` is the same for measuring. */
export type Point = { value: number; decimal: string; formatted: string }

export type Series = { name: string; points: (Point | null)[] }

export type Chart = {
  kind: ChartKind
  unit: FigureUnit
  labels: string[]
  /** Each with one point per label; null where the figure has no value. */
  series: Series[]
  /** Bars that lie, for names that are too long to stand below them. */
  lying: boolean
}

export type Size = { width: number; height: number }
export type Box = Size & { x: number; y: number }

export type Align = 'left' | 'right' | 'center'

/** Coordinates grow to the right and downward; the letters of a text stand on its y. `hint` tells the exact value. */
export type Mark =
  | { mark: 'rect'; x: number; y: number; width: number; height: number; fill: string; hint: string | null }
  | { mark: 'line'; x1: number; y1: number; x2: number; y2: number; stroke: string; width: number }
  | { mark: 'path'; points: [number, number][]; closed: boolean; fill: string | null; stroke: string | null; width: number; hint: string | null }
  /** `room`: how wide it may be at most; where its font is wider than expected it is cut off there. */
  | { mark: 'text'; x: number; y: number; text: string; size: number; color: string; bold: boolean; align: Align; room: number }

export type Look = { text: string; muted: string; grid: string; axis: string; empty: string; palette: readonly string[] }

export type ChartPicture = Size & { dark: boolean; currency: string }
