// Tells people of tokens that are about to expire, a week before and once.
import { Type } from 'typebox'
import { plainRequest, transact } from '../../foundation/database/transact.ts'
import type { Tx } from '../../foundation/database/transaction.ts'
import { job } from '../../foundation/jobs/job.ts'
import { sendMail } from '../../foundation/jobs/mail.ts'
import { recordUserEvent } from '../security-events/operations.ts'
import * as store from './store.ts'

const BATCH = 200

export const expiringTokensJob = job({
  name: 'api_tokens.expiring',
  payload: Type.Object({}),
  cron: '0 7 * * *',
  async run({ database, job_id }) {
    const request = { ...plainRequest, request_id: `job-${job_id}` }
    let told: number
    do told = await transact(database, { business_id: null, read_only: false, request }, ({ tx }) => tellOfExpiring(tx))
    while (told === BATCH)
  },
})

async function tellOfExpiring(tx: Tx): Promise<number> {
  const tokens = await tx.many(store.takeExpiring, { limit: BATCH })
  for (const { id, user_id, name, expires_at, email } of tokens) {
    recordUserEvent(tx, user_id, 'api_token.expiring', { api_token_id: id, name, expires_at })
    sendMail(tx, {
      to: email,
      subject: `The API token "${name}" expires soon`,
      text: `Your API token "${name}" expires at ${expires_at}. Programs that use it are refused from then on.\n\nReplace it with a new token in time.`,
    })
  }
  return tokens.length
}
