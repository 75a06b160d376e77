// The worker goes on with documents that a call could not wait for.
import { Type } from 'typebox'
import { findBusiness } from '../../access/lookup.ts'
import { asSystem } from '../../foundation/database/transact.ts'
import { job } from '../../foundation/jobs/job.ts'
import { id } from '../../foundation/shapes.ts'
import { readInvoices } from '../invoice-model/operations.ts'
import { finishReading, planRest } from './operations.ts'

export const readWaitingDocuments = job({
  name: 'invoice_reading.go_on',
  payload: Type.Object({ business_id: id(), ai_job_id: id() }),
  async run({ database, job_id }, { business_id, ai_job_id }) {
    const business = await findBusiness(database, business_id)
    if (!business) return
    const plan = await asSystem(database, business, `job-${job_id}`, (tx) => planRest(tx, ai_job_id))
    if (!plan) return
    const found = await readInvoices(database.surroundings.model, plan)
    await asSystem(database, business, `job-${job_id}`, (tx) => finishReading(tx, ai_job_id, plan, found))
  },
})
