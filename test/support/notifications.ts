// Notifications in tests: made as everywhere, by an event that the subscriber hears.
import { findBusiness } from '../../src/access/lookup.ts'
import { subscribers } from '../../src/app/jobs.ts'
import { newId } from '../../src/foundation/ids.ts'
import { openLog } from '../../src/foundation/log.ts'
import { deliverTo } from '../../src/foundation/jobs/outbox.ts'
import type { Client } from './client.ts'
import { sql } from './people.ts'
import { service } from './service.ts'

const tellPeople = subscribers.filter(({ name }) => name === 'notifications')

/** Lets the subscriber of notifications hear what has happened in the business. */
export async function tell(business_id: string): Promise<void> {
  const { database } = (await service()).program
  const business = await findBusiness(database, business_id)
  if (!business) throw new Error('There is no such business.')
  if ((await deliverTo(database, business, tellPeople, openLog('silent'))) > 0) throw new Error('The subscriber failed.')
}

/** A task for this person, of which they are told: the id of the notification. */
export async function newNotification(client: Client, user_id: string, title = 'Look at it'): Promise<string> {
  const business_id = client.business_id ?? ''
  const { data, detail } = await client.post('/todos', { title, assignee_id: user_id })
  if (!data) throw new Error(`No task: ${JSON.stringify(detail)}`)
  await tell(business_id)
  return notificationAbout(data.id, user_id)
}

export async function notificationAbout(resource_id: string, user_id: string): Promise<string> {
  const [row] = await sql('select id from notifications where resource_id = $1 and user_id = $2 order by created_at desc, id desc limit 1', [resource_id, user_id])
  if (!row) throw new Error('Nobody was told.')
  return row.id
}

export type Made = { title?: string; topic?: string; severity?: string; scope?: 'me' | 'business'; created_at?: string; resolved_at?: string | null }

/** Rows of one person written straight into the table, as if their events had been heard: the ids, in the order given. */
export async function insertRows(user_id: string, business_id: string | null, rows: readonly Made[]): Promise<string[]> {
  const made = rows.map((row, index) => ({ id: newId(), title: `Row ${index}`, topic: 'task', severity: 'info', scope: 'me', created_at: new Date().toISOString(), resolved_at: null, ...row }))
  await sql(
    `with head as (insert into notification_feeds as f (user_id, change_seq) values ($1, $4::int) on conflict (user_id) do update set change_seq = f.change_seq + $4::int returning change_seq)
     insert into notifications (user_id, id, business_id, scope, scope_id, topic, severity, title, rule, in_app, in_digest, resolved_at, change_seq, created_at, updated_at, version)
     select $1, r.id, $2::uuid, r.scope, case when r.scope = 'me' then $1 else $2::uuid end, r.topic, r.severity, r.title, 'test', true, false, r.resolved_at,
       (select change_seq from head) - $4::int + row_number() over (), r.created_at, r.created_at, 1
     from jsonb_populate_recordset(null::notifications, $3::jsonb) r`,
    [user_id, business_id, JSON.stringify(made), rows.length])
  return made.map(({ id }) => id)
}

/** An event as its room would record it, for rooms whose way to it is long; heard at once. */
export async function raise(business_id: string, type: string, data: Record<string, unknown> = {}, resource_id: string = newId(), occurred_at = new Date().toISOString()): Promise<string> {
  await sql(
    `with head as (update business_heads set event_seq = event_seq + 1 where business_id = $1 returning event_seq)
     insert into events (business_id, seq, id, type, occurred_at, resource_type, resource_id, actor, data, request_id)
     select $1, event_seq, $3, $2, $6, 'test', $4, '{}', $5, 'test' from head`, [business_id, type, newId(), resource_id, JSON.stringify(data), occurred_at])
  await tell(business_id)
  return resource_id
}
