// Tests of recurring templates: what a person does with them over HTTP, and the doors for those who make documents.
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { inside } from '../../../test/support/books.ts'
import { eventsOf } from '../../../test/support/events.ts'
import { newBusiness, newMember, sql, type Team } from '../../../test/support/people.ts'
import { service } from '../../../test/support/service.ts'
import { addDays } from '../../foundation/calendar.ts'
import { newId } from '../../foundation/ids.ts'
import { createCustomer } from '../customers/operations.ts'
import { FREQUENCIES, type Occurrence, type RecurringConfig, type RecurringTemplate } from './contract.ts'
import * as operations from './operations.ts'
import { advanced, datesOf, scheduleOf, settled } from './rules.ts'
import { recurringVerifications } from './verifications.ts'

const NOW = '2026-06-15T12:00:00Z'
let team: Team
let customer_id: string

beforeEach(async () => {
  (await service()).clock.set(NOW)
  team = await newBusiness()
  customer_id = (await within((tx) => createCustomer(tx, { name: 'Acme' }))).id
})
afterEach(async () => (await service()).clock.set(null))

const within = <T>(work: Parameters<typeof inside<T>>[1]) => inside(team.business_id, work)

function newTemplate(config: Partial<RecurringConfig> = {}, more: Partial<operations.NewTemplate> = {}): Promise<RecurringTemplate> {
  return within(async (tx) => operations.insertTemplate(tx, {
    config: { frequency: 'monthly', start_date: '2026-07-31', name: 'Rent', ...config },
    kind: 'invoice', template: { customer_id, line_items: [] }, prices: [], currency: 'USD', amount: 12_000, described: null, ...more,
  }))
}

const path = (template: RecurringTemplate) => `/recurring/${template.id}`
const get = async (template: RecurringTemplate) => (await team.client.get(path(template))).data
const occurrencesOf = async (template: RecurringTemplate): Promise<Occurrence[]> => (await team.client.get(`${path(template)}/occurrences`, { descending: false })).data.items

/** Its next dates, made into documents as far as the record goes. */
function generate(template: RecurringTemplate, dates: string[]): Promise<Occurrence[]> {
  return within(async (tx) => operations.recordGenerated(tx, [{
    template: await operations.lockTemplate(tx, template.id), made: dates.map((scheduled_date) => ({ scheduled_date, document_id: newId(), warning: null })),
  }]))
}

async function jobsOf(business_id: string): Promise<number> {
  const [{ count }] = await sql(`select count(*)::int as count from graphile_worker.jobs where key = $1`, [`recurring.generate ${business_id}`])
  return count
}

