// The SQL of activation.
import { Type } from 'typebox'
import { columns, command, statement } from '../../foundation/database/statement.ts'
import { boolean, id, nullable, timestamp } from '../../foundation/shapes.ts'
import { Reached } from './contract.ts'

export const reached = statement(Reached, `select ${columns(Reached)} from activation_milestones where business_id = :business_id`)

/** Returns a row only for the first who writes it. */
export const reach = statement(
  Type.Object({ id: id() }),
  `insert into activation_milestones (business_id, id, milestone, reached_at, reached_by) values (:business_id, :id, :milestone, :reached_at, :reached_by)
   on conflict (business_id, milestone) do nothing returning id`)

/** The first event of each type, with the person behind it. */
export const firstEvents = statement(
  Type.Object({ type: Type.String(), reached_at: timestamp(), reached_by: nullable(id()) }),
  `select coalesce(wanted.type) as type, coalesce(e.occurred_at) as reached_at,
     case when a.actor_kind in ('user', 'token', 'grant') then coalesce(a.on_behalf_of, a.actor_id) end as reached_by
   from unnest(:types::text[]) as wanted (type)
   cross join lateral (select id, occurred_at from events where business_id = :business_id and type = wanted.type order by seq limit 1) e
   left join audit_trail a on a.business_id = :business_id and a.id = e.id`)

/** The sample of the caller, while it is there. */
export const findSample = statement(
  Type.Object({ business_id: id(), expires_at: timestamp() }),
  `select s.sample_business_id as business_id, s.expires_at from activation_samples s
   join businesses b on b.id = s.sample_business_id and b.status = 'active'
   where s.business_id = :business_id and s.user_id = :actor_id and s.expires_at > :now::timestamptz`)

/** The same, whatever has become of it. */
export const anySample = statement(
  Type.Object({ sample_business_id: id() }),
  'select sample_business_id from activation_samples where business_id = :business_id and user_id = :actor_id')

export const saveSample = command(
  `insert into activation_samples (business_id, user_id, sample_business_id, expires_at, created_at)
   values (:business_id, :actor_id, :sample_business_id, :expires_at, :now)
   on conflict (business_id, user_id) do update set sample_business_id = excluded.sample_business_id, expires_at = excluded.expires_at, created_at = excluded.created_at`)

export const business = statement(
  Type.Object({ is_sample: boolean(), industry: nullable(Type.String()) }), 'select is_sample, industry from businesses where id = :business_id')
