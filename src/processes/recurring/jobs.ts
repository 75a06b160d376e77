// The clock runs recurring templates: it finds the businesses where something is due, and each is then a job of its own, so that many
// workers share them.
import { Type } from 'typebox'
import { findBusiness } from '../../access/lookup.ts'
import { businessesDue, endPauses, GENERATE, recordFailure, recordRetryFailure, retriesDue } from '../../directory/recurring-templates/operations.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { asSystem, plainRequest, transact } from '../../foundation/database/transact.ts'
import { job } from '../../foundation/jobs/job.ts'
import type { Logger } from '../../foundation/log.ts'
import { Refusal } from '../../foundation/refusal.ts'
import { id } from '../../foundation/shapes.ts'
import { generate, retry, takeDue, takeRetry, takeTurn } from './operations.ts'
import type { Turn } from './rules.ts'

/** Documents of one transaction: enough to be fast, few enough to be made again one by one where one of them cannot be made. */
export const BATCH = 500

/** Batches at once: one is worked out while the database writes the other. Each passes over the templates that the other has locked. */
const LANES = 2

/** Every quarter of an hour, because that is when days begin somewhere, and failures are tried again. */
export const findRecurringDue = job({
  name: 'recurring.find_due',
  payload: Type.Object({}),
  cron: '*/15 * * * *',
  async run({ database, job_id }) {
    await transact(database, { business_id: null, read_only: false, request: { ...plainRequest, request_id: `job-${job_id}` } }, async ({ tx }) => {
      for (const business_id of await businessesDue(tx)) tx.enqueue(GENERATE, { business_id }, { job_key: `${GENERATE} ${business_id}` })
    })
  },
})

export const generateRecurring = job({
  name: GENERATE,
  payload: Type.Object({ business_id: id() }),
  async run({ database, log, job_id }, { business_id }) {
    const business = await findBusiness(database, business_id)
    if (!business) return
    const within: Within = (work) => asSystem(database, business, `job-${job_id}`, work)
    while (await within((tx) => endPauses(tx, BATCH))) continue
    await retryFailed(within, log)
    await Promise.all(Array.from({ length: LANES }, async () => {
      while (await generateBatch(within, log)) continue
    }))
  },
})

type Within = <T>(work: (tx: BusinessTx) => Promise<T>) => Promise<T>

/** One transaction for many; where that fails, each by itself, so that one that cannot be made does not keep the others. False when nothing is left. */
async function generateBatch(within: Within, log: Logger): Promise<boolean> {
  let turns: Turn[] = []
  try {
    await within(async (tx) => {
      turns = await takeDue(tx, BATCH)
      if (turns.length > 0) await generate(tx, turns)
    })
  } catch (error) {
    requireOwnFault(error)
    for (const { template, scheduled_date } of turns) {
      const take = (work: (tx: BusinessTx, turn: Turn) => unknown) => within((tx) => takeTurn(tx, template.id, scheduled_date, (turn) => work(tx, turn)))
      await either(
        () => take((tx, turn) => generate(tx, [turn])),
        (detail) => take((tx, turn) => recordFailure(tx, turn.template, turn.scheduled_date, detail)),
        log,
      )
    }
  }
  return turns.length > 0
}

async function retryFailed(within: Within, log: Logger): Promise<void> {
  for (;;) {
    const due = await within((tx) => retriesDue(tx, BATCH))
    for (const each of due) {
      await either(
        () => within((tx) => takeRetry(tx, each, (turn, failed) => retry(tx, turn, failed))),
        (detail) => within((tx) => takeRetry(tx, each, (turn, failed) => recordRetryFailure(tx, turn.template, failed, detail))),
        log,
      )
    }
    if (due.length < BATCH) return
  }
}

/** Makes a document or notes why it could not be made. */
async function either(make: () => Promise<void>, note: (detail: string) => Promise<void>, log: Logger): Promise<void> {
  try {
    await make()
  } catch (error) {
    requireOwnFault(error)
    if (!(error instanceof Refusal)) log.error({ err: error }, 'a recurring document could not be made')
    await note(error instanceof Refusal ? error.detail : 'The service failed to make this document. It is tried again.')
  }
}

/** A database that is away is nobody's failure: the whole job comes again. */
function requireOwnFault(error: unknown): void {
  if (error instanceof Refusal && error.status >= 500) throw error
}
