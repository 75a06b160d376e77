// Security events: what happened to the caller's own account and tokens.
import { endpoint, listQuery, pageOf } from '../../foundation/endpoint.ts'
import { anyObject, id, nullable, oneOf, optional, shape, text, timestamp } from '../../foundation/shapes.ts'

export const USER_EVENTS = [
  'user.created', 'user.verified', 'user.signed_in', 'user.sign_in_failed', 'user.password_changed',
  'user.two_factor_enabled', 'user.two_factor_disabled', 'user.email_changed', 'user.closed',
  'api_token.created', 'api_token.rotated', 'api_token.revoked', 'api_token.expiring',
  'oauth_client.created', 'oauth_client.updated', 'oauth_client.disabled', 'oauth_client.deleted',
  'oauth_grant.created', 'oauth_grant.widened', 'oauth_grant.revoked', 'oauth_grant.business_removed', 'oauth_grant.reuse_detected',
] as const

export const SecurityEvent = shape('SecurityEvent', {
  id: id(),
  type: oneOf(USER_EVENTS),
  at: timestamp(),
  ip: nullable(text(0, 100)),
  user_agent: nullable(text(0, 20_000)),
  request_id: text(1, 100),
  detail: anyObject({ description: 'What more there is to say, by type: the session of a sign-in, the step that failed, the addresses of a change.' }),
})

export const listSecurityEvents = endpoint({
  id: 'list_security_events', method: 'GET', path: '/user/security-events', group: 'user', summary: 'List own sign-ins, failures and changes',
  scope: 'user', permission: 'user:read',
  query: listQuery(['at'], { type: optional(oneOf(USER_EVENTS)) }),
  reply: pageOf(SecurityEvent),
})
