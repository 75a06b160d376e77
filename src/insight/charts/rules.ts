// Draws charts: marks in a box, the same for a picture on a web page and for a page of a PDF. Pure.
import { escapeHtml } from '../../foundation/html.ts'
import { chartOf } from '../chart-figures/rules.ts'
import { between, clean, fitted, scaleOf, shortText, textWidth, tickText, ticksOf } from '../chart-scales/rules.ts'
import type { Block } from '../slides/contract.ts'
import type { Align, Box, Chart, ChartPicture, Look, Mark, Point, Size } from '../chart-scales/contract.ts'

export const PALETTE = [
  '#1f5eff', '#0fa3a3', '#f2994a', '#7c5cd6', '#d9486e', '#5b8c2a', '#8a94a6', '#b8860b', '#2b7fb8', '#a34fa3', '#4c6b8a', '#c76b3a',
] as const

export function lookOf(dark: boolean): Look {
  return dark
    ? { text: '#e8ecf3', muted: '#9aa6b8', grid: '#2b3442', axis: '#7c8798', empty: '#2b3442', palette: PALETTE.map((color) => mixed(color, '#ffffff', 0.25)) }
    : { text: '#1b2430', muted: '#5b6673', grid: '#e4e8ee', axis: '#8792a2', empty: '#e4e8ee', palette: PALETTE }
}

/** The colours begin anew, paler, once they are used up. */
export function colorAt(palette: readonly string[], index: number): string {
  const round = Math.floor(index / palette.length)
  return mixed(palette[index % palette.length] ?? '#8a94a6', '#ffffff', Math.min(0.7, round * 0.35))
}

function mixed(color: string, other: string, share: number): string {
  const channel = (at: number) => Math.round(parseInt(color.slice(at, at + 2), 16) * (1 - share) + parseInt(other.slice(at, at + 2), 16) * share)
  return `#${[1, 3, 5].map((at) => channel(at).toString(16).padStart(2, '0')).join('')}`
}

const SIZE = 9
const GAP = 6

export function drawChart(chart: Chart, size: Size, look: Look): Mark[] {
  const box = { x: 0, y: 0, width: Math.max(24, size.width), height: Math.max(24, size.height) }
  if (!chart.series.some(({ points }) => points.some((point) => point !== null))) {
    return [textMark('No figures', box.width / 2, box.height / 2, { color: look.muted, align: 'center', room: box.width })]
  }
  if (chart.kind === 'donut') return donut(chart, box, look)
  const { marks, below } = legend(chart, box, look)
  const rest = { ...box, y: below, height: box.height - below }
  return [...marks, ...(chart.lying ? lyingBars(chart, rest, look) : standing(chart, rest, look))]
}

/** A picture of its own; a table of the same figures beside it is for those who cannot see it. */
export function chartSvg(block: Pick<Block, 'chart' | 'figures'>, { width, height, dark, currency }: ChartPicture): string {
  const chart = chartOf(block)
  const size = { width: Math.max(24, width), height: Math.max(24, height) }
  const title = escapeHtml(clean(describe(chart, currency)))
  const body = drawChart(chart, size, lookOf(dark)).map(svgOf).join('')
  return `<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="${title}" viewBox="0 0 ${size.width} ${size.height}" `
    + `width="${size.width}" height="${size.height}" font-family="system-ui, 'DejaVu Sans', sans-serif"><title>${title}</title>${body}</svg>`
}

const KIND_WORDS = { line: 'Line chart', bar: 'Bar chart', stacked_bar: 'Stacked bar chart', donut: 'Donut chart' }

/** What it shows, in one sentence. */
export function describe({ kind, unit, labels, series }: Chart, currency: string): string {
  const [first, last] = [labels[0], labels.at(-1)]
  const names = series.map(({ name }) => name)
  const told = names.length > 4 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(', ')
  const span = first === undefined ? '' : first === last ? `, ${first}` : `, ${first} to ${last}`
  return `${KIND_WORDS[kind]} of ${told || 'no figures'}${span}, in ${unit === 'currency' ? currency : unit}`
}

