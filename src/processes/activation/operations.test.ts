import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { removeDueBusinesses } from '../../access/businesses/jobs.ts'
import { openLog } from '../../foundation/log.ts'
import { newId } from '../../foundation/ids.ts'
import { client } from '../../../test/support/client.ts'
import { newCustomer } from '../../../test/support/customers.ts'
import { deliver } from '../../../test/support/events.ts'
import { runJobs } from '../../../test/support/jobs.ts'
import { newBusiness, newMember, newToken, sql, type Team } from '../../../test/support/people.ts'
import { service } from '../../../test/support/service.ts'
import { OBSERVED, REPORTED } from './contract.ts'

let team: Team
let other: Team

beforeAll(async () => {
  team = await newBusiness()
  other = await newBusiness()
})
afterEach(async () => (await service()).clock.set(null))

const status = async (of: Team = team) => (await of.client.get('/activation')).data
const milestone = async (name: string, of: Team = team) => (await status(of)).milestones.find((one: any) => one.milestone === name)
const told = (business_id: string) => sql(`select type, data->>'milestone' as milestone from events where business_id = $1 and type like 'activation.%' order by seq`, [business_id])

describe('milestones', () => {
  it('begin unreached', async () => {
    const found = await status(other)
    expect(found).toMatchObject({ reached_count: 0, total: 14, activated: false, sample: null })
    expect(found.milestones.map(({ milestone: name }: any) => name)).toEqual([...OBSERVED, ...REPORTED])
    expect(found.milestones.every(({ reached, reached_at, reached_by }: any) => !reached && reached_at === null && reached_by === null)).toBe(true)
  })

  it('are reported once: the first time and person stay', async () => {
    const first = await team.client.post('/activation/tour_completed')
    expect(first.status).toBe(201)
    expect(first.data).toMatchObject({ reached_count: 1, total: 14 })
    const reached = await milestone('tour_completed')
    expect(reached).toMatchObject({ kind: 'reported', reached: true, reached_by: team.owner.user_id })
    const viewer = await newMember(team.business_id, 'viewer')
    await Promise.all([viewer.client.post('/activation/tour_completed'), team.client.post('/activation/tour_completed')])
    expect(await milestone('tour_completed')).toEqual(reached)
    expect((await told(team.business_id)).filter((one) => one.milestone === 'tour_completed')).toHaveLength(1)
  })

  it('two who report at once reach it once', async () => {
    await Promise.all(Array.from({ length: 4 }, () => team.client.post('/activation/mobile_opened')))
    expect((await told(team.business_id)).filter((one) => one.milestone === 'mobile_opened')).toHaveLength(1)
  })

  it('that are observed cannot be reported, and unknown ones are no milestones', async () => {
    for (const name of OBSERVED) expect((await team.client.post(`/activation/${name}`)).detail).toMatch(/observed/)
    expect((await team.client.post('/activation/world_domination')).status).toBe(422)
  })

  it('are seen by themselves, before and after the log was followed', async () => {
    const mine = await newBusiness()
    const customer_id = await newCustomer(mine.client, { email: 'buyer@example.com' })
    const invoice = await mine.client.post('/invoices', { customer_id, invoice_date: '2026-03-02', line_items: [{ description: 'Work', quantity: 1, unit_price: 50_000 }], finalize: true })
    expect(await milestone('first_invoice_sent', mine)).toMatchObject({ reached: false })
    expect((await mine.client.post(`/invoices/${invoice.data.id}/send`, {})).status).toBe(201)
    await runJobs(mine.business_id)
    const paid = await mine.client.put(`/invoices/${invoice.data.id}/paid`, { paid_on: '2026-03-05' })
    expect(paid.status).toBe(200)
    const period = (await mine.client.get('/accounting-periods', { limit: 100 })).data.items.find((one: any) => one.start_date === '2026-01-01')
    expect((await mine.client.put(`/accounting-periods/${period.id}/close`, { accept_warnings: true })).status).toBe(200)
    const before = await status(mine)
    const reached = before.milestones.filter((one: any) => one.reached).map((one: any) => one.milestone)
    expect(reached).toEqual(expect.arrayContaining(['first_invoice_sent', 'first_invoice_paid', 'first_period_closed']))
    expect(before.milestones.find((one: any) => one.milestone === 'first_invoice_paid').reached_by).toBe(mine.owner.user_id)
    await deliver(mine.business_id)
    expect(await status(mine)).toEqual(before)
    const tellings = await told(mine.business_id)
    expect(tellings).toHaveLength(reached.length)
    await deliver(mine.business_id)
    await mine.client.put(`/invoices/${invoice.data.id}/unpaid`, {})
    await mine.client.put(`/invoices/${invoice.data.id}/paid`, { paid_on: '2026-03-06' })
    await deliver(mine.business_id)
    expect(await status(mine)).toEqual(before)
    expect(await told(mine.business_id)).toEqual(tellings)
  })

  it('a second member is one who accepted an invitation', async () => {
    const mine = await newBusiness()
    const [person] = [await newMember(other.business_id, 'viewer')]
    const invited = await mine.client.post('/invitations', { email: person.email, role: 'viewer' })
    expect((await client(person.token).post('/invitations/accept', { invitation_id: invited.data.id })).status).toBeLessThan(300)
    expect(await milestone('second_member', mine)).toMatchObject({ reached: true, reached_by: person.user_id })
  })

  it('the core makes a business activated, told once', async () => {
    const mine = await newBusiness()
    const rows = ['bank_connected', 'first_transaction_categorized', 'first_invoice_sent']
    for (const name of rows) await sql('insert into activation_milestones (business_id, id, milestone, reached_at) values ($1, $2, $3, now())', [mine.business_id, newId(), name])
    expect((await status(mine)).activated).toBe(false)
    expect((await mine.client.post('/activation/report_viewed')).data.activated).toBe(true)
    await mine.client.post('/activation/report_viewed')
    expect((await told(mine.business_id)).map(({ type }) => type)).toEqual(['activation.milestone_reached', 'activation.activated'])
  })

  it('a dry run reaches nothing; a stranger and a token without the scope are refused', async () => {
    await other.client.post('/activation/report_viewed', undefined, { query: { dry_run: true } })
    expect(await milestone('report_viewed', other)).toMatchObject({ reached: false })
    for (const answer of [
      await client(other.owner.token, team.business_id).get('/activation'),
      await client(other.owner.token, team.business_id).post('/activation/report_viewed'),
      await client(other.owner.token, team.business_id).post('/activation/sample-preview', {}),
    ]) expect(answer.status).toBe(403)
    const token = await newToken(team.owner, ['activation:read'])
    expect((await client(token, team.business_id).get('/activation')).status).toBe(200)
    expect((await client(token, team.business_id).post('/activation/report_viewed')).status).toBe(403)
    expect((await client(token, team.business_id).post('/activation/sample-preview', {})).status).toBe(403)
  })
})

