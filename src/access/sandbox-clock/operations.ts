// Moving the clock of a sandbox.
import type { Surroundings } from '../../foundation/database/context.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { forbidden, invalid, notFound } from '../../foundation/refusal.ts'

const FURTHEST_MS = 5 * 366 * 86_400_000

type Input = { body: { now: string } }

/** `timed` are the jobs that the clock runs: what has fallen due is not left to wait for the time that really passes. */
export const moveClock = (timed: readonly string[]) => ({
  async read(tx: BusinessTx, { body: { now } }: Input): Promise<Date> {
    if (tx.actor.role !== 'owner') throw forbidden('Only the owner of a business may use the test doors.')
    if (tx.surroundings.move_clock === null) throw notFound('Test door')
    const ahead = Date.parse(now) - Date.parse(tx.now)
    if (ahead < 0) throw invalid(`It is ${tx.now} already: the clock moves ahead only.`)
    if (ahead > FURTHEST_MS) throw invalid('The clock moves five years ahead at most.')
    return new Date(now)
  },
  async call({ move_clock }: Surroundings, now: Date): Promise<Date> {
    await move_clock?.(now)
    return now
  },
  async write(tx: BusinessTx, _input: Input, now: Date, moved: Date | null): Promise<{ now: string }> {
    if (moved) for (const task of timed) tx.enqueue(task, {})
    return { now: (moved ?? now).toISOString() }
  },
})
