// The browser's form of a session: a cookie that scripts cannot read, with a second token that proves a write was meant.
import { createHash } from 'node:crypto'

export const SESSION_COOKIE = 'daybook_session'

/** Derived from the session's secret, so nothing more is stored; whoever has only the cookie cannot read it. */
export function csrfTokenOf(session_token: string): string {
  return createHash('sha256').update(`csrf ${session_token}`).digest('base64url')
}

export function sessionCookie(session_token: string, max_age_seconds: number, secure: boolean): string {
  return `${SESSION_COOKIE}=${session_token}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${max_age_seconds}${secure ? '; Secure' : ''}`
}

export const clearedCookie = `${SESSION_COOKIE}=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0`
