// What a recipient may do with a notification in which state, and what becomes of it.
import { invalid } from '../../foundation/refusal.ts'
import type { NotificationRow, Status } from '../notification-kinds/contract.ts'
import { statusOf } from '../notification-kinds/rules.ts'

/** What changes, or null where it is already so. */
export type Changes = Partial<NotificationRow> | null

export function readChanges(row: NotificationRow, now: string): Changes {
  const status = statusOf(row, now)
  requireAmong(status, ['unread', 'read'], 'marked read')
  return status === 'read' ? null : { read_at: now, snoozed_until: null }
}

export function unreadChanges(row: NotificationRow, now: string): Changes {
  const status = statusOf(row, now)
  requireAmong(status, ['unread', 'read'], 'marked unread')
  return status === 'unread' ? null : { read_at: null }
}

/** It is unread when it wakes, so it is unread from now on. */
export function snoozeChanges(row: NotificationRow, now: string, until: string): Changes {
  const status = statusOf(row, now)
  requireAmong(status, ['unread', 'read', 'snoozed'], 'snoozed')
  return status === 'snoozed' && row.snoozed_until === until ? null : { snoozed_until: until, read_at: null }
}

export function unsnoozeChanges(row: NotificationRow, now: string): Changes {
  const status = statusOf(row, now)
  requireAmong(status, ['unread', 'snoozed'], 'unsnoozed')
  return status === 'unread' ? null : { snoozed_until: null, read_at: null }
}

/** Of two ends the later one is shown, so this one is later even where both come at one moment. */
export function dismissChanges(row: NotificationRow, now: string): Changes {
  if (statusOf(row, now) === 'dismissed') return null
  const behind = row.resolved_at === null ? 0 : Date.parse(row.resolved_at) + 1
  return { dismissed_at: new Date(Math.max(Date.parse(now), behind)).toISOString(), snoozed_until: null }
}

/** The change that pins it gives it its place; what takes the pin away is remembered for those who are on their way through the feed. */
export function pinChanges(row: NotificationRow, now: string, pinned: boolean, change_seq: number): Changes {
  if (pinned === (row.pinned_at !== null)) return null
  if (pinned) return { pinned_at: now, pin_seq: change_seq }
  return { pinned_at: null, pin_seq: null, was_pin_seq: row.pin_seq, unpin_seq: change_seq }
}

/** Back to unread; null where it is. */
export function reopenChanges(row: NotificationRow, now: string): Changes {
  const status = statusOf(row, now)
  requireAmong(status, ['unread', 'resolved', 'dismissed'], 'reopened')
  return status === 'unread' ? null : { dismissed_at: null, read_at: null, snoozed_until: null }
}

const YEAR_MS = 366 * 86_400_000

/** As the database keeps it, so that the same moment in another zone is the same. */
export function requireUntil(until: string, now: string): string {
  const moment = Date.parse(until)
  if (moment <= Date.parse(now)) throw invalid('until is not in the future: choose a later moment.')
  if (moment > Date.parse(now) + YEAR_MS) throw invalid('until is more than a year away: choose an earlier moment.')
  return new Date(moment).toISOString()
}

function requireAmong(status: Status, allowed: readonly Status[], done: string): void {
  if (allowed.includes(status)) return
  const way_out = { resolved: 'Reopen it first.', dismissed: 'Reopen it first.', snoozed: 'Unsnooze it first.', read: 'Only what is over or asleep can.', unread: '' }[status]
  throw invalid(`This notification is ${status} and cannot be ${done}. ${way_out}`)
}
