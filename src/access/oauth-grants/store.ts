// The SQL of grants.
import { Type } from 'typebox'
import { list } from '../../foundation/database/list.ts'
import { columns, command, statement } from '../../foundation/database/statement.ts'
import { date, id, integer, nullable, text } from '../../foundation/shapes.ts'
import { OauthGrant } from './contract.ts'

const selected = columns(OauthGrant, 't').replace('t.client_name', 'k.name as client_name')
const from = 'oauth_grants t join oauth_clients k on k.id = t.client_id'

const sorts = {
  created_at: { column: 't.created_at', type: 'timestamptz' },
  last_used_at: { column: 't.last_used_at', type: 'timestamptz', nullable: true },
} as const
const filters = { status: 't.status = :status', client_id: 't.client_id = :client_id', user_id: 't.user_id = :user_id' }

export const ownGrants = list({ item: OauthGrant, select: selected, from, where: 't.user_id = :actor_id', sorts, filters })

/** Those of everybody that reach a business. */
export const grantsReaching = list({
  item: OauthGrant, select: selected, from, where: 'true', sorts,
  filters: { ...filters, business_id: 't.business_ids @> array[:business_id::uuid]' },
})

export const findGrant = statement(OauthGrant, `select ${selected} from ${from} where t.id = :id`)
export const lockGrant = statement(OauthGrant, `select ${selected} from ${from} where t.id = :id for update of t`)

const active = `t.status = 'active'`
export const lockActive = statement(OauthGrant, `select ${selected} from ${from} where t.user_id = :actor_id and t.client_id = :client_id and ${active} for update of t`)
export const lockOfUser = statement(OauthGrant, `select ${selected} from ${from} where t.user_id = :user_id and ${active} order by t.id for update of t`)
export const lockOfClient = statement(OauthGrant, `select ${selected} from ${from} where t.client_id = :client_id and ${active} order by t.id for update of t`)

export const insertGrant = command(
  `insert into oauth_grants (id, client_id, user_id, business_ids, scopes, status, created_at, updated_at, version)
   values (:id, :client_id, :user_id, :business_ids, :scopes, :status, :created_at, :updated_at, :version)`)

export const widenGrant = command('update oauth_grants set business_ids = :business_ids, scopes = :scopes, updated_at = :updated_at, version = :version where id = :id')

export const revokeGrants = command(
  `update oauth_grants set status = 'revoked', revoked_at = :now, revoked_by = :revoked_by, revoke_reason = :revoke_reason, updated_at = :now, version = version + 1
   where id = any(:ids::uuid[])`)

export const takeBusinessOut = command(
  `update oauth_grants set business_ids = array_remove(business_ids, :business::uuid), updated_at = :now, version = version + 1 where id = any(:ids::uuid[])`)

/** What an app may no longer ask for, nobody has allowed it any longer: to ask for it again takes a new consent. */
export const narrowGrants = command(
  `update oauth_grants set scopes = array(select unnest(scopes) intersect select unnest(:scopes::text[]) order by 1), updated_at = :now, version = version + 1
   where client_id = :client_id and status = 'active' and not scopes <@ :scopes::text[]`)

/** Where the caller is active, as far as the token that calls reaches. */
export const places = statement(
  Type.Object({ business_id: id(), role: text(1, 20) }),
  `select m.business_id, m.role from memberships m where m.user_id = :actor_id and m.status = 'active'
     and (:token_id::uuid is null or exists (
       select from api_tokens k where k.id = :token_id::uuid and (k.business_ids is null or m.business_id = any(k.business_ids))))`)

/** A row by the name that lists want. */
export const ActivityRow = Type.Object({ day: date(), operation: text(1, 100), business_id: nullable(id()), requests: integer(), writes: integer(), refusals: integer() })

export const activity = list({
  item: ActivityRow,
  from: 'oauth_activity t',
  where: 'true',
  sorts: { day: { column: 't.day', type: 'date' } },
  filters: {
    grant_id: 't.grant_id = :grant_id',
    since: 't.day > :since::date',
    seen: 't.business_id = any(:seen::uuid[])',
  },
  default_limit: 500,
})

export const deleteOldActivity = command(`delete from oauth_activity where day < :now::timestamptz::date - :days::int`)
