// What can be done with dashboards. How their widgets are changed is in dashboard-editing, what they show in dashboard-figures.
//
//   readBoard(tx, id)                 one that the caller sees, with its widgets
//   openBoard(tx, id)                 the same through a public link, whoever has it
//   holdBoard(tx, id)                 for update, by somebody who may change it
//   touchBoard(tx, board, change)     tells that its widgets have changed
import type { Page, PageQuery } from '../../foundation/database/list.ts'
import { changed } from '../../foundation/database/rows.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { canonicalJson } from '../../foundation/canonical.ts'
import { newId } from '../../foundation/ids.ts'
import type { Widget } from '../dashboard-widgets/contract.ts'
import { checkQueries, insertWidgets, requireFilters, shownWidget, widgetsOf } from '../dashboard-widgets/operations.ts'
import { bottomOf, newWidget, requirePlaceInGrid, requireRoom } from '../dashboard-widgets/rules.ts'
import { endShares } from '../shares/operations.ts'
import { dashboardResource, type BoardCopy, type BoardInput, type BoardRow, type BoardSummary, type BoardUpdate, type Dashboard } from './contract.ts'
import {
  builtInBoard, builtInCursor, builtInsFor, builtInSummary, DEFAULT_FILTERS, FIRST_DEFAULT, placeOfCursor, requireComparison, requireEditor, requireOwn,
  requirePublisher, toldBoard, type ListFilters,
} from './rules.ts'
import * as store from './store.ts'

type Query = PageQuery & ListFilters

/** The built-in ones come first whichever way the others are sorted: pages run through them, and then on through the table. */
export async function listDashboards(tx: BusinessTx, query: Query): Promise<Page<BoardSummary>> {
  const { cursor, ...anew } = query
  const [limit, back] = [query.limit ?? 50, query.direction === 'prev']
  const place = cursor !== undefined ? placeOfCursor(cursor, tx.business_id, query) : back ? null : 0
  const chosen = await defaultOf(tx)
  const first = builtInsFor(query).map((board): BoardSummary => ({ ...builtInSummary(board, tx.business_id), is_default: board.id === chosen, as_of: tx.now }))
  const pointer = (at: number) => builtInCursor(at, tx.business_id, query)
  const table = async (asked: PageQuery): Promise<Page<BoardSummary>> => {
    const page = await tx.page(store.boards, asked)
    const total = page.total === null ? null : page.total + first.length
    return { ...page, limit, total, items: page.items.map((row): BoardSummary => ({ ...row, built_in: null, as_of: tx.now })) }
  }
  if (place === null) {
    const page = await table(query)
    if (!back || page.has_prev) return page.has_prev || first.length === 0 ? page : { ...page, has_prev: true, prev_cursor: pointer(first.length) }
    // Back at the beginning of the table: what room is left is for the last of the built-in ones.
    const left = Math.max(0, first.length - (limit - page.items.length))
    const next = page.items.length === 0 && cursor !== undefined && first.length > 0 ? { has_next: true, next_cursor: pointer(first.length) } : {}
    return { ...page, ...next, items: [...first.slice(left), ...page.items], has_prev: left > 0, prev_cursor: left > 0 ? pointer(left) : null }
  }
  const [from, to] = back ? [Math.max(0, place - limit), place] : [place, place + limit]
  const items = first.slice(from, to)
  const rest = await table({ ...anew, direction: 'next', limit: Math.max(1, limit - items.length) })
  const prev = { has_prev: from > 0, prev_cursor: from > 0 ? pointer(from) : null }
  const full = back || items.length === limit
  if (!full) return { ...rest, ...prev, items: [...items, ...rest.items] }
  const has_next = to < first.length || rest.items.length > 0
  return { items, limit, total: rest.total, ...prev, has_next, next_cursor: has_next ? pointer(to) : null }
}

async function defaultOf(tx: BusinessTx): Promise<string> {
  return (await tx.find(store.defaultOf))?.dashboard_id ?? FIRST_DEFAULT
}

