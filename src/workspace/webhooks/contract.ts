// Webhooks: endpoints of the business's own systems that are told what happens from order to cash.
import type { Static } from 'typebox'
import { endpointsOf, listQuery, pageOf } from '../../foundation/endpoint.ts'
import { resource } from '../../foundation/resource.ts'
import { boolean, id, integer, list, nullable, oneOf, optional, partial, record, shape, text, timestamp } from '../../foundation/shapes.ts'
import { WORDS } from './rules.ts'

const url = text(1, 2_048, {
  description: 'https, on port 443 or one from 1024 on, at a public address. It is looked up again for every delivery; a redirect is a failure.',
})
const events = list(text(1, 100), {
  minItems: 1, maxItems: 200,
  description: 'Names of events such as invoice.finalized, all of a word such as invoice.*, or * for all. GET /events/types lists the names. '
    + `The words: ${WORDS.join(', ')}.`,
})
const description = nullable(text(1, 500))
const enabled = boolean({ description: 'An endpoint that is off gets nothing; what waited for it becomes dead, and all can be replayed later.' })

export const Webhook = shape('Webhook', {
  ...record,
  url,
  events,
  description,
  enabled,
  status: oneOf(['healthy', 'failing', 'disabled'], { description: 'failing: the latest attempt failed.' }),
  disabled_reason: nullable(oneOf(['by_hand', 'gone', 'failures'], { description: 'gone: it answered 410. failures: five days of nothing else.' })),
  previous_secret_until: nullable(timestamp({ description: 'Until then messages are signed with the secret before the latest too.' })),
  last_success_at: nullable(timestamp()),
  last_failure_at: nullable(timestamp()),
})

export const WebhookWithSecret = shape('WebhookWithSecret', {
  ...Webhook.properties,
  secret: nullable(text(1, 100, { description: 'whsec_ and 32 bytes in base64, when it is made and never again.' })),
})

export const WebhookWithCounts = shape('WebhookWithCounts', {
  ...Webhook.properties,
  last_24_hours: shape('WebhookCounts', { pending: integer(0), delivered: integer(0), failed: integer(0), dead: integer(0), dropped: integer(0) }, {
    description: 'The deliveries made in the last 24 hours, by what became of them.',
  }),
})

export const WebhookInput = shape('WebhookInput', { url, events, description: optional(description), enabled: optional(boolean({ default: true })) })
export const WebhookUpdate = partial('WebhookUpdate', {
  url, events, description, enabled,
  rotate_secret: boolean({ description: 'Makes a new secret. The one before it stays valid for 24 hours: each message carries a signature of both.' }),
})

export type Webhook = Static<typeof Webhook>
export type WebhookWithSecret = Static<typeof WebhookWithSecret>
export type WebhookWithCounts = Static<typeof WebhookWithCounts>
export type WebhookInput = Static<typeof WebhookInput>
export type WebhookUpdate = Static<typeof WebhookUpdate>

export const webhookResource = resource({
  type: 'webhook', group: 'o2c-webhooks', shape: Webhook, table: null, label: 'url',
  events: ['webhook.created', 'webhook.updated', 'webhook.deleted', 'webhook.disabled'],
})

const endpoint = endpointsOf('o2c-webhooks', 'business')
export const params = shape('WebhookParams', { webhook_id: id() })

const refusals = ['The url leads to an address that is not public, or its name is unknown.']

export const listWebhooks = endpoint({
  id: 'list_webhooks', method: 'GET', path: '', summary: 'List webhook endpoints',
  query: listQuery(['created_at'], { enabled: optional(boolean()) }),
  reply: pageOf(Webhook),
})

export const createWebhook = endpoint({
  id: 'create_webhook', method: 'POST', path: '', summary: 'Add a webhook endpoint',
  description: 'From now on each event it wants is posted to it, signed as Standard Webhooks say, at least once and in any order: '
    + '`sequence` tells the order and the gaps. Any 2xx within 15 seconds is a delivery; else it is tried again for three days.',
  body: WebhookInput,
  reply: WebhookWithSecret,
  secret: true,
  refusals: [...refusals, 'The business has 20 endpoints already.'],
  example: { url: 'https://hooks.example.com/daybook', events: ['invoice.*'], description: 'The warehouse' },
})

export const getWebhook = endpoint({
  id: 'get_webhook', method: 'GET', path: '/{webhook_id}', summary: 'Get a webhook endpoint with its counts',
  params,
  reply: WebhookWithCounts,
  live: true,
})

export const updateWebhook = endpoint({
  id: 'update_webhook', method: 'PUT', path: '/{webhook_id}', summary: 'Change a webhook endpoint or its secret',
  params,
  body: WebhookUpdate,
  reply: WebhookWithSecret,
  secret: true,
  refusals,
  example: { description: 'The warehouse in Albany', rotate_secret: true },
})

export const deleteWebhook = endpoint({
  id: 'delete_webhook', method: 'DELETE', path: '/{webhook_id}', summary: 'Delete a webhook endpoint',
  description: 'What waits for it is dropped; the log of its deliveries stays readable for 30 days.',
  params,
  reply: Webhook,
})