function svgOf(mark: Mark): string {
  if (mark.mark === 'line') {
    return `<line x1="${n(mark.x1)}" y1="${n(mark.y1)}" x2="${n(mark.x2)}" y2="${n(mark.y2)}" stroke="${mark.stroke}" stroke-width="${mark.width}"/>`
  }
  if (mark.mark === 'text') {
    const anchor = { left: 'start', center: 'middle', right: 'end' }[mark.align]
    const weight = mark.bold ? ' font-weight="600"' : ''
    const words = escapeHtml(clean(mark.text))
    return `<text x="${n(mark.x)}" y="${n(mark.y)}" font-size="${mark.size}" fill="${mark.color}" text-anchor="${anchor}"${weight}>${words}</text>`
  }
  const hint = mark.hint === null ? '' : `<title>${escapeHtml(clean(mark.hint))}</title>`
  if (mark.mark === 'rect') {
    return `<rect x="${n(mark.x)}" y="${n(mark.y)}" width="${n(mark.width)}" height="${n(mark.height)}" fill="${mark.fill}">${hint}</rect>`
  }
  const way = mark.points.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${n(x)} ${n(y)}`).join('') + (mark.closed ? 'Z' : '')
  const stroke = mark.stroke ? ` stroke="${mark.stroke}" stroke-width="${mark.width}" stroke-linejoin="round"` : ''
  return `<path d="${way}" fill="${mark.fill ?? 'none'}"${stroke}>${hint}</path>`
}

function n(coordinate: number): number {
  return Math.round(coordinate * 100) / 100
}

type TextStyle = { color: string; align: Align; room: number; bold?: boolean; size?: number }

function textMark(text: string, x: number, y: number, { color, align, room, bold = false, size = SIZE }: TextStyle): Mark {
  return { mark: 'text', x, y, text: fitted(text, size, room), size, color, bold, align, room }
}

// Parts of a chart

/** The names of the series in at most two lines; one series needs none. */
function legend({ series }: Chart, box: Box, look: Look): { marks: Mark[]; below: number } {
  if (series.length < 2 || box.height < 70) return { marks: [], below: GAP }
  const marks: Mark[] = []
  const [line, most] = [SIZE * 1.7, Math.min(150, box.width - 20)]
  let [x, y] = [0, 0]
  for (const [index, { name }] of series.entries()) {
    const text = fitted(name, SIZE, most - 14)
    const wide = 14 + textWidth(text, SIZE) + 12
    if (x > 0 && x + wide > box.width) [x, y] = [0, y + line]
    const left = series.length - index
    if (y > line || (y === line && left > 1 && x + wide + 60 > box.width)) {
      if (x + 40 <= box.width && y <= line) marks.push(textMark(`+${left}`, x, y + SIZE, { color: look.muted, align: 'left', room: 40 }))
      break
    }
    marks.push({ mark: 'rect', x, y: y + 1, width: 8, height: 8, fill: colorAt(look.palette, index), hint: name })
    marks.push(textMark(text, x + 13, y + SIZE, { color: look.text, align: 'left', room: Math.max(1, wide - 14) }))
    x += wide
  }
  return { marks, below: Math.min(y, line) + line + GAP }
}

const valuesOf = ({ series }: Chart) => series.flatMap(({ points }) => points.map((point) => point?.value ?? 0))

/** What the bars of a stack come to, above and below nothing. */
function stacksOf({ labels, series }: Chart): number[] {
  return labels.flatMap((_, index) => {
    const values = series.map(({ points }) => points[index]?.value ?? 0)
    return [values.reduce((sum, value) => sum + Math.max(0, value), 0), values.reduce((sum, value) => sum + Math.min(0, value), 0)]
  })
}

const hintOf = (name: string, label: string, point: Point) => `${name}, ${label}: ${point.formatted}`

function standing(chart: Chart, box: Box, look: Look): Mark[] {
  const { kind, unit, labels, series } = chart
  const scale = scaleOf(kind === 'stacked_bar' ? stacksOf(chart) : valuesOf(chart), between(2, Math.floor(box.height / 40), 6))
  const ticks = ticksOf(scale)
  const texts = ticks.map((tick) => tickText(tick, scale, unit))
  const margin = Math.min(box.width * 0.4, Math.max(...texts.map((text) => textWidth(text, SIZE))) + 8)
  const bottom = Math.min(SIZE * 2, box.height * 0.3)
  const few = labels.length * series.length <= 14 && kind !== 'stacked_bar'
  const plot = { x: box.x + margin, y: box.y + Math.min(box.height * 0.2, few ? SIZE + 4 : SIZE / 2), width: box.width - margin, height: 0 }
  plot.height = Math.max(1, box.y + box.height - bottom - plot.y)
  const up = (value: number) => plot.y + plot.height * between(0, 1 - (value - scale.low) / (scale.high - scale.low), 1)
  const slot = plot.width / Math.max(1, labels.length)
  const marks: Mark[] = ticks.map((tick, index) => ({
    mark: 'line', x1: plot.x, x2: plot.x + plot.width, y1: up(tick), y2: up(tick), stroke: index > 0 && tick === 0 ? look.axis : look.grid, width: 0.75,
  }))
  marks.push(...ticks.map((tick, index) => textMark(texts[index] ?? '', plot.x - 6, Math.min(up(tick) + SIZE * 0.35, box.y + box.height - 1),
    { color: look.muted, align: 'right', room: margin - 6 })))
  marks.push(...(kind === 'line' ? lines(chart, plot, slot, up, look) : bars(chart, plot, slot, up, look)))
  marks.push({ mark: 'line', x1: plot.x, x2: plot.x + plot.width, y1: up(0), y2: up(0), stroke: look.axis, width: 1 })
  if (few) marks.push(...valueLabels(chart, { plot, box, slot, up, look }))
  const wanted = Math.max(...labels.map((label) => textWidth(label, SIZE))) + 8
  const every = Math.max(1, Math.min(Math.ceil(wanted / slot), Math.ceil(56 / slot)))
  for (const [index, label] of labels.entries()) {
    if (index % every !== 0) continue
    const middle = plot.x + slot * (index + 0.5)
    const room = Math.min(slot * every - 4, 2 * (middle - box.x), 2 * (box.x + box.width - middle))
    if (room > 4) marks.push(textMark(label, middle, box.y + box.height - bottom * 0.25, { color: look.muted, align: 'center', room }))
  }
  return marks
}

type Plot = { plot: Box; box: Box; slot: number; up: (value: number) => number; look: Look }

function bars({ kind, labels, series }: Chart, plot: Box, slot: number, up: (value: number) => number, look: Look): Mark[] {
  const stacked = kind === 'stacked_bar'
  const group = Math.min(slot * 0.72, stacked || series.length === 1 ? 64 : 48 * series.length)
  const wide = stacked ? group : group / series.length
  return labels.flatMap((label, index) => {
    const left = plot.x + slot * index + (slot - group) / 2
    let [above, below] = [0, 0]
    return series.flatMap(({ name, points }, place): Mark[] => {
      const point = points[index]
      if (!point) return []
      const from = !stacked ? 0 : point.value < 0 ? below : above
      const to = from + point.value
      if (point.value < 0) below = to
      else above = to
      const x = stacked ? left : left + wide * place
      const [top, foot] = [Math.min(up(from), up(to)), Math.max(up(from), up(to))]
      return [{ mark: 'rect', x, y: top, width: stacked ? wide : wide * 0.92, height: foot - top, fill: colorAt(look.palette, place),
        hint: hintOf(name, label, point) }]
    })
  })
}

function lines({ labels, series }: Chart, plot: Box, slot: number, up: (value: number) => number, look: Look): Mark[] {
  return series.flatMap(({ name, points }, place) => {
    const stroke = colorAt(look.palette, place)
    const placed = points.map((point, index) => (point ? { point, at: [plot.x + slot * (index + 0.5), up(point.value)] as [number, number],
      label: labels[index] ?? '' } : null))
    const marks: Mark[] = []
    let stretch: [number, number][] = []
    // A figure without a value leaves a gap.
    for (const spot of [...placed, null]) {
      if (spot) stretch.push(spot.at)
      else if (stretch.length > 0) {
        if (stretch.length > 1) marks.push({ mark: 'path', points: stretch, closed: false, fill: null, stroke, width: 2, hint: name })
        stretch = []
      }
    }
    const radius = Math.min(labels.length > 30 ? 1.2 : 2.6, plot.height / 4, slot / 2)
    for (const spot of placed) if (spot) marks.push({ mark: 'path', points: circle(spot.at, radius, plot), closed: true, fill: stroke, stroke: null,
      width: 0, hint: hintOf(name, spot.label, spot.point) })
    return marks
  })
}

/** A point on the edge of the plot is cut off by it. */
function circle([x, y]: [number, number], radius: number, { y: top, height }: Box): [number, number][] {
  return Array.from({ length: 16 }, (_, index) => {
    const angle = (index / 16) * 2 * Math.PI
    return [x + radius * Math.cos(angle), between(top - radius, y + radius * Math.sin(angle), top + height + radius)]
  })
}

/** Above what is positive, below what is negative; where two would meet the later one is left out. */
function valueLabels({ kind, unit, series, labels }: Chart, { plot, box, slot, up, look }: Plot): Mark[] {
  const group = Math.min(slot * 0.72, series.length === 1 ? 64 : 48 * series.length)
  const taken: Box[] = []
  return labels.flatMap((_, index) => series.flatMap(({ points }, place): Mark[] => {
    const point = points[index]
    if (!point) return []
    const text = shortText(point, unit)
    const width = textWidth(text, SIZE)
    const offset = kind === 'line' || series.length === 1 ? 0 : (place - (series.length - 1) / 2) * (group / series.length)
    const x = plot.x + slot * (index + 0.5) + offset
    const y = point.value < 0 ? up(point.value) + SIZE + 2 : up(point.value) - 4
    const place_taken = { x: x - width / 2 - 1, y: y - SIZE, width: width + 2, height: SIZE }
    const inside = place_taken.x >= box.x && place_taken.x + place_taken.width <= box.x + box.width && place_taken.y >= box.y && y <= plot.y + plot.height + 1
    if (!inside || taken.some((other) => meet(other, place_taken))) return []
    taken.push(place_taken)
    return [textMark(text, x, y, { color: look.text, align: 'center', room: width + 1 })]
  }))
}

function meet(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
}

function lyingBars(chart: Chart, box: Box, look: Look): Mark[] {
  const { unit, labels, series } = chart
  const margin = Math.min(box.width * 0.4, Math.max(...labels.map((label) => textWidth(label, SIZE))) + 10)
  const few = labels.length * series.length <= 40
  const end = few ? Math.min(box.width * 0.2, 52) : 4
  const scale = scaleOf(valuesOf(chart), between(2, Math.floor(box.width / 110), 6))
  const foot = Math.min(SIZE * 1.8, box.height * 0.25)
  const plot = { x: box.x + margin, y: box.y, width: Math.max(1, box.width - margin - end), height: Math.max(1, box.height - foot) }
  const along = (value: number) => plot.x + plot.width * between(0, (value - scale.low) / (scale.high - scale.low), 1)
  const slot = plot.height / Math.max(1, labels.length)
  const group = Math.min(slot * 0.72, 26 * series.length)
  const thick = group / series.length
  const marks: Mark[] = ticksOf(scale).flatMap((tick): Mark[] => {
    const text = tickText(tick, scale, unit)
    const room = Math.min(textWidth(text, SIZE) + 1, 2 * (box.x + box.width - along(tick)), 2 * (along(tick) - box.x))
    return [
      { mark: 'line', x1: along(tick), x2: along(tick), y1: plot.y, y2: plot.y + plot.height, stroke: look.grid, width: 0.75 },
      ...(room > 6 ? [textMark(text, along(tick), box.y + box.height - foot * 0.2, { color: look.muted, align: 'center' as const, room })] : []),
    ]
  })
  const every = Math.max(1, Math.ceil((SIZE + 1) / slot))
  for (const [index, label] of labels.entries()) {
    const top = plot.y + slot * index + (slot - group) / 2
    if (index % every === 0) {
      const y = between(box.y + SIZE, plot.y + slot * (index + 0.5) + SIZE * 0.35, box.y + box.height)
      marks.push(textMark(label, plot.x - 8, y, { color: look.text, align: 'right', room: margin - 8 }))
    }
    for (const [place, { name, points }] of series.entries()) {
      const point = points[index]
      if (!point) continue
      const [from, to] = [Math.min(along(0), along(point.value)), Math.max(along(0), along(point.value))]
      const y = top + thick * place
      marks.push({ mark: 'rect', x: from, y, width: to - from, height: thick * 0.92, fill: colorAt(look.palette, place), hint: hintOf(name, label, point) })
      const room = box.x + box.width - to - 4
      const text = shortText(point, unit)
      if (few && thick >= SIZE * 0.9 && textWidth(text, SIZE) <= room) marks.push(textMark(text, to + 4, y + thick * 0.46 + SIZE * 0.35,
        { color: look.text, align: 'left', room }))
    }
  }
  marks.push({ mark: 'line', x1: along(0), x2: along(0), y1: plot.y, y2: plot.y + plot.height, stroke: look.axis, width: 1 })
  return marks
}

function donut({ unit, labels, series }: Chart, box: Box, look: Look): Mark[] {
  const points = series[0]?.points ?? []
  const total = points.reduce((sum, point) => sum + (point?.value ?? 0), 0)
  const beside = box.width >= 160
  const room = beside ? Math.min(box.width * 0.5, box.height) : Math.min(box.width, box.height)
  const outer = Math.max(4, room / 2 - 6)
  const [x, y] = [box.x + (beside ? outer + 6 : box.width / 2), box.y + box.height / 2]
  const ring = (from: number, to: number): [number, number][] => {
    const steps = Math.max(2, Math.ceil((to - from) * 144))
    const angles = Array.from({ length: steps + 1 }, (_, index) => (from + ((to - from) * index) / steps) * 2 * Math.PI - Math.PI / 2)
    const at = (radius: number) => (angle: number): [number, number] => [x + radius * Math.cos(angle), y + radius * Math.sin(angle)]
    return [...angles.map(at(outer)), ...angles.toReversed().map(at(outer * 0.6))]
  }
  if (total <= 0) return [{ mark: 'path', points: ring(0, 1), closed: true, fill: look.empty, stroke: null, width: 0, hint: 'Nothing to share out' }]
  let done = 0
  const marks = points.flatMap((point, index): Mark[] => {
    if (!point || point.value <= 0) return []
    const from = done
    done = Math.min(1, done + point.value / total)
    return [{ mark: 'path', points: ring(from, done), closed: true, fill: colorAt(look.palette, index), stroke: '#ffffff', width: 1,
      hint: hintOf(labels[index] ?? '', share(point, total), point) }]
  })
  const right = { ...box, x: x + outer + 18, width: box.x + box.width - x - outer - 18 }
  return beside ? [...marks, ...donutLegend({ unit, labels, points, total }, right, look)] : marks
}

const share = (point: Point, total: number) => `${((point.value / total) * 100).toFixed(1)}%`

type Shares = { unit: Chart['unit']; labels: readonly string[]; points: readonly (Point | null)[]; total: number }

function donutLegend({ unit, labels, points, total }: Shares, box: Box, look: Look): Mark[] {
  const line = between(SIZE + 2, box.height / Math.max(1, labels.length), 22)
  const most = Math.max(1, Math.floor(box.height / line))
  const shown = labels.length <= most ? labels.length : most - 1
  const top = box.y + (box.height - line * Math.min(labels.length, most)) / 2
  const values = points.map((point) => (point ? `${shortText(point, unit)}   ${share(point, total)}` : '–'))
  const wide = Math.min(box.width * 0.6, Math.max(...values.map((value) => textWidth(value, SIZE))) + 2)
  const marks = labels.slice(0, shown).flatMap((label, index): Mark[] => {
    const y = top + line * index + line / 2 + SIZE * 0.35
    return [
      { mark: 'rect', x: box.x, y: y - 8, width: 8, height: 8, fill: colorAt(look.palette, index), hint: null },
      textMark(label, box.x + 14, y, { color: look.text, align: 'left', room: Math.max(1, box.width - wide - 20) }),
      textMark(values[index] ?? '', box.x + box.width, y, { color: look.muted, align: 'right', room: wide }),
    ]
  })
  const left = labels.length - shown
  if (left === 0) return marks
  const y = top + line * shown + line / 2 + SIZE * 0.35
  return [...marks, textMark(`+${left} more`, box.x + 14, y, { color: look.muted, align: 'left', room: box.width - 14 })]
}
