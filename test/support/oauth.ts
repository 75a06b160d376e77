// An app that people connect, for tests: registered over the API, consented to by a session, and spoken to by an independent client.
import * as oauth from 'oauth4webapi'
import type { Answer } from './client.ts'
import type { Person } from './people.ts'
import { service } from './service.ts'

export const CALLBACK = 'https://shop.example.com/callback'
export const insecure = { [oauth.allowInsecureRequests]: true } as const

export type App = { client_id: string; client_secret: string | null; server: oauth.AuthorizationServer; client: oauth.Client; auth: oauth.ClientAuth }

/** The issuer tells the rest. */
export async function discover(): Promise<oauth.AuthorizationServer> {
  const issuer = new URL((await service()).url)
  return oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure }))
}

export async function newApp(owner: Pick<Person, 'client'>, body: object = {}): Promise<App> {
  const scopes = ['notes:read', 'notes:write', 'tags:read', 'tags:write', 'user:read', 'businesses:read', 'audit-trail:read']
  const { data, detail } = await owner.client.post('/oauth/clients', { name: 'Shop Connector', redirect_uris: [CALLBACK], allowed_scopes: scopes, ...body })
  if (!data) throw new Error(`No client: ${JSON.stringify(detail)}`)
  const { client_id, client_secret } = data as { client_id: string; client_secret: string | null }
  return { client_id, client_secret, server: await discover(), client: { client_id }, auth: client_secret ? oauth.ClientSecretBasic(client_secret) : oauth.None() }
}

export type Flow = { verifier: string; state: string; request_id: string; location: string }

/** Sends a browser to the authorization endpoint and looks where it is sent on. */
export async function begin(app: App, more: Record<string, string | null> = {}): Promise<Flow> {
  const verifier = oauth.generateRandomCodeVerifier()
  const state = oauth.generateRandomState()
  const wanted: Record<string, string | null> = {
    client_id: app.client_id, redirect_uri: CALLBACK, response_type: 'code', scope: 'notes:read notes:write', state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256', ...more,
  }
  const url = new URL(app.server.authorization_endpoint ?? '')
  for (const [name, value] of Object.entries(wanted)) if (value !== null) url.searchParams.set(name, value)
  const answer = await visit(url)
  const location = answer.headers.get('location') ?? ''
  return { verifier, state, location, request_id: URL.parse(location, url.href)?.searchParams.get('request_id') ?? '' }
}

/** Without following where it leads, and from an address of its own: limits per address are tested where they belong. */
export function visit(url: URL | string, init: RequestInit = {}): Promise<Response> {
  const address = `10.9.${Math.floor(Math.random() * 255)}.${Math.floor(Math.random() * 255)}`
  return fetch(url, { redirect: 'manual', ...init, headers: { 'x-forwarded-for': address, ...(init.headers as Record<string, string> | undefined) } })
}

export function decide(person: Pick<Person, 'client'>, flow: Flow, business_ids: string[], scopes?: string[]): Promise<Answer> {
  return person.client.post('/oauth/authorize', { request_id: flow.request_id, decision: 'approve', business_ids, ...(scopes ? { scopes } : {}) })
}

/** The code that a consent gives, as the independent client reads it. */
export async function consent(app: App, person: Pick<Person, 'client'>, business_ids: string[], more: Record<string, string | null> = {}) {
  const flow = await begin(app, more)
  const answer = await decide(person, flow, business_ids)
  if (answer.status !== 201) throw new Error(`No consent: ${JSON.stringify(answer.body)}`)
  const parameters = oauth.validateAuthResponse(app.server, app.client, new URL(answer.data.redirect_to), flow.state)
  return { parameters, verifier: flow.verifier, redirect_uri: more['redirect_uri'] ?? CALLBACK }
}

export type Consented = Awaited<ReturnType<typeof consent>>

export function exchange(app: App, given: Consented, auth = app.auth): Promise<Response> {
  return oauth.authorizationCodeGrantRequest(app.server, app.client, auth, given.parameters, given.redirect_uri, given.verifier, insecure)
}

export async function tokensOf(app: App, response: Response): Promise<{ access_token: string; refresh_token: string; scope: string; business_ids: string[] }> {
  return (await oauth.processAuthorizationCodeResponse(app.server, app.client, response)) as never
}

/** Consent and exchange in one go. */
export async function connect(app: App, person: Pick<Person, 'client'>, business_ids: string[], more: Record<string, string | null> = {}) {
  return tokensOf(app, await exchange(app, await consent(app, person, business_ids, more)))
}

export function refreshWith(app: App, token: string, auth = app.auth): Promise<Response> {
  return oauth.refreshTokenGrantRequest(app.server, app.client, auth, token, insecure)
}

export async function introspect(app: App, token: string): Promise<oauth.IntrospectionResponse> {
  return oauth.processIntrospectionResponse(app.server, app.client, await oauth.introspectionRequest(app.server, app.client, app.auth, token, insecure))
}

export async function giveBack(app: App, token: string): Promise<void> {
  await oauth.processRevocationResponse(await oauth.revocationRequest(app.server, app.client, app.auth, token, insecure))
}

/** A form sent as it is. */
export async function postForm(path: string, form: Record<string, string> | string, headers: Record<string, string> = {}): Promise<{ status: number; headers: Headers; body: any }> {
  const body = typeof form === 'string' ? form : new URLSearchParams(form).toString()
  const response = await visit(`${(await service()).url}${path}`, { method: 'POST', body, headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers } })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text }
}

export async function grantOf(person: Pick<Person, 'client'>, app: App): Promise<any> {
  const { data } = await person.client.get('/oauth/grants', { client_id: app.client_id })
  return data.items[0]
}