export async function getDashboard(tx: BusinessTx, dashboard_id: string): Promise<Dashboard> {
  const [board, chosen] = await Promise.all([readBoard(tx, dashboard_id), defaultOf(tx)])
  return { ...board, is_default: board.id === chosen }
}

export type Board = Omit<Dashboard, 'is_default'>

export async function readBoard(tx: BusinessTx, dashboard_id: string): Promise<Board> {
  return builtIn(tx, dashboard_id) ?? withWidgets(tx, await tx.get(store.findBoard, { id: dashboard_id }, 'Dashboard'))
}

export async function openBoard(tx: BusinessTx, dashboard_id: string): Promise<Board> {
  return builtIn(tx, dashboard_id) ?? withWidgets(tx, await tx.get(store.findAnyBoard, { id: dashboard_id }, 'Dashboard'))
}

/** The same, kept until the transaction ends: for a link that is made of it meanwhile. */
export async function keepBoard(tx: BusinessTx, dashboard_id: string): Promise<Board> {
  return builtIn(tx, dashboard_id) ?? withWidgets(tx, await tx.get(store.lockBoard, { id: dashboard_id }, 'Dashboard'))
}

function builtIn(tx: BusinessTx, dashboard_id: string): Board | null {
  const board = builtInBoard(dashboard_id)
  return board && { ...builtInSummary(board, tx.business_id), as_of: tx.now, widgets: board.widgets }
}

async function withWidgets(tx: BusinessTx, row: BoardRow): Promise<Board> {
  return { ...row, built_in: null, as_of: tx.now, widgets: (await widgetsOf(tx, row.id)).map(shownWidget) }
}

export async function createDashboard(tx: BusinessTx, input: BoardInput): Promise<Dashboard> {
  const visibility = input.visibility ?? 'private'
  requirePublisher(tx.actor, visibility)
  const id = newId()
  const given = input.widgets ?? []
  const at = { dashboard_id: id, business_id: tx.business_id, now: tx.now }
  const rows = given.map((widget, index) => newWidget(widget, { ...at, id: newId(), place: ['body', 'widgets', index], bottom: 0 }))
  await checkQueries(tx, rows, (index) => ['body', 'widgets', index])
  const filters = { ...DEFAULT_FILTERS, ...input.filters }
  await requireFilters(tx, [{ dimension_value_id: filters.dimension }])
  requireComparison(filters)
  requireRoom(rows.length)
  rows.forEach(requirePlaceInGrid)
  // Those that have no place stand below the ones before them.
  for (const [index, row] of rows.entries()) if (given[index]?.y === undefined) row.y = bottomOf(rows.slice(0, index))
  const stamps = { business_id: tx.business_id, created_at: tx.now, updated_at: tx.now, version: 1 }
  return insert(tx, { id, ...stamps, name: input.name, visibility, filters, owner_id: tx.user_id }, rows)
}

async function insert(tx: BusinessTx, row: BoardRow, widgets: Parameters<typeof insertWidgets>[1]): Promise<Dashboard> {
  tx.queue(store.insertBoard, row)
  insertWidgets(tx, widgets)
  const shown = widgets.map(shownWidget)
  tx.record(dashboardResource, 'dashboard.created', { before: null, after: toldBoard(row, shown) })
  return { ...row, built_in: null, is_default: false, as_of: tx.now, widgets: shown.toSorted((a, b) => a.y - b.y || a.x - b.x || (a.id < b.id ? -1 : 1)) }
}

export async function duplicateDashboard(tx: BusinessTx, dashboard_id: string, input: BoardCopy): Promise<Dashboard> {
  const { name, filters, widgets } = await readBoard(tx, dashboard_id)
  const id = newId()
  const stamps = { business_id: tx.business_id, created_at: tx.now, updated_at: tx.now, version: 1 }
  const copy: BoardRow = { id, ...stamps, name: input.name ?? `Copy of ${name}`.slice(0, 200), visibility: 'private', filters, owner_id: tx.user_id }
  return insert(tx, copy, widgets.map((widget) => ({ ...widget, ...stamps, id: newId(), dashboard_id: id })))
}

