// How events of the card processor are received, kept and told.
import type { PageQuery } from '../../foundation/database/list.ts'
import { changed } from '../../foundation/database/rows.ts'
import { system } from '../../foundation/database/transact.ts'
import type { BusinessTx, PublicTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import type { Message } from '../../foundation/message.ts'
import { invalid } from '../../foundation/refusal.ts'
import { eventResource, type ProcessorEvent } from './contract.ts'
import * as store from './store.ts'

export function listEvents(tx: BusinessTx, query: PageQuery) {
  return tx.page(store.events, query)
}

/** Kept in the business whose account it names, once; an event of nobody here is taken and forgotten. */
export async function receiveEvent(tx: PublicTx, message: Message): Promise<{ received: boolean }> {
  const event = await tx.surroundings.processor.verifyEvent(message, new Date(tx.now))
  const business = event.account === null ? null : await tx.find(store.businessOfAccount, { account_id: event.account })
  if (!business) return { received: true }
  const { id, timezone, base_currency } = business
  const inside = tx.enter({ id, timezone, base_currency, read_only: null }, system)
  const row = {
    id: newId(), business_id: id, processor_event_id: event.id, type: event.type, subject: event.subject, object_id: event.object_id,
    body: message.body.toString('utf8'),
    signature: JSON.stringify(Object.fromEntries(Object.entries(message.headers).filter(([name]) => name.endsWith('signature')))),
    outcome: 'pending', detail: null, attempts: 0, processed_at: null, created_at: tx.now, updated_at: tx.now, version: 1,
  }
  if (await inside.run(store.insertEvent, row) > 0) enqueue(inside, row.id)
  return { received: true }
}

export async function replayEvent(tx: BusinessTx, event_id: string): Promise<ProcessorEvent> {
  const event = await tx.lock(store.lockEvent, { id: event_id }, 'Event')
  if (event.outcome === 'pending') return event
  if (event.outcome !== 'failed') throw invalid(`This event was ${event.outcome}: only a failed one is processed again.`)
  const after = changed(event, { outcome: 'pending', detail: null }, tx.now)
  tx.queue(store.updateEvent, after)
  tx.record(eventResource, 'processor_event.replayed', { before: event, after })
  enqueue(tx, event_id)
  return after
}

export function findEvent(tx: BusinessTx, event_id: string): Promise<ProcessorEvent | null> {
  return tx.find(store.findEvent, { id: event_id })
}

/** The event while nobody has processed it; held until this transaction ends. */
export async function lockPending(tx: BusinessTx, event_id: string): Promise<ProcessorEvent | null> {
  const event = await tx.find(store.lockEvent, { id: event_id })
  return event?.outcome === 'pending' ? event : null
}

/** What came of it. */
export function closeEvent(tx: BusinessTx, event: ProcessorEvent, outcome: 'processed' | 'ignored' | 'failed', detail: string | null = null): void {
  tx.queue(store.updateEvent, changed(event, { outcome, detail, attempts: event.attempts + 1, processed_at: outcome === 'processed' ? tx.now : null }, tx.now))
}

function enqueue(tx: BusinessTx, event_id: string): void {
  tx.enqueue('processor.event', { business_id: tx.business_id, event_id })
}
