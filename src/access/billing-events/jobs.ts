// The work that follows what the processor tells of plans: read how everything stands there, then bring the plan there.
import { Type } from 'typebox'
import type { Business } from '../../foundation/database/context.ts'
import { asSystem, plainRequest, transact, type Database } from '../../foundation/database/transact.ts'
import { job } from '../../foundation/jobs/job.ts'
import { lockSubscription, SANDBOX_PLAN_EVENT } from '../../foundation/processor/sandbox-plan-records.ts'
import { dueSubscriptions } from '../../foundation/processor/sandbox-plan-store.ts'
import { signedPlanMessage } from '../../foundation/processor/sandbox-plans.ts'
import { id, nullable, timestamp } from '../../foundation/shapes.ts'
import { EXPIRE_SESSION, REFUND_SESSION } from '../billing-checkouts/operations.ts'
import { findBusiness } from '../lookup.ts'
import { applyStanding, BILLING_EVENT, questionFor, readStanding, receiveEvent, tellRefund } from './operations.ts'

/** An event is applied once; what could not be asked is tried again. */
export const applyBillingEvent = job({
  name: BILLING_EVENT,
  payload: Type.Object({ business_id: id(), event_id: id() }),
  run: ({ database, job_id }, { business_id, event_id }) => within(database, business_id, async (business) => {
    const question = await asSystem(database, business, `job-${job_id}`, (tx) => questionFor(tx, event_id))
    if (!question) return
    const standing = await readStanding(database.surroundings.processor.plans, question)
    await asSystem(database, business, `job-${job_id}`, (tx) => applyStanding(tx, event_id, standing))
  }),
})

const ofSession = Type.Object({ business_id: id(), session_id: Type.String() })

/** One that another has taken the place of. If it was paid meanwhile, its events say so. */
export const expireBillingSession = job({
  name: EXPIRE_SESSION,
  payload: ofSession,
  async run({ database }, { session_id }) {
    await database.surroundings.processor.plans.expireSession(session_id)
  },
})

/** A second payment goes back, under the name of its session, so that it goes back once. */
export const refundBillingSession = job({
  name: REFUND_SESSION,
  payload: ofSession,
  run: ({ database, job_id }, { business_id, session_id }) => within(database, business_id, async (business) => {
    const refund = await database.surroundings.processor.plans.refundSession({ session: session_id, idempotency_key: `refund-${session_id}` })
    await asSystem(database, business, `job-${job_id}`, (tx) => tellRefund(tx, session_id, refund))
  }),
})

/** Brings the events of the embedded processor in by the way that a real one's come: signed bytes, checked and kept. */
export const deliverSandboxPlanEvent = job({
  name: SANDBOX_PLAN_EVENT,
  payload: Type.Object({
    business_id: Type.String(),
    event: Type.Object({
      id: Type.String(), type: Type.String(), object_id: nullable(Type.String()), customer_id: nullable(Type.String()), created_at: timestamp(),
    }),
  }),
  async run({ database }, { event }) {
    const message = signedPlanMessage(database.surroundings.encryption_key, event, database.clock.now())
    await transact(database, { business_id: null, read_only: false, request: plainRequest }, ({ tx }) => receiveEvent(tx, message))
  },
})

/** Time passes at the embedded processor: periods end, and the next ones are charged for. */
export const turnSandboxPlans = job({
  name: 'billing.sandbox_turn',
  payload: Type.Object({}),
  cron: '*/10 * * * *',
  async run({ database }) {
    if (database.surroundings.processor.name !== 'sandbox') return
    const options = { business_id: null, read_only: false, request: plainRequest }
    const due = await transact(database, { ...options, read_only: true }, ({ tx }) => tx.many(dueSubscriptions))
    // A transaction each: the customer of each is held while it turns.
    for (const { id: subscription } of due) await transact(database, options, ({ tx }) => lockSubscription(tx, subscription))
  },
})

/** A business that is gone has no plan. */
async function within(database: Database, business_id: string, work: (business: Business) => Promise<void>): Promise<void> {
  const business = await findBusiness(database, business_id)
  if (business) await work(business)
}