/** For a request that changes the board itself: If-Match is held against its version. */
async function lockBoard(tx: BusinessTx, dashboard_id: string): Promise<BoardRow> {
  requireOwn(dashboard_id)
  const board = await tx.lock(store.lockBoard, { id: dashboard_id }, 'Dashboard')
  requireEditor(board, tx.actor)
  return board
}

/** `version`: If-Match is held against that of the board; where one of its widgets is changed, it is meant for that one. */
export async function holdBoard(tx: BusinessTx, dashboard_id: string, { version }: { version: boolean }): Promise<BoardRow> {
  if (version) return lockBoard(tx, dashboard_id)
  requireOwn(dashboard_id)
  const board = await tx.get(store.lockBoard, { id: dashboard_id }, 'Dashboard')
  requireEditor(board, tx.actor)
  return board
}

export async function updateDashboard(tx: BusinessTx, dashboard_id: string, input: BoardUpdate): Promise<Dashboard> {
  const board = await lockBoard(tx, dashboard_id)
  const filters = { ...board.filters, ...input.filters }
  const { name = board.name, visibility = board.visibility } = input
  requirePublisher(tx.actor, visibility)
  await requireFilters(tx, [{ dimension_value_id: input.filters?.dimension ?? [] }])
  requireComparison(filters)
  const wanted = { name, visibility, filters }
  const widgets = (await widgetsOf(tx, dashboard_id)).map(shownWidget)
  const same = canonicalJson(wanted) === canonicalJson({ name: board.name, visibility: board.visibility, filters: board.filters })
  const after = same ? board : changed(board, wanted, tx.now)
  if (!same) {
    tx.queue(store.updateBoard, after)
    tx.record(dashboardResource, 'dashboard.updated', { before: toldBoard(board, widgets), after: toldBoard(after, widgets) })
    // Others do not see it any more.
    if (visibility === 'private') tx.queue(store.forgetDefaults, { dashboard_id, kept: board.owner_id })
  }
  return { ...after, built_in: null, is_default: dashboard_id === (await defaultOf(tx)), as_of: tx.now, widgets }
}

export async function deleteDashboard(tx: BusinessTx, dashboard_id: string): Promise<Dashboard> {
  const board = await lockBoard(tx, dashboard_id)
  const [widgets, chosen] = await Promise.all([widgetsOf(tx, dashboard_id), defaultOf(tx)])
  await endShares(tx, { type: 'dashboard', id: dashboard_id })
  tx.queue(store.forgetDefaults, { dashboard_id, kept: null })
  tx.queue(store.deleteBoard, { id: dashboard_id })
  const shown = widgets.map(shownWidget)
  tx.record(dashboardResource, 'dashboard.deleted', { before: toldBoard(board, shown), after: null })
  return { ...board, built_in: null, is_default: dashboard_id === chosen, as_of: tx.now, widgets: shown }
}

/** What somebody sees first is their own matter: it leaves no event. */
export async function setDefault(tx: BusinessTx, dashboard_id: string): Promise<Dashboard> {
  const board = await keepBoard(tx, dashboard_id)
  tx.checkMatch(board.version)
  tx.queue(store.setDefault, { dashboard_id: board.id })
  return { ...board, is_default: true }
}

/** `layout`: all places were given anew, which counts as a change of the board itself. */
type WidgetsChanged = { before: readonly Widget[]; after: readonly Widget[]; layout?: boolean }

export function touchBoard(tx: BusinessTx, board: BoardRow, { before, after, layout = false }: WidgetsChanged): BoardRow {
  const touched = layout ? changed(board, {}, tx.now) : { ...board, updated_at: tx.now }
  if (layout) tx.queue(store.updateBoard, touched)
  else tx.queue(store.touchBoard, { id: board.id })
  tx.record(dashboardResource, 'dashboard.updated', { before: toldBoard(board, before), after: toldBoard(touched, after) })
  return touched
}
