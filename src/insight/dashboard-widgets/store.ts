// The SQL of widgets. They are read in the order in which one reads the dashboard.
import { deletion, insertions, selectionById, updating, updatings } from '../../foundation/database/rows.ts'
import { columns, statement } from '../../foundation/database/statement.ts'
import { WidgetRow } from './contract.ts'

export const insertWidgets = insertions('dashboard_widgets', WidgetRow)
export const updateWidget = updating('dashboard_widgets', 'kind', 'title', 'query', 'text', 'x', 'y', 'w', 'h')
export const placeWidgets = updatings('dashboard_widgets', ['x', 'y', 'w', 'h', 'updated_at', 'version'])
export const deleteWidget = deletion('dashboard_widgets')
export const lockWidget = selectionById('dashboard_widgets', WidgetRow, true)

export const widgetsOf = statement(WidgetRow,
  `select ${columns(WidgetRow)} from dashboard_widgets where business_id = :business_id and dashboard_id = :dashboard_id order by y, x, id`)
