// API tokens: bearer credentials for programs, never wider than the person who made them.
import { endpoint, listQuery, pageOf } from '../../foundation/endpoint.ts'
import { email, id, integer, list, nullable, oneOf, optional, partial, shape, text, timestamp } from '../../foundation/shapes.ts'
import { scopeCatalogue } from '../permissions.ts'

export const STATUSES = ['active', 'expired', 'revoked'] as const

const name = text(1, 100)
const scopes = list(oneOf(scopeCatalogue().map(({ scope }) => scope)), {
  minItems: 1, maxItems: 500,
  description: 'What it may do at most. At each request this is cut to what its creator may do in the business at that moment.',
})
const business_ids = nullable(list(id(), { minItems: 1, maxItems: 1000, description: 'The businesses it reaches; null: all of its creator, also later ones.' }))
const expires_at = nullable(timestamp({ description: 'null: never.' }))

export const ApiToken = shape('ApiToken', {
  id: id(),
  name,
  token_prefix: text(12, 12, { description: 'The first characters of the secret, to recognise it by.' }),
  scopes: list(text(1, 100)),
  business_ids: nullable(list(id())),
  status: oneOf(STATUSES),
  expires_at,
  last_used_at: nullable(timestamp({ description: 'To the minute.' })),
  last_used_ip: nullable(text(1, 100)),
  created_by: id(),
  revoked_at: nullable(timestamp()),
  revoked_by: nullable(id()),
  created_at: timestamp(),
  updated_at: timestamp(),
  version: integer(1, 2147483647, { description: 'Counts the changes of this token; the ETag of the answer.' }),
})

export const NewApiToken = shape('NewApiToken', {
  ...ApiToken.properties,
  token: text(47, 47, { description: 'The secret, in this answer only: dbk_ and 43 characters.' }),
})

export const ApiTokenInput = shape('ApiTokenInput', { name, scopes, business_ids: optional(business_ids), expires_at: optional(expires_at) })
export const ApiTokenUpdate = partial('ApiTokenUpdate', { name, scopes, business_ids, expires_at })

export const CurrentCredential = shape('CurrentCredential', {
  kind: oneOf(['session', 'token', 'grant']),
  id: nullable(id()),
  user_id: id(),
  user_name: text(0, 200),
  email: email(),
  scopes: nullable(list(text(1, 100), { description: 'null for a session: all that the person may do.' })),
  business_ids: nullable(list(id(), { description: 'null: every business of the person.' })),
  expires_at,
})

export const Scope = shape('ApiTokenScope', { scope: text(1, 100), description: text(1, 300) })

const params = shape('ApiTokenParams', { api_token_id: id() })

export const listApiTokens = endpoint({
  id: 'list_api_tokens', method: 'GET', path: '/api-tokens', summary: 'List API tokens', scope: 'user', permission: 'api-tokens:read',
  description: 'The caller\'s own. With business_id, which needs tokens:manage there, all that reach that business, whoever made them.',
  query: listQuery(['created_at'], {
    status: optional(oneOf(STATUSES)),
    business_id: optional(id()),
    created_by: optional(id()),
    q: optional(text(1, 100, { description: 'Part of the name.' })),
  }),
  reply: pageOf(ApiToken),
})

export const createApiToken = endpoint({
  id: 'create_api_token', method: 'POST', path: '/api-tokens', summary: 'Create an API token',
  scope: 'user', permission: 'api-tokens:write', secret: true,
  description: 'The secret is in this answer only. A token creates only tokens that are no wider than itself.',
  body: ApiTokenInput,
  reply: NewApiToken,
  refusals: [
    'A scope is one that the creator has in none of the businesses.',
    'The creating token lacks a scope or a business, or expires sooner.',
    'A business is a sample.',
    'expires_at is over, or later than a business allows.',
  ],
  example: { name: 'Nightly export', scopes: ['user:read'] },
})

export const getApiToken = endpoint({
  id: 'get_api_token', method: 'GET', path: '/api-tokens/{api_token_id}', summary: 'Get an API token', scope: 'user', permission: 'api-tokens:read',
  params,
  reply: ApiToken,
})

export const updateApiToken = endpoint({
  id: 'update_api_token', method: 'PUT', path: '/api-tokens/{api_token_id}', summary: 'Rename, narrow or shorten an API token',
  scope: 'user', permission: 'api-tokens:write',
  params,
  body: ApiTokenUpdate,
  reply: ApiToken,
  refusals: ['The token would become wider or live longer: create a new one.', 'The token is revoked or expired.'],
  example: { name: 'Nightly export' },
})

export const revokeApiToken = endpoint({
  id: 'revoke_api_token', method: 'DELETE', path: '/api-tokens/{api_token_id}', summary: 'Revoke an API token', scope: 'user', permission: 'api-tokens:write',
  description: 'By its creator, or by whoever holds tokens:manage in a business that it reaches. Its next request is a 401; it stays in the list.',
  params,
  reply: ApiToken,
})

export const rotateApiToken = endpoint({
  id: 'rotate_api_token', method: 'POST', path: '/api-tokens/{api_token_id}/rotate', summary: 'Give an API token a new secret',
  scope: 'user', permission: 'api-tokens:write', secret: true,
  description: 'The new secret is in this answer only. A token rotates itself and tokens that are no wider than itself.',
  params,
  body: shape('ApiTokenRotation', {
    overlap_hours: optional(integer(0, 72, { default: 0, description: 'How long the old secret still works.' })),
  }),
  reply: NewApiToken,
  refusals: ['The token is revoked or expired.', 'The calling token is narrower than the one to rotate.'],
  example: { overlap_hours: 24 },
})

export const getCurrentCredential = endpoint({
  id: 'get_current_credential', method: 'GET', path: '/api-tokens/current', summary: 'Get the credential in use', scope: 'user', permission: null,
  description: 'What the bearer of this request may do, wherever and how long. Needs no scope.',
  reply: CurrentCredential,
})

export const listScopes = endpoint({
  id: 'list_api_token_scopes', method: 'GET', path: '/api-tokens/scopes', summary: 'List the scopes in words', scope: 'user', permission: null,
  reply: list(Scope),
})
