// The feed: what the caller is told, over all businesses or in one.
import type { Static } from 'typebox'
import { endpointsOf, listQuery, pageOf } from '../../foundation/endpoint.ts'
import { boolean, id, integer, list, oneOf, optional, shape } from '../../foundation/shapes.ts'
import { Notification, SCOPES, severity, SEVERITIES, STATUSES, topic, TOPICS } from '../notification-kinds/contract.ts'

export const scopeQuery = {
  scope: optional(oneOf(SCOPES, { default: 'me', description: 'me: all that reaches the caller; business, firm: all there that the caller may read.' })),
  scope_id: optional(id({ description: 'Needed where scope is business or firm.' })),
}

export const FeedQuery = listQuery(['created_at'], {
  ...scopeQuery,
  status: optional(list(oneOf(STATUSES), { description: 'One or more; shows what it names, also where it is over or snoozed.' })),
  topic: optional(list(topic, { description: 'One or more.' })),
  severity: optional(list(severity, { description: 'One or more.' })),
  include_terminal: optional(boolean({ default: false, description: 'Also resolved and dismissed ones.' })),
  include_snoozed: optional(boolean({ default: false, description: 'Also those whose snooze is still running.' })),
  include_live: optional(boolean({ default: false, description: 'Also live alerts of the business: that of the scope, or live_business_id.' })),
  live_business_id: optional(id({ description: 'With scope=me: the business whose live alerts are merged in. Ignored with scope=business.' })),
})
export type FeedQuery = Static<typeof FeedQuery>

const counted = <const Names extends readonly string[]>(names: Names) =>
  Object.fromEntries(names.map((name) => [name, integer(0)])) as Record<Names[number], ReturnType<typeof integer>>

export const NotificationCounts = shape('NotificationCounts', {
  unread: integer(0),
  by_severity: shape('NotificationCountsBySeverity', counted(SEVERITIES)),
  by_topic: shape('NotificationCountsByTopic', counted(TOPICS)),
})

const endpoint = endpointsOf('notifications', 'user')
export const notificationParams = shape('NotificationParams', { notification_id: id() })

export const listNotifications = endpoint({
  id: 'list_notifications', method: 'GET', path: '', summary: 'List notifications',
  description: 'Pinned ones first, the latest pinned at the top, then the newest. Resolved and dismissed ones and running snoozes are left out unless asked '
    + 'for. A walk from page to page keeps to the pins of its beginning. descending=false turns the order of those that are not pinned. '
    + 'A scope without scope_id is a 422; a scope or live_business_id that the caller is not part of, a 403.',
  query: FeedQuery,
  reply: pageOf(Notification),
  refusals: ['The cursor is broken, or of other filters.'],
})

export const countNotifications = endpoint({
  id: 'count_notifications', method: 'GET', path: '/counts', summary: 'Count unread notifications by severity and topic',
  query: shape('NotificationCountsQuery', scopeQuery),
  reply: NotificationCounts,
})

export const streamNotifications = endpoint({
  id: 'stream_notifications', method: 'GET', path: '/stream', summary: 'Follow new and changed notifications',
  description: 'Server-sent events: `notification.created` and `notification.changed`, each with the notification as GET shows it. `Last-Event-ID` resumes.',
  reply: Notification,
})

export const getNotification = endpoint({
  id: 'get_notification', method: 'GET', path: '/{notification_id}', summary: 'Get a notification', live: true,
  description: 'Does not mark it read. A live alert is there as long as its cause.',
  params: notificationParams,
  reply: Notification,
})
