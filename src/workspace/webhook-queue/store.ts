// The SQL of what waits to be sent: deliveries, and the lane of each endpoint, which says when it is next to be served and by whom.
import { Type } from 'typebox'
import { updatings } from '../../foundation/database/rows.ts'
import { command, statement } from '../../foundation/database/statement.ts'
import { anyObject, id, integer, list, nullable, oneOf, timestamp } from '../../foundation/shapes.ts'
import { STATUSES, WebhookAttempt } from './contract.ts'

const newDelivery = `(business_id, id, webhook_id, event_id, sequence, type,
  status, attempt_count, attempts, round_tries, round_started_at, next_attempt_at, created_at, updated_at)`
const untried = `'pending', 0, '[]', 0, :now::timestamptz, :now::timestamptz, :now::timestamptz, :now::timestamptz`

/** Whether an endpoint wants an event: by its name, by the first word of it, or everything. */
const wanted = `e.type = any(:types) and ('*' = any(w.events) or e.type = any(w.events) or split_part(e.type, '.', 1) || '.*' = any(w.events))`

/** A delivery for each endpoint that wants an event of this span, and a lane woken for each that got one. */
export const queueEvents = command(
  `with made as (
     insert into webhook_deliveries ${newDelivery}
     select w.business_id, time_ordered_id(:now::timestamptz), w.id, e.id, e.seq, e.type, ${untried}
     from webhooks w join events e on e.business_id = w.business_id and e.seq > greatest(:after::bigint, w.after_sequence) and e.seq <= :upto::bigint
     where w.business_id = :business_id and w.enabled and ${wanted}
     on conflict (business_id, webhook_id, event_id) do nothing returning webhook_id)
   update webhook_lanes l set due_at = least(l.due_at, :now::timestamptz) from (select distinct webhook_id from made) as m
   where l.business_id = :business_id and l.webhook_id = m.webhook_id`)

const Queued = Type.Object({ id: id(), sequence: nullable(integer(0)) })

/** The same for one endpoint and what it never got, from a place of the log on. */
export const queueMissed = statement(
  Queued,
  `insert into webhook_deliveries ${newDelivery}
   select missed.business_id, time_ordered_id(:now::timestamptz), :webhook_id, missed.id, missed.seq, missed.type, ${untried}
   from (select e.business_id, e.id, e.seq, e.type from events e join webhooks w on w.business_id = e.business_id and w.id = :webhook_id
     where e.business_id = :business_id and e.seq >= :from_sequence::bigint and ${wanted}
       and not exists (select from webhook_deliveries d where d.business_id = e.business_id and d.webhook_id = w.id and d.event_id = e.id)
     order by e.seq limit :most::int) as missed
   on conflict (business_id, webhook_id, event_id) do nothing returning id, sequence`)

export const queueTest = command(
  `insert into webhook_deliveries ${newDelivery} values (:business_id, :id, :webhook_id, :id, null, :type, ${untried})`)

const again = `status = 'pending', round_tries = 0, round_started_at = :now::timestamptz, next_attempt_at = :now::timestamptz, delivered_at = null,
  updated_at = :now::timestamptz`

export const requeue = statement(
  Queued, `update webhook_deliveries set ${again} where business_id = :business_id and webhook_id = :webhook_id and id = any(:ids) returning id, sequence`)

export const requeueBetween = statement(
  Queued,
  `update webhook_deliveries d set ${again} from (
     select c.id from webhook_deliveries c where c.business_id = :business_id and c.webhook_id = :webhook_id and c.status = any(:statuses)
       and c.created_at >= :from::timestamptz and c.created_at < :to::timestamptz order by c.created_at, c.id limit :most::int) as chosen
   where d.business_id = :business_id and d.id = chosen.id returning d.id, d.sequence`)

export const endWaiting = command(
  `update webhook_deliveries set status = :status, next_attempt_at = null, updated_at = :now
   where business_id = :business_id and webhook_id = :webhook_id and next_attempt_at is not null`)

export const countByStatus = statement(
  Type.Object({ status: oneOf(STATUSES), count: integer(0) }),
  `select status, count(*) as count from webhook_deliveries
   where business_id = :business_id and webhook_id = :webhook_id and created_at > :now::timestamptz - interval '24 hours' group by status`)

