// What recipients do, over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const notificationStateRoutes = [
  on(contract.pinNotification, (tx, { params, body }) => operations.pinNotification(tx, params.notification_id, body.pinned)),
  on(contract.readNotification, (tx, { params }) => operations.readNotification(tx, params.notification_id)),
  on(contract.unreadNotification, (tx, { params }) => operations.unreadNotification(tx, params.notification_id)),
  on(contract.snoozeNotification, (tx, { params, body }) => operations.snoozeNotification(tx, params.notification_id, body.until)),
  on(contract.unsnoozeNotification, (tx, { params }) => operations.unsnoozeNotification(tx, params.notification_id)),
  on(contract.dismissNotification, (tx, { params }) => operations.dismissNotification(tx, params.notification_id)),
  on(contract.resolveNotification, (tx, { params }) => operations.resolveNotification(tx, params.notification_id)),
  on(contract.reopenNotification, (tx, { params }) => operations.reopenNotification(tx, params.notification_id)),
  on(contract.markAllRead, (tx, { body }) => operations.markAllRead(tx, body)),
  on(contract.bulkNotifications, (tx, { body }) => operations.bulkNotifications(tx, body)),
]
