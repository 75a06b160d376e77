// The person behind the cookie of a page, and the proof that a form of ours was meant.
import type { Actor } from '../foundation/database/context.ts'
import type { Tx } from '../foundation/database/transaction.ts'
import { forbidden } from '../foundation/refusal.ts'
import { hashToken, randomToken, timingSafeEqualText } from '../foundation/secrets.ts'
import { entryOf, sessionCaller } from './caller.ts'
import { csrfTokenOf, SESSION_COOKIE } from './cookie.ts'

/** Before there is a session, this cookie ties a form to the browser that was given it: nobody can sign another in as himself. */
const FORM_COOKIE = 'daybook_form'

export type Visitor = { actor: Actor; csrf_token: string }

/** null where nobody is signed in. */
export async function visitorBehind(tx: Tx, cookie: string): Promise<Visitor | null> {
  const secret = valueOf(cookie, SESSION_COOKIE)
  const caller = secret ? await tx.find(sessionCaller, { hash: hashToken(secret), business: null }) : null
  return secret && caller ? { actor: entryOf('user', caller, null, tx.now).actor, csrf_token: csrfTokenOf(secret) } : null
}

/** A token for a form of somebody who is not signed in; the other half is set as a cookie. */
export function formToken(tx: Tx, cookie: string): string {
  const secret = valueOf(cookie, FORM_COOKIE) ?? randomToken('')
  const secure = tx.surroundings.public_url.startsWith('https:') ? '; Secure' : ''
  tx.request.reply_headers['set-cookie'] = `${FORM_COOKIE}=${secret}; Path=/oauth; HttpOnly; SameSite=Strict; Max-Age=1800${secure}`
  return csrfTokenOf(secret)
}

export function requireFormToken(cookie: string, given: string | undefined): void {
  const secret = valueOf(cookie, FORM_COOKIE)
  requireToken(given, secret === null ? null : csrfTokenOf(secret))
}

export function requireToken(given: string | undefined, expected: string | null): void {
  if (expected === null || !timingSafeEqualText(given ?? '', expected)) throw forbidden('This form was not sent from the page that it belongs to. Go back, open the page again and repeat it.')
}

function valueOf(cookie: string, name: string): string | null {
  return new RegExp(`(?:^|; )${name}=([\\w-]{10,200})(?:;|$)`).exec(cookie)?.[1] ?? null
}
