// The SQL of the feed. Each part of it is a walk along an index that has its order; what may vary is in the text, so that the plan knows it.
import { Type, type Static } from 'typebox'
import { Count } from '../../foundation/database/rows.ts'
import { columns, statement, type Statement } from '../../foundation/database/statement.ts'
import { integer } from '../../foundation/shapes.ts'
import { NotificationRow, severity, topic } from '../notification-kinds/contract.ts'
import { activeSql, statusSql, visibleSql } from '../notification-kinds/rules.ts'
import type { Part } from './rules.ts'

const Row = Type.Object({ ...NotificationRow.properties, pin: integer(0) })
const row = columns(NotificationRow, 't')

/** The pin of a row at the change `as_of`, or null: pins that came or went since do not move it under somebody who walks through the feed. */
const pinAt = `case when t.pin_seq <= :as_of::bigint then t.pin_seq
  when t.unpin_seq > :as_of::bigint and t.was_pin_seq <= :as_of::bigint then t.was_pin_seq end`

const parts: Record<Part, string> = {
  all: 'true',
  active: activeSql,
  unread: `t.read_at is null and ${activeSql}`,
  over: '(t.dismissed_at is not null or t.resolved_at is not null)',
}

const inBusiness = '(:business::uuid is null or t.business_id = :business::uuid)'
const chosen = `${visibleSql} and ${statusSql} = any(:statuses::text[]) and ${inBusiness} and (:topic::text[] is null or t.topic = any(:topic::text[]))
  and (:severity::text[] is null or t.severity = any(:severity::text[]))`

/** A filter by topic, severity or business is a walk for each of its values, since one walk over all of them may pass a million rows to find one. */
export type Variant = { part: Part; by: 'topic' | 'severity' | 'business_id' | null; upward: boolean }

const wanted = {
  topic: 'unnest(:topic::text[]) as wanted (value)',
  severity: 'unnest(:severity::text[]) as wanted (value)',
  business_id: 'unnest(array[:business::uuid]) as wanted (value)',
}

function restText({ part, by, upward }: Variant): string {
  const [order, beyond] = upward ? ['asc', '>'] : ['desc', '<']
  // filed_at is created_at: only the index of the value has this order, so no other one is taken.
  const time = by === null ? 'created_at' : 'filed_at'
  const condition = by === null ? parts[part] : `t.${by} = wanted.value and ${parts[part]}`
  const walk = `select ${row}, 0::bigint as pin from notifications t
    where t.user_id = :actor_id and ${condition} and (t.${time}, t.id) ${beyond} (:at::timestamptz, :id::uuid) and (${pinAt}) is null and ${chosen}
    order by t.${time} ${order}, t.id ${order} limit :limit::int`
  return by === null ? walk : `select t.* from ${wanted[by]} cross join lateral (${walk}) t order by t.created_at ${order}, t.id ${order} limit :limit::int`
}

type Found = Static<typeof Row>
const rest = new Map<string, Statement<Found>>()

for (const part of Object.keys(parts) as Part[]) {
  for (const by of ['topic', 'severity', 'business_id', null] as const) {
    for (const upward of [true, false]) rest.set(`${part} ${by} ${upward}`, statement(Row, restText({ part, by, upward })))
  }
}

/** Rows that are not pinned, from a place on. */
export function restOf({ part, by, upward }: Variant): Statement<Found> {
  const found = rest.get(`${part} ${by} ${upward}`)
  if (!found) throw new Error('There is no such way through the feed.')
  return found
}

const pinned = (upward: boolean, pin: string, from: string, condition: string) => {
  const [order, beyond] = upward ? ['asc', '>'] : ['desc', '<']
  return `select ${row}, coalesce(${pin}, 0) as pin from ${from} t where t.user_id = :actor_id and ${condition} and ${pin} ${beyond} :pin::bigint and ${chosen}
    order by ${pin} ${order} limit :limit::int`
}
const standing = (upward: boolean) => pinned(upward, 't.pin_seq', 'notifications', 't.pin_seq is not null and t.pin_seq <= :as_of::bigint')

/** What has lost its pin since the walk began; nobody unpins more than so many meanwhile. */
const unpinned = '(select * from notifications where user_id = :actor_id and unpin_seq > :as_of::bigint order by unpin_seq limit 1000)'
const lost = (upward: boolean) => pinned(upward, 't.was_pin_seq', unpinned, 't.was_pin_seq <= :as_of::bigint and (t.pin_seq is null or t.pin_seq > :as_of::bigint)')
const earlierPins = (upward: boolean) =>
  `select * from ((${standing(upward)}) union all (${lost(upward)})) pins order by pin ${upward ? 'asc' : 'desc'} limit :limit::int`

/** Pins, the latest first or, upward, the earliest: of this moment, or of an earlier one. */
export const pins = {
  now: { down: statement(Row, standing(false)), up: statement(Row, standing(true)) },
  earlier: { down: statement(Row, earlierPins(false)), up: statement(Row, earlierPins(true)) },
}

export const total = statement(Count, `select count(*) as count from notifications t where t.user_id = :actor_id and ${chosen}`)

export const findNotification = statement(NotificationRow,
  `select ${row} from notifications t where t.user_id = :actor_id and t.id = :id and ${visibleSql}`)

/** How many changes the feed has seen. */
export const head = statement(Type.Object({ change_seq: integer(0) }),
  'select coalesce((select change_seq from notification_feeds where user_id = :actor_id), 0) as change_seq')

export const counts = statement(
  Type.Object({ severity, topic, count: integer(0) }),
  `select t.severity, t.topic, count(*) as count from notifications t
   where t.user_id = :actor_id and ${parts.unread} and coalesce(t.snoozed_until <= :now::timestamptz, true) and ${inBusiness} and ${visibleSql}
   group by t.severity, t.topic`)

export const changesAfter = statement(NotificationRow,
  `select ${row} from notifications t where t.user_id = :actor_id and t.change_seq > :after::bigint and t.change_seq <= :upto::bigint and ${visibleSql}
   order by t.change_seq limit :limit::int`)

/** Those that came back by themselves: the time of their snooze has come. */
export const awakened = statement(NotificationRow,
  `select ${row} from notifications t
   where t.user_id = :actor_id and t.snoozed_until > :since::timestamptz and t.snoozed_until <= :now::timestamptz and ${activeSql} and ${visibleSql}
   order by t.snoozed_until, t.id limit 500`)
