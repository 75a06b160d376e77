// What has been in the bin for thirty days goes; its bytes follow when the storage is cleaned.
import { Type } from 'typebox'
import { findBusiness } from '../../access/lookup.ts'
import { toTimestamp } from '../../foundation/calendar.ts'
import { asSystem } from '../../foundation/database/transact.ts'
import { job, type Job } from '../../foundation/jobs/job.ts'
import type { RecordStates } from '../document-attachments/contract.ts'
import { businessesToClean } from '../documents/jobs.ts'
import { BIN_DAYS } from './contract.ts'
import { removeOld } from './operations.ts'

export const emptyBins = (states: RecordStates): Job => job({
  name: 'documents.empty_bins',
  payload: Type.Object({}),
  cron: '10 * * * *',
  async run({ database, job_id }) {
    const before = toTimestamp(new Date(database.clock.now().getTime() - BIN_DAYS * 86_400_000))
    for (const business_id of await businessesToClean(database, before)) {
      const business = await findBusiness(database, business_id)
      while (business && (await asSystem(database, business, `job-${job_id}`, (tx) => removeOld(tx, before, states)))) continue
    }
  },
})
