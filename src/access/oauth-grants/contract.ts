// Grants: what a person has allowed an app to do for them, in which businesses.
import { endpoint, listQuery, pageOf } from '../../foundation/endpoint.ts'
import { resource } from '../../foundation/resource.ts'
import { date, id, integer, list, nullable, oneOf, optional, shape, text, timestamp } from '../../foundation/shapes.ts'

const status = oneOf(['active', 'revoked'])

export const OauthGrant = shape('OauthGrant', {
  id: id(),
  client_id: id(),
  client_name: text(1, 100),
  user_id: id(),
  business_ids: list(id(), { description: 'The businesses it reaches, as far as the caller may see them.' }),
  scopes: list(text(1, 100), { description: 'What it may do at most. At each request this is cut to what the person may do in the business at that moment.' }),
  status,
  last_used_at: nullable(timestamp({ description: 'To the minute.' })),
  revoked_at: nullable(timestamp()),
  revoked_by: nullable(id({ description: 'null where no person did it.' })),
  revoke_reason: nullable(text(1, 500)),
  created_at: timestamp(),
  updated_at: timestamp(),
  version: integer(1, 2147483647, { description: 'Counts the changes of this grant; the ETag of the answer.' }),
})

/** In the history of a business a grant shows that business only. Whoever reads the audit trail may read its events. */
export const grantResource = resource({
  type: 'oauth_grant', group: 'audit-trail', shape: OauthGrant, table: null, label: 'client_name',
  events: ['oauth_grant.created', 'oauth_grant.widened', 'oauth_grant.revoked', 'oauth_grant.business_removed', 'oauth_grant.reuse_detected'],
})

export const OauthActivity = shape('OauthActivity', {
  day: date(),
  operation: text(1, 100, { description: 'The operation id, as in the description of the API.' }),
  business_id: nullable(id({ description: 'null: outside any business.' })),
  requests: integer(0),
  writes: integer(0, undefined, { description: 'Those that changed something.' }),
  refusals: integer(0),
})

const params = shape('OauthGrantParams', { grant_id: id() })
const group = { group: 'oauth-grants', scope: 'user' } as const
const reading = { ...group, permission: 'oauth:read' } as const
const writing = { ...group, permission: 'oauth:write' } as const

export const listGrants = endpoint({
  ...reading, id: 'list_oauth_grants', method: 'GET', path: '/oauth/grants', summary: 'List what apps may do',
  description: "The caller's own. With business_id, for its owners and admins, all that reach that business, whoever gave them.",
  query: listQuery(['created_at', 'last_used_at'], {
    status: optional(status),
    client_id: optional(id()),
    user_id: optional(id()),
    business_id: optional(id()),
  }),
  reply: pageOf(OauthGrant),
})

export const getGrant = endpoint({
  ...reading, id: 'get_oauth_grant', method: 'GET', path: '/oauth/grants/{grant_id}', summary: 'Get what an app may do', live: true,
  params,
  reply: OauthGrant,
})

export const revokeGrant = endpoint({
  ...writing, id: 'revoke_oauth_grant', method: 'POST', path: '/oauth/grants/{grant_id}/revoke', summary: 'Revoke a connected app grant',
  description: 'By the person who gave it, or by an owner or admin of a business that it reaches. Every token of it ends with this call. '
    + 'Revoked again, it answers with the same row and keeps the first reason.',
  params,
  body: shape('OauthGrantRevocation', { reason: optional(nullable(text(0, 500))) }),
  reply: OauthGrant,
  example: { reason: 'No longer used.' },
})

export const removeGrantBusiness = endpoint({
  ...writing, id: 'remove_oauth_grant_business', method: 'DELETE', path: '/oauth/grants/{grant_id}/businesses/{business_id}',
  summary: 'Take a business out of a grant',
  description: 'By the person who gave it, or by an owner or admin of that business. Without its last business the grant is revoked.',
  params: shape('OauthGrantBusinessParams', { grant_id: id(), business_id: id() }),
  reply: OauthGrant,
  refusals: ['The grant is revoked.'],
})

export const listActivity = endpoint({
  ...reading, id: 'list_oauth_grant_activity', method: 'GET', path: '/oauth/grants/{grant_id}/activity', summary: 'What an app did',
  description: 'The last 90 days, counted by day, operation and business; the last seconds may be missing.',
  params,
  query: listQuery(['day'], {}, 500),
  reply: pageOf(OauthActivity),
})
