// Webhooks on their way: events become deliveries, and each endpoint is served by itself, so that one that hangs delays no other.
import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from 'typebox'
import { findBusiness } from '../../access/lookup.ts'
import { toTimestamp } from '../../foundation/calendar.ts'
import { asSystem, plainRequest, transact, type Database } from '../../foundation/database/transact.ts'
import { job, type Follower, type Loop } from '../../foundation/jobs/job.ts'
import type { Logger } from '../../foundation/log.ts'
import { businessesWithLanes, deleteOld, queueEvents, takeLanes, type Lane } from '../webhook-queue/operations.ts'
import { forgetOld, typesSent } from '../webhooks/operations.ts'
import { endTurn, loadsOf, TURN, type Load, type Result } from './operations.ts'
import { bodyOf, headersOf } from './rules.ts'

/** An event and a delivery to each endpoint that wants it: exactly one, as the position in the log moves in the same commit. */
export const queueWebhooks: Follower = {
  name: 'webhooks',
  follow: (tx, span) => queueEvents(tx, span, typesSent()),
}

export const sendWebhooks: Loop = {
  name: 'webhooks',
  async run({ database, log }, ended) {
    const sender = openSender(database, log)
    while (!ended.aborted) {
      try {
        if (await sender.takeTurns() > 0) continue
      } catch (error) {
        log.warn({ err: error }, 'no webhooks were taken; trying again')
      }
      await sender.rest(POLL_MS, ended)
    }
    await sender.finish(GRACE_MS)
  },
}

/** Kept for 30 days; of a deleted endpoint the row goes with the last of its log. */
export const cleanWebhookLog = job({
  name: 'webhooks.clean',
  payload: Type.Object({}),
  cron: '40 3 * * *',
  async run({ database, log, job_id }) {
    const known = await transact(database, { business_id: null, read_only: true, request: plainRequest }, ({ tx }) => businessesWithLanes(tx))
    for (const business_id of known) {
      const business = await findBusiness(database, business_id)
      if (!business) continue
      const dropped = await asSystem(database, business, `job-${job_id}`, async (tx) => {
        const count = await deleteOld(tx)
        await forgetOld(tx)
        return count
      })
      if (dropped > 0) log.info({ business_id, dropped }, 'old webhook deliveries removed')
    }
  },
})

const POLL_MS = 250
/** How long those on their way may still take when the worker stops. */
const GRACE_MS = 3_000
/** Messages at a time to an endpoint that answers; one that fails gets them one by one. */
const AT_ONCE = 4
/** No message is begun later than this after the turn began: with the longest answer a turn ends long before its lease. */
const TURN_MS = 5_000
const LEASE_SLACK_MS = 60_000
/** Transactions at a time: the pool is shared with requests. */
const TRANSACTIONS = 4

export type Sender = {
  /** Begins a turn at every endpoint that is due, as far as there is room: how many. */
  takeTurns(): Promise<number>
  /** Waits for a while, or until a turn ends that leaves something to send at once. */
  rest(milliseconds: number, ended: AbortSignal): Promise<void>
  /** Waits for the turns on their way. */
  settle(): Promise<void>
  /** The same at the end, breaking off those that take longer. */
  finish(grace_ms: number): Promise<void>
}

export function openSender(database: Database, log: Logger): Sender {
  const { webhook_concurrency, webhook_timeout_ms } = database.surroundings
  const busy = { all: 0, failing: 0 }
  const turns = new Set<Promise<void>>()
  const broken = new AbortController()
  const transactions = limited(TRANSACTIONS)
  let nudge: (() => void) | null = null

  const send = async (lane: Lane, { url, secrets, messages }: Load): Promise<Result[]> => {
    const results: Result[] = []
    const waiting = [...messages]
    const begun = performance.now()
    const sendOneByOne = async (): Promise<void> => {
      for (let message = waiting.shift(); message && performance.now() - begun < TURN_MS && !broken.signal.aborted; message = waiting.shift()) {
        const body = bodyOf(lane.business.id, message)
        const headers = headersOf(secrets, message.event_id, database.clock.now(), body)
        const outcome = await database.surroundings.outbound.post({ url, headers, body, timeout_ms: webhook_timeout_ms, ended: broken.signal })
        if (!outcome.ended) results.push({ delivery_id: message.id, outcome })
      }
    }
    await Promise.all(Array.from({ length: lane.failing ? 1 : AT_ONCE }, sendOneByOne))
    return results
  }

  const turn = async (lane: Lane, load: Load | undefined): Promise<void> => {
    try {
      const results = load ? await send(lane, load) : []
      await transactions(() => asSystem(database, lane.business, 'webhooks', (tx) => endTurn(tx, lane, results)))
      if (load?.messages.length === TURN) nudge?.()
    } catch (error) {
      // The lease runs out, and the messages go out again under their ids.
      log.warn({ err: error, business_id: lane.business.id, webhook_id: lane.webhook_id }, 'a turn at a webhook was not written down')
    }
  }

  const turnsIn = async (lanes: readonly Lane[]): Promise<void> => {
    const [first] = lanes
    if (!first) return
    const free = (lane: Lane) => {
      busy.all -= 1
      busy.failing -= Number(lane.failing)
    }
    try {
      const loads = await transactions(() => asSystem(database, first.business, 'webhooks', (tx) => loadsOf(tx, lanes.map(({ webhook_id }) => webhook_id))))
      await Promise.all(lanes.map((lane) => turn(lane, loads.get(lane.webhook_id)).finally(() => free(lane))))
    } catch (error) {
      lanes.forEach(free)
      log.warn({ err: error, business_id: first.business.id }, 'webhooks were not read; trying again when the lease is over')
    }
  }

  return {
    async takeTurns() {
      const room = webhook_concurrency - busy.all
      if (room <= 0) return 0
      // Those that fail share half of the room, so that however many hang, the others are served.
      const failing_room = Math.min(room, Math.floor(webhook_concurrency / 2) - busy.failing)
      const leased_until = toTimestamp(new Date(database.clock.now().getTime() + TURN_MS + webhook_timeout_ms + LEASE_SLACK_MS))
      const taken = await transact(database, { business_id: null, read_only: false, request: plainRequest }, async ({ tx }) => {
        const well = await takeLanes(tx, false, room, leased_until)
        const left = Math.min(failing_room, room - well.length)
        return left > 0 ? [...well, ...(await takeLanes(tx, true, left, leased_until))] : well
      })
      busy.all += taken.length
      busy.failing += taken.filter(({ failing }) => failing).length
      for (const lanes of Map.groupBy(taken, ({ business }) => business.id).values()) {
        const begun: Promise<void> = turnsIn(lanes).finally(() => turns.delete(begun))
        turns.add(begun)
      }
      return taken.length
    },
    async rest(milliseconds, ended) {
      const woken = new AbortController()
      nudge = () => woken.abort()
      await sleep(milliseconds, undefined, { signal: AbortSignal.any([ended, woken.signal]) }).catch(() => {})
      nudge = null
    },
    async settle() {
      await Promise.all(turns)
    },
    async finish(grace_ms) {
      await Promise.race([Promise.all(turns), sleep(grace_ms, undefined, { ref: false })])
      broken.abort()
      await Promise.all(turns)
    },
  }
}

/** At most so many at a time; the rest wait in line. */
function limited(most: number) {
  const waiting: (() => void)[] = []
  let running = 0
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
