// Reading the event log, once or as it grows.
import { setTimeout as sleep } from 'node:timers/promises'
import type { PageQuery } from '../database/list.ts'
import type { BusinessTx } from '../database/transaction.ts'
import { Stream, type Channel } from '../endpoint.ts'
import { resources } from '../resource.ts'
import { expandTypes, readableTypes } from './rules.ts'
import * as store from './store.ts'

type Filters = { type?: string[]; resource_type?: string; resource_id?: string }

export function listEvents(tx: BusinessTx, query: PageQuery & Filters & { after?: number }) {
  const descending = query.descending ?? query.after === undefined
  return tx.page(store.events, { ...query, ...typesOf(query), ...readable(tx), descending })
}

export function getEvent(tx: BusinessTx, event_id: string) {
  return tx.get(store.findEvent, { id: event_id, ...readable(tx) }, 'Event')
}

export async function listEventTypes(tx: BusinessTx) {
  return [...resources.values()]
    .filter(({ group }) => tx.actor.permissions.has(`${group}:read`))
    .flatMap(({ type: resource_type, group, events, shape }) => events.map((type) => ({ type, resource_type, group, data: { ...shape } })))
}

const POLL_MS = 500
const BATCH = 500

/** What is committed before the stream opens is not missed: the place to start from is read before the answer begins. */
export async function streamEvents(tx: BusinessTx, { after, ...filters }: Filters & { after?: number }): Promise<Stream> {
  const start = after ?? (await tx.get(store.head, {}, 'History')).event_seq
  return new Stream((channel) => follow(channel, placeOf(channel.last_event_id) ?? start, filters))
}

async function follow({ send, read, ended }: Channel<BusinessTx>, start: number, filters: Filters): Promise<void> {
  let place = start
  while (!ended.aborted) {
    const { events, upto } = await read((tx) => eventsAfter(tx, place, filters))
    for (const event of events) await send({ id: String(event.seq), event: event.type, data: event })
    place = upto
    if (events.length < BATCH) await sleep(POLL_MS, undefined, { signal: ended }).catch(() => {})
  }
}

/** The next events and how far the log was read: to its head, unless the batch was full before. The rights are those of now. */
async function eventsAfter(tx: BusinessTx, after: number, filters: Filters) {
  const { event_seq } = await tx.get(store.head, {}, 'History')
  const parameters = { type: null, resource_type: null, resource_id: null, ...filters, ...typesOf(filters), ...readable(tx) }
  const events = event_seq > after ? await tx.many(store.eventsBetween, { ...parameters, after, upto: event_seq, limit: BATCH }) : []
  const upto = events.length === BATCH ? events.at(-1)?.seq ?? after : Math.max(after, event_seq)
  return { events, upto }
}

function readable(tx: BusinessTx): { readable: string[] } {
  return { readable: readableTypes(resources.values(), tx.actor.permissions) }
}

function typesOf({ type }: Filters): { type?: string[] } {
  return type ? { type: expandTypes(resources.values(), type) } : {}
}

function placeOf(last_event_id: string | null): number | null {
  return last_event_id !== null && /^\d{1,15}$/.test(last_event_id) ? Number(last_event_id) : null
}
