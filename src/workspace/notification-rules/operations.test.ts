// Tests of the rules: which events become notifications, for whom, once, and what settles them.
import { beforeAll, describe, expect, it } from 'vitest'
import { client } from '../../../test/support/client.ts'
import { eventsOf } from '../../../test/support/events.ts'
import { newNotification, raise, tell } from '../../../test/support/notifications.ts'
import { newBusiness, newMember, newPerson, sql, type Person, type Team } from '../../../test/support/people.ts'
import { service } from '../../../test/support/service.ts'
import { USER_EVENTS } from '../../access/security-events/contract.ts'
import { jobs } from '../../app/jobs.ts'
import { notificationRules } from '../../app/notification-rules.ts'
import '../../app/routes.ts'
import { newId } from '../../foundation/ids.ts'
import { openLog } from '../../foundation/log.ts'
import { resources } from '../../foundation/resource.ts'
import { tellPeople } from './jobs.ts'
import { securityRules } from './rules.ts'

let team: Team
let people: Record<'accountant' | 'viewer', Person>
beforeAll(async () => {
  team = await newBusiness()
  const [accountant, viewer] = await Promise.all([newMember(team.business_id, 'accountant'), newMember(team.business_id, 'viewer')])
  people = { accountant, viewer }
})

const rowsAbout = (resource_id: string): Promise<any[]> => sql('select * from notifications where resource_id = $1 order by user_id, created_at, id', [resource_id])
const told = async (resource_id: string) => (await rowsAbout(resource_id)).map(({ user_id }) => user_id).toSorted()

describe('the rules', () => {
  it('name events that are recorded, each rule once per event, and resolve rules that exist', () => {
    const recorded = new Set([...resources.values()].flatMap(({ events }) => events))
    expect([...new Set(notificationRules.map(({ event }) => event))].filter((event) => !recorded.has(event))).toEqual([])
    const names = notificationRules.flatMap((rule) => ('rule' in rule ? [`${rule.event} ${rule.rule}`] : []))
    expect(new Set(names).size).toBe(names.length)
    const made = new Set(notificationRules.flatMap((rule) => ('rule' in rule ? [rule.rule] : [])))
    expect(notificationRules.flatMap(({ resolves = [] }) => resolves).filter((rule) => !made.has(rule))).toEqual([])
    expect(securityRules.filter(({ event }) => !(USER_EVENTS as readonly string[]).includes(event))).toEqual([])
  })

  it('hear nothing of notifications themselves', () => {
    expect(tellPeople(notificationRules).types.filter((type) => type.startsWith('notification'))).toEqual([])
  })

  it('find words for a record that says nothing', () => {
    const event = { type: 'x', resource_type: 'x', resource_id: newId(), data: {}, business_id: newId() }
    for (const rule of notificationRules) {
      if (!('rule' in rule)) continue
      expect(rule.title(event).length, rule.rule).toBeGreaterThan(5)
      expect([rule.body?.(event) ?? '', rule.action_url?.(event) ?? ''].join(), rule.rule).not.toContain('undefined')
    }
  })
})

