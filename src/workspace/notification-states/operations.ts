// What recipients do with notifications. Their own state is nobody else's business, so only what all share enters the history.
import { attemptEach, type BulkResult } from '../../foundation/bulk.ts'
import { changed } from '../../foundation/database/rows.ts'
import type { BusinessTx, UserTx } from '../../foundation/database/transaction.ts'
import { forbidden, notFound, unprocessable } from '../../foundation/refusal.ts'
import { openFeed, type Access } from '../notification-access/operations.ts'
import { holds } from '../notification-access/rules.ts'
import { NotificationRecord, notificationResource, TOPIC_RIGHTS, type Notification, type NotificationRow } from '../notification-kinds/contract.ts'
import { shown, statusOf } from '../notification-kinds/rules.ts'
import { businessOf } from '../notifications/rules.ts'
import type { MarkAllRead, NotificationBulk } from './contract.ts'
import * as rules from './rules.ts'
import * as store from './store.ts'

export const pinNotification = (tx: UserTx, id: string, pinned: boolean) => change(tx, id, (row, seq) => rules.pinChanges(row, tx.now, pinned, seq))
export const readNotification = (tx: UserTx, id: string) => change(tx, id, (row) => rules.readChanges(row, tx.now))
export const unreadNotification = (tx: UserTx, id: string) => change(tx, id, (row) => rules.unreadChanges(row, tx.now))
export const unsnoozeNotification = (tx: UserTx, id: string) => change(tx, id, (row) => rules.unsnoozeChanges(row, tx.now))
export const dismissNotification = (tx: UserTx, id: string) => change(tx, id, (row) => rules.dismissChanges(row, tx.now))

export function snoozeNotification(tx: UserTx, id: string, until: string): Promise<Notification> {
  return change(tx, id, (row) => rules.snoozeChanges(row, tx.now, rules.requireUntil(until, tx.now)))
}

async function change(tx: UserTx, id: string, decide: (row: NotificationRow, change_seq: number) => rules.Changes): Promise<Notification> {
  const { row, change_seq } = await lock(tx, id)
  const next = change_seq + 1
  const changes = decide(row, next)
  if (!changes) return shown(row, tx.now)
  const after = changed(row, { ...changes, change_seq: next }, tx.now)
  save(tx, [after], next)
  return shown(after, tx.now)
}

/** The feed first, then the row: everybody who changes rows goes in this order. */
async function lock(tx: UserTx, id: string): Promise<{ row: NotificationRow; change_seq: number; access: Access }> {
  const access = await openFeed(tx)
  const { change_seq } = await tx.get(store.lockOwnFeed, {}, 'Feed')
  const row = await tx.lock(store.lockRows, { ids: [id], businesses: access.businesses, hidden: access.hidden }, 'Notification')
  return { row, change_seq, access }
}

function save(tx: UserTx, rows: readonly NotificationRow[], change_seq: number): void {
  tx.queue(store.updateRows, { rows: JSON.stringify(rows) })
  tx.queue(store.advanceFeed, { change_seq })
}

export async function resolveNotification(tx: UserTx, id: string): Promise<Notification> {
  const shared = await lockShared(tx, id)
  if (statusOf(shared.row, tx.now) === 'resolved') return shown(shared.row, tx.now)
  requireRight(tx, shared.row, shared.access)
  return saveShared(tx, shared, { resolved_at: tx.now }, 'notification.resolved')
}

export async function reopenNotification(tx: UserTx, id: string): Promise<Notification> {
  const shared = await lockShared(tx, id)
  const changes = rules.reopenChanges(shared.row, tx.now)
  if (!changes) return shown(shared.row, tx.now)
  // What is only dismissed is the caller's own affair.
  if (shared.row.resolved_at === null) return saveShared(tx, { ...shared, inside: null }, changes, 'notification.reopened')
  requireRight(tx, shared.row, shared.access)
  return saveShared(tx, shared, { ...changes, resolved_at: null }, 'notification.reopened')
}

type SharedRow = { row: NotificationRow; change_seq: number; access: Access; inside: BusinessTx | null; user_ids: string[] }

