// What can be done with API tokens.
import type { Static } from 'typebox'
import type { PageQuery } from '../../foundation/database/list.ts'
import { changed } from '../../foundation/database/rows.ts'
import type { UserTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import { forbidden, notFound } from '../../foundation/refusal.ts'
import { hashToken, randomToken } from '../../foundation/secrets.ts'
import { permissionsFor, scopeCatalogue, type Role } from '../permissions.ts'
import { recordUserEvent } from '../security-events/operations.ts'
import type { ApiToken, ApiTokenInput, ApiTokenUpdate, CurrentCredential, NewApiToken } from './contract.ts'
import * as rules from './rules.ts'
import * as store from './store.ts'

type TokenRow = Static<typeof ApiToken>

export async function listApiTokens(tx: UserTx, query: PageQuery & { business_id?: string }) {
  if (query.business_id === undefined) return tx.page(store.ownTokens, query)
  const own = await ownToken(tx)
  const member = await tx.find(store.roleIn, { business: query.business_id })
  const manages = member && holdsPower(tx, member.role) && (!own || rules.reaches(own, query.business_id))
  if (!manages) throw forbidden('Seeing the tokens of a business needs the permission tokens:manage there.')
  return tx.page(store.tokensReaching, query)
}

export function getApiToken(tx: UserTx, id: string): Promise<TokenRow> {
  return tx.get(store.findOwnToken, { id }, 'API token')
}

export async function createApiToken(tx: UserTx, input: Static<typeof ApiTokenInput>): Promise<Static<typeof NewApiToken>> {
  const [own, places] = await Promise.all([ownToken(tx), tx.many(store.places)])
  const business_ids = input.business_ids ? rules.distinct(input.business_ids) : null
  const reach = { scopes: rules.distinct(input.scopes), business_ids, expires_at: inUtc(input.expires_at ?? null) }
  const chosen = rules.placesOf(business_ids, places)
  if (own) rules.requireNarrower(reach, own)
  rules.requireHeld(reach.scopes, chosen)
  rules.requireExpiry(reach.expires_at, chosen, tx.now)
  const token = randomToken('dbk_')
  const row: TokenRow = {
    id: newId(),
    name: input.name,
    token_prefix: prefixOf(token),
    ...reach,
    status: 'active',
    last_used_at: null,
    last_used_ip: null,
    created_by: tx.user_id,
    revoked_at: null,
    revoked_by: null,
    created_at: tx.now,
    updated_at: tx.now,
    version: 1,
  }
  tx.queue(store.insertToken, row)
  tx.queue(store.insertSecret, { token_hash: hashToken(token), token_id: row.id })
  recordUserEvent(tx, row.created_by, 'api_token.created', detailOf(row))
  return { ...row, token }
}

export async function updateApiToken(tx: UserTx, id: string, input: Static<typeof ApiTokenUpdate>): Promise<TokenRow> {
  const token = await tx.lock(store.lockOwnToken, { id }, 'API token')
  rules.requireActive(token, tx.now)
  const reach = {
    scopes: input.scopes ? rules.distinct(input.scopes) : token.scopes,
    business_ids: input.business_ids ? rules.distinct(input.business_ids) : input.business_ids === null ? null : token.business_ids,
    expires_at: input.expires_at === undefined ? token.expires_at : inUtc(input.expires_at),
  }
  if (input.business_ids) rules.placesOf(reach.business_ids, await tx.many(store.places))
  rules.requireNoWider(reach, token)
  rules.requireExpiry(reach.expires_at, [], tx.now)
  const after = changed(token, { ...reach, ...(input.name === undefined ? {} : { name: input.name }) }, tx.now)
  tx.queue(store.updateToken, after)
  return after
}

/** By its creator, or by whoever manages the tokens of a business that it reaches; to anyone else it does not exist. */
export async function revokeApiToken(tx: UserTx, id: string): Promise<TokenRow> {
  const token = await tx.get(store.lockToken, { id }, 'API token')
  if (token.created_by !== tx.user_id && !(await manages(tx, token))) throw notFound('API token')
  tx.checkMatch(token.version)
  if (token.revoked_at !== null) return token
  const after = changed(token, { status: 'revoked', revoked_at: tx.now, revoked_by: tx.user_id }, tx.now)
  tx.queue(store.updateToken, after)
  recordUserEvent(tx, token.created_by, 'api_token.revoked', { ...detailOf(token), revoked_by: tx.user_id })
  return after
}

export async function rotateApiToken(tx: UserTx, id: string, { overlap_hours = 0 }: { overlap_hours?: number }): Promise<Static<typeof NewApiToken>> {
  const row = await tx.lock(store.lockOwnToken, { id }, 'API token')
  const own = await ownToken(tx)
  // The new secret goes to the caller: a narrow token must not come by a wide one this way.
  if (own) rules.requireNarrower(row, own)
  rules.requireActive(row, tx.now)
  const token = randomToken('dbk_')
  const after = changed(row, { token_prefix: prefixOf(token) }, tx.now)
  tx.queue(store.endSecrets, { token_id: id, valid_until: rules.hoursLater(tx.now, overlap_hours) })
  tx.queue(store.dropEndedSecrets, { token_id: id })
  tx.queue(store.insertSecret, { token_hash: hashToken(token), token_id: id })
  tx.queue(store.updateToken, after)
  recordUserEvent(tx, row.created_by, 'api_token.rotated', { ...detailOf(row), overlap_hours })
  return { ...after, token }
}

export async function getCurrentCredential(tx: UserTx): Promise<Static<typeof CurrentCredential>> {
  const { actor } = tx
  const own = await ownToken(tx)
  const session = actor.session_id ? await tx.find(store.findSession, { id: actor.session_id }) : null
  const grant = actor.kind === 'grant' ? await tx.find(store.findGrant, { id: actor.id }) : null
  return {
    kind: actor.kind === 'token' || actor.kind === 'grant' ? actor.kind : 'session',
    id: actor.session_id ?? actor.id,
    user_id: tx.user_id,
    user_name: actor.name,
    email: actor.email ?? '',
    scopes: grant ? [...actor.permissions].sort() : own?.scopes ?? null,
    business_ids: grant?.business_ids ?? own?.business_ids ?? null,
    expires_at: grant?.expires_at ?? own?.expires_at ?? session?.expires_at ?? null,
  }
}

export async function listScopes() {
  return scopeCatalogue()
}

/** The token that is calling, or null where a person is. */
function ownToken(tx: UserTx): Promise<TokenRow | null> {
  return tx.actor.kind === 'token' ? tx.find(store.findOwnToken, { id: tx.actor.id }) : Promise.resolve(null)
}

/** In some business that the token reaches, and the caller's own credential too, the caller holds tokens:manage. */
async function manages(tx: UserTx, token: TokenRow): Promise<boolean> {
  const [own, shared] = await Promise.all([ownToken(tx), tx.many(store.sharedPlaces, { created_by: token.created_by })])
  return shared.some(({ business_id, role }) => rules.reaches(token, business_id) && (!own || rules.reaches(own, business_id)) && holdsPower(tx, role))
}

function holdsPower(tx: UserTx, role: string): boolean {
  return permissionsFor(role as Role).has('tokens:manage') && tx.actor.permissions.has('tokens:manage')
}

/** What the security log says of a token. */
function detailOf({ id, name, token_prefix, scopes, business_ids, expires_at }: TokenRow) {
  return { api_token_id: id, name, token_prefix, scopes, business_ids, expires_at }
}

function prefixOf(token: string): string {
  return token.slice(0, 12)
}

/** Timestamps are shown in one form, whatever offset they came with. */
function inUtc(moment: string | null): string | null {
  return moment === null ? null : new Date(moment).toISOString()
}