describe('telling', () => {
  it('everybody who may read the topic, with the words of the event, once however often it is heard', async () => {
    const invoice = await raise(team.business_id, 'invoice.overdue', { number: 'INV-7', total: 12_500, total_paid: 2_500, currency: 'USD', due_date: '2026-02-01' })
    expect(await told(invoice)).toEqual([team.owner.user_id, people.accountant.user_id, people.viewer.user_id].toSorted())
    const [row] = await rowsAbout(invoice)
    expect(row).toMatchObject({
      scope: 'business', scope_id: team.business_id, topic: 'invoice', severity: 'warning', title: 'Invoice INV-7 is overdue', body: 'USD\u00a0100.00 was due on 2026-02-01.',
      action_url: `/invoices/${invoice}`, resource_id: invoice, rule: 'invoice.overdue',
    })
    expect(await eventsOf(row.id)).toEqual(['notification.created'])
    await sql(`update subscriber_positions set seq = 0 where business_id = $1 and subscriber = 'notifications'`, [team.business_id])
    const before = await sql('select count(*)::int as rows from notifications where business_id = $1', [team.business_id])
    const late = await newMember(team.business_id, 'viewer')
    await Promise.all([tell(team.business_id), tell(team.business_id)])
    expect(await sql('select count(*)::int as rows from notifications where business_id = $1', [team.business_id])).toEqual(before)
    expect(await told(invoice)).not.toContain(late.user_id)
    expect(await eventsOf(row.id)).toEqual(['notification.created'])
    await sql('delete from memberships where business_id = $1 and user_id = $2', [team.business_id, late.user_id])
  })

  it('only admins of webhooks, apps and the plan', async () => {
    const admin = await newMember(team.business_id, 'admin')
    const admins = [team.owner.user_id, admin.user_id].toSorted()
    expect(await told(await raise(team.business_id, 'webhook.disabled', { url: 'https://example.com', disabled_reason: 'failures' }))).toEqual(admins)
    expect(await told(await raise(team.business_id, 'webhook.disabled', { disabled_reason: 'by_hand' }))).toEqual([])
    expect(await told(await raise(team.business_id, 'oauth_grant.reuse_detected', { client_name: 'App' }))).toEqual(admins)
    await raise(team.business_id, 'billing.payment_failed')
    const failed = (await rowsAbout(team.business_id)).filter(({ rule }) => rule === 'billing.payment_failed')
    expect(failed.map(({ user_id }) => user_id).toSorted()).toEqual(admins)
    expect(failed[0]).toMatchObject({ topic: 'billing', severity: 'critical', resource_type: 'business' })
    await raise(team.business_id, 'billing.payment_succeeded')
    expect((await rowsAbout(team.business_id)).filter(({ rule, resolved_at }) => rule === 'billing.payment_failed' && resolved_at === null)).toEqual([])
    await sql('delete from memberships where business_id = $1 and user_id = $2', [team.business_id, admin.user_id])
  })

  it('the one person that the event names, if they are there', async () => {
    const id = await newNotification(team.client, people.viewer.user_id, 'Call the bank')
    expect(await sql('select user_id, scope, scope_id, title from notifications where id = $1', [id])).toEqual([
      { user_id: people.viewer.user_id, scope: 'me', scope_id: people.viewer.user_id, title: 'You were given a task: Call the bank' },
    ])
    expect(await told(await raise(team.business_id, 'job.failed', { created_by: people.accountant.user_id, title: 'Import', error: 'It broke.' }))).toEqual([people.accountant.user_id])
    expect(await told(await raise(team.business_id, 'job.failed', { created_by: null }))).toEqual([])
    expect(await told(await raise(team.business_id, 'job.failed', { created_by: (await newPerson()).user_id }))).toEqual([])
  })

  it('not again while the matter is open, and again once it was settled', async () => {
    const invoice = newId()
    const open = async () => (await rowsAbout(invoice)).filter(({ user_id, resolved_at }) => user_id === people.viewer.user_id && resolved_at === null).map(({ rule }) => rule)
    await raise(team.business_id, 'invoice.overdue', { number: '1' }, invoice)
    await raise(team.business_id, 'invoice.overdue', { number: '1' }, invoice)
    expect(await open()).toEqual(['invoice.overdue'])
    await raise(team.business_id, 'charge.failed', { invoice_id: invoice, amount: 100, currency: 'USD' })
    expect(await open()).toEqual(['invoice.overdue', 'charge.failed'])
    await raise(team.business_id, 'invoice.paid', { number: '1' }, invoice)
    expect(await open()).toEqual(['invoice.paid'])
    await raise(team.business_id, 'invoice.overdue', { number: '1' }, invoice)
    await raise(team.business_id, 'invoice.voided', {}, invoice)
    expect(await open()).toEqual(['invoice.paid'])
    const settled = (await rowsAbout(invoice)).find(({ rule }) => rule === 'invoice.overdue')
    expect(await eventsOf(settled.id)).toEqual(['notification.created', 'notification.resolved'])
  })

  it.each([
    ['accounting_period.closed', 'accounting_period.reopened'], ['accounting_period.reopened', 'accounting_period.closed'], ['dispute.opened', 'dispute.closed'], ['todo.overdue', 'todo.completed'],
    ['recurring.failed', 'recurring.generated'], ['webhook.disabled', 'webhook.deleted'], ['journal_template.held', 'journal_template.run'], ['payout.failed', 'payout.paid'],
  ])('%s is settled by %s', async (made, settled) => {
    const resource = await raise(team.business_id, made, { name: 'Some', assignee_id: team.owner.user_id })
    await raise(team.business_id, settled, { name: 'Some', assignee_id: null }, resource)
    const rows = (await rowsAbout(resource)).filter(({ rule }) => rule === made)
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.every(({ resolved_at }) => resolved_at !== null)).toBe(true)
  })

  it('the log of the business stays whole', async () => {
    const own = await newBusiness()
    await newNotification(own.client, own.owner.user_id)
    expect((await own.client.get('/audit-trail/verify')).data.ok).toBe(true)
    const { items } = (await own.client.get('/events', { type: 'notification.created' })).data
    expect(items).toHaveLength(1)
    expect(items[0].data).toMatchObject({ topic: 'task', scope: 'me', resource_type: 'todo' })
  })
})

describe('the account of a person', () => {
  it('is told of what happened to it, once, whoever works, and mailed only where nobody did', async () => {
    const person = await newPerson()
    const record = (type: string, detail = {}) => sql(
      `insert into user_events (id, user_id, type, at, request_id, detail) values ($1, $2, $3, now(), 'test', $4)`, [newId(), person.user_id, type, JSON.stringify(detail)])
    await record('user.password_changed')
    await record('user.signed_in', { new_device: false })
    await record('oauth_grant.reuse_detected', { client_name: 'Ledger Bot' })
    const work = jobs.find(({ name }) => name === 'notifications.security')
    const { database } = (await service()).program
    const run = () => work?.run({ database, log: openLog('silent'), mailer: null, job_id: 'test' }, {} as never)
    await Promise.all([run(), run()])
    await run()
    const { items } = (await client(person.token).get('/notifications')).data
    expect(items.map(({ title, topic, scope, business_id, severity }: any) => ({ title, topic, scope, business_id, severity })).toSorted((a: any, b: any) => (a.title < b.title ? -1 : 1))).toEqual([
      { title: 'An app of yours was cut off', topic: 'security', scope: 'me', business_id: null, severity: 'critical' },
      { title: 'Your password was changed', topic: 'security', scope: 'me', business_id: null, severity: 'warning' },
    ])
    expect(await sql('select subject, headers from mails where recipient = $1', [person.email])).toEqual([{ subject: 'An app of yours was cut off', headers: null }])
  })
})
