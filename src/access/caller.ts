// A caller as the tables have them: the credential, the person behind it, and what they are in the business of the call.
import { Type, type Static } from 'typebox'
import { statement } from '../foundation/database/statement.ts'
import type { Actor } from '../foundation/database/context.ts'
import type { Entry } from '../foundation/http/gate.ts'
import { everything } from '../foundation/permission.ts'
import { forbidden } from '../foundation/refusal.ts'
import { id, nullable, timestamp } from '../foundation/shapes.ts'
import { permissionsFor, type Role } from './permissions.ts'
import { readOnlyReason } from './read-only.ts'

/** Lists are joined into text: they are taken apart only where a caller is new or has changed. */
const Caller = Type.Object({
  stamp: Type.Integer(),
  credential_id: id(),
  ends_at: nullable(timestamp()),
  reauthenticated_at: nullable(timestamp()),
  scopes: nullable(Type.String()),
  business_ids: nullable(Type.String()),
  user_id: id(), user_name: Type.String(), email: Type.String(), email_verified_at: nullable(timestamp()), two_factor_enabled: Type.Boolean(),
  role: nullable(Type.String()), member_status: nullable(Type.String()),
  business_id: nullable(id()), timezone: nullable(Type.String()), base_currency: nullable(Type.String()), business_status: nullable(Type.String()),
  plan_tier: nullable(Type.String()), trial_ends_at: nullable(timestamp()), plan_ends_at: nullable(timestamp()), require_two_factor: nullable(Type.Boolean()), is_sample: nullable(Type.Boolean()),
})
export type Caller = Static<typeof Caller>

const ofPerson = `a.stamp, u.id as user_id, u.name as user_name, u.email, u.email_verified_at, u.two_factor_enabled,
  m.role, m.status as member_status, b.id as business_id, b.timezone, b.base_currency, b.status as business_status, b.plan_tier, b.trial_ends_at, b.plan_ends_at,
  (b.settings -> 'security' ->> 'require_two_factor')::boolean as require_two_factor, b.is_sample`
const person = `join users u on u.id = c.user_id and u.status in ('unverified', 'active') join access_stamps a on a.user_id = u.id
  left join memberships m on m.business_id = :business::uuid and m.user_id = u.id left join businesses b on b.id = m.business_id`

/** A session ends 14 days after its last use at the latest. */
export const sessionCaller = statement(Caller,
  `select c.id as credential_id, least(c.expires_at, c.last_seen_at + interval '14 days') as ends_at, c.reauthenticated_at,
     null::text as scopes, null::text as business_ids, ${ofPerson}
   from sessions c ${person}
   where c.token_hash = :hash and c.ended_at is null and least(c.expires_at, c.last_seen_at + interval '14 days') > :now::timestamptz`)

export const tokenCaller = statement(Caller,
  `select c.id as credential_id, least(c.expires_at, s.valid_until) as ends_at, null::timestamptz as reauthenticated_at,
     array_to_string(c.scopes, ' ') as scopes, array_to_string(c.business_ids, ' ') as business_ids, ${ofPerson}
   from api_token_secrets s join api_tokens c on c.id = s.token_id ${person}
   where s.token_hash = :hash and c.revoked_at is null and coalesce(least(c.expires_at, s.valid_until) > :now::timestamptz, true)`)

/** What the person has consented to, cut to what the app may still ask for and to what this token was given. The credential is the grant. */
export const grantCaller = statement(Caller,
  `select c.id as credential_id, t.expires_at as ends_at, null::timestamptz as reauthenticated_at,
     array_to_string(array(select unnest(t.scopes) intersect select unnest(c.scopes) intersect select unnest(k.allowed_scopes)), ' ') as scopes,
     array_to_string(c.business_ids, ' ') as business_ids, ${ofPerson}
   from oauth_tokens t join oauth_grants c on c.id = t.grant_id and c.status = 'active' join oauth_clients k on k.id = c.client_id and k.status = 'active' ${person}
   where t.token_hash = :hash and t.kind = 'access' and t.ended_at is null and t.expires_at > :now::timestamptz`)

/** Changes with everything that the three above read. */
export const currentStamp = statement(Type.Object({ stamp: Type.Integer() }), 'select stamp from access_stamps where user_id = :user_id')

export type CredentialKind = 'user' | 'token' | 'grant'

const FRESH_MS = 10 * 60_000

/** Who acts on what, at this time; a 403 where the caller may not enter the business at all. */
export function entryOf(kind: CredentialKind, caller: Caller, business_id: string | null, now: string): Entry {
  const actor: Actor = {
    kind,
    id: kind === 'user' ? caller.user_id : caller.credential_id,
    user_id: caller.user_id,
    name: caller.user_name,
    email: caller.email,
    email_verified: caller.email_verified_at !== null,
    role: caller.role,
    permissions: permissionsOf(caller),
    session_id: kind === 'user' ? caller.credential_id : null,
    fresh: caller.reauthenticated_at !== null && Date.parse(now) - Date.parse(caller.reauthenticated_at) < FRESH_MS,
  }
  if (business_id === null) return { actor, business: null }
  requireEntrance(kind, caller, business_id)
  return {
    actor,
    business: {
      id: business_id,
      timezone: caller.timezone ?? 'UTC',
      base_currency: caller.base_currency ?? 'USD',
      read_only: readOnlyReason(caller.business_status ?? 'active', { ...caller, plan_tier: caller.plan_tier ?? 'trial' }, now),
    },
  }
}

const worked_out = new WeakMap<Caller, ReadonlySet<string>>()

/** What the caller may do: the scopes of a token or a grant, the rights of the role, or both where both bound them. */
function permissionsOf(caller: Caller): ReadonlySet<string> {
  const known = worked_out.get(caller)
  if (known) return known
  const scopes = caller.scopes === null ? everything : new Set(caller.scopes.split(' '))
  const held = caller.role === null ? null : permissionsFor(caller.role as Role)
  const permissions = held === null ? scopes : new Set([...held].filter((permission) => scopes.has(permission)))
  worked_out.set(caller, permissions)
  return permissions
}

/** The same answer for a business that does not exist, that the caller is not in, and that the token or grant does not reach. */
function requireEntrance(kind: CredentialKind, caller: Caller, business_id: string): void {
  // A sample is for the person who looks around in it: no token and no app gets in.
  const reached = (caller.business_ids === null || caller.business_ids.includes(business_id)) && (kind === 'user' || !caller.is_sample)
  if (caller.role === null || caller.business_id === null || !reached) throw forbidden('You are not a member of this business.')
  if (caller.member_status !== 'active') throw forbidden('Your membership of this business is suspended.')
  if (caller.require_two_factor && !caller.two_factor_enabled) throw forbidden('This business requires two-factor sign-in. Turn it on in your profile first.')
}
