// Who is calling, and what may they do here? Answered at every request from the tables themselves, in one statement, so
// that a revoked token or a changed role counts from the next request on.
import { Type } from 'typebox'
import { statement } from '../foundation/database/statement.ts'
import type { Actor } from '../foundation/database/context.ts'
import type { PublicTx } from '../foundation/database/transaction.ts'
import type { Endpoint } from '../foundation/endpoint.ts'
import type { Credential, Entry, Gate } from '../foundation/http/gate.ts'
import { everything } from '../foundation/permission.ts'
import { forbidden, unauthenticated } from '../foundation/refusal.ts'
import { hashToken, timingSafeEqualText } from '../foundation/secrets.ts'
import { id, nullable, timestamp } from '../foundation/shapes.ts'
import { csrfTokenOf, SESSION_COOKIE } from './cookie.ts'
import { permissionsFor, type Role } from './permissions.ts'
import { readOnlyReason } from './read-only.ts'
import type { Touches } from './touches.ts'

/** Lists are joined into text: parsed only where a caller is new or has changed. */
const Caller = Type.Object({
  credential_id: id(),
  last_used_at: nullable(timestamp()),
  reauthenticated_at: nullable(timestamp()),
  scopes: nullable(Type.String()),
  business_ids: nullable(Type.String()),
  user_id: id(), user_name: Type.String(), email: Type.String(), email_verified_at: nullable(timestamp()), two_factor_enabled: Type.Boolean(),
  role: nullable(Type.String()), member_status: nullable(Type.String()),
  business_id: nullable(id()), timezone: nullable(Type.String()), base_currency: nullable(Type.String()), business_status: nullable(Type.String()),
  plan_tier: nullable(Type.String()), trial_ends_at: nullable(timestamp()), require_two_factor: nullable(Type.Boolean()),
})

const ofPerson = `u.id as user_id, u.name as user_name, u.email, u.email_verified_at, u.two_factor_enabled,
  m.role, m.status as member_status, b.id as business_id, b.timezone, b.base_currency, b.status as business_status, b.plan_tier, b.trial_ends_at,
  (b.settings -> 'security' ->> 'require_two_factor')::boolean as require_two_factor`
const person = `join users u on u.id = c.user_id and u.status in ('unverified', 'active')
  left join memberships m on m.business_id = :business::uuid and m.user_id = u.id left join businesses b on b.id = m.business_id`

const sessionCaller = statement(Caller,
  `select c.id as credential_id, c.last_seen_at as last_used_at, c.reauthenticated_at, null::text as scopes, null::text as business_ids, ${ofPerson}
   from sessions c ${person}
   where c.token_hash = :hash and c.ended_at is null and c.expires_at > :now::timestamptz and c.last_seen_at > :now::timestamptz - interval '14 days'`)

export const tokenCaller = statement(Caller,
  `select c.id as credential_id, c.last_used_at, null::timestamptz as reauthenticated_at, array_to_string(c.scopes, ' ') as scopes, array_to_string(c.business_ids, ' ') as business_ids, ${ofPerson}
   from api_token_secrets s join api_tokens c on c.id = s.token_id ${person}
   where s.token_hash = :hash and (s.valid_until is null or s.valid_until > :now::timestamptz)
     and c.revoked_at is null and (c.expires_at is null or c.expires_at > :now::timestamptz)`)

type CallerRow = NonNullable<(typeof sessionCaller)['result']>

const FRESH_MS = 10 * 60_000

export function openGate(touches: Touches): Gate {
  const memory = new Map<string, CallerRow>()
  return {
    readCredential,
    identify(tx, credential, business_id) {
      const kind = credential.secret.startsWith('dbk_') ? 'token' : 'user'
      const key = `${credential.hash.toString('latin1')}${business_id}`
      const looking = tx.find(kind === 'token' ? tokenCaller : sessionCaller, { hash: credential.hash, business: business_id })
      const before = memory.get(key)
      const expected = before ? expectedEntry(tx, kind, before, business_id) : null
      const confirm = async (): Promise<Entry> => {
        const caller = await looking
        if (!caller) {
          memory.delete(key)
          throw unauthenticated()
        }
        touches.seen(kind, caller.credential_id, caller.last_used_at, tx.now, tx.request.ip)
        if (expected && before && sameRow(before, caller)) return expected
        remember(memory, key, caller)
        return entryOf(tx, kind, caller, business_id)
      }
      return { expected, confirmed: confirm() }
    },
    authorise,
  }
}

const MOST_REMEMBERED = 10_000

