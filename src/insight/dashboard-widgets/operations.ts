// Widgets as rows: read in their order, written one by one or all at once. Who may do so is decided above.
//
//   widgetsOf(tx, dashboard_id)            all of a dashboard
//   holdWidget(tx, dashboard_id, id)       one, for update; If-Match is held against its version
//   insertWidgets, saveWidget, placeWidgets, removeWidget     writes that travel with the commit
//   checkQueries(tx, widgets, placeOf)     422 where a question cannot be asked, 404 where it names what is not there
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { requireRecords } from '../../foundation/records.ts'
import { notFound, Refusal, unprocessable, type Problem } from '../../foundation/refusal.ts'
import { resources } from '../../foundation/resource.ts'
import type { Filters } from '../bindings/contract.ts'
import { checkBindings } from '../bindings/operations.ts'
import type { Widget, WidgetRow } from './contract.ts'
import { queryProblem, widgetBinding } from './rules.ts'
import * as store from './store.ts'

export function widgetsOf(tx: BusinessTx, dashboard_id: string): Promise<WidgetRow[]> {
  return tx.many(store.widgetsOf, { dashboard_id })
}

export async function holdWidget(tx: BusinessTx, dashboard_id: string, widget_id: string): Promise<WidgetRow> {
  const widget = await tx.find(store.lockWidget, { id: widget_id })
  if (widget?.dashboard_id !== dashboard_id) throw notFound('Widget')
  tx.checkMatch(widget.version)
  return widget
}

export function insertWidgets(tx: BusinessTx, widgets: readonly WidgetRow[]): void {
  if (widgets.length > 0) tx.queue(store.insertWidgets, { rows: JSON.stringify(widgets) })
}

export function saveWidget(tx: BusinessTx, widget: WidgetRow): void {
  tx.queue(store.updateWidget, widget)
}

export function placeWidgets(tx: BusinessTx, widgets: readonly WidgetRow[]): void {
  if (widgets.length > 0) tx.queue(store.placeWidgets, { rows: JSON.stringify(widgets) })
}

export function removeWidget(tx: BusinessTx, widget: WidgetRow): void {
  tx.queue(store.deleteWidget, widget)
}

export function shownWidget({ business_id: _business, ...widget }: WidgetRow): Widget {
  return widget
}

/** `placeOf`: where the widget stands in the body. */
export async function checkQueries(tx: BusinessTx, widgets: readonly Widget[], placeOf: (index: number) => Problem['loc']): Promise<void> {
  const asked = widgets.flatMap((widget, index) => {
    const binding = widgetBinding(widget)
    return binding ? [{ binding, place: placeOf(index), filters: widget.query?.filters ?? {} }] : []
  })
  const problems = await Promise.all(asked.map(async ({ binding, place }) => {
    const found = await checkBindings(tx, [binding], () => place).then(() => [], problemsIn)
    return found.map((problem) => queryProblem(problem, place))
  }))
  if (problems.some((each) => each.length > 0)) throw unprocessable(problems.flat())
  await requireFilters(tx, asked.map(({ filters }) => filters))
}

function problemsIn(error: unknown): Problem[] {
  if (error instanceof Refusal && error.problems) return error.problems
  throw error
}

/** What is not there cannot be filtered by. Kinds that the service does not know are left to the books. */
export async function requireFilters(tx: BusinessTx, filters: readonly Filters[]): Promise<void> {
  const wanted = {
    customer: filters.flatMap(({ customer_id }) => customer_id ?? []),
    vendor: filters.flatMap(({ vendor_id }) => vendor_id ?? []),
    project: filters.flatMap(({ project_id }) => project_id ?? []),
    dimension_value: filters.flatMap(({ dimension_value_id }) => dimension_value_id ?? []),
  }
  for (const [type, ids] of Object.entries(wanted)) if (ids.length > 0 && resources.has(type)) await requireRecords(tx, type, [...new Set(ids)])
}
