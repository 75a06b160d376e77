// The state of a notification as one recipient sees it, in code and, where rows are chosen by it, in SQL.
import { SEVERITIES, type Notification, type NotificationRow, type Severity, type Status } from './contract.ts'

type Times = Pick<NotificationRow, 'read_at' | 'snoozed_until' | 'dismissed_at' | 'resolved_at'>

/** Of two ends the later one counts. A snooze whose time is over has left nothing but an unread row. */
export function statusOf({ read_at, snoozed_until, dismissed_at, resolved_at }: Times, now: string): Status {
  if (resolved_at !== null && (dismissed_at === null || resolved_at >= dismissed_at)) return 'resolved'
  if (dismissed_at !== null) return 'dismissed'
  if (snoozed_until !== null && snoozed_until > now) return 'snoozed'
  return read_at === null ? 'unread' : 'read'
}

/** The same in SQL, of a row `t`. */
export const statusSql = `case when t.resolved_at is not null and (t.dismissed_at is null or t.resolved_at >= t.dismissed_at) then 'resolved'
  when t.dismissed_at is not null then 'dismissed' when t.snoozed_until > :now::timestamptz then 'snoozed' when t.read_at is null then 'unread' else 'read' end`

/** What the caller may see of their own rows: of businesses they may enter, and there only topics they may read. */
export const visibleSql = `t.in_app and (t.business_id is null or t.business_id = any(:businesses::uuid[]))
  and (t.scope <> 'business' or not (t.business_id::text || t.topic = any(:hidden::text[])))`

/** What is over for the caller is left out of what is active. */
export const activeSql = 't.dismissed_at is null and t.resolved_at is null'

/** A row as its recipient is shown it. */
export function shown(row: NotificationRow, now: string): Notification {
  const { user_id: _user, pin_seq: _pin, was_pin_seq: _was, unpin_seq: _unpin, change_seq: _change, ...kept } = row
  const status = statusOf(row, now)
  return { ...kept, snoozed_until: status === 'snoozed' ? row.snoozed_until : null, status, pinned: row.pinned_at !== null, live: false }
}

export function isAtLeast(severity: Severity, least: Severity): boolean {
  return SEVERITIES.indexOf(severity) >= SEVERITIES.indexOf(least)
}
