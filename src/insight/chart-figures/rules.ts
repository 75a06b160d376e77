// What a chart shows: the figures of a block put into labels and series.
import type { Figure } from '../bindings/contract.ts'
import type { Block } from '../slides/contract.ts'
import type { Chart, Point, Series } from '../chart-scales/contract.ts'

type Place = { key: string; label: string }
type Row = Place & Pick<Figure, 'kind' | 'depth'>

/** From rows and columns of a report: time runs along the axis, and so does what there is much of. */
export function chartOf(block: Pick<Block, 'chart' | 'figures'>): Chart {
  const unit = unitOf(block.figures)
  // A difference is no value of its own to be drawn beside those that it lies between.
  const figures = block.figures.filter((figure) => figure.unit === unit && !/:variance(?:_percent)?$/.test(figure.column))
  const all = rowsOf(figures)
  const columns = withoutTotal(distinct(figures.map(({ column, column_label }) => ({ key: column, label: column_label }))))
  const points = new Map(figures.map((figure) => [`${figure.row}@${figure.column}`, pointOf(figure)]))
  const wanted = block.chart ?? 'bar'
  const negative = [...points.values()].some((point) => point !== null && point.value < 0)
  // A share below nothing cannot be drawn as a slice.
  const kind = wanted === 'donut' && negative ? 'bar' : wanted
  const rows = kind === 'donut' || kind === 'stacked_bar' ? partsOf(all) : all
  const pointAt = (row: Place, column: Place): Point | null => points.get(`${row.key}@${column.key}`) ?? null

  const rowSeries = (): Series[] => rows.map((row) => ({ name: row.label, points: columns.map((column) => pointAt(row, column)) }))
  const columnSeries = (some = columns): Series[] => some.map((column) => ({ name: column.label, points: rows.map((row) => pointAt(row, column)) }))
  const alongColumns = { kind, unit, labels: columns.map(({ label }) => label), lying: false }
  const alongRows = { kind, unit, labels: rows.map(({ label }) => label), lying: kind === 'bar' && rows.some(({ label }) => label.length > LONG) }

  if (kind === 'donut') {
    if (rows.length === 1 && columns.length > 1) return named({ ...alongColumns, series: rowSeries() })
    return named({ ...alongRows, series: columnSeries(columns.slice(0, 1)) })
  }
  if (columns.length === 1) return named({ ...alongRows, series: columnSeries() })
  const compared = comparedSeries(rows, columns, pointAt)
  if (compared) return named({ ...alongColumns, ...compared })
  if (rows.length === 1) return named({ ...alongColumns, series: rowSeries() })
  const along = kind === 'stacked_bar' || columns.every(({ key }) => PERIOD.test(key)) || columns.length > MOST_COLUMN_SERIES
  return named(along ? { ...alongColumns, series: rowSeries() } : { ...alongRows, series: columnSeries() })
}

/** Beside what it is the sum of, a total dwarfs everything. */
function withoutTotal(columns: readonly Place[]): Place[] {
  const parts = columns.filter(({ key }) => key !== 'total' && !key.startsWith('total:'))
  return parts.length > 0 ? parts : [...columns]
}

/** Beyond this a name is not written below a bar that stands. */
const LONG = 16
/** More columns than these are read along the axis. */
const MOST_COLUMN_SERIES = 4
const PERIOD = /^\d{4}(?:-(?:\d\d|Q\d))?(?:-\d\d)?$/

/** Several columns, each with others beside it that it is compared with: those are series of their own. */
function comparedSeries(
  rows: readonly Row[], columns: readonly Place[], pointAt: (row: Place, column: Place) => Point | null,
): Pick<Chart, 'labels' | 'series'> | null {
  const split = columns.map((column) => {
    const [base = '', ...comparison] = column.key.split(':')
    return { column, base, comparison: comparison.join(':') }
  })
  const bases = split.filter(({ comparison }) => comparison === '')
  const comparisons = [...new Set(split.map(({ comparison }) => comparison))]
  if (bases.length < 2 || comparisons.length < 2) return null
  const found = new Map(split.map(({ column, base, comparison }) => [`${base}:${comparison}`, column]))
  return {
    labels: bases.map(({ column }) => column.label),
    series: rows.flatMap((row) => comparisons.map((comparison) => ({
      name: comparison === '' ? row.label : `${row.label}, ${comparison.replace(/:.*/, '').replaceAll('_', ' ')}`,
      points: bases.map(({ base }) => {
        const column = found.get(`${base}:${comparison}`)
        return column ? pointAt(row, column) : null
      }),
    }))),
  }
}

/** Money where there is some; otherwise what the first figure with a value is counted in. */
function unitOf(figures: readonly Figure[]): Chart['unit'] {
  const valued = figures.filter((figure) => pointOf(figure) !== null)
  return (valued.find(({ unit }) => unit === 'currency') ?? valued[0] ?? figures[0])?.unit ?? 'currency'
}

function rowsOf(figures: readonly Figure[]): Row[] {
  return distinct(figures.map(({ row, label, kind, depth }) => ({ key: row, label, kind, depth })))
}

function distinct<T extends Place>(places: readonly T[]): T[] {
  const found = new Map<string, T>()
  for (const place of places) if (!found.has(place.key)) found.set(place.key, place)
  return [...found.values()]
}

/** Rows that make up a whole without counting anything twice: no sums of others. */
function partsOf(rows: readonly Row[]): Row[] {
  const parts = rows.filter(({ kind, depth }, index) => kind !== 'subtotal' && kind !== 'total' && (rows[index + 1]?.depth ?? 0) <= depth)
  return parts.length > 0 ? parts : [...rows]
}

/** An axis and a legend need a name for everything. */
function named(chart: Chart): Chart {
  const name = (given: string, index: number) => (given.trim() === '' ? String(index + 1) : given)
  return { ...chart, labels: chart.labels.map(name), series: chart.series.map((series, index) => ({ ...series, name: name(series.name, index) })) }
}

export function pointOf({ value_cents, decimal, formatted }: Figure): Point | null {
  const exact = value_cents === null ? decimal : decimalOf(value_cents)
  if (exact === null || !/^-?\d+(?:\.\d+)?$/.test(exact)) return null
  const value = Number(exact)
  return Number.isFinite(value) ? { value, decimal: exact, formatted } : null
}

/** 123456 → 1234.56, by the digits: no cent is lost on the way. */
export function decimalOf(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0')
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}
