// Tests of templates over HTTP, and of the clock that runs them.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { chartOf, inside, post } from '../../../test/support/books.ts'
import { eventsOf } from '../../../test/support/events.ts'
import { newBusiness, sql, type Team } from '../../../test/support/people.ts'
import { service, startService } from '../../../test/support/service.ts'
import { newId } from '../../foundation/ids.ts'
import { openLog } from '../../foundation/log.ts'
import type { EntryHeader } from '../journal/contract.ts'
import type { Template } from './contract.ts'
import { runDueTemplates } from './jobs.ts'
import { runDue } from './operations.ts'

let team: Team
let chart: Awaited<ReturnType<typeof chartOf>>

const NOW = '2026-06-15T12:00:00Z'

beforeEach(async () => {
  (await service()).clock.set(NOW)
  team = await newBusiness()
  chart = await chartOf(team.business_id)
})
afterEach(async () => (await service()).clock.set(null))

const lines = (amount = 5000) => [{ ledger_id: chart.named('Rent'), debit: amount }, { ledger_id: chart.named('Checking'), credit: amount }]

async function newTemplate(more: object = {}): Promise<Template> {
  const { status, data, detail } = await team.client.post(
    '/journal-entries/templates',
    { name: 'Rent', memo: 'Monthly rent', frequency: 'monthly', start_date: '2026-04-30', auto_post: true, lines: lines(), ...more },
  )
  expect(status, JSON.stringify(detail)).toBe(201)
  return data
}

async function runJob(database = null as null | Parameters<typeof runDueTemplates.run>[0]['database']): Promise<void> {
  await runDueTemplates.run(
    { database: database ?? (await service()).program.database, log: openLog('silent'), mailer: null as never, job_id: 'test' }, {} as never,
  )
}

/** And back, before a session gets too old. */
async function runJobAt(now: string): Promise<void> {
  const { clock } = await service()
  clock.set(now)
  await runJob()
  clock.set(NOW)
}

const get = async (template: Template): Promise<Template> => (await team.client.get(`/journal-entries/templates/${template.id}`)).data
async function entriesOf(template: Template): Promise<[string, string, string | null][]> {
  const { data } = await team.client.get('/journal-entries', { template_id: template.id, descending: false })
  return data.items.map(({ date, status, memo }: EntryHeader) => [date, status, memo])
}

