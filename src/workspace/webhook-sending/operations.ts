// One turn at an endpoint: what is to be sent there, and writing down what came of it.
import { randomInt } from 'node:crypto'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import type { Outcome } from '../../foundation/outbound.ts'
import { Refusal } from '../../foundation/refusal.ts'
import { dueMessages, endWaiting, lockWaiting, releaseLane, writeTried, type Lane, type Message } from '../webhook-queue/operations.ts'
import { destinationsOf, lockWebhook, noteVerdicts } from '../webhooks/operations.ts'
import { afterAttempt, isGone, succeeded } from './rules.ts'

/** Deliveries that one turn at an endpoint takes with it. */
export const TURN = 8

export type Load = { url: string; secrets: string[]; messages: Message[] }

/** What is due at each of these endpoints of one business. */
export async function loadsOf(tx: BusinessTx, webhook_ids: readonly string[]): Promise<Map<string, Load>> {
  const [destinations, messages] = await Promise.all([destinationsOf(tx, webhook_ids), dueMessages(tx, webhook_ids, TURN)])
  const byWebhook = Map.groupBy(messages, ({ webhook_id }) => webhook_id)
  return new Map([...destinations].map(([webhook_id, destination]) => [webhook_id, { ...destination, messages: byWebhook.get(webhook_id) ?? [] }]))
}

export type Result = { delivery_id: string; outcome: Outcome }

/** Writes down the results of a turn and gives the endpoint back. What was dropped meanwhile stays dropped. */
export async function endTurn(tx: BusinessTx, lane: Lane, results: readonly Result[]): Promise<void> {
  const webhook = await lockWebhook(tx, lane.webhook_id).catch(absent)
  const waiting = results.length > 0 ? await lockWaiting(tx, results.map(({ delivery_id }) => delivery_id)) : []
  const outcomes = new Map(results.map(({ delivery_id, outcome }) => [delivery_id, outcome]))
  writeTried(tx, waiting.flatMap((delivery) => {
    const outcome = outcomes.get(delivery.id)
    return outcome ? [afterAttempt(delivery, outcome, tx.now, randomInt(1_000_001) / 1_000_000)] : []
  }))
  const verdicts = results.map(({ outcome }) => ({ succeeded: succeeded(outcome), gone: isGone(outcome) }))
  const failing = webhook ? noteVerdicts(tx, webhook, verdicts) : false
  // Queued at the very moment when the endpoint was turned off or deleted: nobody would ever send it.
  if (!webhook?.enabled) endWaiting(tx, lane.webhook_id, webhook ? 'dead' : 'dropped')
  releaseLane(tx, lane, failing)
}

function absent(error: unknown): null {
  if (error instanceof Refusal) return null
  throw error
}
