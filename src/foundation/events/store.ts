// The SQL of the event log: it is only read here, since every change writes it by itself.
import { Type } from 'typebox'
import { list } from '../database/list.ts'
import { columns, statement } from '../database/statement.ts'
import { integer } from '../shapes.ts'
import { Event } from './contract.ts'

export const events = list({
  item: Event,
  from: 'events t',
  where: 't.business_id = :business_id',
  sorts: { seq: { column: 't.seq', type: 'bigint' } },
  filters: {
    readable: 't.resource_type = any(:readable)',
    type: 't.type = any(:type)',
    resource_type: 't.resource_type = :resource_type',
    resource_id: 't.resource_id = :resource_id',
    after: 't.seq > :after::bigint',
    from: 't.occurred_at >= :from::timestamptz',
    to: 't.occurred_at < :to::timestamptz',
  },
})

export const findEvent = statement(
  Event,
  `select ${columns(Event)} from events where business_id = :business_id and id = :id and resource_type = any(:readable)`,
)

export const head = statement(Type.Object({ event_seq: integer(0) }), 'select event_seq from business_heads where business_id = :business_id')

/** Null stands for every type, kind or record. */
export const eventsBetween = statement(
  Event,
  `select ${columns(Event)} from events
   where business_id = :business_id and seq > :after and seq <= :upto and resource_type = any(:readable)
     and (:type::text[] is null or type = any(:type)) and (:resource_type::text is null or resource_type = :resource_type)
     and (:resource_id::uuid is null or resource_id = :resource_id)
   order by seq limit :limit::int`,
)

/** How far the log reaches by its own rows, by what was given out, and by the audit trail. */
export const extent = statement(
  Type.Object({ events: Type.Integer(), first: Type.Integer(), last: Type.Integer(), head: Type.Integer(), audited: Type.Integer() }),
  `select (select count(*) from events e where e.business_id = h.business_id) as events,
     (select coalesce(min(e.seq), 0) from events e where e.business_id = h.business_id) as first,
     (select coalesce(max(e.seq), 0) from events e where e.business_id = h.business_id) as last,
     h.event_seq as head, (select count(*) from audit_trail a where a.business_id = h.business_id) as audited
   from business_heads h where h.business_id = :business_id`)
