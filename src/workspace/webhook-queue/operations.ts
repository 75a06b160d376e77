// Putting deliveries into the queue, taking them from it and writing down what became of them.
import type { Static } from 'typebox'
import type { Business } from '../../foundation/database/context.ts'
import type { BusinessTx, Tx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import { notFound } from '../../foundation/refusal.ts'
import type { Status } from './contract.ts'
import * as store from './store.ts'

/** Deliveries that one call may put into the queue. */
export const MOST_QUEUED = 10_000

export const TEST = 'webhook.test'

/** Once for each event and endpoint, however often it is asked. */
export async function queueEvents(tx: BusinessTx, span: { after: number; upto: number }, types: readonly string[]): Promise<void> {
  await tx.run(store.queueEvents, { ...span, types })
}

export function queueMissed(tx: BusinessTx, webhook_id: string, from_sequence: number, types: readonly string[]) {
  return woken(tx, webhook_id, tx.many(store.queueMissed, { webhook_id, from_sequence, types, most: MOST_QUEUED }))
}

export function queueTest(tx: BusinessTx, webhook_id: string) {
  const delivery = { id: newId(), sequence: null }
  tx.queue(store.queueTest, { ...delivery, webhook_id, type: TEST })
  return woken(tx, webhook_id, Promise.resolve([delivery]))
}

export async function requeue(tx: BusinessTx, webhook_id: string, ids: readonly string[]) {
  const queued = await woken(tx, webhook_id, tx.many(store.requeue, { webhook_id, ids }))
  const known = new Set(queued.map(({ id }) => id))
  const missing = ids.find((each) => !known.has(each))
  if (missing) throw notFound(`Delivery ${missing}`)
  return queued
}

export function requeueBetween(tx: BusinessTx, webhook_id: string, chosen: { from: string; to: string; statuses: readonly Status[] }) {
  return woken(tx, webhook_id, tx.many(store.requeueBetween, { webhook_id, ...chosen, most: MOST_QUEUED }))
}

/** The endpoint must be locked, and its deliveries are written before its lane: everybody keeps to this order. */
async function woken<T>(tx: BusinessTx, webhook_id: string, queued: Promise<T[]>): Promise<T[]> {
  const rows = await queued
  if (rows.length > 0) tx.queue(store.wakeLane, { webhook_id })
  return rows
}

export function addLane(tx: BusinessTx, webhook_id: string): void {
  tx.queue(store.insertLane, { webhook_id })
}

export function endWaiting(tx: BusinessTx, webhook_id: string, status: 'dead' | 'dropped'): void {
  tx.queue(store.endWaiting, { webhook_id, status })
}

/** Of the last 24 hours, by what became of them. */
export async function countsOf(tx: BusinessTx, webhook_id: string): Promise<Record<Status, number>> {
  const found = await tx.many(store.countByStatus, { webhook_id })
  const none = { pending: 0, delivered: 0, failed: 0, dead: 0, dropped: 0 }
  return { ...none, ...Object.fromEntries(found.map(({ status, count }) => [status, count])) }
}

/** An endpoint that this worker alone serves, until it gives it back or the lease runs out. */
export type Lane = { business: Business; webhook_id: string; lease_id: string; failing: boolean }

export async function takeLanes(tx: Tx, failing: boolean, room: number, leased_until: string): Promise<Lane[]> {
  const lease_id = newId()
  const taken = await tx.many(store.takeLanes, { failing, room, lease_id, leased_until })
  return taken.map(({ business_id, timezone, base_currency, webhook_id, failing: fails }) =>
    ({ business: { id: business_id, timezone, base_currency, read_only: null }, webhook_id, lease_id, failing: fails }))
}

/** Gives a lane back: it is due again with the first delivery that waits. */
export function releaseLane(tx: BusinessTx, { webhook_id, lease_id }: Lane, failing: boolean): void {
  tx.queue(store.lockLane, { webhook_id })
  tx.queue(store.releaseLane, { webhook_id, lease_id, failing })
}

export type Message = NonNullable<(typeof store.dueMessages)['result']>

export function dueMessages(tx: BusinessTx, webhook_ids: readonly string[], each: number): Promise<Message[]> {
  return tx.many(store.dueMessages, { webhook_ids, each })
}

export type Tried = Static<typeof store.Tried>

export function lockWaiting(tx: BusinessTx, ids: readonly string[]): Promise<Tried[]> {
  return tx.many(store.lockWaiting, { ids })
}

export function writeTried(tx: BusinessTx, tried: readonly Tried[]): void {
  if (tried.length > 0) tx.queue(store.writeTried, { rows: JSON.stringify(tried.map((row) => ({ ...row, updated_at: tx.now }))) })
}

/** The businesses that have or had endpoints. */
export async function businessesWithLanes(tx: Tx): Promise<string[]> {
  return (await tx.many(store.businessesWithLanes)).map(({ business_id }) => business_id)
}

export function deleteOld(tx: BusinessTx): Promise<number> {
  return tx.run(store.deleteOld)
}

export function deleteLanes(tx: BusinessTx, webhook_ids: readonly string[]): void {
  tx.queue(store.deleteLanes, { webhook_ids })
}
