// The SQL of memberships as their user sees them.
import { Type } from 'typebox'
import { list } from '../../foundation/database/list.ts'
import { command, statement } from '../../foundation/database/statement.ts'
import { id } from '../../foundation/shapes.ts'
import { OwnMembership } from './contract.ts'

export const ownMemberships = list({
  item: OwnMembership,
  select: 't.business_id, b.name as business_name, b.status as business_status, t.role, t.status, t.source, t.firm_id, t.created_at',
  from: '(select m.*, m.business_id as id from memberships m) t join businesses b on b.id = t.business_id',
  where: 't.user_id = :actor_id',
  sorts: { created_at: { column: 't.created_at', type: 'timestamptz' }, business_name: { column: 'b.name', type: 'text' } },
  filters: { role: 't.role = :role', status: 't.status = :status' },
})

export const findMembership = statement(
  Type.Object({ business_id: id() }),
  `select business_id from memberships where user_id = :user_id and business_id = :business_id and status = 'active'`)

/**
 * The user's memberships and every owner beside them, in one order for all callers: two owners who leave at once do so one
 * after the other, and nobody is made an owner while leaving.
 */
export const lockMemberships = statement(
  Type.Object({ business_id: id(), business_name: Type.String(), user_id: id(), role: Type.String(), status: Type.String() }),
  `select m.business_id, b.name as business_name, m.user_id, m.role, m.status from memberships m join businesses b on b.id = m.business_id
   where m.business_id in (select business_id from memberships where user_id = :user_id) and (m.role = 'owner' or m.user_id = :user_id)
   order by m.business_id, m.user_id for update of m`)

export const deleteMemberships = command('delete from memberships where user_id = :user_id')

const idle = `:now::timestamptz - interval '1 day'`
/** What has served its time. Tokens stay a week longer, so that a late click can still be explained. */
export const deleteOldAttempts = command(`delete from sign_in_attempts where at < ${idle}`)
export const deleteOldChallenges = command(`delete from two_factor_challenges where expires_at < ${idle}`)
export const deleteOldMailTokens = command(`delete from mail_tokens where expires_at < :now::timestamptz - interval '7 days'`)
