// What an authorization request must be, and what of it a person can allow.
import type { Permission } from '../../foundation/permission.ts'
import { invalid } from '../../foundation/refusal.ts'
import { isRegistered } from '../oauth-clients/rules.ts'
import { isPersonal, permissionsFor, type Role } from '../permissions.ts'

export const REQUEST_MS = 10 * 60_000

const LONGEST_STATE = 2_000

type Client = { client_id: string; status: string; redirect_uris: readonly string[]; allowed_scopes: readonly string[] }
type Query = Record<string, string>

/** The app and the address must be known before anything is sent to that address: a wrong one is told to the person instead. */
export function requireKnownAddress<C extends Client>(client: C | null, query: Query, repeated: readonly string[]): C {
  if (repeated.includes('client_id') || repeated.includes('redirect_uri')) throw invalid('The app has sent you here with an address that cannot be read. Go back and try again.')
  if (!client) throw invalid('The app that has sent you here is not known. Nothing was shared with it.')
  if (!isRegistered(query['redirect_uri'] ?? '', client.redirect_uris)) {
    throw invalid('The app wants you sent to an address that it has not registered. Nothing was shared with it.')
  }
  return client
}

export type Asked = { redirect_uri: string; state: string | null; scopes: string[]; code_challenge: string }
export type Answered = Record<string, string>

/** What is asked for, or the error that goes back to the app. */
export function readRequest(client: Client, query: Query, repeated: readonly string[], issuer: string): Asked | Answered {
  const wrong = (error: string, error_description: string): Answered => ({ error, error_description })
  if (repeated.length > 0) return wrong('invalid_request', 'A parameter is given more than once.')
  if (client.status !== 'active') return wrong('unauthorized_client', 'This client is disabled.')
  if (query['request'] !== undefined) return wrong('request_not_supported', 'Parameters are read from the address only.')
  if (query['request_uri'] !== undefined) return wrong('request_uri_not_supported', 'Parameters are read from the address only.')
  if (!query['response_type']) return wrong('invalid_request', 'response_type is missing.')
  if (query['response_type'] !== 'code') return wrong('unsupported_response_type', 'Only code is known.')
  if ((query['response_mode'] ?? 'query') !== 'query') return wrong('invalid_request', 'Answers are sent in the query of the address only.')
  if (!query['code_challenge']) return wrong('invalid_request', 'code_challenge is missing: this server requires PKCE.')
  if (query['code_challenge_method'] !== 'S256') return wrong('invalid_request', 'code_challenge_method must be S256.')
  if (!/^[\w-]{43}$/.test(query['code_challenge'])) return wrong('invalid_request', 'code_challenge is not the SHA-256 of a verifier in base64url.')
  if ((query['state']?.length ?? 0) > LONGEST_STATE) return wrong('invalid_request', `state is longer than ${LONGEST_STATE} characters.`)
  const resource = query['resource']
  if (resource !== undefined && resource !== issuer && !resource.startsWith(`${issuer}/`)) return wrong('invalid_target', 'resource is not of this server.')
  const asked = (query['scope'] ?? '').split(' ').filter((scope) => scope !== '')
  const scopes = [...new Set(asked.length > 0 ? asked : client.allowed_scopes)].sort()
  if (scopes.some((scope) => !client.allowed_scopes.includes(scope))) return wrong('invalid_scope', 'A scope is not known, or not allowed to this client.')
  return { redirect_uri: query['redirect_uri'] ?? '', state: query['state'] ?? null, scopes, code_challenge: query['code_challenge'] }
}

export function isAsked(outcome: Asked | Answered): outcome is Asked {
  return Array.isArray(outcome['scopes'])
}

/** The address of the app with an answer in its query, which may hold something already. Every answer says who gives it (RFC 9207). */
export function addressWith(redirect_uri: string, answer: Answered, state: string | null, issuer: string): string {
  const query = new URLSearchParams({ ...answer, ...(state === null ? {} : { state }), iss: issuer })
  return `${redirect_uri}${redirect_uri.includes('?') ? '&' : '?'}${query}`
}

export function requireOpen(request: { expires_at: string; decided_at: string | null }, now: string): void {
  if (request.decided_at !== null) throw invalid('This request was decided already. Start again from the app.')
  if (request.expires_at <= now) throw invalid('This request is older than 10 minutes. Start again from the app.')
}

/** The app may have changed since it asked. */
export function requireStillAllowed(client: Client | null, redirect_uri: string): void {
  if (client?.status !== 'active') throw invalid('This app is disabled. Nothing was shared with it.')
  if (!isRegistered(redirect_uri, client.redirect_uris)) throw invalid('This app no longer uses the address that it asked with. Start again from the app.')
}

/** Of these scopes, those that somebody with this role can pass on. */
export function within(scopes: readonly string[], role: string): string[] {
  const held = permissionsFor(role as Role)
  return scopes.filter((scope) => held.has(scope as Permission) || isPersonal(scope as Permission))
}

type Place = { role: string }

/** What the person allows: of what is asked, never more than they have in one of the businesses. */
export function allowed(wanted: readonly string[] | undefined, asked: readonly string[], places: readonly Place[]): string[] {
  const held = asked.filter((scope) => places.some(({ role }) => within([scope], role).length > 0))
  if (wanted === undefined) {
    if (held.length === 0) throw invalid('You have nothing of what this app asks for in these businesses.')
    return held
  }
  const strange = wanted.filter((scope) => !asked.includes(scope))
  if (strange.length > 0) throw invalid(`The app does not ask for ${strange.join(', ').slice(0, 300)}.`)
  const missing = wanted.filter((scope) => !held.includes(scope))
  if (missing.length > 0) throw invalid(`You do not have these permissions in any of the businesses: ${missing.join(', ')}.`)
  return [...new Set(wanted)].sort()
}
