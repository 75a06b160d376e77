// Starting, listing and ending sessions.
import type { PageQuery } from '../../foundation/database/list.ts'
import type { Tx, UserTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import { notFound } from '../../foundation/refusal.ts'
import { hashToken, randomToken } from '../../foundation/secrets.ts'
import { momentAfter } from '../account/rules.ts'
import { clearedCookie, csrfTokenOf, sessionCookie } from '../cookie.ts'
import { LONGEST_MS } from './rules.ts'
import * as store from './store.ts'

export type StartedSession = { id: string; session_token: string; csrf_token: string; expires_at: string; new_device: boolean }

/** The bearer is in the answer and, for browsers, in a cookie; the caller puts only the answer on the wire. */
export async function startSession(tx: Tx, user_id: string): Promise<StartedSession> {
  const session_token = randomToken('dbs_')
  const expires_at = momentAfter(tx.now, LONGEST_MS)
  const device = { ip: tx.request.ip, user_agent: tx.request.user_agent?.slice(0, 500) ?? null }
  const earlier = await tx.find(store.countFromDevice, { user_id, ...device })
  const id = newId()
  tx.queue(store.insertSession, { id, user_id, token_hash: hashToken(session_token), expires_at, ...device })
  const secure = tx.surroundings.public_url.startsWith('https:')
  tx.request.reply_headers['set-cookie'] = sessionCookie(session_token, LONGEST_MS / 1000, secure)
  return { id, session_token, csrf_token: csrfTokenOf(session_token), expires_at, new_device: earlier?.count === 0 }
}

export async function listSessions(tx: UserTx, query: PageQuery) {
  const page = await tx.page(store.liveSessions, query)
  return { ...page, items: page.items.map((session) => ({ ...session, current: session.id === tx.actor.session_id })) }
}

export async function endOtherSessions(tx: UserTx): Promise<{ ended: number }> {
  return { ended: await endSessionsOf(tx, tx.user_id, tx.actor.session_id) }
}

export async function endSession(tx: UserTx, session_id: string): Promise<{ ended: number }> {
  const ended = await tx.run(store.endSession, { user_id: tx.user_id, id: session_id })
  if (ended === 0) throw notFound('Session')
  return { ended }
}

export async function signOut(tx: UserTx): Promise<{ ended: number }> {
  tx.request.reply_headers['set-cookie'] = clearedCookie
  return { ended: await tx.run(store.endSession, { user_id: tx.user_id, id: tx.actor.session_id }) }
}

/** Every session of the user but the one that is kept; null keeps none. */
export function endSessionsOf(tx: Tx, user_id: string, kept_id: string | null): Promise<number> {
  return tx.run(store.endSessions, { user_id, kept_id })
}

/** Opens the window for what needs a fresh sign-in; it also counts as use, for businesses that end idle sessions. */
export function reauthenticateSession(tx: UserTx): void {
  tx.queue(store.reauthenticateSession, { id: tx.actor.session_id })
}

/** The clock of a sandbox is moved: whoever is signed in stays so. */
export async function carrySessions(tx: Tx, milliseconds: number): Promise<void> {
  await tx.run(store.shiftSessions, { milliseconds })
}
