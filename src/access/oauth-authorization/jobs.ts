// Clears away what has served its time: requests, codes, tokens and old counts of what apps did.
import { Type } from 'typebox'
import { plainRequest, transact } from '../../foundation/database/transact.ts'
import { job } from '../../foundation/jobs/job.ts'
import { sweepActivity } from '../oauth-grants/operations.ts'
import { sweepTokens } from '../oauth-tokens/operations.ts'
import { sweepRequests } from './operations.ts'

export const sweepOauthTraces = job({
  name: 'oauth.sweep',
  payload: Type.Object({}),
  cron: '37 3 * * *',
  run: ({ database }) =>
    transact(database, { business_id: null, read_only: false, request: plainRequest }, async ({ tx }) => {
      sweepRequests(tx)
      sweepTokens(tx)
      sweepActivity(tx)
    }),
})
