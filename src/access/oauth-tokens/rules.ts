// How programs show who they are, what makes a code or a token good, and how OAuth says no.
import { createHash } from 'node:crypto'
import type { Message } from '../../foundation/message.ts'
import { Refusal } from '../../foundation/refusal.ts'
import { timingSafeEqualText } from '../../foundation/secrets.ts'
import { isRegistered } from '../oauth-clients/rules.ts'

export const CODE_MS = 60_000
export const ACCESS_SECONDS = 3_600
export const REFRESH_MS = 60 * 86_400_000

type ErrorCode = 'invalid_request' | 'invalid_client' | 'invalid_grant' | 'invalid_scope' | 'unsupported_grant_type'

/** Nothing of these endpoints is for a cache. */
export const PRIVATE = { 'cache-control': 'no-store', pragma: 'no-cache' }

export function oauthError(error: ErrorCode, error_description: string, status = 400, headers: Record<string, string> = {}): Refusal {
  return new Refusal(status, error_description, { headers: { ...PRIVATE, ...headers }, body: { error, error_description } })
}

export type Form = Record<string, string>

export function readForm({ body, headers }: Message): Form {
  if (!/^application\/x-www-form-urlencoded\b/i.test(String(headers['content-type'] ?? ''))) {
    throw oauthError('invalid_request', 'The body must be a form: application/x-www-form-urlencoded.')
  }
  const form: Form = {}
  for (const [name, value] of new URLSearchParams(body.toString('utf8'))) {
    if (Object.hasOwn(form, name)) throw oauthError('invalid_request', `${printable(name)} is given more than once.`)
    // An empty field counts as left out.
    if (value !== '') form[name] = value
  }
  return form
}

export function requireField(form: Form, name: string): string {
  const value = form[name]
  if (value === undefined) throw oauthError('invalid_request', `${name} is missing.`)
  return value
}

export type Shown = { client_id: string; client_secret: string | null; basic: boolean }

/** By HTTP Basic or in the form, never both. */
export function credentialsOf({ headers }: Message, form: Form): Shown {
  const header = headers['authorization']
  if (header === undefined) return { client_id: requireField(form, 'client_id'), client_secret: form['client_secret'] ?? null, basic: false }
  const [, encoded] = /^Basic ([A-Za-z0-9+/]+={0,2})$/i.exec(String(header).trim()) ?? []
  const [, name, secret] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded ?? '', 'base64').toString('utf8')) ?? []
  const [client_id, client_secret] = [decoded(name), decoded(secret)]
  if (!client_id || client_secret === null) throw wrongClient(true)
  if (form['client_secret'] !== undefined || (form['client_id'] ?? client_id) !== client_id) {
    throw oauthError('invalid_request', 'The client shows who it is in one way only: by HTTP Basic or in the form.')
  }
  return { client_id, client_secret: client_secret === '' ? null : client_secret, basic: true }
}

export function wrongClient(basic: boolean): Refusal {
  return oauthError('invalid_client', 'The client is unknown, disabled, or shows the wrong secret.', 401, basic ? { 'www-authenticate': 'Basic realm="Daybook"' } : {})
}

/** Everything that can be wrong with a code or a token is answered alike. */
export function invalidGrant(): Refusal {
  return oauthError('invalid_grant', 'The code or token is unknown, used, expired or revoked, or belongs to another client.')
}

export function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url')
}

type Code = { redirect_uri: string; code_challenge: string; expires_at: string }

/** The code is still in time, for this very address, which is still registered, and for whoever began the flow. */
export function fits(code: Code, form: Form, registered: readonly string[], now: string): boolean {
  const verifier = form['code_verifier'] ?? ''
  return code.expires_at > now && form['redirect_uri'] === code.redirect_uri && isRegistered(code.redirect_uri, registered)
    && /^[\w.~-]{43,128}$/.test(verifier) && timingSafeEqualText(challengeOf(verifier), code.code_challenge)
}

/** What is asked for, in the order of the alphabet; all that is left where nothing is. */
export function scopesFor(asked: string | undefined, left: readonly string[]): string[] {
  if (asked === undefined) return [...left]
  const wanted = [...new Set(asked.split(' ').filter((scope) => scope !== ''))].sort()
  if (wanted.length === 0 || wanted.some((scope) => !left.includes(scope))) throw oauthError('invalid_scope', 'A refresh token gives no more than it has.')
  return wanted
}

export function seconds(moment: string): number {
  return Math.floor(Date.parse(moment) / 1000)
}

function decoded(text: string | undefined): string | null {
  try {
    return text === undefined ? null : decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return null
  }
}

/** A description has few characters to choose from. */
function printable(text: string): string {
  return text.replaceAll(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, '?').slice(0, 50)
}
