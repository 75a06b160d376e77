// Who is calling, and what may they do here? Asked of the tables at every request, so that a revoked token or a changed
// role counts from the next request on. A caller who was here before is remembered with the stamp of that time: then one
// number, read in the transaction of the request, tells whether anything about them has changed since.
import { toTimestamp } from '../foundation/calendar.ts'
import { OutOfDate } from '../foundation/database/transact.ts'
import type { PublicTx } from '../foundation/database/transaction.ts'
import type { Endpoint } from '../foundation/endpoint.ts'
import type { Credential, Entry, Gate } from '../foundation/http/gate.ts'
import { forbidden, unauthenticated } from '../foundation/refusal.ts'
import { hashToken, timingSafeEqualText } from '../foundation/secrets.ts'
import { currentStamp, entryOf, grantCaller, sessionCaller, tokenCaller, type Caller, type CredentialKind } from './caller.ts'
import { csrfTokenOf, SESSION_COOKIE } from './cookie.ts'
import type { Touches } from './touches.ts'

const MOST_REMEMBERED = 10_000

const callers = { user: sessionCaller, token: tokenCaller, grant: grantCaller } as const

export function openGate(touches: Touches): Gate {
  const memory = new Map<string, Caller>()

  const lookUp = async (tx: PublicTx, kind: CredentialKind, key: string, credential: Credential, business_id: string | null): Promise<Entry> => {
    const caller = await tx.find(callers[kind], { hash: credential.hash, business: business_id })
    memory.delete(key)
    if (!caller) throw unauthenticated()
    if (memory.size >= MOST_REMEMBERED) memory.clear()
    memory.set(key, caller)
    touches.seen(kind, caller.credential_id, tx.now, tx.request.ip)
    return entryOf(kind, caller, business_id, tx.now)
  }

  return {
    readCredential,
    identify(tx, credential, business_id) {
      const kind = kindOf(credential)
      const key = keyOf(credential, business_id)
      const before = memory.get(key)
      const expected = before ? expectedEntry(kind, before, business_id, tx.now) : null
      if (!before || !expected) return { expected: null, confirmed: lookUp(tx, kind, key, credential, business_id) }
      const confirm = async (): Promise<Entry> => {
        const current = await tx.find(currentStamp, { user_id: before.user_id })
        if (current?.stamp !== before.stamp) {
          // Not looked up here: the operation may have changed in this transaction what would be read.
          memory.delete(key)
          throw new OutOfDate()
        }
        touches.seen(kind, before.credential_id, tx.now, tx.request.ip)
        return expected
      }
      return { expected, confirmed: confirm() }
    },
    authorise,
    answered(endpoint, credential, business_id, refused, clock) {
      if (kindOf(credential) !== 'grant') return
      const caller = memory.get(keyOf(credential, business_id))
      if (!caller) return
      const day = toTimestamp(clock.now()).slice(0, 10)
      touches.used({ grant_id: caller.credential_id, day, operation: endpoint.id, business_id, write: endpoint.method !== 'GET', refused })
    },
  }
}

function kindOf({ secret }: Credential): CredentialKind {
  return secret.startsWith('dbk_') ? 'token' : secret.startsWith('dba_') ? 'grant' : 'user'
}

function keyOf({ hash }: Credential, business_id: string | null): string {
  return `${hash.toString('latin1')}${business_id}`
}

/** null where time alone has ended it, or where the remembered caller would be refused: then the tables have the word. */
function expectedEntry(kind: CredentialKind, caller: Caller, business_id: string | null, now: string): Entry | null {
  if (caller.ends_at !== null && caller.ends_at <= now) return null
  try {
    return entryOf(kind, caller, business_id, now)
  } catch {
    return null
  }
}

function readCredential(headers: Record<string, string | string[] | undefined>): Credential | null {
  const header = headers['authorization']
  const [, secret] = typeof header === 'string' ? /^Bearer ([\w-]{10,200})$/i.exec(header.trim()) ?? [] : []
  // What is no bearer token is nobody's; it is still told from others, because each may call only so often.
  if (header !== undefined) return credentialOf(secret ?? `unreadable ${header}`, 'header', null)
  const [, cookie] = new RegExp(`(?:^|; )${SESSION_COOKIE}=([\\w-]{10,200})`).exec(String(headers['cookie'] ?? '')) ?? []
  const csrf = headers['x-csrf-token']
  return cookie ? credentialOf(cookie, 'cookie', typeof csrf === 'string' ? csrf : null) : null
}

function credentialOf(secret: string, from: Credential['from'], csrf_token: string | null): Credential {
  return { secret, hash: hashToken(secret), from, csrf_token }
}

function authorise(endpoint: Endpoint, credential: Credential, { actor, business }: Entry): void {
  if (credential.from === 'cookie' && endpoint.method !== 'GET' && !timingSafeEqualText(credential.csrf_token ?? '', csrfTokenOf(credential.secret))) {
    throw forbidden('The header x-csrf-token is missing or wrong.')
  }
  if ((endpoint.session || endpoint.fresh) && actor.kind !== 'user') throw forbidden('Only a signed-in person can do this; tokens and connected apps cannot.')
  if (endpoint.permission && !actor.permissions.has(endpoint.permission)) throw forbidden(`This needs the permission ${endpoint.permission}.`)
  if (endpoint.fresh && !actor.fresh) throw forbidden('This needs a sign-in less than 10 minutes old. Reauthenticate first.')
  if (business?.read_only && !endpoint.allow_read_only) throw forbidden(business.read_only)
}
