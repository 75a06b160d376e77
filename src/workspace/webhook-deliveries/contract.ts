// The log of what was sent to a webhook endpoint, and sending it again.
import type { Static } from 'typebox'
import { endpointsOf, listQuery, pageOf } from '../../foundation/endpoint.ts'
import { boolean, id, integer, list, nullable, oneOf, optional, shape, text, timestamp } from '../../foundation/shapes.ts'
import { STATUSES, WebhookDelivery } from '../webhook-queue/contract.ts'
import { params } from '../webhooks/contract.ts'

export const WebhookReplayInput = shape('WebhookReplayInput', {
  delivery_ids: optional(list(id(), { minItems: 1, maxItems: 1_000, description: 'These deliveries, whatever became of them.' })),
  from: optional(timestamp({ description: 'Deliveries made from then on; with `to`, and with `status` where not all that failed are meant.' })),
  to: optional(timestamp({ description: 'Deliveries made before then; now where it is absent.' })),
  status: optional(list(oneOf(['failed', 'dead']), { minItems: 1, maxItems: 2, description: 'failed and dead where it is absent.' })),
  from_sequence: optional(integer(0, Number.MAX_SAFE_INTEGER, {
    description: 'Events from this place of the log on that the endpoint wants and never got, such as those before it was made.',
  })),
  test: optional(boolean({ description: 'A message of the type webhook.test.' })),
}, { description: 'One of: delivery_ids; from with to and status; from_sequence; test.' })

export const WebhookReplay = shape('WebhookReplay', {
  queued: integer(0, 10_000, { description: 'How many are sent now.' }),
  delivery_ids: list(id(), { description: 'The first hundred of them.' }),
  last_sequence: nullable(integer(0, Number.MAX_SAFE_INTEGER, { description: 'With from_sequence: the last event that is sent.' })),
  more: boolean({ description: 'The most that one call may send was reached: call again, with from_sequence one after last_sequence.' }),
})

export type WebhookReplayInput = Static<typeof WebhookReplayInput>
export type WebhookReplay = Static<typeof WebhookReplay>

const endpoint = endpointsOf('o2c-webhooks', 'business')

export const listWebhookDeliveries = endpoint({
  id: 'list_webhook_deliveries', method: 'GET', path: '/{webhook_id}/deliveries', summary: 'List the deliveries of a webhook endpoint',
  description: 'Kept for 30 days, also when the endpoint is deleted.',
  params,
  query: listQuery(['created_at'], {
    status: optional(list(oneOf(STATUSES), { maxItems: 5 })),
    type: optional(text(1, 100)),
    created_from: optional(timestamp()),
    created_to: optional(timestamp({ description: 'Before then.' })),
  }),
  reply: pageOf(WebhookDelivery),
})

export const replayWebhookDeliveries = endpoint({
  id: 'replay_webhook_deliveries', method: 'POST', path: '/{webhook_id}/deliveries', summary: 'Send deliveries again, or a test',
  description: 'At most 10,000 in one call. A message that is sent again keeps its id.',
  params,
  body: WebhookReplayInput,
  reply: WebhookReplay,
  refusals: ['The endpoint is off.'],
  example: { test: true },
})