describe('a template', () => {
  it('is kept, changed, listed and deleted; what it made stays', async () => {
    const template = await newTemplate()
    expect(template).toMatchObject(
      {
        next_date: '2026-04-30', last_date: null, occurrences: 0, currency: 'USD', created_by: team.owner.user_id,
        lines: [{ amount_kind: 'fixed', amount: 5000 }, { amount: -5000 }],
      },
    )
    expect(await get(template)).toEqual(template)
    const path = `/journal-entries/templates/${template.id}`
    const changed = await team.client.put(path, { memo: null, day_of_month: 15, lines: lines(7000) })
    expect(changed.data).toMatchObject({ memo: null, next_date: '2026-05-15', version: 2, lines: [{ amount: 7000 }, { amount: -7000 }] })
    expect((await team.client.put(path, { frequency: null })).data.next_date).toBeNull()
    const run = await team.client.post(`${path}/run`, {})
    expect(run.data).toMatchObject(
      { status: 'posted', date: '2026-06-15', memo: 'Rent', template_id: template.id, total: 7000, prepared_by: team.owner.user_id },
    )
    expect((await team.client.get('/journal-entries/templates')).data.items.map(({ id }: Template) => id)).toEqual([template.id])
    expect((await team.client.delete(path)).status).toBe(200)
    expect((await team.client.get(path)).status).toBe(404)
    expect((await team.client.get(`/journal-entries/${run.data.id}`)).data.template_id).toBe(template.id)
    expect(await eventsOf(template.id)).toEqual(
      ['journal_template.created', 'journal_template.updated', 'journal_template.updated', 'journal_template.run', 'journal_template.deleted'],
    )
  })

  it.each([
    ['without a start', () => ({ start_date: null }), 400, /needs a start_date/],
    ['that ends before it begins', () => ({ end_date: '2026-04-01' }), 400, /lies before start_date/],
    ['with a day of the month every week', () => ({ frequency: 'weekly', day_of_month: 3 }), 400, /has no day_of_month/],
    ['on a ledger that does not exist', () => ({ lines: [{ ledger_id: newId(), debit: 1 }, ...lines().slice(1)] }), 404, /of line 1 not found/],
    [
      'of a ledger that does not exist',
      () => ({ lines: [{ ledger_id: chart.named('Rent'), amount_kind: 'percent_of_ledger', percent: '1', of_ledger_id: newId() }, ...lines().slice(1)] }),
      404, /of which line 1 is a share, not found/,
    ],
    [
      'on a ledger that takes no lines by hand', () => ({ lines: [{ ledger_id: chart.role('inventory'), debit: 1 }, ...lines().slice(1)] }),
      400, /takes no lines by hand/,
    ],
    [
      'with a share without its ledger',
      () => ({ lines: [{ ledger_id: chart.named('Rent'), amount_kind: 'percent_of_ledger', percent: '1' }, ...lines().slice(1)] }), 400,
      /needs percent and of_ledger_id/,
    ],
    ['with one line', () => ({ lines: lines().slice(1) }), 422, null],
    [
      'with a share that is no number',
      () => ({ lines: [{ ledger_id: chart.named('Rent'), amount_kind: 'percent_of_ledger', percent: 'all', of_ledger_id: newId() }, ...lines().slice(1)] }),
      422, null,
    ],
  ] as const)('%s is refused', async (_, wrong, status, detail) => {
    const answer = await team.client.post(
      '/journal-entries/templates', { name: 'Wrong', frequency: 'monthly', start_date: '2026-04-30', lines: lines(), ...wrong() },
    )
    expect(answer.status).toBe(status)
    if (detail) expect(answer.detail).toMatch(detail)
  })

  it('run by hand for a date is run for it', async () => {
    const template = await newTemplate({ start_date: '2026-06-30', day_of_month: 31 })
    const run = (date: string) => team.client.post(`/journal-entries/templates/${template.id}/run`, { date })
    const [first, second] = await Promise.all([run('2026-06-30'), run('2026-06-30')])
    expect([first.status, second.status].toSorted()).toEqual([201, 400])
    expect([first, second].find(({ status }) => status === 400)?.detail).toMatch(/Rent was run for 2026-06-30 already and made entry/)
    expect(await get(template)).toMatchObject({ next_date: '2026-07-31', occurrences: 1 })
    await run('2026-08-31')
    await runJobAt('2026-09-01T12:00:00Z')
    expect((await entriesOf(template)).map(([date]) => date)).toEqual(['2026-06-30', '2026-07-31', '2026-08-31'])
    expect(await get(template)).toMatchObject({ next_date: '2026-09-30', occurrences: 3 })
  })

  it('shares out what a ledger has moved in the month, to the cent', async () => {
    await post(
      team.business_id, { date: '2026-05-03', lines: [[chart.named('Rent'), 10_001], [chart.named('Checking'), -10_001]] },
      { date: '2026-04-03', lines: [[chart.named('Rent'), 99], [chart.named('Checking'), -99]] },
    )
    const share = (name: string, percent: string) =>
      ({ ledger_id: chart.named(name), amount_kind: 'percent_of_ledger', percent, of_ledger_id: chart.named('Rent') })
    const template = await newTemplate({ frequency: null, lines: [share('Utilities', '33.333'), share('Office Supplies', '66.667'), share('Rent', '-100')] })
    const { data } = await team.client.post(`/journal-entries/templates/${template.id}/run`, { date: '2026-05-31' })
    expect(data.lines.map(({ amount }: { amount: number }) => amount)).toEqual([3334, 6667, -10_001])
    const nothing = await team.client.post(`/journal-entries/templates/${template.id}/run`, { date: '2026-03-31' })
    expect([nothing.status, nothing.detail]).toEqual(
      [400, 'Rent has nothing to enter for 2026-03-31: the ledgers that it shares out have not moved in that month.'],
    )
    expect(await sql('select count(*)::int as count from journal_template_runs where template_id = $1', [template.id])).toEqual([{ count: 1 }])
  })
})