/** How many rows each table has for a business. */
async function rowsOf(business_id: string): Promise<Record<string, number>> {
  const tables = await sql(`select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'business_id' and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition order by 1`)
  const counts = await sql(tables.map(({ name }) => `select '${name}' as name, count(*)::int as count from ${name} where business_id = '${business_id}'`).join(' union all '))
  return Object.fromEntries(counts.map(({ name, count }) => [name, count]))
}

describe('a sample', () => {
  it('is a business of its own whose figures equal its reports, and leaves the real one as it was', async () => {
    const before = await rowsOf(team.business_id)
    const report = (await team.client.get('/reports/trial-balance')).data
    const begun = performance.now()
    const made = await team.client.post('/activation/sample-preview', { industry: 'software' })
    expect(performance.now() - begun).toBeLessThan(5000)
    expect(made).toMatchObject({ status: 201, data: { reused: false } })
    const { sample_business_id, expires_at, figures } = made.data
    expect(Date.parse(expires_at) - Date.now()).toBeGreaterThan(13.9 * 86_400_000)
    const after = await rowsOf(team.business_id)
    expect(after).toEqual({ ...before, activation_samples: 1 })
    const { generated_at: _then, ...unchanged } = report
    expect((await team.client.get('/reports/trial-balance')).data).toMatchObject(unchanged)
    expect((await status()).sample).toEqual({ business_id: sample_business_id, expires_at })

    const inside = client(team.owner.token, sample_business_id)
    const business = (await inside.get(`/businesses/${sample_business_id}`)).data
    expect(business).toMatchObject({ is_sample: true, role: 'owner', access: 'full', trial_ends_at: null })
    expect((await team.owner.client.get('/businesses')).data.items.map(({ id }: any) => id)).not.toContain(sample_business_id)
    expect((await inside.get(`/businesses/${sample_business_id}/members`)).data.items).toHaveLength(1)
    const key = (await inside.get('/reports/key-figures', { start_date: business.books_start_date, end_date: new Date().toISOString().slice(0, 10) })).data.figures
    const input = (figure: string, name: string) => key.find((one: any) => one.key === figure).inputs.find((one: any) => one.name === name).amount
    expect(figures).toEqual({
      cash: input('cash', 'cash'), receivable: input('dso', 'receivables'), payable: input('dpo', 'payables'), net_income: input('net_margin', 'net income'),
    })
    for (const name of ['cash', 'receivable', 'payable', 'net_income']) expect(figures[name]).not.toBe(0)
    const verified = await inside.get('/books/verification')
    expect(verified.data.checks.filter((one: any) => !one.ok)).toEqual([])
  })

  it('is the same one when asked again, also with changes in it, and another after a reset', async () => {
    const first = (await team.client.post('/activation/sample-preview', {})).data
    expect(first.reused).toBe(true)
    const inside = client(team.owner.token, first.sample_business_id)
    const ledgers = (await inside.get('/ledgers', { limit: 200 })).data.items
    const at = (number: string) => ledgers.find((one: any) => one.number === number).id
    const entry = { date: new Date().toISOString().slice(0, 10), post: true, lines: [{ ledger_id: at('1000'), amount: 5000 }, { ledger_id: at('4900'), amount: -5000 }] }
    expect((await inside.post('/journal-entries', entry)).status).toBe(201)
    const again = (await team.client.post('/activation/sample-preview', {})).data
    expect(again.figures).toEqual({ ...first.figures, cash: first.figures.cash + 5000, net_income: first.figures.net_income + 5000 })
    const fresh = (await team.client.post('/activation/sample-preview', { reset: true })).data
    expect(fresh).toMatchObject({ reused: false })
    expect(fresh.sample_business_id).not.toBe(first.sample_business_id)
    expect((await inside.get('/activation')).status).toBe(403)
    expect(Object.values(await rowsOf(first.sample_business_id)).reduce((sum, count) => sum + count, 0)).toBe(0)
    expect(await sql('select id from businesses where id = $1', [first.sample_business_id])).toEqual([])
  })

  it('two requests at once make one; each person has their own', async () => {
    const viewer = await newMember(other.business_id, 'viewer')
    const made = await Promise.all([1, 2].map(() => viewer.client.post('/activation/sample-preview', {})))
    expect(made.map(({ status: code }) => code)).toEqual([201, 201])
    expect(made.map(({ data }) => data.reused).toSorted()).toEqual([false, true])
    expect(new Set(made.map(({ data }) => data.sample_business_id)).size).toBe(1)
    expect((await status(other)).sample).toBeNull()
    const sample_business_id = made[0]?.data.sample_business_id
    for (const path of ['/invoices', '/activation', '/reports/trial-balance']) expect((await client(other.owner.token, sample_business_id).get(path)).status).toBe(403)
    expect((await client(viewer.token, sample_business_id).post('/activation/sample-preview', {})).detail).toMatch(/sample itself/)
  })

  it('lets no token in and sends no mail', async () => {
    const { sample_business_id } = (await team.client.post('/activation/sample-preview', {})).data
    const token = await newToken(team.owner, ['invoices:read', 'activation:read'])
    expect((await client(token, team.business_id).get('/invoices')).status).toBe(200)
    expect((await client(token, sample_business_id).get('/invoices')).status).toBe(403)
    const inside = client(team.owner.token, sample_business_id)
    const wanted = await inside.post('/api-tokens', { name: 'x', scopes: ['invoices:read'], business_ids: [sample_business_id] })
    expect(wanted.status).toBe(400)
    const invited = await inside.post('/invitations', { email: `${newId()}@example.com`, role: 'viewer' })
    expect(invited.status).toBe(201)
    expect(await sql('select id from mails where business_id = $1', [sample_business_id])).toEqual([])
  })

  it('a dry run leaves none behind', async () => {
    const person = await newMember(other.business_id, 'bookkeeper')
    const [{ count }] = await sql('select count(*)::int as count from businesses where is_sample')
    expect((await person.client.post('/activation/sample-preview', {}, { query: { dry_run: true } })).status).toBe(201)
    expect(await sql('select count(*)::int as count from businesses where is_sample')).toEqual([{ count }])
    expect((await person.client.get('/activation')).data.sample).toBeNull()
  })

  it('is gone after 14 days, and only then', async () => {
    const { clock, program } = await service()
    const mine = await newBusiness()
    const { sample_business_id, expires_at } = (await mine.client.post('/activation/sample-preview', {})).data
    const sweep = () => removeDueBusinesses.run({ database: program.database, log: openLog('silent'), mailer: null, job_id: 'test' }, {} as never)
    const there = () => sql('select id from businesses where id = $1', [sample_business_id])
    clock.set(new Date(Date.parse(expires_at) - 60_000).toISOString())
    await sweep()
    expect(await there()).toHaveLength(1)
    clock.set(new Date(Date.parse(expires_at) + 60_000).toISOString())
    await sql(`update sessions set last_seen_at = $2 where user_id = $1`, [mine.owner.user_id, expires_at])
    expect((await mine.client.get('/activation')).data.sample).toBeNull()
    await sweep()
    expect(await there()).toEqual([])
    expect(Object.values(await rowsOf(sample_business_id)).every((count) => count === 0)).toBe(true)
    expect(await sql('select id from businesses where id = $1', [mine.business_id])).toHaveLength(1)
    expect((await mine.client.post('/activation/sample-preview', {})).data).toMatchObject({ reused: false })
  })
})
