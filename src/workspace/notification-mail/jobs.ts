// What the clock does: mail that was held goes out, and so do digests. Each in a transaction of its own, so many workers share the work.
import { Type } from 'typebox'
import { plainRequest, transact } from '../../foundation/database/transact.ts'
import { job } from '../../foundation/jobs/job.ts'
import { sendDigest, sendHeld } from './operations.ts'

/** Every quarter of an hour would do for every time zone; quiet hours end at any minute. */
export const sendDueNotifications = job({
  name: 'notifications.send-due',
  payload: Type.Object({}),
  cron: '*/5 * * * *',
  async run({ database, job_id }) {
    const request = { ...plainRequest, request_id: `job-${job_id}` }
    for (const send of [sendHeld, sendDigest]) {
      while (await transact(database, { business_id: null, read_only: false, request }, ({ tx }) => send(tx))) continue
    }
  },
})
