// Events of the card processor: received signed, kept as they came, processed once.
import { Type, type Static } from 'typebox'
import { endpoint, listQuery, pageOf } from '../../foundation/endpoint.ts'
import { resource } from '../../foundation/resource.ts'
import { boolean, id, integer, nullable, oneOf, optional, record, shape, text, timestamp } from '../../foundation/shapes.ts'

export const SUBJECTS = ['account', 'checkout', 'charge', 'dispute', 'payout'] as const
export const OUTCOMES = ['pending', 'processed', 'ignored', 'failed'] as const

const event = {
  ...record,
  processor_event_id: Type.String(),
  type: Type.String({ description: 'In the words of the processor.' }),
  subject: nullable(oneOf(SUBJECTS, { description: 'What it is about; null: nothing that concerns the books.' })),
  object_id: nullable(Type.String({ description: 'What the processor calls its object.' })),
  outcome: oneOf(OUTCOMES),
  detail: nullable(Type.String({ description: 'Why it failed or was ignored.' })),
  attempts: integer(0),
  processed_at: nullable(timestamp()),
}

/** An event as it is kept: with the bytes that were signed, and the signature. */
export const EventRow = Type.Object({ ...event, body: Type.String(), signature: Type.String() })
export type EventRow = Static<typeof EventRow>

export const ProcessorEvent = shape('ProcessorEvent', event)
export type ProcessorEvent = Static<typeof ProcessorEvent>

export const eventResource = resource({
  type: 'processor_event', group: 'processor', shape: ProcessorEvent, table: null, label: 'type', events: ['processor_event.replayed'],
})

export const listEvents = endpoint({
  id: 'list_processor_events', method: 'GET', path: '/processor/events', summary: 'List events of the card processor', scope: 'business',
  permission: 'processor:read',
  query: listQuery(['created_at'], { type: optional(text(1, 100)), outcome: optional(oneOf(OUTCOMES)) }),
  reply: pageOf(ProcessorEvent),
})

export const receiveEvent = endpoint({
  id: 'receive_processor_event', method: 'POST', path: '/processor/events', summary: 'Receive an event of the card processor', scope: 'public',
  permission: null, inbound: true,
  description: 'Called by the processor. The signature is over the bytes and good for five minutes; anything else is a 401. An event is kept once, '
    + 'answered at once and processed afterwards: what it is about is read again, so neither order nor repetition matters.',
  reply: shape('EventReceived', { received: boolean() }),
})

export const replayEvent = endpoint({
  id: 'replay_processor_event', method: 'POST', path: '/processor/events/{event_id}/replay', summary: 'Process a failed event again',
  scope: 'business', permission: 'processor:write',
  params: shape('ProcessorEventParams', { event_id: id() }),
  reply: ProcessorEvent,
  refusals: ['The event was processed, or ignored because it concerns nothing here.'],
})
