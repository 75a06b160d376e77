// The consent of a person: what an app asks for, and what the person decides.
import { endpoint } from '../../foundation/endpoint.ts'
import { id, list, nullable, oneOf, optional, shape, text, timestamp } from '../../foundation/shapes.ts'
import { ROLES } from '../permissions.ts'

const scope = text(1, 100)

export const AuthorizationRequest = shape('OauthAuthorizationRequest', {
  request_id: id(),
  client: shape('OauthAskingClient', {
    client_id: id(),
    name: text(1, 100),
    description: nullable(text(0, 1000)),
    logo_document_id: nullable(id()),
    homepage_url: nullable(text(1, 2000)),
    privacy_url: nullable(text(1, 2000)),
  }),
  redirect_uri: text(1, 2000, { description: 'Where the decision is sent.' }),
  scopes: list(shape('OauthAskedScope', { scope, description: text(1, 300) }), { description: 'What it asks for, in words.' }),
  businesses: list(shape('OauthChoosableBusiness', {
    business_id: id(),
    name: text(1, 200),
    role: oneOf(ROLES),
    scopes: list(scope, { description: 'Of what is asked, what the person can allow there.' }),
  }), { description: 'Where the person can allow it.' }),
  expires_at: timestamp(),
})

const session = { scope: 'user', permission: null, session: true } as const

export const getAuthorizationRequest = endpoint({
  ...session, id: 'get_oauth_authorization_request', method: 'GET', path: '/oauth/authorize/request', summary: 'What an app asks for',
  description: 'For a page that asks for consent. The browser comes to it with request_id, after the app has sent it to the authorization endpoint.',
  query: shape('OauthAuthorizationRequestQuery', { request_id: id() }),
  reply: AuthorizationRequest,
  refusals: ['The request is older than 10 minutes, or decided.'],
})

export const decideAuthorization = endpoint({
  ...session, id: 'decide_oauth_authorization', method: 'POST', path: '/oauth/authorize', summary: 'Allow or deny what an app asks for', secret: true,
  description: 'Allowed again, it widens the one active grant that this person has given the app. The browser is to be sent to redirect_to.',
  body: shape('OauthDecision', {
    request_id: id(),
    decision: oneOf(['approve', 'deny']),
    business_ids: optional(list(id(), { minItems: 1, maxItems: 1000, description: 'Needed to approve.' })),
    scopes: optional(list(scope, { minItems: 1, maxItems: 500, description: 'Of what is asked. Absent: all that the person has in these businesses.' })),
  }),
  reply: shape('OauthDecided', { redirect_to: text(1, 10_000) }),
  refusals: [
    'The request is older than 10 minutes, or decided.',
    'The app is disabled, or no longer uses this redirect URI.',
    'A scope is not asked for, or the person has it in none of the businesses.',
    'A business is a sample.',
  ],
})
