// What can be done with OAuth clients.
import type { Static } from 'typebox'
import type { PageQuery } from '../../foundation/database/list.ts'
import { changed } from '../../foundation/database/rows.ts'
import type { Tx, UserTx } from '../../foundation/database/transaction.ts'
import { isUuid, newId } from '../../foundation/ids.ts'
import { invalid, notFound } from '../../foundation/refusal.ts'
import { hashToken, randomToken } from '../../foundation/secrets.ts'
import { narrowGrantsOfClient, revokeGrantsOfClient } from '../oauth-grants/operations.ts'
import { isWithin, union } from '../oauth-grants/rules.ts'
import { recordUserEvent } from '../security-events/operations.ts'
import type { NewOauthClient, NewOauthClientSecret, OauthClient, OauthClientInput, OauthClientUpdate } from './contract.ts'
import { MOST_SECRETS, requireRedirectUris } from './rules.ts'
import * as store from './store.ts'

type Client = Static<typeof OauthClient>
type Secrets = Client['secrets']
export type ClientRow = Static<typeof store.ClientRow>

const MINUTE_MS = 60_000

export async function listClients(tx: UserTx, query: PageQuery) {
  const page = await tx.page(store.ownClients, query)
  const secrets = await tx.many(store.secretsOf, { client_ids: page.items.map(({ client_id }) => client_id) })
  return { ...page, items: page.items.map((row) => shown(row, secrets.filter(({ client_id }) => client_id === row.client_id))) }
}

export async function getClient(tx: UserTx, id: string): Promise<Client> {
  const [row, secrets] = await Promise.all([tx.get(store.findOwnClient, { id }, 'OAuth client'), secretsOf(tx, id)])
  return shown(row, secrets)
}

export async function createClient(tx: UserTx, input: Static<typeof OauthClientInput>): Promise<Static<typeof NewOauthClient>> {
  requireRedirectUris(input.redirect_uris)
  const row: ClientRow = {
    client_id: newId(),
    name: input.name,
    description: input.description ?? null,
    logo_document_id: input.logo_document_id ?? null,
    homepage_url: input.homepage_url ?? null,
    privacy_url: input.privacy_url ?? null,
    redirect_uris: input.redirect_uris,
    allowed_scopes: union(input.allowed_scopes, []),
    type: input.type ?? 'confidential',
    status: 'active',
    grants_active: 0,
    created_at: tx.now,
    updated_at: tx.now,
    version: 1,
  }
  tx.queue(store.insertClient, row)
  const secret = row.type === 'confidential' ? addSecret(tx, row.client_id) : null
  recordUserEvent(tx, tx.user_id, 'oauth_client.created', detailOf(row))
  const { client_secret = null, ...first } = secret ?? {}
  return { ...shown(row, secret ? [first as Secrets[number]] : []), client_secret }
}

export async function updateClient(tx: UserTx, id: string, input: Static<typeof OauthClientUpdate>): Promise<Client> {
  const { row, secrets } = await lockClient(tx, id)
  if (input.redirect_uris) requireRedirectUris(input.redirect_uris)
  if (Object.keys(input).length === 0) return shown(row, secrets)
  const after = changed(row, { ...input, ...(input.allowed_scopes ? { allowed_scopes: union(input.allowed_scopes, []) } : {}) }, tx.now)
  if (!isWithin(row.allowed_scopes, after.allowed_scopes)) narrowGrantsOfClient(tx, id, after.allowed_scopes)
  return shown(save(tx, after, 'oauth_client.updated'), secrets)
}

export async function deleteClient(tx: UserTx, id: string): Promise<Client> {
  const { row, secrets } = await lockClient(tx, id)
  await revokeGrantsOfClient(tx, id)
  tx.queue(store.deleteClient, { id })
  tx.queue(store.deleteSecrets, { client_id: id })
  recordUserEvent(tx, tx.user_id, 'oauth_client.deleted', detailOf(row))
  return shown(row, secrets)
}

export async function enableClient(tx: UserTx, id: string): Promise<Client> {
  const { row, secrets } = await lockClient(tx, id)
  return shown(row.status === 'active' ? row : save(tx, changed(row, { status: 'active' }, tx.now), 'oauth_client.updated'), secrets)
}

