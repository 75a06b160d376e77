// Reading the feed: a page of it, one notification, the counts, and what comes in.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from '../../foundation/database/list.ts'
import type { UserTx } from '../../foundation/database/transaction.ts'
import { Stream, type Channel } from '../../foundation/endpoint.ts'
import { notFound } from '../../foundation/refusal.ts'
import type { LiveAlert } from '../live-alerts/contract.ts'
import { readLive } from '../live-alerts/operations.ts'
import { mayBeOf } from '../live-alerts/rules.ts'
import { openFeed, type Access } from '../notification-access/operations.ts'
import { SEVERITIES, TOPICS, type Notification } from '../notification-kinds/contract.ts'
import { shown } from '../notification-kinds/rules.ts'
import type { FeedQuery } from './contract.ts'
import * as rules from './rules.ts'
import * as store from './store.ts'

type Entry = { item: Notification; position: rules.Position }

export async function listNotifications(tx: UserTx, query: FeedQuery, alerts: readonly LiveAlert[]): Promise<Page<Notification>> {
  const access = await openFeed(tx)
  const business = rules.businessOf(query, access.businesses)
  const live_business = business ?? query.live_business_id ?? null
  if (live_business !== null) rules.requireEntrance(live_business, access.businesses)
  const filters = rules.filtersOf(query)
  const descending = query.descending ?? true
  const with_live = query.include_live === true && live_business !== null
  const asked = JSON.stringify([tx.user_id, business, filters, descending, with_live ? live_business : null])
  const place = query.cursor === undefined ? null : rules.placeOf(query.cursor, asked)
  const as_of = place?.as_of ?? (await tx.get(store.head, {}, 'Feed')).change_seq
  const live = with_live ? await liveOf(tx, access, live_business, alerts, filters) : []
  const parameters = { ...filters, business, as_of, businesses: access.businesses, hidden: access.hidden }
  const counting = query.include_total_count ? tx.get(store.total, parameters, 'Feed') : null

  const limit = query.limit ?? 50
  const backwards = query.direction === 'prev'
  const entries = await walk(tx, { parameters, filters, descending, backwards, position: place?.position ?? null, live, limit: limit + 1 })
  const more = entries.length > limit
  if (more) entries.pop()
  if (backwards) entries.reverse()
  const [first, last] = [entries[0], entries.at(-1)]
  // Walking back, what lies behind the page is where the client came from, and the other way round.
  const has_next = entries.length > 0 && (backwards ? place !== null : more)
  const has_prev = entries.length > 0 && (backwards ? more : place !== null)
  return {
    items: entries.map(({ item }) => item),
    next_cursor: has_next && last ? rules.cursorOf({ as_of, position: last.position }, asked) : null,
    prev_cursor: has_prev && first ? rules.cursorOf({ as_of, position: first.position }, asked) : null,
    has_next, has_prev, limit,
    total: counting ? (await counting).count + live.length : null,
  }
}

type Way = {
  parameters: rules.Filters & Pick<Access, 'businesses' | 'hidden'> & { business: string | null; as_of: number }
  filters: rules.Filters
  descending: boolean
  backwards: boolean
  position: rules.Position | null
  live: Notification[]
  limit: number
}

/** Pins, then the rest; walking back, the rest, then the pins. The second is read only where the first does not fill the page. */
async function walk(tx: UserTx, way: Way): Promise<Entry[]> {
  const { position, backwards, limit } = way
  const [pin, time] = position === null ? [null, null] : 'pin' in position ? [position.pin, null] : [null, position]
  if (backwards) {
    const rest = pin === null ? await readRest(tx, way, time, limit) : []
    return rest.length < limit ? [...rest, ...(await readPins(tx, way, pin, limit - rest.length))] : rest
  }
  const pinned = time === null ? await readPins(tx, way, pin, limit) : []
  return pinned.length < limit ? [...pinned, ...(await readRest(tx, way, time, limit - pinned.length))] : pinned
}

async function readPins(tx: UserTx, { parameters, backwards, position }: Way, pin: number | null, limit: number): Promise<Entry[]> {
  const from = pin ?? (backwards ? 0 : Number.MAX_SAFE_INTEGER)
  const rows = await tx.many(store.pins[position === null ? 'now' : 'earlier'][backwards ? 'up' : 'down'], { ...parameters, pin: from, limit })
  return rows.map(({ pin: place, ...row }) => ({ item: shown(row, tx.now), position: { pin: place } }))
}

