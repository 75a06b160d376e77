// What a widget may ask and where it may stand, without I/O.
//
//   newWidget, changedWidget     what was written, made whole
//   requirePlaceInGrid           it ends within the grid
//   requireLayout                places for all widgets, and for no other
//   widgetBinding                the question that a widget asks of the reports
//   queryProblem                 a problem of that question, at its place in the body
import { changed } from '../../foundation/database/rows.ts'
import { invalid, unprocessable, type Problem } from '../../foundation/refusal.ts'
import type { Binding } from '../bindings/contract.ts'
import { FILTER_NAMES } from '../metrics/contract.ts'
import { metricOf } from '../metrics/rules.ts'
import { AGING } from '../report-reading/operations.ts'
import {
  GRID_COLUMNS, MOST_WIDGETS, type Widget, type WidgetChange, type WidgetInput, type WidgetKind, type WidgetPlace, type WidgetQuery, type WidgetQueryInput,
  type WidgetRow,
} from './contract.ts'

const SIZES: Record<WidgetKind, { w: number; h: number }> = {
  metric: { w: 3, h: 4 }, line: { w: 6, h: 6 }, bar: { w: 6, h: 6 }, table: { w: 6, h: 6 }, aging: { w: 12, h: 6 }, text: { w: 12, h: 3 },
}

export const AGED = 'receivable'
const AGING_TITLE = 'Receivables by age'

type Loc = Problem['loc']

/** `place`: where the widget stands in the body; `bottom`: the first row that is free. */
export function newWidget(input: WidgetInput, { id, dashboard_id, business_id, now, place, bottom }: {
  id: string; dashboard_id: string; business_id: string; now: string; place: Loc; bottom: number
}): WidgetRow {
  const { kind } = input
  const query = queryFor(kind, input.query, place)
  const size = SIZES[kind]
  const w = input.w ?? Math.min(size.w, GRID_COLUMNS - (input.x ?? 0))
  return requireWhole({
    id, business_id, dashboard_id, kind, title: input.title ?? titleOf(kind, query), query, text: input.text ?? null,
    x: input.x ?? 0, y: input.y ?? bottom, w, h: input.h ?? size.h, created_at: now, updated_at: now, version: 1,
  }, place)
}

/** What only the old kind had goes with it. */
export function changedWidget(widget: WidgetRow, input: WidgetChange, now: string): WidgetRow {
  const kind = input.kind ?? widget.kind
  const kept = kind === widget.kind || (kind !== 'text' && widget.kind !== 'text') ? { query: widget.query, text: widget.text } : { query: null, text: null }
  const query = queryFor(kind, input.query === undefined ? kept.query : input.query, ['body'])
  const { title, x, y, w, h } = input
  const fields = Object.fromEntries(Object.entries({ title, x, y, w, h }).filter(([, value]) => value !== undefined))
  return requireWhole(changed(widget, { ...fields, kind, query, text: input.text === undefined ? kept.text : input.text }, now), ['body'])
}

function queryFor(kind: WidgetKind, given: WidgetQueryInput | WidgetQuery | null | undefined, place: Loc): WidgetQuery | null {
  if (kind === 'text') {
    if (given) throw unprocessable([{ loc: [...place, 'query'], msg: 'A text asks nothing of the books: leave the query out.', type: 'value_error' }])
    return null
  }
  const missing: Problem = { loc: [...place, 'query'], msg: `A widget of the kind ${kind} needs a query with a metric.`, type: 'missing' }
  if (!given && kind !== 'aging') throw unprocessable([missing])
  const { metric = AGED, group_by = null, period = null, compare = null, top = null, filters = {} } = given ?? {}
  return { metric, group_by, period, compare, top, filters: withoutNothing(filters) }
}

function withoutNothing(filters: WidgetQuery['filters']): WidgetQuery['filters'] {
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== null && value !== undefined && value.length > 0))
}

