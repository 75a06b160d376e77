// Who hears what happened: a subscriber of the business's log, and a reader of people's security logs.
import { Type } from 'typebox'
import { plainRequest, transact } from '../../foundation/database/transact.ts'
import { job, type Job, type Listener } from '../../foundation/jobs/job.ts'
import type { NotificationRule, Resolution, SecurityRule } from './contract.ts'
import { forgetMember, forgetUserEvents, hear, tellOfSecurity } from './operations.ts'

/** It hears no event of notifications, so what it makes does not come back to it. */
export function tellPeople(rules: readonly (NotificationRule | Resolution)[]): Listener {
  return {
    name: 'notifications',
    types: [...new Set(['member.removed', ...rules.map(({ event }) => event)])].filter((type) => !type.startsWith('notification.')),
    async handle(tx, event) {
      if (event.type === 'member.removed') await forgetMember(tx, event.resource_id)
      await hear(tx, event, rules)
    },
  }
}

export function tellOfSecurityEvents(rules: readonly SecurityRule[]): Job {
  return job({
    name: 'notifications.security',
    payload: Type.Object({}),
    cron: '* * * * *',
    async run({ database, job_id }) {
      const options = { business_id: null, read_only: false, request: { ...plainRequest, request_id: `job-${job_id}` } }
      while (await transact(database, options, ({ tx }) => tellOfSecurity(tx, rules))) continue
      await transact(database, options, async ({ tx }) => forgetUserEvents(tx))
    },
  })
}
