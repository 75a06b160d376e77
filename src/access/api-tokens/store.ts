// The SQL of API tokens.
import { Type } from 'typebox'
import { list } from '../../foundation/database/list.ts'
import { columns, command, statement } from '../../foundation/database/statement.ts'
import { boolean, id, integer, nullable, text, timestamp } from '../../foundation/shapes.ts'
import { ApiToken } from './contract.ts'

const status = `case when t.revoked_at is not null then 'revoked' when t.expires_at <= :now::timestamptz then 'expired' else 'active' end`
const selected = columns(ApiToken, 't').replace('t.status', `${status} as status`).replace('t.created_by', 't.user_id as created_by')

const filters = {
  status: `(${status}) = :status`,
  created_by: 't.user_id = :created_by',
  q: 'strpos(lower(t.name), lower(:q)) > 0',
}
const sorts = { created_at: { column: 't.created_at', type: 'timestamptz' } } as const

export const ownTokens = list({ item: ApiToken, select: selected, from: 'api_tokens t', where: 't.user_id = :actor_id', sorts, filters })

/** Those of everybody in a business that reach it. */
export const tokensReaching = list({
  item: ApiToken,
  select: selected,
  from: 'api_tokens t join memberships m on m.user_id = t.user_id',
  where: 'true',
  sorts,
  filters: { ...filters, business_id: 'm.business_id = :business_id and (t.business_ids is null or :business_id = any(t.business_ids))' },
})

export const findOwnToken = statement(ApiToken, `select ${selected} from api_tokens t where t.id = :id and t.user_id = :actor_id`)
export const lockOwnToken = statement(ApiToken, `select ${selected} from api_tokens t where t.id = :id and t.user_id = :actor_id for update`)
export const lockToken = statement(ApiToken, `select ${selected} from api_tokens t where t.id = :id for update`)

export const insertToken = command(
  `insert into api_tokens (id, user_id, name, token_prefix, scopes, business_ids, expires_at, created_at, updated_at, version)
   values (:id, :created_by, :name, :token_prefix, :scopes, :business_ids, :expires_at, :created_at, :updated_at, :version)`)

export const updateToken = command(
  `update api_tokens set name = :name, token_prefix = :token_prefix, scopes = :scopes, business_ids = :business_ids, expires_at = :expires_at,
     revoked_at = :revoked_at, revoked_by = :revoked_by, updated_at = :updated_at, version = :version where id = :id`)

export const insertSecret = command('insert into api_token_secrets (token_hash, token_id) values (:token_hash, :token_id)')

/** The secrets in use end at this moment; one that ends sooner keeps its end. */
export const endSecrets = command(
  `update api_token_secrets set valid_until = least(valid_until, :valid_until::timestamptz) where token_id = :token_id`)

export const dropEndedSecrets = command('delete from api_token_secrets where token_id = :token_id and valid_until <= :now::timestamptz')

/** The businesses the caller is active in, with what each asks of tokens. */
export const places = statement(
  Type.Object({ business_id: id(), business_name: text(1, 200), role: text(1, 20), is_sample: boolean(), token_max_days: nullable(integer()) }),
  `select b.id as business_id, b.name as business_name, m.role, b.is_sample, (b.settings -> 'security' ->> 'token_max_days')::int as token_max_days
   from memberships m join businesses b on b.id = m.business_id where m.user_id = :actor_id and m.status = 'active' order by b.id`)

/** Of the businesses where the caller is active, with their role, those that a token of this person can reach. */
export const sharedPlaces = statement(
  Type.Object({ business_id: id(), role: text(1, 20) }),
  `select mine.business_id, mine.role from memberships mine join memberships theirs on theirs.business_id = mine.business_id
   where mine.user_id = :actor_id and mine.status = 'active' and theirs.user_id = :created_by`)

export const roleIn = statement(
  Type.Object({ role: text(1, 20) }),
  `select role from memberships where business_id = :business and user_id = :actor_id and status = 'active'`)

export const findSession = statement(Type.Object({ expires_at: timestamp() }), 'select expires_at from sessions where id = :id')

/** What a connected app reaches, and when the newest of its access tokens ends. */
export const findGrant = statement(
  Type.Object({ business_ids: Type.Array(id()), expires_at: nullable(timestamp()) }),
  `select g.business_ids, (select max(t.expires_at) from oauth_tokens t where t.grant_id = g.id and t.kind = 'access') as expires_at from oauth_grants g where g.id = :id`)

/** Marks those that expire within a week and were not told of, so that each is told of once, and names them. */
export const takeExpiring = statement(
  Type.Object({ id: id(), user_id: id(), name: text(1, 100), expires_at: nullable(timestamp()), email: text(3, 254) }),
  `update api_tokens t set expiry_notified_at = :now from users u
   where u.id = t.user_id and t.id in (
     select id from api_tokens where revoked_at is null and expiry_notified_at is null and expires_at > :now::timestamptz
       and expires_at <= :now::timestamptz + interval '7 days' order by expires_at limit :limit::int for update skip locked)
   returning t.id, t.user_id, t.name, t.expires_at, u.email`)
