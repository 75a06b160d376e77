// OAuth clients: the apps that people can connect, as whoever makes them registers and manages them.
import { endpoint, listQuery, pageOf } from '../../foundation/endpoint.ts'
import { id, integer, list, nullable, oneOf, optional, partial, shape, text, timestamp } from '../../foundation/shapes.ts'
import { GRANTABLE } from '../oauth-grants/rules.ts'

const url = (description: string) => nullable(text(1, 2000, { pattern: '^https?://[^\\s]+$', description }))

const given = {
  name: text(1, 100, { description: 'What people read when they are asked for consent.' }),
  description: nullable(text(0, 1000)),
  logo_document_id: nullable(id()),
  homepage_url: url('Where people learn more about the app.'),
  privacy_url: url('What the app does with what it learns.'),
  redirect_uris: list(text(1, 2000), {
    minItems: 1, maxItems: 10, description: 'Where the browser may be sent back to. Compared as they are; on this computer (http://127.0.0.1, [::1], localhost) any port will do.',
  }),
  allowed_scopes: list(oneOf(GRANTABLE.map(({ scope }) => scope)), { minItems: 1, maxItems: 500, description: 'What the app may ask people for.' }),
}
const type = oneOf(['confidential', 'public'], { description: 'confidential: runs on a server and keeps a secret. public: runs with the person, has none.' })

const Secret = shape('OauthClientSecret', {
  id: id(),
  last4: text(4, 4, { description: 'The last characters, to recognise it by.' }),
  last_used_at: nullable(timestamp({ description: 'To the minute.' })),
  created_at: timestamp(),
})

export const OauthClient = shape('OauthClient', {
  client_id: id(),
  ...given,
  allowed_scopes: list(text(1, 100)),
  type,
  status: oneOf(['active', 'disabled']),
  secrets: list(Secret),
  grants_active: integer(0, undefined, { description: 'How many people have it connected.' }),
  created_at: timestamp(),
  updated_at: timestamp(),
  version: integer(1, 2147483647, { description: 'Counts the changes of this client; the ETag of the answer.' }),
})

const client_secret = text(47, 47, { description: 'The secret, in this answer only: dbc_ and 43 characters.' })

export const NewOauthClient = shape('NewOauthClient', { ...OauthClient.properties, client_secret: nullable(client_secret) })
export const NewOauthClientSecret = shape('NewOauthClientSecret', { ...Secret.properties, client_secret })

const { description, logo_document_id, homepage_url, privacy_url, ...needed } = given
export const OauthClientInput = shape('OauthClientInput', {
  ...needed,
  type: optional(oneOf(['confidential', 'public'], { default: 'confidential' })),
  description: optional(description),
  logo_document_id: optional(logo_document_id),
  homepage_url: optional(homepage_url),
  privacy_url: optional(privacy_url),
})
export const OauthClientUpdate = partial('OauthClientUpdate', given)

const params = shape('OauthClientParams', { client_id: id() })
const reading = { scope: 'user', permission: 'oauth:read', live: true } as const
const writing = { scope: 'user', permission: 'oauth:write' } as const
const URIS = 'A redirect URI is not https (or http on this computer), has a fragment or a user name, or is given twice.'

export const listClients = endpoint({
  ...reading, id: 'list_oauth_clients', method: 'GET', path: '/oauth/clients', summary: 'List own OAuth clients',
  query: listQuery(['created_at'], { status: optional(oneOf(['active', 'disabled'])) }),
  reply: pageOf(OauthClient),
})

export const createClient = endpoint({
  ...writing, id: 'create_oauth_client', method: 'POST', path: '/oauth/clients', summary: 'Register an OAuth client', secret: true,
  description: 'The secret of a confidential client is in this answer only. /.well-known/oauth-authorization-server says where the flow begins.',
  body: OauthClientInput,
  reply: NewOauthClient,
  refusals: [URIS],
  example: { name: 'Shop Connector', redirect_uris: ['https://shop.example.com/callback'], allowed_scopes: ['customers:read', 'invoices:read', 'invoices:write'] },
})

export const getClient = endpoint({
  ...reading, id: 'get_oauth_client', method: 'GET', path: '/oauth/clients/{client_id}', summary: 'Get an OAuth client',
  params,
  reply: OauthClient,
})

export const updateClient = endpoint({
  ...writing, id: 'update_oauth_client', method: 'PUT', path: '/oauth/clients/{client_id}', summary: 'Update an OAuth client',
  description: 'Codes for a redirect URI that is no longer listed do not work. Scopes that are no longer allowed are taken out of every grant.',
  params,
  body: OauthClientUpdate,
  reply: OauthClient,
  refusals: [URIS],
  example: { name: 'Shop Connector' },
})

export const deleteClient = endpoint({
  ...writing, id: 'delete_oauth_client', method: 'DELETE', path: '/oauth/clients/{client_id}', summary: 'Delete an OAuth client',
  description: 'For good: every grant of it is revoked.',
  params,
  reply: OauthClient,
})

export const enableClient = endpoint({
  ...writing, id: 'enable_oauth_client', method: 'PUT', path: '/oauth/clients/{client_id}/enable', summary: 'Enable an OAuth client',
  params,
  reply: OauthClient,
})

export const disableClient = endpoint({
  ...writing, id: 'disable_oauth_client', method: 'PUT', path: '/oauth/clients/{client_id}/disable', summary: 'Disable an OAuth client',
  description: 'Nobody can connect it, and its tokens are refused from the next request on. Grants stay and work again when it is enabled.',
  params,
  reply: OauthClient,
})

export const createClientSecret = endpoint({
  ...writing, id: 'create_oauth_client_secret', method: 'POST', path: '/oauth/clients/{client_id}/secrets', summary: 'Add a secret to an OAuth client', secret: true,
  description: 'A second one, so that the first can be replaced and then deleted. It is in this answer only.',
  params,
  reply: NewOauthClientSecret,
  refusals: ['The client has two secrets.', 'The client is public.'],
})

export const deleteClientSecret = endpoint({
  ...writing, id: 'delete_oauth_client_secret', method: 'DELETE', path: '/oauth/clients/{client_id}/secrets/{secret_id}', summary: 'Delete a secret of an OAuth client',
  params: shape('OauthClientSecretParams', { client_id: id(), secret_id: id() }),
  reply: OauthClient,
  refusals: ['It is the last one.'],
})