describe('the clock', () => {
  it('catches up on what was missed, each occurrence once, and goes on', async () => {
    const template = await newTemplate({ start_date: '2026-01-31', max_occurrences: 7 })
    const draft = await newTemplate({ name: 'Draft', auto_post: false, start_date: '2026-06-15', end_date: '2026-07-14', memo: null })
    await runJob()
    await runJob()
    expect((await entriesOf(template)).map(([date, status]) => `${date} ${status}`)).toEqual(
      ['2026-01-31 posted', '2026-02-28 posted', '2026-03-31 posted', '2026-04-30 posted', '2026-05-31 posted'],
    )
    expect(await entriesOf(draft)).toEqual([['2026-06-15', 'draft', 'Draft']])
    expect((await get(draft)).next_date).toBeNull()
    await runJobAt('2026-09-01T12:00:00Z')
    expect((await entriesOf(template)).map(([date]) => date).slice(5)).toEqual(['2026-06-30', '2026-07-31'])
    expect(await get(template)).toMatchObject({ occurrences: 7, next_date: null, last_date: '2026-07-31' })
  })

  it('goes by the day that it is where the business is', async () => {
    const template = await newTemplate({ start_date: '2026-06-16' })
    await runJobAt('2026-06-16T03:00:00Z')
    expect(await entriesOf(template)).toEqual([])
    await runJobAt('2026-06-16T05:00:00Z')
    expect(await entriesOf(template)).toHaveLength(1)
  })

  it('makes a draft and says why where it cannot post', async () => {
    const { data } = await team.client.get('/accounting-periods', { descending: false })
    await team.client.put(`/accounting-periods/${data.items[0].id}/close`, { accept_warnings: true })
    const template = await newTemplate({ start_date: '2026-01-31', max_occurrences: 2 })
    await runJob()
    expect((await entriesOf(template)).map(([date, status]) => [date, status])).toEqual([['2026-01-31', 'draft'], ['2026-02-28', 'posted']])
    expect(await eventsOf(template.id)).toEqual(['journal_template.created', 'journal_template.held', 'journal_template.run'])
    const [held] = await sql(`select reason, actor_kind from audit_trail where resource_id = $1 and action = 'journal_template.held'`, [template.id])
    expect(held).toEqual({ reason: '2026-01 is closed; use 2026-02-01 or later, or reopen the period.', actor_kind: 'system' })
  })

  it('leaves what needs approval to somebody else than who made the template', async () => {
    await team.client.patch(`/businesses/${team.business_id}/settings`, { accounting: { approval_required: true } })
    const template = await newTemplate({ start_date: '2026-05-31' })
    await runJob()
    const { items: [entry] } = (await team.client.get('/journal-entries', { template_id: template.id })).data
    expect(entry).toMatchObject({ status: 'pending_approval', prepared_by: team.owner.user_id })
    expect((await team.client.put(`/journal-entries/${entry.id}/approve`)).detail).toMatch(/Whoever prepared/)
    expect(await eventsOf(entry.id)).toEqual(['journal_entry.created', 'journal_entry.submitted'])
  })

  it('passes an occurrence for which there is nothing to enter', async () => {
    const share = (percent: string) => ({ ledger_id: chart.named('Utilities'), amount_kind: 'percent_of_ledger', percent, of_ledger_id: chart.named('Rent') })
    const template = await newTemplate({ start_date: '2026-05-31', lines: [share('100'), share('-100')] })
    await runJob()
    expect(await get(template)).toMatchObject({ occurrences: 1, next_date: '2026-06-30' })
    expect(await entriesOf(template)).toEqual([])
  })

  it('in several workers at once makes each entry once', async () => {
    const templates = await Promise.all([1, 2, 3].map((index) => newTemplate({ name: `T${index}`, frequency: 'weekly', start_date: '2026-05-01' })))
    const other = await startService()
    other.clock.set(NOW)
    await Promise.all([runJob(), runJob(other.program.database), runJob(), runJob(other.program.database)])
    await other.program.stop()
    for (const template of templates) {
      expect((await entriesOf(template)).map(([date]) => date)).toEqual(
        ['2026-05-01', '2026-05-08', '2026-05-15', '2026-05-22', '2026-05-29', '2026-06-05', '2026-06-12'],
      )
      expect(await get(template)).toMatchObject({ occurrences: 7, next_date: '2026-06-19' })
    }
    const numbers = (
      await sql('select number::int from journal_entries where business_id = $1 order by number', [team.business_id])
    ).map(({ number }) => number)
    expect(numbers).toEqual(Array.from({ length: 21 }, (_, index) => index + 1))
  })

  it('that dies in the middle leaves nothing behind, and the next one does it', async () => {
    const template = await newTemplate({ start_date: '2026-05-31', auto_post: true })
    const crash = inside(team.business_id, async (tx) => {
      expect(await runDue(tx, template.id)).toBe(true)
      throw new Error('killed')
    })
    await expect(crash).rejects.toThrow('killed')
    expect(await get(template)).toEqual(template)
    expect(await entriesOf(template)).toEqual([])
    await runJob()
    expect(await entriesOf(template)).toHaveLength(1)
    // Somebody who claimed the occurrence and did not come to the end holds nobody up either.
    await inside(team.business_id, (tx) => runDue(tx, template.id))
    expect(await entriesOf(template)).toHaveLength(1)
  })
})