export const insertLane = command(
  'insert into webhook_lanes (business_id, webhook_id, due_at, failing, lease_id, leased_until) values (:business_id, :webhook_id, null, false, null, null)')
export const wakeLane = command(
  'update webhook_lanes set due_at = least(due_at, :now::timestamptz) where business_id = :business_id and webhook_id = :webhook_id')
export const deleteLanes = command('delete from webhook_lanes where business_id = :business_id and webhook_id = any(:webhook_ids)')

/** Those who wait longest first; what another worker is taking at this moment is passed over. */
export const takeLanes = statement(
  Type.Object({ business_id: id(), webhook_id: id(), failing: Type.Boolean(), timezone: Type.String(), base_currency: Type.String() }),
  `with due as (
     select l.business_id, l.webhook_id from webhook_lanes l
     where l.failing = :failing and l.due_at <= :now::timestamptz and (l.leased_until is null or l.leased_until <= :now::timestamptz)
     order by l.due_at limit :room::int for update skip locked)
   update webhook_lanes l set lease_id = :lease_id, leased_until = :leased_until from due d join businesses b on b.id = d.business_id
   where l.business_id = d.business_id and l.webhook_id = d.webhook_id
   returning l.business_id, l.webhook_id, l.failing, b.timezone, b.base_currency`)

/** A statement of its own, so that the next one sees whatever was queued by those who held the lane before. */
export const lockLane = command('select from webhook_lanes where business_id = :business_id and webhook_id = :webhook_id for update')

export const releaseLane = command(
  `update webhook_lanes l set lease_id = null, leased_until = null, failing = :failing, due_at = (
     select min(d.next_attempt_at) from webhook_deliveries d
     where d.business_id = :business_id and d.webhook_id = :webhook_id and d.next_attempt_at is not null)
   where l.business_id = :business_id and l.webhook_id = :webhook_id and l.lease_id = :lease_id`)

/** What is due at these endpoints, a few of each, with the record as it was told and what it was before. */
export const dueMessages = statement(
  Type.Object({
    id: id(), webhook_id: id(), event_id: id(), sequence: nullable(integer(0)), type: Type.String(), created_at: timestamp(),
    occurred_at: nullable(timestamp()), data: nullable(anyObject()), previous: nullable(anyObject()),
  }),
  `select d.id, d.webhook_id, d.event_id, d.sequence, d.type, d.created_at, e.occurred_at, e.data, case when a.after is not null then a.before end as previous
   from unnest(:webhook_ids::uuid[]) as w (id)
   cross join lateral (
     select o.id, o.webhook_id, o.event_id, o.sequence, o.type, o.created_at, o.next_attempt_at from webhook_deliveries o
     where o.business_id = :business_id and o.webhook_id = w.id and o.next_attempt_at <= :now::timestamptz order by o.next_attempt_at limit :each::int) as d
   left join events e on e.business_id = :business_id and e.id = d.event_id
   left join audit_trail a on a.business_id = :business_id and a.id = d.event_id
   order by d.next_attempt_at`)

export const Tried = Type.Object({
  id: id(), status: oneOf(STATUSES), attempt_count: integer(0), attempts: list(WebhookAttempt), round_tries: integer(0), round_started_at: timestamp(),
  next_attempt_at: nullable(timestamp()), delivered_at: nullable(timestamp()),
})

/** Those of them that still wait. */
export const lockWaiting = statement(
  Tried,
  `select id, status, attempt_count, attempts, round_tries, round_started_at, next_attempt_at, delivered_at from webhook_deliveries
   where business_id = :business_id and id = any(:ids) and next_attempt_at is not null order by id for update`)

export const writeTried = updatings(
  'webhook_deliveries', ['status', 'attempt_count', 'attempts', 'round_tries', 'next_attempt_at', 'delivered_at', 'updated_at'])

export const businessesWithLanes = statement(Type.Object({ business_id: id() }), 'select distinct business_id from webhook_lanes')

export const deleteOld = command(
  `delete from webhook_deliveries where business_id = :business_id and webhook_id in (select w.id from webhooks w where w.business_id = :business_id)
     and created_at < :now::timestamptz - interval '30 days' and next_attempt_at is null`)