describe('a recurring template', () => {
  it('is stored, shown with its next dates, listed and deleted', async () => {
    const template = await newTemplate({ day_of_month: 31, end_date: '2026-12-30' })
    expect(await get(template)).toMatchObject({
      name: 'Rent', kind: 'invoice', status: 'active', frequency: 'monthly', days_until_due: 30, on_generate: 'draft', price_mode: 'frozen', customer_id,
      anchor_date: '2026-07-31', next_date: '2026-07-31', last_date: null, occurrences: 0, occurrences_generated: 0, last_error: null,
      upcoming_dates: ['2026-07-31', '2026-08-31', '2026-09-30', '2026-10-31', '2026-11-30'],
    })
    const later = await newTemplate({ name: 'Support', start_date: '2026-09-01', frequency: 'annually' })
    const names = async (query: Record<string, string | number | boolean>) => (await team.client.get('/recurring', query)).data.items.map(({ name }: RecurringTemplate) => name)
    expect(await names({ sort_by: 'next_date', descending: false })).toEqual(['Rent', 'Support'])
    expect(await names({ sort_by: 'name' })).toEqual(['Support', 'Rent'])
    expect(await names({ next_date_from: '2026-08-01' })).toEqual(['Support'])
    expect(await names({ next_date_to: '2026-08-01', kind: 'invoice', customer_id, status: 'active' })).toEqual(['Rent'])
    expect(await names({ search: 'SUPP' })).toEqual(['Support'])
    expect(await names({ customer_id: newId() })).toEqual([])
    expect(await names({ updated_since: '2026-06-16T00:00:00Z' })).toEqual([])
    expect((await team.client.delete(path(later))).data.name).toBe('Support')
    expect((await team.client.get(path(later))).status).toBe(404)
    expect(await eventsOf(later.id)).toEqual(['recurring.created', 'recurring.deleted'])
    expect(await jobsOf(team.business_id)).toBe(0)
  })

  it('that is due already is made at once', async () => {
    await newTemplate({ start_date: '2026-06-15' })
    expect(await jobsOf(team.business_id)).toBe(1)
  })

  it('is called after the document, or after its kind', async () => {
    expect((await newTemplate({ name: null }, { described: ' Office ' })).name).toBe('Office')
    expect((await newTemplate({ name: ' ' })).name).toBe('Recurring invoice')
  })

  it('without a date is refused', async () => {
    await expect(newTemplate({ day_of_month: 30, end_date: '2026-08-01', start_date: '2026-07-31' })).rejects.toThrow(/^No date of this monthly schedule/)
    await expect(newTemplate({ end_date: '2026-07-30' })).rejects.toThrow('The request does not have the expected shape.')
  })

  it('that has made something is ended, not deleted', async () => {
    const template = await newTemplate()
    await generate(template, ['2026-07-31'])
    expect((await team.client.delete(path(template))).detail).toBe('Rent has generated documents: end it instead.')
    const ended = await team.client.put(`${path(template)}/end`)
    expect(ended.data).toMatchObject({ status: 'ended', next_date: null, upcoming_dates: [], occurrences_generated: 1 })
    expect((await team.client.put(`${path(template)}/end`)).data.version).toBe(ended.data.version)
    for (const action of ['pause', 'resume']) {
      expect((await team.client.put(`${path(template)}/${action}`, {})).detail).toBe('Rent has ended: make a new template.')
    }
    expect((await team.client.post(`${path(template)}/skip`)).detail).toBe('Rent has ended: make a new template.')
    expect(await eventsOf(template.id)).toEqual(['recurring.created', 'recurring.generated', 'recurring.ended'])
  })

  it('skips its next date, and a skipped one does not count', async () => {
    const template = await newTemplate({ max_occurrences: 1 })
    const [first, second] = await Promise.all([1, 2].map(() => team.client.post(`${path(template)}/skip`)))
    expect([first?.data, second?.data].map(({ number, scheduled_date, status }) => [number, scheduled_date, status]).toSorted())
      .toEqual([[1, '2026-07-31', 'skipped'], [2, '2026-08-31', 'skipped']])
    expect(await get(template)).toMatchObject({ next_date: '2026-09-30', occurrences: 2, occurrences_generated: 0 })
    await generate(template, ['2026-09-30'])
    expect(await get(template)).toMatchObject({ status: 'ended', next_date: null })
    expect((await occurrencesOf(template)).map(({ number, status }) => [number, status])).toEqual([[1, 'skipped'], [2, 'skipped'], [3, 'generated']])
    expect((await eventsOf(template.id)).slice(-2)).toEqual(['recurring.generated', 'recurring.ended'])
  })

  it('pauses and resumes: what was missed is skipped', async () => {
    const template = await newTemplate({ frequency: 'daily', start_date: '2026-06-17' })
    const paused = await team.client.put(`${path(template)}/pause`, {})
    expect(paused.data).toMatchObject({ status: 'paused', paused_until: null, next_date: '2026-06-17' })
    expect((await team.client.put(`${path(template)}/pause`, {})).data.version).toBe(paused.data.version)
    expect((await team.client.post(`${path(template)}/skip`)).detail).toBe('Rent is paused: resume it first.')
    ;(await service()).clock.set('2026-06-20T12:00:00Z')
    expect(await within((tx) => operations.templatesDue(tx, tx.today, 10))).toEqual([])
    expect((await team.client.put(`${path(template)}/resume`, {})).data).toMatchObject({ status: 'active', next_date: '2026-06-20', occurrences: 3 })
    expect((await occurrencesOf(template)).map(({ scheduled_date, status }) => [scheduled_date, status]))
      .toEqual([['2026-06-17', 'skipped'], ['2026-06-18', 'skipped'], ['2026-06-19', 'skipped']])
    expect(await eventsOf(template.id)).toEqual(['recurring.created', 'recurring.paused', 'recurring.resumed'])
    expect(await jobsOf(team.business_id)).toBe(1)
  })

  it('catches up after a pause where it is told to', async () => {
    const template = await newTemplate({ frequency: 'daily', start_date: '2026-06-17' })
    await team.client.put(`${path(template)}/pause`, {})
    ;(await service()).clock.set('2026-06-20T12:00:00Z')
    expect((await team.client.put(`${path(template)}/resume`, { catch_up: true })).data).toMatchObject({ status: 'active', next_date: '2026-06-17', occurrences: 0 })
  })

  it('goes on by itself when a pause ends, and ends where nothing is left', async () => {
    const template = await newTemplate({ frequency: 'daily', start_date: '2026-06-17' })
    const short = await newTemplate({ frequency: 'daily', start_date: '2026-06-17', end_date: '2026-06-18' })
    const until = (day: string) => team.client.put(`${path(template)}/pause`, { until: day })
    expect((await until('2026-06-15')).detail).toBe('A pause of Rent cannot end on 2026-06-15: choose a day after 2026-06-15.')
    expect((await until('2026-06-20')).data.paused_until).toBe('2026-06-20')
    expect((await until('2026-06-25')).data.paused_until).toBe('2026-06-25')
    await team.client.put(`${path(short)}/pause`, { until: '2026-06-25' })
    ;(await service()).clock.set('2026-06-25T03:00:00Z')
    // Still the day before where the business is.
    expect(await within((tx) => operations.endPauses(tx, 1))).toBe(false)
    ;(await service()).clock.set('2026-06-25T12:00:00Z')
    while (await within((tx) => operations.endPauses(tx, 1))) continue
    expect(await get(template)).toMatchObject({ status: 'active', paused_until: null, next_date: '2026-06-25', occurrences: 8 })
    expect(await get(short)).toMatchObject({ status: 'ended', next_date: null, occurrences: 2 })
  })

  it.each([
    [{ frequency: 'monthly', start_date: '2026-01-31', limit: 3 }, [['2026-01-31', '2026-03-02'], ['2026-02-28', '2026-03-30'], ['2026-03-31', '2026-04-30']], true],
    [{ frequency: 'daily', start_date: '1900-01-01', max_occurrences: 1, days_until_due: 0 }, [['1900-01-01', '1900-01-01']], false],
  ])('is tried out: %j', async (config, dates, more) => {
    const { data } = await team.client.post('/recurring/preview', config)
    expect(data).toEqual({ dates: dates.map(([date, due_date]) => ({ date, due_date })), more })
  })

  it.each([
    [{ frequency: 'monthly' }, 422, ['body', 'start_date'], 'missing'],
    [{ frequency: 'hourly', start_date: '2026-01-01' }, 422, ['body', 'frequency'], 'enum'],
    [{ frequency: 'monthly', start_date: '2026-02-30' }, 422, ['body', 'start_date'], 'date_parsing'],
    [{ frequency: 'monthly', start_date: '2026-01-01', day_of_month: 32 }, 422, ['body', 'day_of_month'], 'less_than_equal'],
    [{ frequency: 'weekly', start_date: '2026-01-01', day_of_week: -1 }, 422, ['body', 'day_of_week'], 'greater_than_equal'],
    [{ frequency: 'monthly', start_date: '2026-01-01', days_until_due: 366 }, 422, ['body', 'days_until_due'], 'less_than_equal'],
    [{ frequency: 'monthly', start_date: '2026-01-01', max_occurrences: 0 }, 422, ['body', 'max_occurrences'], 'greater_than_equal'],
    [{ frequency: 'monthly', start_date: '2026-01-02', end_date: '2026-01-01' }, 422, ['body', 'end_date'], 'value_error'],
  ])('%j is no configuration', async (config, status, loc, type) => {
    const answer = await team.client.post('/recurring/preview', config)
    expect([answer.status, answer.detail[0].loc, answer.detail[0].type]).toEqual([status, loc, type])
  })

  it('is not there for others, and not written by those who only look', async () => {
    const template = await newTemplate()
    const other = await newBusiness()
    expect((await other.client.get(path(template))).status).toBe(404)
    expect((await other.client.get(`${path(template)}/occurrences`)).status).toBe(404)
    const viewer = await newMember(team.business_id, 'viewer')
    expect((await viewer.client.get(path(template))).status).toBe(200)
    expect((await viewer.client.put(`${path(template)}/end`)).status).toBe(403)
  })
})

