// The work that follows what the processor tells and what we ask of it: read how things stand there, then bring the books there.
import { Type } from 'typebox'
import { findBusiness } from '../../access/lookup.ts'
import type { Business } from '../../foundation/database/context.ts'
import { asSystem, type Database } from '../../foundation/database/transact.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { job } from '../../foundation/jobs/job.ts'
import { Refusal } from '../../foundation/refusal.ts'
import { id, oneOf } from '../../foundation/shapes.ts'
import { findCharge, findRefund } from '../processor-charges/operations.ts'
import { applyCheckout, openCheckouts } from '../processor-checkouts/operations.ts'
import { requireAccount } from '../processor-connections/operations.ts'
import { SUBJECTS } from '../processor-events/contract.ts'
import { closeEvent, findEvent, lockPending } from '../processor-events/operations.ts'
import { refuseRefund } from '../processor-refunds/operations.ts'
import { applySubject, readSubject } from './operations.ts'

/** An event is processed once. What cannot be booked is kept as failed, with the reason, and can be replayed; what could not be asked is tried again. */
export const processEvent = job({
  name: 'processor.event',
  payload: Type.Object({ business_id: id(), event_id: id() }),
  run: ({ database, job_id }, { business_id, event_id }) => within(database, business_id, async (business) => {
    const inside = <T>(work: (tx: BusinessTx) => Promise<T>) => asSystem(database, business, `job ${job_id}`, work)
    const [event, account] = await inside(async (tx) => [await findEvent(tx, event_id), (await requireAccount(tx)).account_id] as const)
    if (event?.outcome !== 'pending') return
    const { subject, object_id } = event
    try {
      const found = subject === null || object_id === null ? null : await readSubject(database.surroundings.processor, account, subject, object_id)
      await inside(async (tx) => {
        const pending = await lockPending(tx, event_id)
        if (!pending) return
        if (!found) return closeEvent(tx, pending, 'ignored', 'Nothing in the books follows from it.')
        const problem = await applySubject(tx, found)
        closeEvent(tx, pending, problem === null ? 'processed' : 'failed', problem)
      })
    } catch (error) {
      if (!(error instanceof Refusal) || error.status === 503) throw error
      await inside(async (tx) => {
        const pending = await lockPending(tx, event_id)
        if (pending) closeEvent(tx, pending, 'failed', error.detail)
      })
    }
  }),
})

/** Reads one thing at the processor again, without an event. */
export const readAgain = job({
  name: 'processor.read',
  payload: Type.Object({ business_id: id(), subject: oneOf(SUBJECTS), object_id: Type.String() }),
  run: ({ database, job_id }, { business_id, subject, object_id }) => within(database, business_id, async (business) => {
    const { account_id } = await asSystem(database, business, `job ${job_id}`, requireAccount)
    const found = await readSubject(database.surroundings.processor, account_id, subject, object_id)
    await asSystem(database, business, `job ${job_id}`, async (tx) => void (await applySubject(tx, found)))
  }),
})

/** Asks for a refund under its own id, so that asking twice gives back once. */
export const sendRefund = job({
  name: 'processor.refund',
  payload: Type.Object({ business_id: id(), refund_id: id() }),
  run: ({ database, job_id }, { business_id, refund_id }) => within(database, business_id, async (business) => {
    const inside = <T>(work: (tx: BusinessTx) => Promise<T>) => asSystem(database, business, `job ${job_id}`, work)
    const { refund, charge, account } = await inside(async (tx) => {
      const wanted = await findRefund(tx, refund_id)
      return { refund: wanted, charge: (await findCharge(tx, wanted.charge_id)).processor_charge_id, account: (await requireAccount(tx)).account_id }
    })
    if (refund.processor_refund_id !== null || refund.status !== 'pending') return
    const { processor } = database.surroundings
    try {
      await processor.refund({ account, charge, amount: refund.amount, reference: refund_id, idempotency_key: refund_id })
    } catch (error) {
      if (!(error instanceof Refusal) || error.status === 503) throw error
      return inside((tx) => refuseRefund(tx, refund_id, error.detail))
    }
    const found = await readSubject(processor, account, 'charge', charge)
    await inside(async (tx) => void (await applySubject(tx, found)))
  }),
})

/** After the connection was ended: nobody is to pay any more. */
export const expireCheckouts = job({
  name: 'processor.expire_checkouts',
  payload: Type.Object({ business_id: id() }),
  run: ({ database, job_id }, { business_id }) => within(database, business_id, async (business) => {
    const inside = <T>(work: (tx: BusinessTx) => Promise<T>) => asSystem(database, business, `job ${job_id}`, work)
    const { open, account } = await inside(async (tx) => ({ open: await openCheckouts(tx), account: (await requireAccount(tx)).account_id }))
    for (const { processor_checkout_id } of open) {
      const checkout = await database.surroundings.processor.expireCheckout(account, processor_checkout_id)
      await inside((tx) => applyCheckout(tx, checkout))
    }
  }),
})

/** One that another has taken the place of. If it was paid meanwhile, its events say so. */
export const expireCheckout = job({
  name: 'processor.expire_checkout',
  payload: Type.Object({ business_id: id(), processor_checkout_id: Type.String() }),
  run: ({ database, job_id }, { business_id, processor_checkout_id }) => within(database, business_id, async (business) => {
    const { account_id } = await asSystem(database, business, `job ${job_id}`, requireAccount)
    await database.surroundings.processor.expireCheckout(account_id, processor_checkout_id)
  }),
})

/** A business that is gone has nothing left to book. */
async function within(database: Database, business_id: string, work: (business: Business) => Promise<void>): Promise<void> {
  const business = await findBusiness(database, business_id)
  if (business) await work(business)
}
