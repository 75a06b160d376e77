// The SQL of telling: a row per recipient, written by one statement; and of settling what is no longer the matter.
import { Type } from 'typebox'
import { columns, command, statement } from '../../foundation/database/statement.ts'
import { rowsGiven } from '../../foundation/database/rows.ts'
import { anyObject, boolean, id, integer, nullable, timestamp } from '../../foundation/shapes.ts'
import { NotificationRecord } from '../notification-kinds/contract.ts'

/** When it happened, and whether it was told: the reader of the log may come here again. */
export const circumstances = statement(
  Type.Object({ occurred_at: timestamp(), told: boolean() }),
  `select e.occurred_at, exists (select from notifications n where n.business_id = :business_id and n.event_seq = :seq and n.rule = :rule) as told
   from events e where e.business_id = :business_id and e.seq = :seq`)

export const isOpen = statement(
  Type.Object({ open: boolean() }),
  `select exists (select from notifications where business_id = :business_id and rule = :rule and resource_id = :resource_id and resolved_at is null) as open`)

export const recipients = statement(
  Type.Object({ user_id: id(), email: Type.String(), mailable: boolean(), business_name: nullable(Type.String()) }),
  `select m.user_id, u.email, (u.status = 'active' and not b.is_sample) as mailable, b.name as business_name
   from memberships m join users u on u.id = m.user_id and u.status in ('active', 'unverified') join businesses b on b.id = m.business_id
   where m.business_id = :business_id and m.status = 'active' and m.role = any(:roles::text[]) and (:user::uuid is null or m.user_id = :user::uuid) order by m.user_id`)

/** All members at once, in the order of ids: a later event of this transaction needs no other, so two businesses never wait for each other in a circle. */
export const lockFeeds = command(
  `insert into notification_feeds (user_id, change_seq) select user_id, 0 from memberships where business_id = :business_id order by user_id
   on conflict (user_id) do update set change_seq = notification_feeds.change_seq`)

const given = [
  'user_id', 'id', 'business_id', 'firm_id', 'scope', 'scope_id', 'topic', 'severity', 'title', 'body', 'action_url', 'resource_type', 'resource_id', 'rule',
  'event_seq', 'event_id', 'in_app', 'in_digest', 'mailed_at', 'created_at', 'updated_at', 'version',
]
const insertion = (condition: string) =>
  `with counted as (update notification_feeds f set change_seq = f.change_seq + 1 where f.user_id = any(:user_ids::uuid[]) returning f.user_id, f.change_seq)
   insert into notifications (${given.join(', ')}, change_seq) select ${given.map((name) => `r.${name}`).join(', ')}, c.change_seq
   from ${rowsGiven('notifications')} join counted c on c.user_id = r.user_id where ${condition}`

export const insertInBusiness = command(insertion('r.business_id = :business_id'))
export const insertForPerson = command(insertion('r.user_id = :user_id and r.business_id is null'))

const record = columns(NotificationRecord, 't')

/** The matter of these rules with this record, once each, however many were told. */
export const openMatters = statement(NotificationRecord,
  `select distinct on (t.id) ${record} from notifications t
   where t.business_id = :business_id and t.rule = any(:rules::text[]) and t.resource_id = :resource_id and t.resolved_at is null order by t.id`)

export const lockFeedsOf = command(
  `insert into notification_feeds (user_id, change_seq) select distinct t.user_id, 0 from notifications t
     where t.business_id = :business_id and t.id = any(:ids::uuid[]) order by t.user_id
   on conflict (user_id) do update set change_seq = notification_feeds.change_seq`)

/** Several of one person take as many changes of their feed. */
export const resolve = command(
  `with settled as (
     select t.user_id, t.id, row_number() over (partition by t.user_id order by t.id) as place from notifications t
     where t.business_id = :business_id and t.id = any(:ids::uuid[]) and t.resolved_at is null
   ), counted as (
     update notification_feeds f set change_seq = f.change_seq + s.most from (select user_id, max(place) as most from settled group by user_id) s
     where f.user_id = s.user_id returning f.user_id, f.change_seq - s.most as before
   ) update notifications t set resolved_at = :now, change_seq = c.before + s.place, updated_at = :now, version = t.version + 1
     from settled s join counted c on c.user_id = s.user_id where t.business_id = :business_id and t.user_id = s.user_id and t.id = s.id`)

/** What a person who has left was told there. Whoever came back meanwhile keeps it. */
export const forget = command(
  `delete from notifications t where t.business_id = :business_id and t.user_id = :user_id
     and not exists (select from memberships m where m.business_id = :business_id and m.user_id = :user_id)`)

/** One event of a person's security log that nobody was told of yet, held by one worker. */
export const takeUserEvent = statement(
  Type.Object({ id: id(), user_id: id(), type: Type.String(), detail: anyObject(), email: Type.String(), mailable: boolean() }),
  `with taken as (
     insert into notified_user_events (event_id, created_at)
     select e.id, :now from user_events e where e.type = any(:types::text[]) and e.at > :now::timestamptz - interval '2 days'
       and not exists (select from notified_user_events n where n.event_id = e.id) order by e.at, e.id limit 1
     on conflict do nothing returning event_id
   ) select e.id, e.user_id, e.type, e.detail, u.email, (u.status = 'active') as mailable
     from taken join user_events e on e.id = taken.event_id join users u on u.id = e.user_id`)

export const forgetUserEvents = command(`delete from notified_user_events where created_at < :now::timestamptz - interval '5 days'`)

export const lockFeed = statement(
  Type.Object({ change_seq: integer(0) }),
  `insert into notification_feeds (user_id, change_seq) values (:user_id, 0)
   on conflict (user_id) do update set change_seq = notification_feeds.change_seq returning change_seq`)
