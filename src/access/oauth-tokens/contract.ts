// The endpoints that programs call by the standards of OAuth: forms come in, bare JSON goes out.
import { endpoint } from '../../foundation/endpoint.ts'
import { boolean, id, integer, list, oneOf, optional, shape, text } from '../../foundation/shapes.ts'

const credentials = {
  client_id: optional(text(1, 100, { description: 'Of a public client, or of one that sends its secret here instead of by HTTP Basic.' })),
  client_secret: optional(text(1, 100)),
}
const token = text(1, 200)
const token_type_hint = optional(text(1, 100, { description: 'Not needed: a token is known by its beginning.' }))

export const OauthTokens = shape('OauthTokens', {
  access_token: text(47, 47, { description: 'dba_ and 43 characters, for one hour.' }),
  token_type: oneOf(['Bearer']),
  expires_in: integer(1, undefined, { description: 'Seconds.' }),
  refresh_token: text(47, 47, { description: 'dbr_ and 43 characters, for 60 days and a single use.' }),
  scope: text(0, 20_000),
  business_ids: list(id(), { description: 'What x-business-id may be.' }),
})

export const Introspection = shape('OauthIntrospection', {
  active: boolean(),
  scope: optional(text(0, 20_000)),
  client_id: optional(id()),
  sub: optional(id({ description: 'The person.' })),
  token_type: optional(oneOf(['Bearer', 'refresh_token'])),
  iss: optional(text(1, 2000)),
  iat: optional(integer()),
  exp: optional(integer()),
  business_ids: optional(list(id())),
})

const door = { method: 'POST', scope: 'public', permission: null, inbound: true, secret: true, limit_per_minute: 600 } as const

export const createToken = endpoint({
  ...door, id: 'create_oauth_token', path: '/oauth/token', summary: 'Get tokens for a code or a refresh token',
  description: 'RFC 6749 and RFC 7636. A refresh token works once: used again, it revokes the grant. A code used again ends the tokens that it gave.',
  form: shape('OauthTokenForm', {
    grant_type: oneOf(['authorization_code', 'refresh_token']),
    code: optional(text(1, 200)),
    redirect_uri: optional(text(1, 2000)),
    code_verifier: optional(text(43, 128)),
    refresh_token: optional(text(1, 200)),
    scope: optional(text(1, 20_000, { description: 'With a refresh token: less than it has.' })),
    ...credentials,
  }),
  reply: OauthTokens,
})

export const revokeToken = endpoint({
  ...door, id: 'revoke_oauth_token', path: '/oauth/revoke', summary: 'Give a token back',
  description: 'RFC 7009. An access token ends alone, a refresh token with every token of its grant. An unknown token is answered in the same way.',
  form: shape('OauthRevocationForm', { token, token_type_hint, ...credentials }),
  reply: shape('OauthRevocation', {}),
})

export const introspectToken = endpoint({
  ...door, id: 'introspect_oauth_token', path: '/oauth/introspect', summary: 'Ask whether a token works',
  description: 'RFC 7662, for tokens of the client that asks. Of any other token it learns only that it is not active.',
  form: shape('OauthIntrospectionForm', { token, token_type_hint, ...credentials }),
  reply: Introspection,
})
