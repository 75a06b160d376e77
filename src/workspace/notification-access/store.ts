// The SQL behind who may be told what.
import { Type, type Static } from 'typebox'
import { ROLES } from '../../access/permissions.ts'
import { command, statement } from '../../foundation/database/statement.ts'
import { boolean, id, oneOf } from '../../foundation/shapes.ts'

/**
 * Row-level security lets the transaction see the rows of this person from here on. One feed has ten rows and another ten million, while the planner
 * knows the average only: sorting is ruled out, so that a page is always a walk along an index that has its order, and so are helpers: to start them takes longer than the walk.
 */
export const readFor = command(
  `select set_config('app.user_id', :user_id::text, true), set_config('enable_sort', 'off', true), set_config('enable_bitmapscan', 'off', true),
     set_config('max_parallel_workers_per_gather', '0', true)`)

const Entrance = Type.Object({ business_id: id(), role: oneOf(ROLES), timezone: Type.String(), base_currency: Type.String(), read_only: boolean() })
export type Entrance = Static<typeof Entrance>

/** The businesses that the caller may enter now: an active membership, two factors where they are asked for, and a credential that reaches it. */
export const entrances = statement(Entrance,
  `select m.business_id, m.role, b.timezone, b.base_currency,
     (b.status <> 'active' or plan_is_over(b.plan_tier, b.trial_ends_at, b.plan_ends_at, :now::timestamptz)) as read_only
   from memberships m join businesses b on b.id = m.business_id join users u on u.id = m.user_id
   where m.user_id = :actor_id and m.status = 'active'
     and (u.two_factor_enabled or not coalesce((b.settings -> 'security' ->> 'require_two_factor')::boolean, false))
     and (:token_id::uuid is null or exists (select from api_tokens k where k.id = :token_id and (k.business_ids is null or b.id = any(k.business_ids))))
     and (:grant_id::uuid is null or exists (select from oauth_grants g where g.id = :grant_id and b.id = any(g.business_ids)))`)