describe('the database', () => {
  it('works out the same dates as the code', async () => {
    const day = (from: string, most: number) => fc.integer({ min: 0, max: most }).map((days) => addDays(from, days))
    const schedules = fc.record({
      frequency: fc.constantFrom(...FREQUENCIES), start_date: day('2020-01-01', 2500), day_of_month: fc.option(fc.integer({ min: 1, max: 31 })),
      day_of_week: fc.option(fc.integer({ min: 0, max: 6 })), max_occurrences: fc.option(fc.integer({ min: 1, max: 30 })), length: fc.option(fc.integer({ min: 0, max: 900 })),
    })
    const cases = fc.sample(fc.tuple(schedules, fc.integer({ min: 0, max: 20 }), fc.option(fc.constantFrom(...FREQUENCIES)), fc.integer({ min: -50, max: 800 })), 800)
    const rows = cases.map(([{ length, ...config }, turns, frequency, days]) => {
      const schedule = scheduleOf({ ...config, end_date: length === null ? null : addDays(config.start_date, length) })
      let each = settled({ ...schedule, occurrences: 0, status: 'active', next_date: null } as RecurringTemplate)
      for (let turn = 0; turn < turns && each.next_date !== null; turn++) each = advanced(each, each.next_date, turn % 3 === 0 ? 'skipped' : 'generated')
      // As after a change of the schedule.
      if (frequency !== null && each.next_date !== null) each = settled({ ...each, frequency, anchor_date: each.next_date })
      return { each, through: addDays(each.next_date ?? config.start_date, days) }
    }).filter(({ each }) => each.next_date !== null)
    const found = await sql(
      `select (select coalesce(json_agg(d), '[]') from recurring_dates(t, (through #>> '{}')::date) as d) as dates
       from jsonb_array_elements($1::jsonb) with ordinality as given (row, place) cross join lateral jsonb_populate_record(null::recurring_templates, row) as t
       cross join lateral (select row -> 'through') as asked (through) order by place`,
      [JSON.stringify(rows.map(({ each, through }) => ({ ...each, through })))])
    expect(rows.length).toBeGreaterThan(200)
    expect(found.map(({ dates }) => dates)).toEqual(rows.map(({ each, through }) => datesOf(each, { through, most: Infinity })))
  })
})

