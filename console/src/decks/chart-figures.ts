// What a chart shows: the figures of a block put into labels and series. Time runs along the axis, and so does what there is much of.
import type { Block, Figure } from './reading.ts'

export type ChartKind = NonNullable<Block['chart']>
export type Line = { name: string; figures: (Figure | null)[] }
export type ChartFigures = { kind: ChartKind; unit: Figure['unit']; labels: string[]; lines: Line[]; lying: boolean }

type Place = { key: string; label: string }

/** Beyond this a name is not written below a bar that stands. */
const LONG = 16
/** More columns than these are read along the axis. */
const MOST_COLUMN_LINES = 4
const PERIOD = /^\d{4}(?:-(?:\d\d|Q\d))?(?:-\d\d)?$/

/** For measuring; amounts in cents. */
export const valueOf = ({ value_cents, decimal }: Figure): number | null => value_cents ?? (decimal === null ? null : Number(decimal))

export function chartFigures(wanted: ChartKind, given: readonly Figure[]): ChartFigures {
  const unit = unitOf(given)
  const figures = given.filter((figure) => figure.unit === unit && isOwn(figure))
  const kind = wanted === 'donut' && figures.some((figure) => (valueOf(figure) ?? 0) < 0) ? 'bar' : wanted
  const at = new Map(figures.map((figure) => [`${figure.row}@${figure.column}`, figure]))
  const all = distinct(figures.map(({ row, label }) => ({ key: row, label })))
  const rows = kind === 'donut' || kind === 'stacked_bar' ? withoutSums(all, figures) : all
  const columns = withoutTotal(distinct(figures.map(({ column, column_label }) => ({ key: column, label: column_label }))))
  const figureAt = (row: Place, column: Place) => at.get(`${row.key}@${column.key}`) ?? null
  const alongColumns = () => ({
    labels: columns.map(({ label }) => label), lying: false,
    lines: rows.map((row) => ({ name: row.label, figures: columns.map((column) => figureAt(row, column)) })),
  })
  const alongRows = (some = columns) => ({
    labels: rows.map(({ label }) => label), lying: kind === 'bar' && rows.some(({ label }) => label.length > LONG),
    lines: some.map((column) => ({ name: column.label, figures: rows.map((row) => figureAt(row, column)) })),
  })
  if (kind === 'donut') return { kind, unit, ...(rows.length === 1 && columns.length > 1 ? alongColumns() : alongRows(columns.slice(0, 1))) }
  const dated = columns.every(({ key }) => PERIOD.test(key))
  if (columns.length === 1 && !dated) return { kind, unit, ...alongRows() }
  const along = rows.length === 1 || kind === 'stacked_bar' || dated || columns.length > MOST_COLUMN_LINES
  return { kind, unit, ...(along ? alongColumns() : alongRows()) }
}

/** What something changed by is no column beside what it is. */
const isOwn = ({ column }: Figure): boolean => !column.includes(':variance')

function unitOf(figures: readonly Figure[]): Figure['unit'] {
  const valued = figures.filter((figure) => valueOf(figure) !== null)
  return (valued.find(({ unit }) => unit === 'currency') ?? valued[0] ?? figures[0])?.unit ?? 'currency'
}

export function distinct<Each extends Place>(places: readonly Each[]): Each[] {
  return [...new Map(places.toReversed().map((place) => [place.key, place])).values()].toReversed()
}

/** Nothing is counted twice in a whole. */
function withoutSums(rows: readonly Place[], figures: readonly Figure[]): Place[] {
  const sums = new Set(figures.filter(({ kind }) => kind === 'subtotal' || kind === 'total').map(({ row }) => row))
  const parts = rows.filter(({ key }) => !sums.has(key))
  return parts.length > 0 ? parts : [...rows]
}

/** Beside what it is the sum of, a total dwarfs everything. */
function withoutTotal(columns: readonly Place[]): Place[] {
  const others = columns.filter(({ key }) => key !== TOTAL && !key.startsWith(`${TOTAL}:`))
  return others.length > 0 ? others : [...columns]
}

const TOTAL = 'total'

const UNITS: Record<string, string> = { percent: '%', days: ' days', months: ' months' }

/** A value that is no money, as a chart writes it. */
export const shownIn = (unit: Figure['unit']) => (value: number): string =>
  `${value.toLocaleString(undefined, { maximumFractionDigits: 2 })}${UNITS[unit] ?? ''}`
