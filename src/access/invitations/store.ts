// The SQL of invitations. The table is shared by all businesses: what a business asks names it, a token finds its row alone.
import { Type } from 'typebox'
import { constraintMeans } from '../../foundation/database/errors.ts'
import { list } from '../../foundation/database/list.ts'
import { columns, command, statement } from '../../foundation/database/statement.ts'
import { nullable, text } from '../../foundation/shapes.ts'
import { Invitation, InvitationPreview, OwnInvitation } from './contract.ts'

constraintMeans('invitations_pending', 'This address has a pending invitation already: resend, change or revoke that one.')

const status = `case when t.status = 'pending' and t.expires_at <= :now::timestamptz then 'expired' else t.status end`
const selected = columns(Invitation, 't').replace('t.status', `${status} as status`)
const usable = `t.status = 'pending' and t.expires_at > :now::timestamptz`

export const invitations = list({
  item: Invitation,
  select: selected,
  from: 'invitations t',
  where: 't.business_id = :business_id',
  sorts: { created_at: { column: 't.created_at', type: 'timestamptz' }, expires_at: { column: 't.expires_at', type: 'timestamptz' } },
  filters: { kind: 't.kind = :kind', status: `(${status}) = :status`, email: 't.email = lower(:email)' },
})

export const ownInvitations = list({
  item: OwnInvitation,
  select: 't.id, t.kind, t.business_id, b.name as business_name, u.name as inviter_name, t.role, t.message, t.expires_at, t.created_at',
  from: 'invitations t join businesses b on b.id = t.business_id join users u on u.id = t.invited_by',
  where: `t.email = (select lower(me.email) from users me where me.id = :actor_id and me.email_verified_at is not null) and ${usable}`,
  sorts: { created_at: { column: 't.created_at', type: 'timestamptz' } },
})

export const findInvitation = statement(Invitation, `select ${selected} from invitations t where t.business_id = :business_id and t.id = :id`)
export const lockInvitation = statement(Invitation, `select ${selected} from invitations t where t.business_id = :business_id and t.id = :id for update`)
export const lockByToken = statement(Invitation, `select ${selected} from invitations t where t.token_hash = :token_hash for update`)
export const lockUsable = statement(Invitation, `select ${selected} from invitations t where t.token_hash = :token_hash and ${usable} for update`)
export const lockForAddress = statement(Invitation, `select ${selected} from invitations t where t.id = :id and t.email = lower(:email) for update`)

/** One index probe whether the token is known, dead or neither. */
export const previewByToken = statement(
  InvitationPreview,
  `select t.kind, b.name as business_name, i.name as inviter_name, t.email, t.role, t.expires_at,
     not exists (select from users u where lower(u.email) = t.email) as needs_sign_up
   from invitations t join businesses b on b.id = t.business_id join users i on i.id = t.invited_by where t.token_hash = :token_hash and ${usable}`)

/** Where it leads, and what its inviter is there by now. */
export const targetOf = statement(
  Type.Object({
    business_name: text(1, 200), business_status: text(1, 20), timezone: text(1, 64), base_currency: text(3, 3),
    inviter_role: nullable(text(1, 20)), inviter_status: nullable(text(1, 20)),
  }),
  `select b.name as business_name, b.status as business_status, b.timezone, b.base_currency, m.role as inviter_role, m.status as inviter_status
   from businesses b left join memberships m on m.business_id = b.id and m.user_id = :invited_by where b.id = :business`)

/** Which of these addresses wait for an answer, and which are in. */
export const knownAddresses = statement(
  Type.Object({ email: text(3, 254), state: text(1, 20) }),
  `select t.email, 'pending' as state from invitations t where t.business_id = :business_id and t.email = any(:emails) and ${usable}
   union all
   select lower(u.email), 'member' from users u join memberships m on m.business_id = :business_id and m.user_id = u.id where lower(u.email) = any(:emails)`)

export const businessName = statement(Type.Object({ name: text(1, 200) }), 'select name from businesses where id = :business_id')

/** Makes room for new ones: an address has one pending invitation, and these are over. */
export const closeExpired = command(
  `update invitations set status = 'expired', updated_at = :now, version = version + 1
   where business_id = :business_id and email = any(:emails) and status = 'pending' and expires_at <= :now::timestamptz`)

const written = Object.keys(Invitation.properties).join(', ')

/** `hashes` are in the order of the rows. */
export const insertInvitations = command(
  `insert into invitations (${written}, token_hash)
   select ${written}, (:hashes::bytea[])[n] from rows from (jsonb_to_recordset(:invitations::jsonb) as (
     id uuid, business_id uuid, created_at timestamptz, updated_at timestamptz, version int, kind text, email text, role text, name text, message text,
     status text, expires_at timestamptz, invited_by uuid, sent_at timestamptz, send_count int, accepted_by uuid, accepted_at timestamptz, bounced boolean
   )) with ordinality as row (id, business_id, created_at, updated_at, version, kind, email, role, name, message,
     status, expires_at, invited_by, sent_at, send_count, accepted_by, accepted_at, bounced, n)`)

export const updateInvitation = command(
  `update invitations set role = :role, expires_at = :expires_at, invited_by = :invited_by, status = :status, sent_at = :sent_at, send_count = :send_count,
     accepted_by = :accepted_by, accepted_at = :accepted_at, updated_at = :updated_at, version = :version where id = :id and business_id = :business_id`)

export const replaceToken = command('update invitations set token_hash = :token_hash where id = :id and business_id = :business_id')

/** No row where the person is in already. */
export const insertMembership = command(
  `insert into memberships (business_id, user_id, role, status, source, created_at, updated_at, version)
   values (:business, :user_id, :role, 'active', 'direct', :now, :now, 1) on conflict (business_id, user_id) do nothing`)
