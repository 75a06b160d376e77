// The event log: every change of a business in the order of commits, to be read again from any place.
import { endpoint, listQuery, pageOf } from '../endpoint.ts'
import { anyObject, id, integer, list, nullable, optional, shape, text, timestamp } from '../shapes.ts'

export const Event = shape('Event', {
  id: id(),
  seq: integer(1, Number.MAX_SAFE_INTEGER, {
    description: 'Counts the events of the business without a gap, in the order of commits. Kinds the caller may not read are skipped.',
  }),
  type: text(1, 100),
  occurred_at: timestamp(),
  resource_type: text(1, 50),
  resource_id: id(),
  actor: shape('EventActor', { kind: text(1, 20), id: nullable(id()), name: text(0, 200) }),
  data: anyObject({ description: 'The record as it was read right after the change, or right before its deletion.' }),
  request_id: text(1, 100),
})

export const EventType = shape('EventType', {
  type: text(1, 100),
  resource_type: text(1, 50),
  group: text(1, 50, { description: 'Whoever may read this group receives the event.' }),
  data: anyObject({ description: 'The JSON schema of the member data.' }),
})

const filters = {
  type: optional(list(text(1, 100, { pattern: '^[a-z_]+\\.(\\*|[a-z_]+)$' }), {
    maxItems: 100, description: 'One or more; invoice.* stands for all of a kind.',
  })),
  resource_type: optional(text(1, 50)),
  resource_id: optional(id()),
}
const after = optional(integer(0, Number.MAX_SAFE_INTEGER, {
  description: 'Only events behind this seq, oldest first unless asked otherwise: replays the log.',
}))

export const listEvents = endpoint({
  id: 'list_events', method: 'GET', path: '/events', summary: 'List events', scope: 'business', permission: 'events:read',
  description: 'Newest first; with `after`, oldest first from there. Events never expire. Only kinds of records that the caller may read are shown.',
  query: listQuery(['seq'], {
    ...filters,
    after,
    from: optional(timestamp({ description: 'Not before this moment.' })),
    to: optional(timestamp({ description: 'Before this moment.' })),
  }),
  reply: pageOf(Event),
})

export const getEvent = endpoint({
  id: 'get_event', method: 'GET', path: '/events/{event_id}', summary: 'Get an event', scope: 'business', permission: 'events:read',
  params: shape('EventParams', { event_id: id() }),
  reply: Event,
})

export const listEventTypes = endpoint({
  id: 'list_event_types', method: 'GET', path: '/events/types', summary: 'List the types of events', scope: 'business', permission: 'events:read',
  description: 'Every type that the caller may read, with the JSON schema of its data.',
  reply: list(EventType),
})

export const streamEvents = endpoint({
  id: 'stream_events', method: 'GET', path: '/events/stream', summary: 'Follow events as they happen', scope: 'business', permission: 'events:read',
  description: 'Server-sent events: `id` is the seq, `event` the type, `data` the event. Starts behind Last-Event-ID, else behind `after`, else now. '
    + 'A comment every 15 seconds keeps the connection open; it ends once the credential is revoked or the right to read is lost.',
  query: shape('EventStreamQuery', { after, ...filters }),
  reply: Event,
})
