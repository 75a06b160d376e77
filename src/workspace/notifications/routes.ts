// The feed over HTTP: contract → operation. The live alerts are given by the rooms above.
import { on, type Route } from '../../foundation/endpoint.ts'
import type { LiveAlert } from '../live-alerts/contract.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export function notificationRoutes(alerts: readonly LiveAlert[]): Route[] {
  return [
    on(contract.listNotifications, (tx, { query }) => operations.listNotifications(tx, query, alerts)),
    on(contract.countNotifications, (tx, { query }) => operations.countNotifications(tx, query)),
    on(contract.streamNotifications, (tx) => operations.streamNotifications(tx)),
    on(contract.getNotification, (tx, { params }) => operations.getNotification(tx, params.notification_id, alerts)),
  ]
}
