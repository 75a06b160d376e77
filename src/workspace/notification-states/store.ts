// The SQL of what recipients do. The feed is locked before its rows, always in the order of persons.
import { Type } from 'typebox'
import { rowsGiven } from '../../foundation/database/rows.ts'
import { columns, command, statement } from '../../foundation/database/statement.ts'
import { id, integer } from '../../foundation/shapes.ts'
import { NotificationRow } from '../notification-kinds/contract.ts'
import { activeSql, visibleSql } from '../notification-kinds/rules.ts'

const Feed = Type.Object({ user_id: id(), change_seq: integer(0) })
const row = columns(NotificationRow, 't')

export const lockOwnFeed = statement(Feed,
  `insert into notification_feeds (user_id, change_seq) values (:actor_id, 0)
   on conflict (user_id) do update set change_seq = notification_feeds.change_seq returning user_id, change_seq`)

/** In the order of ids, so that a bulk call and another never wait for each other in a circle. */
const ownRows = `select ${row} from notifications t where t.user_id = :actor_id and t.id = any(:ids::uuid[]) and ${visibleSql} order by t.id`
export const findRows = statement(NotificationRow, ownRows)
export const lockRows = statement(NotificationRow, `${ownRows} for update`)

const own = ['resolved_at', 'read_at', 'snoozed_until', 'dismissed_at', 'pinned_at', 'pin_seq', 'was_pin_seq', 'unpin_seq', 'change_seq', 'updated_at', 'version']

export const updateRows = command(
  `update notifications t set ${own.map((name) => `${name} = r.${name}`).join(', ')} from ${rowsGiven('notifications')} where t.user_id = :actor_id and t.id = r.id`)

export const advanceFeed = command('update notification_feeds set change_seq = :change_seq where user_id = :actor_id')

/** The feeds of all recipients of one notification, locked. */
export const lockFeedsOf = statement(Feed,
  `insert into notification_feeds (user_id, change_seq) select t.user_id, 0 from notifications t where t.business_id = :business_id and t.id = :id order by t.user_id
   on conflict (user_id) do update set change_seq = notification_feeds.change_seq returning user_id, change_seq`)

const forEveryone = (changes: string) =>
  `with counted as (update notification_feeds f set change_seq = f.change_seq + 1 where f.user_id = any(:user_ids::uuid[]) returning f.user_id, f.change_seq)
   update notifications t set ${changes}, change_seq = c.change_seq, updated_at = :now, version = t.version + 1
   from counted c where t.business_id = :business_id and t.id = :id and t.user_id = c.user_id`

export const resolveForEveryone = command(forEveryone('resolved_at = :now'))
/** What others have dismissed stays dismissed for them. */
export const reopenForEveryone = command(
  forEveryone('resolved_at = null, dismissed_at = case when t.user_id <> :actor_id then t.dismissed_at end, read_at = null, snoozed_until = null'))

export const markAllRead = statement(
  Type.Object({ count: integer(0) }),
  `with unread as (
     select t.id, row_number() over (order by t.created_at, t.id) as place from notifications t
     where t.user_id = :actor_id and t.read_at is null and ${activeSql} and coalesce(t.snoozed_until <= :now::timestamptz, true) and t.created_at <= :before::timestamptz
       and (:business::uuid is null or t.business_id = :business::uuid) and (:topic::text[] is null or t.topic = any(:topic::text[])) and ${visibleSql}
   ), marked as (
     update notifications t set read_at = :now, snoozed_until = null, change_seq = :change_seq::bigint + u.place, updated_at = :now, version = t.version + 1
     from unread u where t.user_id = :actor_id and t.id = u.id returning 1
   ) select count(*) as count from marked`)
