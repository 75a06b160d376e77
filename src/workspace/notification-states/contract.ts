// What a recipient does with a notification: read, pin, snooze and dismiss are their own; resolve is for everybody.
import type { Static } from 'typebox'
import { BulkResult } from '../../foundation/bulk.ts'
import { endpointsOf } from '../../foundation/endpoint.ts'
import { boolean, id, integer, list, oneOf, optional, shape, timestamp } from '../../foundation/shapes.ts'
import { Notification, topic } from '../notification-kinds/contract.ts'
import { notificationParams as params, scopeQuery } from '../notifications/contract.ts'

export const NotificationPin = shape('NotificationPin', { pinned: boolean() })
export const NotificationSnooze = shape('NotificationSnooze', { until: timestamp({ description: 'In the future, at most a year away.' }) })

export const MarkAllRead = shape('NotificationMarkAllRead', {
  ...scopeQuery,
  topic: optional(list(topic, { maxItems: 18 })),
  before: optional(timestamp({ description: 'Newer ones are left alone; default: now.' })),
})
export type MarkAllRead = Static<typeof MarkAllRead>

export const ACTIONS = ['read', 'unread', 'dismiss', 'snooze'] as const
export const NotificationBulk = shape('NotificationBulk', {
  ids: list(id(), { minItems: 1, maxItems: 500 }),
  action: oneOf(ACTIONS),
  until: optional(timestamp({ description: 'For snooze.' })),
  atomic: optional(boolean({ default: false, description: 'True: one error, and nothing is changed.' })),
})
export type NotificationBulk = Static<typeof NotificationBulk>

const endpoint = endpointsOf('notifications', 'user')
const over = 'It is resolved or dismissed: reopen it first.'
const asleep = 'It is snoozed: unsnooze it first.'

export const pinNotification = endpoint({
  id: 'pin_notification', method: 'PUT', path: '/{notification_id}/pin', summary: 'Pin or unpin a notification',
  description: 'Whatever its status. Pinned again it keeps its place. A live alert cannot be pinned: 404.',
  params,
  body: NotificationPin,
  reply: Notification,
  example: { pinned: true },
})

export const readNotification = endpoint({
  id: 'read_notification', method: 'PUT', path: '/{notification_id}/read',
  summary: 'Mark a notification read', params, reply: Notification, refusals: [over, asleep],
})

export const unreadNotification = endpoint({
  id: 'unread_notification', method: 'PUT', path: '/{notification_id}/unread',
  summary: 'Mark a notification unread', params, reply: Notification, refusals: [over, asleep],
})

export const snoozeNotification = endpoint({
  id: 'snooze_notification', method: 'PUT', path: '/{notification_id}/snooze', summary: 'Snooze a notification',
  description: 'It is out of the feed until then and comes back unread.',
  params,
  body: NotificationSnooze,
  reply: Notification,
  refusals: ['until is not in the future, or more than a year away.', over],
})

export const unsnoozeNotification = endpoint({
  id: 'unsnooze_notification', method: 'PUT', path: '/{notification_id}/unsnooze', summary: 'End the snooze of a notification', params, reply: Notification,
  refusals: ['It is read, resolved or dismissed.'],
})

export const dismissNotification = endpoint({
  id: 'dismiss_notification', method: 'PUT', path: '/{notification_id}/dismiss', summary: 'Dismiss a notification', description: 'For the caller alone.',
  params, reply: Notification,
})

export const resolveNotification = endpoint({
  id: 'resolve_notification', method: 'PUT', path: '/{notification_id}/resolve', summary: 'Resolve a notification',
  description: 'For everybody who was told. Needs the right to write in the group of its topic.',
  params, reply: Notification,
})

export const reopenNotification = endpoint({
  id: 'reopen_notification', method: 'PUT', path: '/{notification_id}/reopen', summary: 'Reopen a notification',
  description: 'A dismissed one comes back unread for the caller; a resolved one for everybody, which needs the same right as to resolve it.',
  params, reply: Notification,
  refusals: ['It is read or snoozed.'],
})

export const markAllRead = endpoint({
  id: 'mark_all_notifications_read', method: 'POST', path: '/mark-all-read', summary: 'Mark all notifications read',
  body: MarkAllRead,
  reply: shape('NotificationsMarked', { count: integer(0) }),
  example: {},
})

export const bulkNotifications = endpoint({
  id: 'bulk_notifications', method: 'POST', path: '/bulk', summary: 'Read, unread, dismiss or snooze many notifications',
  description: 'A result for each. snooze without until is a 422.',
  body: NotificationBulk,
  reply: BulkResult,
  refusals: ['until is not in the future, or more than a year away.', 'atomic, and one of them cannot be changed so.'],
})
