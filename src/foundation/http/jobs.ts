// Forgets stored answers when their 24 hours are over.
import { Type } from 'typebox'
import { plainRequest, transact } from '../database/transact.ts'
import { job } from '../jobs/job.ts'
import { dropOldAnswers } from './idempotency.ts'

export const dropOldAnswersJob = job({
  name: 'idempotency.sweep',
  payload: Type.Object({}),
  cron: '23 * * * *',
  run: ({ database }) => transact(database, { business_id: null, read_only: false, request: plainRequest }, async ({ tx }) => tx.queue(dropOldAnswers)),
})
