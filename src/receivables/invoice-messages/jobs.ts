// Writing mail about invoices when its time has come, and noting when it has left.
import { Type } from 'typebox'
import { findBusiness } from '../../access/lookup.ts'
import type { Business } from '../../foundation/database/context.ts'
import { asSystem, plainRequest, transact } from '../../foundation/database/transact.ts'
import { job, type JobContext } from '../../foundation/jobs/job.ts'
import { id } from '../../foundation/shapes.ts'
import { printInvoice } from '../invoice-documents/rules.ts'
import { businessesToRemind, businessesToSend, CONFIRM, confirmMessage, failMessage, isRefusal, mailMessage, prepareMessage, remindCustomers, sendDueDrafts, WRITE } from './operations.ts'

const ofMessage = Type.Object({ business_id: id(), message_id: id() })
const ofBusiness = Type.Object({ business_id: id() })

const SEND_DUE = 'invoice.send_due'
const REMIND = 'invoice.remind'
const ATTEMPTS = 5

/** Reads, prints with no transaction open, and mails what was printed, if it is still so. */
export const writeMessage = job({
  name: WRITE,
  payload: ofMessage,
  async run(context, { business_id, message_id }) {
    const business = await findBusiness(context.database, business_id)
    if (!business) return
    const within = withinOf(context, business)
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const writing = await within((tx) => prepareMessage(tx, message_id)).catch(async (error: unknown) => {
        if (!isRefusal(error)) throw error
        await within((tx) => failMessage(tx, message_id, error.detail))
        return null
      })
      if (!writing) return
      const pdf = writing.message.attach_pdf ? await printInvoice(writing.view) : null
      if (await within((tx) => mailMessage(tx, writing, pdf))) return
    }
    throw new Error('The invoice kept changing while it was printed.')
  },
})

export const confirmMessageJob = job({
  name: CONFIRM,
  payload: ofMessage,
  async run(context, { business_id, message_id }) {
    const business = await findBusiness(context.database, business_id)
    if (business) await withinOf(context, business)((tx) => confirmMessage(tx, message_id))
  },
})

export const findInvoicesToSend = job({
  name: 'invoice.find_to_send',
  payload: Type.Object({}),
  cron: '* * * * *',
  async run({ database, job_id }) {
    await transact(database, { business_id: null, read_only: false, request: { ...plainRequest, request_id: `job-${job_id}` } }, async ({ tx }) => {
      for (const business_id of await businessesToSend(tx)) tx.enqueue(SEND_DUE, { business_id }, { job_key: `${SEND_DUE} ${business_id}` })
    })
  },
})

export const sendDueInvoices = job({
  name: SEND_DUE,
  payload: ofBusiness,
  async run(context, { business_id }) {
    const business = await findBusiness(context.database, business_id)
    if (!business) return
    while (await withinOf(context, business)(sendDueDrafts)) continue
  },
})

/** Every hour, because mornings begin at different times; a reminder that was sent is not sent again. */
export const findInvoicesToRemind = job({
  name: 'invoice.find_to_remind',
  payload: Type.Object({}),
  cron: '7 * * * *',
  async run({ database, job_id }) {
    await transact(database, { business_id: null, read_only: false, request: { ...plainRequest, request_id: `job-${job_id}` } }, async ({ tx }) => {
      for (const business_id of await businessesToRemind(tx)) tx.enqueue(REMIND, { business_id }, { job_key: `${REMIND} ${business_id}` })
    })
  },
})

export const remindOfInvoices = job({
  name: REMIND,
  payload: ofBusiness,
  async run(context, { business_id }) {
    const business = await findBusiness(context.database, business_id)
    if (!business) return
    while (await withinOf(context, business)(remindCustomers)) continue
  },
})

type Within = <T>(work: Parameters<typeof asSystem<T>>[3]) => Promise<T>

function withinOf({ database, job_id }: JobContext, business: Business): Within {
  return (work) => asSystem(database, business, `job-${job_id}`, work)
}