describe('the doors', () => {
  it('give what is due, oldest first, and to one caller only', async () => {
    const late = await newTemplate({ start_date: '2026-06-15' })
    const early = await newTemplate({ start_date: '2026-05-31' })
    await newTemplate({ start_date: '2026-06-16' })
    const seen = await within(async (tx) => {
      const [first] = await operations.templatesDue(tx, tx.today, 1)
      const others = await within((other) => operations.templatesDue(other, other.today, 10))
      return [first?.id, others.map(({ id }) => id)]
    })
    expect(seen).toEqual([early.id, [late.id]])
  })

  it('record several dates at once, and none twice', async () => {
    const template = await newTemplate({ start_date: '2026-01-31', max_occurrences: 3 })
    const twice = Promise.allSettled([generate(template, ['2026-01-31', '2026-02-28']), within(async (tx) => operations.recordGenerated(tx, [{
      template, made: [{ scheduled_date: '2026-01-31', document_id: newId(), warning: null }],
    }]))])
    expect((await twice).map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect((await occurrencesOf(template)).filter(({ scheduled_date }) => scheduled_date === '2026-01-31')).toHaveLength(1)
  })

  it('keep a failure, try it again and give it up after three days', async () => {
    const template = await newTemplate({ start_date: '2026-06-15', max_occurrences: 2 })
    await within(async (tx) => operations.recordFailure(tx, await operations.lockTemplate(tx, template.id), '2026-06-15', 'The customer is archived.'))
    expect(await get(template)).toMatchObject({ next_date: '2026-07-15', occurrences: 1, occurrences_generated: 0, occurrences_retrying: 1, last_error: 'The customer is archived.' })
    const failAgain = () => within(async (tx) => {
      const [due] = await operations.retriesDue(tx, 10)
      if (!due) return null
      const locked = await operations.lockTemplate(tx, due.template_id)
      return operations.recordRetryFailure(tx, locked, await operations.lockOccurrence(tx, due.template_id, due.number), 'Still archived.')
    })
    expect(await failAgain()).toBeNull()
    ;(await service()).clock.set('2026-06-15T12:15:00Z')
    expect(await failAgain()).toMatchObject({ attempts: 2, error: 'Still archived.', retry_at: '2026-06-15T12:45:00.000Z' })
    expect(await failAgain()).toBeNull()
    ;(await service()).clock.set('2026-06-18T12:00:00Z')
    await team.client.put(`${path(template)}/pause`, {})
    expect(await failAgain()).toBeNull()
    await team.client.put(`${path(template)}/resume`, {})
    expect(await failAgain()).toMatchObject({ attempts: 3, retry_at: null, status: 'failed' })
    expect(await get(template)).toMatchObject({ occurrences_retrying: 0, status: 'active' })
    expect(await eventsOf(template.id)).toEqual(['recurring.created', 'recurring.failed', 'recurring.paused', 'recurring.resumed', 'recurring.failed'])
  })

  it('make up for a failure', async () => {
    const template = await newTemplate({ start_date: '2026-06-15', max_occurrences: 1 })
    await within(async (tx) => operations.recordFailure(tx, await operations.lockTemplate(tx, template.id), '2026-06-15', 'No rate.'))
    expect(await get(template)).toMatchObject({ status: 'active', next_date: null })
    const document_id = newId()
    const made = await within(async (tx) => {
      const locked = await operations.lockTemplate(tx, template.id)
      return operations.recordRetried(tx, locked, await operations.lockOccurrence(tx, template.id, 1), { document_id, warning: 'Late.' })
    })
    expect(made).toMatchObject({ status: 'generated', document_id, error: null, retry_at: null, attempts: 2, warning: 'Late.' })
    expect(await occurrencesOf(template)).toEqual([made])
    expect(await get(template)).toMatchObject({ status: 'ended', last_error: null, occurrences_generated: 1, occurrences_retrying: 0 })
  })

  it('are looked at by the verification', async () => {
    const template = await newTemplate({ start_date: '2026-06-15' })
    await generate(template, ['2026-06-15'])
    const [verification] = recurringVerifications
    const look = () => within(async (tx) => verification?.run(tx))
    expect(await look()).toEqual({ checked: 1, problems: [] })
    await sql('update recurring_templates set occurrences = 2 where id = $1', [template.id])
    expect(await look()).toEqual({ checked: 1, problems: [`the figures of recurring template Rent (${template.id}) are not those of its dates`] })
  })

  it('end what is tried again with its template', async () => {
    const template = await newTemplate({ start_date: '2026-06-15' })
    await within(async (tx) => operations.recordFailure(tx, await operations.lockTemplate(tx, template.id), '2026-06-15', 'No rate.'))
    await team.client.put(`${path(template)}/end`)
    expect(await occurrencesOf(template)).toMatchObject([{ status: 'failed', retry_at: null, error: 'No rate.' }])
  })

  it('tell where the clock has something to do', async () => {
    const isDue = async () => (await within((tx) => operations.businessesDue(tx))).includes(team.business_id)
    const template = await newTemplate({ start_date: '2026-06-16' })
    expect(await isDue()).toBe(false)
    ;(await service()).clock.set('2026-06-16T03:59:00Z')
    expect(await isDue()).toBe(false)
    ;(await service()).clock.set('2026-06-16T04:00:00Z')
    expect(await isDue()).toBe(true)
    await within(async (tx) => operations.recordFailure(tx, await operations.lockTemplate(tx, template.id), '2026-06-16', 'No rate.'))
    expect(await isDue()).toBe(false)
    ;(await service()).clock.set('2026-06-16T04:15:00Z')
    expect(await isDue()).toBe(true)
    await sql(`update businesses set status = 'archived' where id = $1`, [team.business_id])
    expect(await isDue()).toBe(false)
  })
})