/** What concerns all recipients holds all their feeds, inside the business, whose rows are then visible. */
async function lockShared(tx: UserTx, id: string): Promise<SharedRow> {
  const access = await openFeed(tx)
  const visible = { ids: [id], businesses: access.businesses, hidden: access.hidden }
  const seen = await tx.get(store.findRows, visible, 'Notification')
  const entrance = access.entrances.find(({ business_id }) => business_id === seen.business_id)
  if (!entrance) return { ...(await lock(tx, id)), inside: null, user_ids: [] }
  const inside = tx.enter({ id: entrance.business_id, timezone: entrance.timezone, base_currency: entrance.base_currency, read_only: null }, entrance.role)
  const feeds = await inside.many(store.lockFeedsOf, { id })
  const row = await tx.lock(store.lockRows, visible, 'Notification')
  const change_seq = feeds.find(({ user_id }) => user_id === tx.user_id)?.change_seq ?? 0
  return { row, change_seq, access, inside, user_ids: feeds.map(({ user_id }) => user_id) }
}

function saveShared(tx: UserTx, { row, change_seq, inside, user_ids }: SharedRow, changes: Partial<NotificationRow>, event: SharedEvent): Notification {
  const after = changed(row, { ...changes, change_seq: change_seq + 1 }, tx.now)
  if (inside === null) save(tx, [after], change_seq + 1)
  else {
    inside.queue(event === 'notification.resolved' ? store.resolveForEveryone : store.reopenForEveryone, { id: row.id, user_ids })
    inside.record(notificationResource, event, { before: recorded(row), after: recorded(after) })
  }
  return shown(after, tx.now)
}

type SharedEvent = 'notification.resolved' | 'notification.reopened'

/** What is about no business concerns nobody else. */
function requireRight(tx: UserTx, row: NotificationRow, { entrances }: Access): void {
  if (row.business_id === null) return
  const { write } = TOPIC_RIGHTS[row.topic]
  const entrance = entrances.find(({ business_id }) => business_id === row.business_id)
  if (!entrance || !holds(entrance.role, tx.actor.permissions, write)) throw forbidden(`This needs the permission ${write}.`)
  if (entrance.read_only) throw forbidden('This business is read-only: its notifications can be read and dismissed, not resolved.')
}

/** What all recipients share of it, as the history tells it. */
function recorded(row: NotificationRow): { id: string } & Record<string, unknown> {
  return Object.fromEntries(Object.keys(NotificationRecord.properties).map((name) => [name, row[name as keyof NotificationRow]])) as { id: string }
}

export async function markAllRead(tx: UserTx, { topic, before, ...scope }: MarkAllRead): Promise<{ count: number }> {
  const { businesses, hidden } = await openFeed(tx)
  const business = businessOf(scope, businesses, 'body')
  const { change_seq } = await tx.get(store.lockOwnFeed, {}, 'Feed')
  const { count } = await tx.get(store.markAllRead, { businesses, hidden, business, topic: topic?.length ? topic : null, before: before ?? tx.now, change_seq }, 'Feed')
  if (count > 0) tx.queue(store.advanceFeed, { change_seq: change_seq + count })
  return { count }
}

export async function bulkNotifications(tx: UserTx, { ids, action, until, atomic = false }: NotificationBulk): Promise<BulkResult> {
  if (action === 'snooze' && until === undefined) throw unprocessable([{ loc: ['body', 'until'], msg: 'Field required where the action is snooze.', type: 'missing' }])
  const moment = action === 'snooze' ? rules.requireUntil(until ?? '', tx.now) : ''
  const { businesses, hidden } = await openFeed(tx)
  const { change_seq } = await tx.get(store.lockOwnFeed, {}, 'Feed')
  const rows = new Map((await tx.many(store.lockRows, { ids, businesses, hidden })).map((row) => [row.id, row]))
  const decide = {
    read: (row: NotificationRow) => rules.readChanges(row, tx.now),
    unread: (row: NotificationRow) => rules.unreadChanges(row, tx.now),
    dismiss: (row: NotificationRow) => rules.dismissChanges(row, tx.now),
    snooze: (row: NotificationRow) => rules.snoozeChanges(row, tx.now, moment),
  }[action]
  let next = change_seq
  const touched = new Map<string, NotificationRow>()
  const result = attemptEach(ids, atomic, (id) => {
    const row = rows.get(id)
    if (!row) throw notFound('Notification')
    const changes = decide(row)
    if (changes) {
      const after = changed(row, { ...changes, change_seq: ++next }, tx.now)
      rows.set(id, after)
      touched.set(id, after)
    }
    return id
  })
  if (touched.size > 0) save(tx, [...touched.values()], next)
  return result
}
