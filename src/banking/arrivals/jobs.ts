// A new default that is to hold for what is there already is applied to the rows that wait, chunk by chunk.
import { Type } from 'typebox'
import { findBusiness } from '../../access/lookup.ts'
import { asSystem } from '../../foundation/database/transact.ts'
import { job, type Subscriber } from '../../foundation/jobs/job.ts'
import { id } from '../../foundation/shapes.ts'
import { applyToWaiting } from './operations.ts'

const APPLY = 'transactions.apply_default'

/** Each chunk commits by itself: run again, it finds what is left. */
export const applyDefaultJob = job({
  name: APPLY,
  payload: Type.Object({ business_id: id(), default_id: id() }),
  async run({ database, job_id }, { business_id, default_id }) {
    const business = await findBusiness(database, business_id)
    if (!business) return
    let after: string | null = null
    do after = await asSystem(database, business, `job-${job_id}`, (tx) => applyToWaiting(tx, default_id, after))
    while (after !== null)
  },
})

export const applyNewDefaults: Subscriber = {
  name: 'transactions.apply-new-defaults',
  types: ['counterparty_default.created'],
  async handle(tx, { resource_id, data }) {
    if (data['apply_to_existing'] !== true) return
    tx.enqueue(APPLY, { business_id: tx.business_id, default_id: resource_id }, { job_key: `${APPLY} ${resource_id}` })
  },
}
