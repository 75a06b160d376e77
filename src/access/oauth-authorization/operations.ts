// From what an app asks for to what a person allows.
import type { Static } from 'typebox'
import type { PublicTx, Tx, UserTx } from '../../foundation/database/transaction.ts'
import { isUuid, newId } from '../../foundation/ids.ts'
import { invalid, notFound, unprocessable } from '../../foundation/refusal.ts'
import { momentAfter } from '../account/rules.ts'
import { findClient } from '../oauth-clients/operations.ts'
import { issuerOf } from '../oauth-discovery/rules.ts'
import { giveGrant } from '../oauth-grants/operations.ts'
import { GRANTABLE } from '../oauth-grants/rules.ts'
import { issueCode } from '../oauth-tokens/operations.ts'
import type { AuthorizationRequest, decideAuthorization as decided } from './contract.ts'
import * as rules from './rules.ts'
import * as store from './store.ts'

type Decision = Static<NonNullable<(typeof decided)['body']>>

const words = new Map<string, string>(GRANTABLE.map(({ scope, description }) => [scope, description]))

/** The app has sent a browser here: where it goes on. A refusal is for the person, never for an address that nobody has registered. */
export async function openRequest(tx: PublicTx, query: Record<string, string>, repeated: readonly string[]): Promise<string> {
  const client = rules.requireKnownAddress(await findClient(tx, query['client_id'] ?? ''), query, repeated)
  const issuer = issuerOf(tx.surroundings.public_url)
  const asked = rules.readRequest(client, query, repeated, issuer)
  if (!rules.isAsked(asked)) return rules.addressWith(query['redirect_uri'] ?? '', asked, repeated.includes('state') ? null : query['state'] ?? null, issuer)
  const id = newId()
  tx.queue(store.insertRequest, { id, client_id: client.client_id, ...asked, expires_at: momentAfter(tx.now, rules.REQUEST_MS) })
  return `/oauth/consent?request_id=${id}`
}

/** Who asks, for a page that does not know yet who is asked. */
export async function getAskingClient(tx: Tx, request_id: string) {
  const { request, client } = await openRequestOf(tx, request_id)
  return { request_id: request.id, name: client.name, redirect_uri: request.redirect_uri }
}

export async function getAuthorizationRequest(tx: UserTx, request_id: string): Promise<Static<typeof AuthorizationRequest>> {
  const [{ request, client }, places] = await Promise.all([openRequestOf(tx, request_id), tx.many(store.ownPlaces)])
  const { client_id, name, description, logo_document_id, homepage_url, privacy_url } = client
  return {
    request_id: request.id,
    client: { client_id, name, description, logo_document_id, homepage_url, privacy_url },
    redirect_uri: request.redirect_uri,
    scopes: request.scopes.map((scope) => ({ scope, description: words.get(scope) ?? scope })),
    businesses: places.filter(({ is_sample }) => !is_sample)
      .map(({ business_id, name: business, role }) => ({ business_id, name: business, role, scopes: rules.within(request.scopes, role) })),
    expires_at: request.expires_at,
  }
}

export async function decideAuthorization(tx: UserTx, { request_id, decision, business_ids, scopes }: Decision): Promise<{ redirect_to: string }> {
  if (decision === 'approve' && !business_ids) throw unprocessable([{ loc: ['body', 'business_ids'], msg: 'Field required.', type: 'missing' }])
  const request = await tx.get(store.lockRequest, { id: request_id }, 'Request')
  rules.requireOpen(request, tx.now)
  const client = await findClient(tx, request.client_id)
  rules.requireStillAllowed(client, request.redirect_uri)
  tx.queue(store.decideRequest, { id: request.id })
  const answer = (given: rules.Answered) => ({ redirect_to: rules.addressWith(request.redirect_uri, given, request.state, issuerOf(tx.surroundings.public_url)) })
  if (decision === 'deny' || !client || !business_ids) return answer({ error: 'access_denied', error_description: 'The person said no.' })
  const places = await holdPlaces(tx, business_ids)
  const allowed = rules.allowed(scopes, request.scopes.filter((scope) => client.allowed_scopes.includes(scope)), places)
  const grant = await giveGrant(tx, client, places.map(({ business_id }) => business_id), allowed)
  const { redirect_uri, code_challenge } = request
  return answer({ code: issueCode(tx, { grant_id: grant.id, redirect_uri, code_challenge, scopes: allowed }) })
}

export function sweepRequests(tx: Tx): void {
  tx.queue(store.deleteOldRequests)
}

async function openRequestOf(tx: Tx, request_id: string) {
  const request = isUuid(request_id) ? await tx.find(store.findRequest, { id: request_id }) : null
  if (!request) throw notFound('Request')
  rules.requireOpen(request, tx.now)
  const client = await findClient(tx, request.client_id)
  rules.requireStillAllowed(client, request.redirect_uri)
  if (!client) throw notFound('Request')
  return { request, client }
}

/** The chosen businesses, each one of the person. */
async function holdPlaces(tx: UserTx, business_ids: readonly string[]) {
  const places = await tx.many(store.holdPlaces, { business_ids })
  const missing = business_ids.find((id) => !places.some(({ business_id }) => business_id === id))
  if (missing) throw notFound(`Business ${missing}`)
  const sample = places.find(({ is_sample }) => is_sample)
  if (sample) throw invalid(`${sample.name} is a sample: apps are for real businesses.`)
  return places
}
