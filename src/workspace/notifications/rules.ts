// The order of the feed and the way through it: pins first, then by time, page by page.
import { createHash } from 'node:crypto'
import { forbidden, invalid, unprocessable } from '../../foundation/refusal.ts'
import type { Notification, Severity, Status, Topic } from '../notification-kinds/contract.ts'
import { TERMINAL } from '../notification-kinds/contract.ts'
import type { FeedQuery } from './contract.ts'

/** Which part of the feed is asked for; each has an index of its own. */
export type Part = 'all' | 'active' | 'unread' | 'over'
/** Where a page ended: among the pins, by the change that pinned it; or among the rest, by time and id. */
export type Position = { pin: number } | { at: string; id: string }
export type Place = { as_of: number; position: Position }

/** The statuses that a query names, or those of everyday. */
export function statusesOf({ status = [], include_terminal = false, include_snoozed = false }: FeedQuery): Status[] {
  if (status.length > 0) return [...new Set(status)].toSorted()
  return ['read', 'unread', ...(include_snoozed ? ['snoozed' as const] : []), ...(include_terminal ? TERMINAL : [])]
}

export function partOf(statuses: readonly Status[]): Part {
  const only = (...named: Status[]) => statuses.every((status) => named.includes(status))
  if (only('unread', 'snoozed')) return 'unread'
  if (only('unread', 'snoozed', 'read')) return 'active'
  return only(...TERMINAL) ? 'over' : 'all'
}

/** The one business that a scope means; null for all of them. No firm has anybody yet. */
export function businessOf({ scope = 'me', scope_id }: Pick<FeedQuery, 'scope' | 'scope_id'>, businesses: readonly string[], place: 'query' | 'body' = 'query'): string | null {
  if (scope === 'me') return null
  if (scope_id === undefined) throw unprocessable([{ loc: [place, 'scope_id'], msg: `Field required where scope is ${scope}.`, type: 'missing' }])
  if (scope === 'firm') throw forbidden('You are not a member of this firm.')
  requireEntrance(scope_id, businesses)
  return scope_id
}

export function requireEntrance(business_id: string, businesses: readonly string[]): void {
  if (!businesses.includes(business_id)) throw forbidden('You are not a member of this business.')
}

export type Filters = { statuses: Status[]; topic: Topic[] | null; severity: Severity[] | null }

export function filtersOf(query: FeedQuery): Filters {
  const named = <Value extends string>(values: readonly Value[] = []) => (values.length > 0 ? [...new Set(values)].toSorted() : null)
  return { statuses: statusesOf(query), topic: named(query.topic), severity: named(query.severity) }
}

/** A live alert is always unread. */
export function passes({ topic, severity }: Notification, filters: Filters): boolean {
  return filters.statuses.includes('unread') && (filters.topic?.includes(topic) ?? true) && (filters.severity?.includes(severity) ?? true)
}

type Timed = { created_at: string; id: string }

/** Below zero where the first is the older one. */
export function byTime(one: Timed, other: Timed): number {
  if (one.created_at !== other.created_at) return one.created_at < other.created_at ? -1 : 1
  return one.id < other.id ? -1 : one.id > other.id ? 1 : 0
}

/** Rows and live alerts in one order, of which the first so many; the rows have the order and begin behind `from` already. */
export function merged(rows: readonly Notification[], live: readonly Notification[], upward: boolean, from: { at: string; id: string } | null, limit: number): Notification[] {
  const compare = (one: Timed, other: Timed) => (upward ? byTime(one, other) : byTime(other, one))
  const behind = from === null ? live : live.filter((alert) => compare(alert, { created_at: from.at, id: from.id }) > 0)
  return (behind.length === 0 ? rows : [...rows, ...behind].toSorted(compare)).slice(0, limit)
}

/** A cursor holds its place, the pins it goes by, and a print of what was asked, by whom: it works only there. */
export function cursorOf({ as_of, position }: Place, asked: string): string {
  const place = 'pin' in position ? [as_of, position.pin] : [as_of, position.at, position.id]
  return Buffer.from(JSON.stringify([...place, printOf(place, asked)])).toString('base64url')
}

export function placeOf(cursor: string, asked: string): Place {
  try {
    const parts = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as (string | number)[]
    const place = parts.slice(0, -1)
    if (parts.at(-1) === printOf(place, asked)) {
      const [as_of, first, id] = place
      return { as_of: Number(as_of), position: id === undefined ? { pin: Number(first) } : { at: String(first), id: String(id) } }
    }
  } catch {
    // Not one of ours: the refusal below says what to do.
  }
  throw invalid('This cursor does not belong to this feed with these filters. Start again without a cursor.')
}

function printOf(place: readonly (string | number)[], asked: string): string {
  return createHash('sha256').update(JSON.stringify([place, asked])).digest('base64url').slice(0, 11)
}
