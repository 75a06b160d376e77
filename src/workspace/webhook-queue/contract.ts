// What is sent to an endpoint: a delivery per event, with the log of its attempts.
import type { Static } from 'typebox'
import { id, integer, list, nullable, oneOf, shape, text, timestamp } from '../../foundation/shapes.ts'

export const STATUSES = ['pending', 'delivered', 'failed', 'dead', 'dropped'] as const
export type Status = (typeof STATUSES)[number]

export const WebhookAttempt = shape('WebhookAttempt', {
  at: timestamp(),
  status: nullable(integer(0, 999, { description: 'Of the answer; null where none came.' })),
  error: nullable(text(0, 500, { description: 'Why no answer came.' })),
  latency_ms: integer(0),
  answer: text(0, 2_048, { description: 'The first 2 KiB of the answer.' }),
})

export const WebhookDelivery = shape('WebhookDelivery', {
  id: id(),
  business_id: id(),
  webhook_id: id(),
  event_id: id({ description: 'The id of the message, the same on every attempt: the header webhook-id.' }),
  sequence: nullable(integer(0, Number.MAX_SAFE_INTEGER, { description: 'The place of the event in the log of the business; null for a test.' })),
  type: text(1, 100),
  status: oneOf(STATUSES, { description: 'failed: tried in vain and tried again. dead: given up. dropped: the endpoint was deleted before.' }),
  attempt_count: integer(0),
  attempts: list(WebhookAttempt, { description: 'The latest, oldest first.' }),
  next_attempt_at: nullable(timestamp()),
  delivered_at: nullable(timestamp()),
  created_at: timestamp(),
  updated_at: timestamp(),
})

export type WebhookAttempt = Static<typeof WebhookAttempt>
export type WebhookDelivery = Static<typeof WebhookDelivery>