function remember(memory: Map<string, CallerRow>, key: string, caller: CallerRow): void {
  if (memory.size >= MOST_REMEMBERED) memory.clear()
  memory.set(key, caller)
}

/** null where the remembered caller would be refused: then the look-up has the word. */
function expectedEntry(tx: PublicTx, kind: 'token' | 'user', caller: CallerRow, business_id: string | null): Entry | null {
  try {
    return entryOf(tx, kind, caller, business_id)
  } catch {
    return null
  }
}

function sameRow(a: CallerRow, b: CallerRow): boolean {
  const names = Object.keys(a) as (keyof CallerRow)[]
  return names.every((name) => a[name] === b[name])
}

function readCredential(headers: Record<string, string | string[] | undefined>): Credential | null {
  const header = headers['authorization']
  const [, secret] = typeof header === 'string' ? /^Bearer ([\w-]{10,200})$/i.exec(header.trim()) ?? [] : []
  if (header !== undefined) return credentialOf(secret ?? 'unreadable', 'header', null)
  const [, cookie] = new RegExp(`(?:^|; )${SESSION_COOKIE}=([\\w-]{10,200})`).exec(String(headers['cookie'] ?? '')) ?? []
  const csrf = headers['x-csrf-token']
  return cookie ? credentialOf(cookie, 'cookie', typeof csrf === 'string' ? csrf : null) : null
}

function credentialOf(secret: string, from: Credential['from'], csrf_token: string | null): Credential {
  return { secret, hash: hashToken(secret), from, csrf_token }
}

function entryOf(tx: PublicTx, kind: 'token' | 'user', caller: CallerRow, business_id: string | null): Entry {
  const actor: Actor = {
    kind,
    id: kind === 'token' ? caller.credential_id : caller.user_id,
    user_id: caller.user_id,
    name: caller.user_name,
    email: caller.email,
    email_verified: caller.email_verified_at !== null,
    role: caller.role,
    permissions: permissionsOf(caller),
    session_id: kind === 'user' ? caller.credential_id : null,
    fresh: caller.reauthenticated_at !== null && Date.parse(tx.now) - Date.parse(caller.reauthenticated_at) < FRESH_MS,
  }
  if (business_id === null) return { actor, business: null }
  requireEntrance(caller, business_id)
  return {
    actor,
    business: {
      id: business_id,
      timezone: caller.timezone ?? 'UTC',
      base_currency: caller.base_currency ?? 'USD',
      read_only: readOnlyReason(caller.business_status ?? 'active', caller.plan_tier ?? 'trial', caller.trial_ends_at, tx.now),
    },
  }
}

const worked_out = new WeakMap<CallerRow, ReadonlySet<string>>()

/** What the caller may do: the scopes of a token, the rights of the role, or both where both bound them. */
function permissionsOf(caller: CallerRow): ReadonlySet<string> {
  const known = worked_out.get(caller)
  if (known) return known
  const scopes = caller.scopes === null ? everything : new Set(caller.scopes.split(' '))
  const held = caller.role === null ? null : permissionsFor(caller.role as Role)
  const permissions = held === null ? scopes : new Set([...held].filter((permission) => scopes.has(permission)))
  worked_out.set(caller, permissions)
  return permissions
}

/** The same answer for a business that does not exist, that the caller is not in, and that the token does not reach. */
function requireEntrance(caller: CallerRow, business_id: string): void {
  const reached = caller.business_ids === null || caller.business_ids.includes(business_id)
  if (caller.role === null || caller.business_id === null || !reached) throw forbidden('You are not a member of this business.')
  if (caller.member_status !== 'active') throw forbidden('Your membership of this business is suspended.')
  if (caller.require_two_factor && !caller.two_factor_enabled) throw forbidden('This business requires two-factor sign-in. Turn it on in your profile first.')
}

function authorise(endpoint: Endpoint, credential: Credential, { actor, business }: Entry): void {
  if (credential.from === 'cookie' && endpoint.method !== 'GET' && !timingSafeEqualText(credential.csrf_token ?? '', csrfTokenOf(credential.secret))) {
    throw forbidden('The header x-csrf-token is missing or wrong.')
  }
  if ((endpoint.session || endpoint.fresh) && actor.kind !== 'user') throw forbidden('Only a signed-in person can do this; tokens cannot.')
  if (endpoint.permission && !actor.permissions.has(endpoint.permission)) throw forbidden(`This needs the permission ${endpoint.permission}.`)
  if (endpoint.fresh && !actor.fresh) throw forbidden('This needs a sign-in less than 10 minutes old. Reauthenticate first.')
  if (business?.read_only && !endpoint.allow_read_only) throw forbidden(business.read_only)
}
