// Clears away what has served its time: counted failures, challenges and mail tokens.
import { Type } from 'typebox'
import { plainRequest, transact } from '../../foundation/database/transact.ts'
import { job } from '../../foundation/jobs/job.ts'
import * as store from './store.ts'

export const sweepUserTraces = job({
  name: 'user.sweep',
  payload: Type.Object({}),
  cron: '17 3 * * *',
  run: ({ database }) =>
    transact(database, { business_id: null, read_only: false, request: plainRequest }, async ({ tx }) => {
      tx.queue(store.deleteOldAttempts)
      tx.queue(store.deleteOldChallenges)
      tx.queue(store.deleteOldMailTokens)
    }),
})