const FIRST = { at: '-infinity', id: '00000000-0000-0000-0000-000000000000' }
const LAST = { at: 'infinity', id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' }

async function readRest(tx: UserTx, way: Way, time: { at: string; id: string } | null, limit: number): Promise<Entry[]> {
  const { parameters, filters, descending, backwards, live } = way
  const upward = descending === backwards
  const by = filters.topic ? 'topic' : filters.severity ? 'severity' : parameters.business === null ? null : 'business_id'
  const text = store.restOf({ part: rules.partOf(filters.statuses), by, upward })
  const rows = await tx.many(text, { ...parameters, ...(time ?? (upward ? FIRST : LAST)), limit })
  const items = rows.map(({ pin: _pin, ...row }) => shown(row, tx.now))
  return rules.merged(items, live, upward, time, limit).map((item) => ({ item, position: { at: item.created_at, id: item.id } }))
}

async function liveOf(tx: UserTx, { entrances }: Access, business_id: string, alerts: readonly LiveAlert[], filters: rules.Filters): Promise<Notification[]> {
  const entrance = entrances.find((one) => one.business_id === business_id)
  return entrance ? (await readLive(tx, entrance, alerts)).filter((alert) => rules.passes(alert, filters)) : []
}

export async function getNotification(tx: UserTx, id: string, alerts: readonly LiveAlert[]): Promise<Notification> {
  const { entrances, ...access } = await openFeed(tx)
  const row = await tx.find(store.findNotification, { id, ...access })
  if (row) return shown(row, tx.now)
  const entrance = entrances.find(({ business_id }) => mayBeOf(business_id, id))
  const alert = entrance && (await readLive(tx, entrance, alerts)).find((one) => one.id === id)
  if (!alert) throw notFound('Notification')
  return alert
}

export async function countNotifications(tx: UserTx, query: Pick<FeedQuery, 'scope' | 'scope_id'>) {
  const { businesses, hidden } = await openFeed(tx)
  const rows = await tx.many(store.counts, { businesses, hidden, business: rules.businessOf(query, businesses) })
  const sum = (counted: typeof rows) => counted.reduce((so_far, { count }) => so_far + count, 0)
  const by = <Name extends string>(names: readonly Name[], of: (row: (typeof rows)[number]) => string) =>
    Object.fromEntries(names.map((name) => [name, sum(rows.filter((row) => of(row) === name))])) as Record<Name, number>
  return { unread: sum(rows), by_severity: by(SEVERITIES, (row) => row.severity), by_topic: by(TOPICS, (row) => row.topic) }
}

const POLL_MS = 500
const BATCH = 500

/** What is committed before the stream opens is not missed: the place to start from is read before the answer begins. */
export async function streamNotifications(tx: UserTx): Promise<Stream<UserTx>> {
  const { change_seq } = await tx.get(store.head, {}, 'Feed')
  const start = { place: change_seq, since: tx.now }
  return new Stream<UserTx>((channel) => follow(channel, { ...start, place: seqOf(channel.last_event_id) ?? change_seq }))
}

async function follow({ send, read, ended }: Channel<UserTx>, { place, since }: { place: number; since: string }): Promise<void> {
  while (!ended.aborted) {
    const found = await read((tx) => changes(tx, place, since))
    for (const { seq, item } of found.items) await send({ id: String(seq), event: item.version === 1 ? 'notification.created' : 'notification.changed', data: item })
    ;({ place, since } = found)
    if (!found.full) await sleep(POLL_MS, undefined, { signal: ended }).catch(() => {})
  }
}

async function changes(tx: UserTx, after: number, since: string) {
  const { businesses, hidden } = await openFeed(tx)
  const { change_seq } = await tx.get(store.head, {}, 'Feed')
  const rows = change_seq > after ? await tx.many(store.changesAfter, { after, upto: change_seq, businesses, hidden, limit: BATCH }) : []
  const awake = await tx.many(store.awakened, { since, businesses, hidden })
  const full = rows.length === BATCH
  const place = full ? rows.at(-1)?.change_seq ?? after : Math.max(after, change_seq)
  const items = [...rows.map((row) => ({ seq: row.change_seq, item: shown(row, tx.now) })), ...awake.map((row) => ({ seq: place, item: shown(row, tx.now) }))]
  return { items, place, since: tx.now, full }
}

function seqOf(last_event_id: string | null): number | null {
  return last_event_id !== null && /^\d{1,15}$/.test(last_event_id) ? Number(last_event_id) : null
}
