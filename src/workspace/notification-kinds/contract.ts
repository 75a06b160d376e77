// What a notification is: its topics, severities and states, how it is kept and how it is shown.
import { Type, type Static } from 'typebox'
import type { Permission } from '../../foundation/permission.ts'
import { resource } from '../../foundation/resource.ts'
import { boolean, id, integer, nullable, oneOf, record, shape, timestamp } from '../../foundation/shapes.ts'

export const TOPICS = [
  'invoice', 'bill', 'payment', 'bank', 'reconciliation', 'period', 'approval', 'inventory', 'document_request', 'client_message', 'task', 'report',
  'anomaly', 'cash', 'billing', 'security', 'integration', 'system',
] as const
export type Topic = (typeof TOPICS)[number]

/** From the least to the most urgent. */
export const SEVERITIES = ['info', 'warning', 'critical'] as const
export type Severity = (typeof SEVERITIES)[number]

export const STATUSES = ['unread', 'read', 'snoozed', 'resolved', 'dismissed'] as const
export type Status = (typeof STATUSES)[number]
export const TERMINAL: readonly Status[] = ['resolved', 'dismissed']

export const SCOPES = ['me', 'business', 'firm'] as const

/** What a role must hold to be told of a topic in a business, and to resolve it for everybody there. */
export const TOPIC_RIGHTS: Record<Topic, { read: Permission; write: Permission }> = {
  invoice: { read: 'invoices:read', write: 'invoices:write' },
  bill: { read: 'transactions:read', write: 'transactions:write' },
  payment: { read: 'invoices:read', write: 'invoices:write' },
  bank: { read: 'transactions:read', write: 'transactions:write' },
  reconciliation: { read: 'transactions:read', write: 'transactions:write' },
  period: { read: 'accounting-periods:read', write: 'accounting-periods:write' },
  approval: { read: 'journal-entries:read', write: 'journal-entries:write' },
  inventory: { read: 'inventory:read', write: 'inventory:write' },
  document_request: { read: 'document-requests:read', write: 'document-requests:write' },
  client_message: { read: 'notes:read', write: 'notes:write' },
  task: { read: 'todos:read', write: 'todos:write' },
  report: { read: 'reports:read', write: 'reports:write' },
  anomaly: { read: 'reports:read', write: 'reports:write' },
  cash: { read: 'ledgers:read', write: 'ledgers:write' },
  billing: { read: 'billing:manage', write: 'billing:manage' },
  security: { read: 'members:manage', write: 'members:manage' },
  integration: { read: 'o2c-webhooks:read', write: 'o2c-webhooks:write' },
  system: { read: 'businesses:read', write: 'businesses:write' },
}

export const topic = oneOf(TOPICS)
export const severity = oneOf(SEVERITIES)

/** What all recipients share. */
const shared = {
  id: id({ description: 'The same for everybody who is told.' }),
  scope: oneOf(SCOPES, { description: 'Whom it is addressed to: one person, everybody in a business who may know, or a firm.' }),
  scope_id: id({ description: 'The person, business or firm.' }),
  business_id: nullable(id({ description: 'The business it is about.' })),
  firm_id: nullable(id()),
  topic,
  severity,
  title: Type.String(),
  body: nullable(Type.String()),
  action_url: nullable(Type.String({ description: 'Where something can be done about it: a path of the console.' })),
  resource_type: nullable(Type.String({ description: 'With resource_id: the record it is about.' })),
  resource_id: nullable(id()),
}

const times = {
  pinned_at: nullable(timestamp()),
  snoozed_until: nullable(timestamp({ description: 'Null once it is over.' })),
  read_at: nullable(timestamp()),
  resolved_at: nullable(timestamp()),
  dismissed_at: nullable(timestamp()),
}

export const Notification = shape('Notification', {
  ...shared,
  status: oneOf(STATUSES, { description: 'Of the caller: read, snoozed and dismissed are their own, resolved is shared by all recipients.' }),
  pinned: boolean(),
  ...times,
  live: boolean({ description: 'Computed when read: it is there as long as its cause, and cannot be changed.' }),
  created_at: timestamp({ description: 'Of a live one: when its cause began.' }),
  updated_at: timestamp(),
  version: record.version,
})
export type Notification = Static<typeof Notification>

/** A row of the table: one recipient's. */
export const NotificationRow = Type.Object({
  user_id: id(),
  ...shared,
  ...times,
  pin_seq: nullable(integer(1)),
  was_pin_seq: nullable(integer(1)),
  unpin_seq: nullable(integer(1)),
  change_seq: integer(1),
  created_at: timestamp(),
  updated_at: timestamp(),
  version: record.version,
})
export type NotificationRow = Static<typeof NotificationRow>

/** As the history of a business tells of it: what all recipients share, without the words. */
export const NotificationRecord = shape('NotificationRecord', {
  id: id(), business_id: shared.business_id, scope: shared.scope, scope_id: shared.scope_id, topic, severity, title: shared.title,
  resource_type: shared.resource_type, resource_id: shared.resource_id, resolved_at: times.resolved_at, created_at: timestamp(),
})

/** Read by whoever may read the audit trail: some are addressed to one person only. */
export const notificationResource = resource({
  type: 'notification', group: 'audit-trail', shape: NotificationRecord, table: null, label: 'title',
  events: ['notification.created', 'notification.resolved', 'notification.reopened'],
})