const titleOf = (kind: WidgetKind, query: WidgetQuery | null): string => (
  kind === 'text' ? 'Text' : kind === 'aging' ? AGING_TITLE : (metricOf(query?.metric ?? '')?.title ?? 'Figures'))

function requireWhole(widget: WidgetRow, place: Loc): WidgetRow {
  const { kind, query, text } = widget
  const problem = (name: string, msg: string, type: Problem['type'] = 'value_error') => unprocessable([{ loc: [...place, name], msg, type }])
  if (kind === 'text' && text === null) throw problem('text', 'A text needs its words.', 'missing')
  if (kind !== 'text' && text !== null) throw problem('text', `Only a text has words of its own, not a widget of the kind ${kind}.`)
  if (kind === 'aging' && query?.metric !== AGED) throw problem('query', `By age there are receivables only: take the metric ${AGED}.`)
  const split = query?.group_by ?? query?.compare ?? null
  if (kind === 'aging' && split !== null) throw problem('query', 'The receivables by age take neither group_by nor compare.')
  return widget
}

export function requirePlaceInGrid({ x, w, title }: Pick<Widget, 'x' | 'w' | 'title'>): void {
  if (x + w <= GRID_COLUMNS) return
  throw invalid(`${title} would reach beyond the ${GRID_COLUMNS} columns of the grid: x and w together are at most ${GRID_COLUMNS}.`)
}

export function requireRoom(count: number): void {
  if (count > MOST_WIDGETS) throw invalid(`A dashboard has at most ${MOST_WIDGETS} widgets: remove one first, or make another dashboard.`)
}

/** The first row below all widgets. */
export const bottomOf = (widgets: readonly Pick<Widget, 'y' | 'h'>[]): number => Math.min(1000, Math.max(0, ...widgets.map(({ y, h }) => y + h)))

export function requireLayout(places: readonly WidgetPlace[], widgets: readonly Widget[]): void {
  const given = new Set(places.map(({ id }) => id))
  const known = new Map(widgets.map((widget) => [widget.id, widget]))
  const foreign = places.find(({ id }) => !known.has(id))
  if (foreign) throw invalid(`${foreign.id} is no widget of this dashboard.`)
  const missing = widgets.find(({ id }) => !given.has(id))
  if (missing) throw invalid(`The widget ${missing.title} (${missing.id}) is missing: give the places of all widgets.`)
  if (given.size < places.length) throw invalid('A widget is given two places: name each once.')
  for (const { id, ...place } of places) requirePlaceInGrid({ ...place, title: known.get(id)?.title ?? id })
}

/** Only what the widget itself says; dates come from whoever asks. */
export function widgetBinding({ kind, query }: Pick<Widget, 'kind' | 'query'>): Binding | null {
  if (kind === 'text' || query === null) return null
  const { metric, compare, top, filters } = query
  const params = (given: object): Record<string, unknown> => (
    Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null && value !== undefined)))
  if (kind === 'aging') return { report: AGING, params: params({ ...filters, top }) }
  return { metric, params: params({ group_by: query.group_by ?? groupingFor(kind, metric), compare, top, ...filters }) }
}

/** A line of one point is none. */
function groupingFor(kind: WidgetKind, metric: string): string | null {
  const groups: readonly string[] = metricOf(metric)?.group_by ?? []
  return (kind === 'line' || kind === 'bar') && groups.includes('month') ? 'month' : null
}

/** Parameters of a binding stand in the query of a widget, filters in its filters. */
export function queryProblem({ loc, ...problem }: Problem, place: Loc): Problem {
  const [first, name] = loc.slice(place.length)
  if (first !== 'params' || name === undefined) return { ...problem, loc: [...place, 'query', ...loc.slice(place.length)] }
  return { ...problem, loc: [...place, 'query', ...((FILTER_NAMES as readonly unknown[]).includes(name) ? ['filters'] : []), name] }
}
