// What can be done with the widgets of a dashboard. Each takes the board first, so that all are counted and placed whoever comes at the same time.
import { canonicalJson } from '../../foundation/canonical.ts'
import { changed } from '../../foundation/database/rows.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import type { Layout, Widget, WidgetChange, WidgetInput, WidgetRow } from '../dashboard-widgets/contract.ts'
import * as widgets from '../dashboard-widgets/operations.ts'
import { bottomOf, changedWidget, newWidget, requireLayout, requirePlaceInGrid, requireRoom } from '../dashboard-widgets/rules.ts'
import type { Dashboard } from '../dashboards/contract.ts'
import { getDashboard, holdBoard, touchBoard } from '../dashboards/operations.ts'

const { shownWidget } = widgets

export async function addWidget(tx: BusinessTx, dashboard_id: string, input: WidgetInput): Promise<Widget> {
  const given = newWidget(input, { id: newId(), dashboard_id, business_id: tx.business_id, now: tx.now, place: ['body'], bottom: 0 })
  await widgets.checkQueries(tx, [given], () => ['body'])
  const board = await holdBoard(tx, dashboard_id, { version: false })
  const before = (await widgets.widgetsOf(tx, board.id)).map(shownWidget)
  requireRoom(before.length + 1)
  requirePlaceInGrid(given)
  const widget: WidgetRow = { ...given, dashboard_id: board.id, y: input.y ?? bottomOf(before) }
  widgets.insertWidgets(tx, [widget])
  touchBoard(tx, board, { before, after: [...before, shownWidget(widget)] })
  return shownWidget(widget)
}

export async function updateWidget(tx: BusinessTx, dashboard_id: string, widget_id: string, input: WidgetChange): Promise<Widget> {
  const board = await holdBoard(tx, dashboard_id, { version: false })
  const widget = await widgets.holdWidget(tx, board.id, widget_id)
  const after = changedWidget(widget, input, tx.now)
  if (input.query !== undefined || input.kind !== undefined) await widgets.checkQueries(tx, [after], () => ['body'])
  requirePlaceInGrid(after)
  if (canonicalJson(after) === canonicalJson({ ...widget, updated_at: after.updated_at, version: after.version })) return shownWidget(widget)
  const all = (await widgets.widgetsOf(tx, board.id)).map(shownWidget)
  widgets.saveWidget(tx, after)
  touchBoard(tx, board, { before: all, after: all.map((each) => (each.id === widget.id ? shownWidget(after) : each)) })
  return shownWidget(after)
}

export async function removeWidget(tx: BusinessTx, dashboard_id: string, widget_id: string): Promise<Widget> {
  const board = await holdBoard(tx, dashboard_id, { version: false })
  const widget = await widgets.holdWidget(tx, board.id, widget_id)
  const before = (await widgets.widgetsOf(tx, board.id)).map(shownWidget)
  widgets.removeWidget(tx, widget)
  touchBoard(tx, board, { before, after: before.filter(({ id }) => id !== widget.id) })
  return shownWidget(widget)
}

/** Only those that move are changed, so that nobody who works on another is told that it is not what it was. */
export async function setLayout(tx: BusinessTx, dashboard_id: string, layout: Layout): Promise<Dashboard> {
  const board = await holdBoard(tx, dashboard_id, { version: true })
  const rows = await widgets.widgetsOf(tx, board.id)
  const before = rows.map(shownWidget)
  const places = layout.widgets.map((place) => ({ ...place, id: place.id.toLowerCase() }))
  requireLayout(places, before)
  const placeOf = new Map(places.map((place) => [place.id, place]))
  const moved = rows.flatMap((row) => {
    const { x, y, w, h } = placeOf.get(row.id) ?? row
    return x === row.x && y === row.y && w === row.w && h === row.h ? [] : [changed(row, { x, y, w, h }, tx.now)]
  })
  if (moved.length === 0) return getDashboard(tx, board.id)
  widgets.placeWidgets(tx, moved)
  const byId = new Map(moved.map((row) => [row.id, shownWidget(row)]))
  touchBoard(tx, board, { before, after: before.map((widget) => byId.get(widget.id) ?? widget), layout: true })
  return getDashboard(tx, board.id)
}