export async function disableClient(tx: UserTx, id: string): Promise<Client> {
  const { row, secrets } = await lockClient(tx, id)
  return shown(row.status === 'disabled' ? row : save(tx, changed(row, { status: 'disabled' }, tx.now), 'oauth_client.disabled'), secrets)
}

export async function createClientSecret(tx: UserTx, id: string): Promise<Static<typeof NewOauthClientSecret>> {
  const { row, secrets } = await lockClient(tx, id)
  if (row.type === 'public') throw invalid(`${row.name} is a public client: it has no secret, because it could not keep one.`)
  if (secrets.length >= MOST_SECRETS) throw invalid(`${row.name} has ${MOST_SECRETS} secrets: delete one first.`)
  const secret = addSecret(tx, id)
  save(tx, changed(row, {}, tx.now), 'oauth_client.updated')
  return secret
}

export async function deleteClientSecret(tx: UserTx, id: string, secret_id: string): Promise<Client> {
  const { row, secrets } = await lockClient(tx, id)
  if (!secrets.some((secret) => secret.id === secret_id)) throw notFound('Secret')
  if (secrets.length === 1) throw invalid(`This is the last secret of ${row.name}: add another one first.`)
  tx.queue(store.deleteSecret, { id: secret_id, client_id: id })
  return shown(save(tx, changed(row, {}, tx.now), 'oauth_client.updated'), secrets.filter((secret) => secret.id !== secret_id))
}

/** Nobody manages the apps of an account that is closed, so nobody can use them. */
export function disableClientsOf(tx: Tx, user_id: string): void {
  tx.queue(store.disableClientsOf, { user_id })
}

/** An app by its id, whoever made it; null where there is none. */
export async function findClient(tx: Tx, client_id: string): Promise<ClientRow | null> {
  return isUuid(client_id) ? tx.find(store.findClient, { id: client_id.toLowerCase() }) : null
}

/** The app that shows these credentials; null where it is not it. A public one has only its name to show. */
export async function authenticateClient(tx: Tx, { client_id, client_secret }: { client_id: string; client_secret: string | null }): Promise<ClientRow | null> {
  const client = await findClient(tx, client_id)
  if (client?.status !== 'active') return null
  if (client.type === 'public') return client_secret === null ? client : null
  const secret = client_secret === null ? null : await tx.find(store.findSecret, { client_id: client.client_id, secret_hash: hashToken(client_secret) })
  if (!secret) return null
  const last = secret.last_used_at === null ? 0 : Date.parse(secret.last_used_at)
  if (Math.abs(Date.parse(tx.now) - last) >= MINUTE_MS) tx.queue(store.touchSecret, { id: secret.id })
  return client
}

async function lockClient(tx: UserTx, id: string): Promise<{ row: ClientRow; secrets: Secrets }> {
  const row = await tx.lock(store.lockOwnClient, { id }, 'OAuth client')
  return { row, secrets: await secretsOf(tx, id) }
}

async function secretsOf(tx: UserTx, client_id: string): Promise<Secrets> {
  return (await tx.many(store.secretsOf, { client_ids: [client_id] })).map(({ client_id: _client_id, ...secret }) => secret)
}

function addSecret(tx: UserTx, client_id: string): Static<typeof NewOauthClientSecret> {
  const client_secret = randomToken('dbc_')
  const secret = { id: newId(), last4: client_secret.slice(-4) }
  tx.queue(store.insertSecret, { ...secret, client_id, secret_hash: hashToken(client_secret) })
  return { ...secret, last_used_at: null, created_at: tx.now, client_secret }
}

function save(tx: UserTx, after: ClientRow, event: 'oauth_client.updated' | 'oauth_client.disabled'): ClientRow {
  tx.queue(store.updateClient, after)
  recordUserEvent(tx, tx.user_id, event, detailOf(after))
  return after
}

function detailOf({ client_id, name, redirect_uris, allowed_scopes, status }: ClientRow) {
  return { client_id, name, redirect_uris, allowed_scopes, status }
}

function shown(row: ClientRow, secrets: readonly Secrets[number][]): Client {
  return { ...row, secrets: secrets.map(({ id, last4, last_used_at, created_at }) => ({ id, last4, last_used_at, created_at })) }
}
