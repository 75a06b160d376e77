// Codes for tokens, tokens for newer ones, and what becomes of either. Where something was used twice the answer is a no that
// must leave its trace, so refusals are returned, not thrown: they commit what was written.
import type { Static } from 'typebox'
import type { PublicTx, Tx, UserTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import type { Message } from '../../foundation/message.ts'
import type { Refusal } from '../../foundation/refusal.ts'
import { hashToken, randomToken } from '../../foundation/secrets.ts'
import { momentAfter } from '../account/rules.ts'
import { authenticateClient, type ClientRow } from '../oauth-clients/operations.ts'
import { issuerOf } from '../oauth-discovery/rules.ts'
import { revokeReused } from '../oauth-grants/operations.ts'
import type { Introspection, OauthTokens } from './contract.ts'
import * as rules from './rules.ts'
import type { Form } from './rules.ts'
import * as store from './store.ts'

type Tokens = Static<typeof OauthTokens>
type Issue = { grant_id: string; code_id: string; business_ids: string[]; access_scopes: string[]; refresh_scopes: string[] }

export async function createToken(tx: PublicTx, message: Message): Promise<Tokens | Refusal> {
  const { client, form } = await callerOf(tx, message)
  const grant_type = rules.requireField(form, 'grant_type')
  if (grant_type === 'authorization_code') return redeemCode(tx, client, form)
  if (grant_type === 'refresh_token') return refresh(tx, client, form)
  return rules.oauthError('unsupported_grant_type', 'Known are authorization_code and refresh_token.')
}

export async function revokeToken(tx: PublicTx, message: Message): Promise<object> {
  const { client, form } = await callerOf(tx, message)
  const token_hash = hashToken(rules.requireField(form, 'token'))
  const token = await tx.find(store.findToken, { token_hash })
  if (token?.client_id !== client.client_id) return {}
  if (token.kind === 'access') tx.queue(store.endToken, { token_hash })
  else tx.queue(store.endTokensOfGrant, { grant_id: token.grant_id })
  return {}
}

export async function introspectToken(tx: PublicTx, message: Message): Promise<Static<typeof Introspection>> {
  const { client, form } = await callerOf(tx, message)
  const token = await tx.find(store.findToken, { token_hash: hashToken(rules.requireField(form, 'token')) })
  const works = token?.client_id === client.client_id && token.stands && token.ended_at === null && token.rotated_at === null && token.expires_at > tx.now
  if (!works) return { active: false }
  return {
    active: true,
    scope: leftOf(token, client).join(' '),
    client_id: client.client_id,
    sub: token.user_id,
    token_type: token.kind === 'access' ? 'Bearer' : 'refresh_token',
    iss: issuerOf(tx.surroundings.public_url),
    iat: rules.seconds(token.created_at),
    exp: rules.seconds(token.expires_at),
    business_ids: token.business_ids,
  }
}

/** For a consent just given: works once, within a minute, for whoever began the flow. */
export function issueCode(tx: UserTx, given: { grant_id: string; redirect_uri: string; code_challenge: string; scopes: readonly string[] }): string {
  const code = randomToken('dbg_')
  tx.queue(store.insertCode, { id: newId(), code_hash: hashToken(code), ...given, expires_at: momentAfter(tx.now, rules.CODE_MS) })
  return code
}

export function sweepTokens(tx: Tx): void {
  tx.queue(store.deleteOldCodes)
  tx.queue(store.deleteOldTokens)
}

async function redeemCode(tx: PublicTx, client: ClientRow, form: Form): Promise<Tokens | Refusal> {
  const code = await tx.find(store.lockCode, { code_hash: hashToken(rules.requireField(form, 'code')) })
  if (code?.client_id !== client.client_id) return rules.invalidGrant()
  if (code.used_at !== null) {
    // Two have had it. Which of them was meant to cannot be told, so neither keeps what it gave.
    tx.queue(store.endTokensOfCode, { code_id: code.id })
    return rules.invalidGrant()
  }
  // Also one that is brought with the wrong verifier or address is used up: there is no second guess.
  tx.queue(store.useCode, { id: code.id })
  if (!code.stands || !rules.fits(code, form, client.redirect_uris, tx.now)) return rules.invalidGrant()
  const scopes = leftOf(code, client)
  return issue(tx, { grant_id: code.grant_id, code_id: code.id, business_ids: code.business_ids, access_scopes: scopes, refresh_scopes: scopes })
}

async function refresh(tx: PublicTx, client: ClientRow, form: Form): Promise<Tokens | Refusal> {
  const token_hash = hashToken(rules.requireField(form, 'refresh_token'))
  const token = await tx.find(store.lockToken, { token_hash })
  if (token?.kind !== 'refresh' || token.client_id !== client.client_id) return rules.invalidGrant()
  if (!token.stands || token.ended_at !== null || token.expires_at <= tx.now) return rules.invalidGrant()
  if (token.rotated_at !== null) {
    await revokeReused(tx, token.grant_id)
    return rules.invalidGrant()
  }
  const left = leftOf(token, client)
  const access_scopes = rules.scopesFor(form['scope'], left)
  tx.queue(store.rotateToken, { token_hash })
  return issue(tx, { grant_id: token.grant_id, code_id: token.code_id, business_ids: token.business_ids, access_scopes, refresh_scopes: left })
}

function issue(tx: PublicTx, { access_scopes, refresh_scopes, business_ids, ...origin }: Issue): Tokens {
  const [access_token, refresh_token] = [randomToken('dba_'), randomToken('dbr_')]
  const expires_at = momentAfter(tx.now, rules.ACCESS_SECONDS * 1000)
  tx.queue(store.insertToken, { token_hash: hashToken(access_token), kind: 'access', ...origin, scopes: access_scopes, expires_at })
  tx.queue(store.insertToken, { token_hash: hashToken(refresh_token), kind: 'refresh', ...origin, scopes: refresh_scopes, expires_at: momentAfter(tx.now, rules.REFRESH_MS) })
  return { access_token, token_type: 'Bearer', expires_in: rules.ACCESS_SECONDS, refresh_token, scope: access_scopes.join(' '), business_ids }
}

/** What it was given, as far as the grant and the app still have it. */
function leftOf(token: { scopes: readonly string[]; grant_scopes: readonly string[] }, client: ClientRow): string[] {
  return token.scopes.filter((scope) => token.grant_scopes.includes(scope) && client.allowed_scopes.includes(scope)).sort()
}

/** The app that calls. What it shows must count: with a dry run one could try a stolen token for ever and leave no trace. */
async function callerOf(tx: PublicTx, message: Message): Promise<{ client: ClientRow; form: Form }> {
  if (tx.request.dry_run || tx.request.if_match !== null) throw rules.oauthError('invalid_request', 'Neither dry_run nor If-Match applies here.')
  const form = rules.readForm(message)
  const shown = rules.credentialsOf(message, form)
  const client = await authenticateClient(tx, shown)
  if (!client) throw rules.wrongClient(shown.basic)
  Object.assign(tx.request.reply_headers, rules.PRIVATE)
  return { client, form }
}
