// The clock of a sandbox: it can be moved ahead, and every process on the same database follows. Back it never goes, so that nothing
// happens before what it follows from.
import { Type } from 'typebox'
import { systemClock, type Clock } from './calendar.ts'
import { command, statement } from './database/statement.ts'
import { plainRequest, transact, type Database } from './database/transact.ts'
import type { PublicTx } from './database/transaction.ts'
import { integer } from './shapes.ts'

export type MovingClock = {
  clock: Clock
  /** Reads how far the clock was moved, here or elsewhere. */
  follow(): Promise<void>
  moveTo(now: Date): Promise<void>
}

const position = statement(Type.Object({ ahead_ms: integer(0) }), 'select ahead_ms from sandbox_clock')
const lockPosition = statement(Type.Object({ ahead_ms: integer(0) }), 'select ahead_ms from sandbox_clock for update')
const move = command('update sandbox_clock set ahead_ms = :ahead_ms')

/** `carry` takes along what must not grow old by the move: it runs in the same transaction, with the milliseconds moved. */
export function openMovingClock(database: () => Database, carry: (tx: PublicTx, milliseconds: number) => Promise<void>): MovingClock {
  let ahead_ms = 0
  const within = <T>(work: (tx: PublicTx) => Promise<T>): Promise<T> =>
    transact(database(), { business_id: null, read_only: false, request: plainRequest }, ({ tx }) => work(tx))
  return {
    clock: { now: () => new Date(systemClock.now().getTime() + ahead_ms) },
    async follow() {
      ahead_ms = await within(async (tx) => (await tx.get(position, {}, 'Clock')).ahead_ms)
    },
    async moveTo(now) {
      ahead_ms = await within(async (tx) => {
        const before = await tx.get(lockPosition, {}, 'Clock')
        const after = Math.max(before.ahead_ms, now.getTime() - systemClock.now().getTime())
        if (after === before.ahead_ms) return after
        tx.queue(move, { ahead_ms: after })
        await carry(tx, after - before.ahead_ms)
        return after
      })
    },
  }
}
