// Reading the log of an endpoint and sending again.
import type { PageQuery } from '../../foundation/database/list.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { MOST_QUEUED, queueMissed, queueTest, requeue, requeueBetween } from '../webhook-queue/operations.ts'
import { requireEnabled, requireKnown, typesSent } from '../webhooks/operations.ts'
import type { WebhookReplay, WebhookReplayInput } from './contract.ts'
import { replayOf, type Replay } from './rules.ts'
import * as store from './store.ts'

const SHOWN = 100

export async function listDeliveries(tx: BusinessTx, webhook_id: string, query: PageQuery) {
  await requireKnown(tx, webhook_id)
  return tx.page(store.deliveries, { ...query, webhook_id } as PageQuery)
}

export async function replayDeliveries(tx: BusinessTx, webhook_id: string, input: WebhookReplayInput): Promise<WebhookReplay> {
  const replay = replayOf(input, tx.now)
  await requireEnabled(tx, webhook_id)
  const queued = await queue(tx, webhook_id, replay)
  const sequences = replay.kind === 'missed' ? queued.map(({ sequence }) => sequence ?? 0) : []
  return {
    queued: queued.length,
    delivery_ids: queued.slice(0, SHOWN).map(({ id }) => id),
    last_sequence: sequences.length > 0 ? sequences.reduce((last, sequence) => Math.max(last, sequence), 0) : null,
    more: queued.length === MOST_QUEUED,
  }
}

function queue(tx: BusinessTx, webhook_id: string, replay: Replay): Promise<{ id: string; sequence: number | null }[]> {
  switch (replay.kind) {
    case 'ids': return requeue(tx, webhook_id, replay.ids)
    case 'between': return requeueBetween(tx, webhook_id, replay)
    case 'missed': return queueMissed(tx, webhook_id, replay.from_sequence, typesSent())
    case 'test': return queueTest(tx, webhook_id)
  }
}
