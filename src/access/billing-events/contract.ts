// Events about plans: received signed, kept as they came, applied once.
import { Type, type Static } from 'typebox'
import { endpoint } from '../../foundation/endpoint.ts'
import { boolean, id, nullable, oneOf, shape, timestamp } from '../../foundation/shapes.ts'

const words = Type.String()

/** An event as it is kept: with the bytes that were signed, and the signature. */
export const EventRow = Type.Object({
  id: id(),
  business_id: id(),
  processor_event_id: words,
  type: words,
  object_id: nullable(words),
  body: words,
  signature: words,
  outcome: oneOf(['pending', 'processed', 'ignored']),
  processed_at: nullable(timestamp()),
  created_at: timestamp(),
})
export type EventRow = Static<typeof EventRow>

export const receiveEvent = endpoint({
  id: 'receive_billing_event', method: 'POST', path: '/billing/processor-events', summary: 'Receive an event of the card processor about a plan',
  scope: 'public', permission: null, inbound: true,
  description: 'Called by the processor, on the account of the installation. The signature is over the bytes and good for five minutes; anything else is a '
    + '401. An event is kept once and answered at once. Afterwards everything about that customer is read again, so neither order nor repetition matters.',
  reply: shape('BillingEventReceived', { received: boolean() }),
})
