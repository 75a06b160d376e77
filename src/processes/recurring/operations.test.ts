// Tests of recurring templates over HTTP and of the clock that runs them: from a template to its invoices, each exactly once.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { inside } from '../../../test/support/books.ts'
import { eventsOf } from '../../../test/support/events.ts'
import { newBusiness, newMember, sql, type Team } from '../../../test/support/people.ts'
import { service, startService } from '../../../test/support/service.ts'
import type { Occurrence, RecurringTemplate, RecurringTemplateWithDates } from '../../directory/recurring-templates/contract.ts'
import type { Database } from '../../foundation/database/transact.ts'
import { newId } from '../../foundation/ids.ts'
import { openLog } from '../../foundation/log.ts'
import { BATCH, findRecurringDue, generateRecurring } from './jobs.ts'
import { generate, takeDue } from './operations.ts'

const NOW = '2026-04-15T12:00:00Z'
let team: Team
let customer_id: string

beforeEach(async () => {
  (await service()).clock.set(NOW)
  team = await newBusiness()
  customer_id = await newCustomer('Acme')
})
afterEach(async () => (await service()).clock.set(null))

async function newCustomer(name: string): Promise<string> {
  const { data, detail } = await team.client.post('/customers', { name, email: 'bills@acme.example' })
  if (!data) throw new Error(`No customer: ${JSON.stringify(detail)}`)
  return data.id
}

async function newLedger(): Promise<string> {
  const { data, detail } = await team.client.post('/ledgers', { name: 'Gone', type: 'income', subtype: 'revenue' })
  if (!data) throw new Error(`No ledger: ${JSON.stringify(detail)}`)
  return data.id
}

const line = { description: 'Retainer', unit_price: 5000, quantity: 2 }
const body = (more: object = {}) => ({ kind: 'invoice', frequency: 'monthly', start_date: '2026-01-31', template: { customer_id, description: 'Retainer', line_items: [line] }, ...more })

async function newTemplate(more: object = {}): Promise<RecurringTemplate> {
  const { status, data, detail } = await team.client.post('/recurring', body(more))
  expect(status, JSON.stringify(detail)).toBe(201)
  return data
}

async function runJob(database: Database | null = null): Promise<void> {
  const context = { database: database ?? (await service()).program.database, log: openLog('silent'), mailer: null as never, job_id: 'test' }
  await generateRecurring.run(context, { business_id: team.business_id } as never)
}

/** And back, before a session gets too old. */
async function runJobAt(now: string): Promise<void> {
  const { clock } = await service()
  clock.set(now)
  await runJob()
  clock.set(NOW)
}

const path = (template: { id: string }) => `/recurring/${template.id}`
const get = async (template: { id: string }): Promise<RecurringTemplateWithDates> => (await team.client.get(path(template))).data
const occurrencesOf = async (template: { id: string }): Promise<Occurrence[]> => (await team.client.get(`${path(template)}/occurrences`, { descending: false })).data.items
const invoicesOf = async (template: { id: string }): Promise<any[]> =>
  (await team.client.get('/invoices', { recurring_template_id: template.id, sort_by: 'invoice_date', descending: false, include: ['line_items'] })).data.items
const brief = ({ invoice_date, due_date, status, total }: any) => [invoice_date, due_date, status, total]

/** Every date of every template of the business has exactly the one invoice that its row names, and there is no other. */
async function requireOneEach(): Promise<void> {
  const [counts] = await sql(
    `select count(*)::int as occurrences, count(i.id)::int as invoices, count(distinct i.id)::int as distinct_invoices,
       (select count(*)::int from invoices a where a.business_id = $1 and a.origin = 'recurring') as all_invoices
     from recurring_occurrences o left join invoices i on i.business_id = o.business_id and i.id = o.document_id and i.recurring_template_id = o.template_id
     where o.business_id = $1 and o.status = 'generated'`, [team.business_id])
  expect(counts).toEqual({ occurrences: counts.occurrences, invoices: counts.occurrences, distinct_invoices: counts.occurrences, all_invoices: counts.occurrences })
}

describe('a recurring invoice', () => {
  it('is made for each date that is over, with its own date, and for no more than it may', async () => {
    const template = await newTemplate({ max_occurrences: 3 })
    expect(template).toMatchObject({
      name: 'Retainer', customer_id, currency: 'USD', amount: 10_000, prices: [5000], upcoming_dates: ['2026-01-31', '2026-02-28', '2026-03-31'],
    })
    await runJob()
    expect((await invoicesOf(template)).map(brief)).toEqual([
      ['2026-01-31', '2026-03-02', 'draft', 10_000], ['2026-02-28', '2026-03-30', 'draft', 10_000], ['2026-03-31', '2026-04-30', 'draft', 10_000],
    ])
    const [invoice] = await invoicesOf(template)
    expect(invoice).toMatchObject({ origin: 'recurring', origin_id: template.id, recurring_template_id: template.id, number: null })
    expect(await get(template)).toMatchObject({ status: 'ended', occurrences: 3, occurrences_generated: 3, next_date: null, upcoming_dates: [] })
    expect((await team.client.post(`${path(template)}/generate`)).detail).toBe('Retainer has ended: make a new template.')
    expect(await eventsOf(template.id)).toEqual(['recurring.created', 'recurring.generated', 'recurring.generated', 'recurring.generated', 'recurring.ended'])
    await runJob()
    await requireOneEach()
  })

  it('is made of an invoice by its update', async () => {
    const source = (await team.client.post('/invoices', { customer_id, description: 'Office', line_items: [line] })).data
    const recurring = { frequency: 'monthly', start_date: '2026-01-31', max_occurrences: 3 }
    const { data, detail } = await team.client.put(`/invoices/${source.id}`, { id: source.id, recurring })
    expect(detail).toBeUndefined()
    const template = await get({ id: data.recurring_template_id })
    expect(template).toMatchObject({ name: 'Office', source_invoice_id: source.id, customer_id, amount: 10_000, status: 'active' })
    await Promise.all([runJob(), runJob(), runJob()])
    const made = (await invoicesOf(template)).filter(({ id }) => id !== source.id)
    expect(made.map(brief)).toEqual([
      ['2026-01-31', '2026-03-02', 'draft', 10_000], ['2026-02-28', '2026-03-30', 'draft', 10_000], ['2026-03-31', '2026-04-30', 'draft', 10_000],
    ])
    expect(await get(template)).toMatchObject({ status: 'ended', occurrences_generated: 3 })
    const twice = await team.client.put(`/invoices/${source.id}`, { id: source.id, recurring })
    expect(twice.status).toBe(400)
    for (const [wrong, status] of [[{ end_date: '2026-01-30' }, 422], [{ day_of_month: 30, start_date: '2026-01-31', end_date: '2026-02-01' }, 400]] as const) {
      const other = (await team.client.post('/invoices', { customer_id, line_items: [line] })).data
      const answer = await team.client.put(`/invoices/${other.id}`, { id: other.id, recurring: { ...recurring, ...wrong } })
      expect(answer.status).toBe(status)
      if (status === 422) expect(answer.detail[0]).toMatchObject({ loc: ['body', 'recurring', 'end_date'], type: 'value_error' })
    }
  })

  it('is finalized where the template says so', async () => {
    const template = await newTemplate({ on_generate: 'finalize', start_date: '2026-02-28', days_until_due: 0 })
    await runJob()
    const invoices = await invoicesOf(template)
    expect(invoices.map(brief)).toEqual([['2026-02-28', '2026-02-28', 'open', 10_000], ['2026-03-28', '2026-03-28', 'open', 10_000]])
    expect(invoices.map(({ number }) => number)).toEqual(['INV-0001', 'INV-0002'])
    expect((await team.client.get(`/invoices/${invoices[0].id}`)).data.journal_entries).toMatchObject([{ date: '2026-02-28', role: 'finalization', total: 10_000 }])
  })

  it('is mailed where the template says so', async () => {
    const template = await newTemplate({ on_generate: 'send', start_date: '2026-04-15' })
    await runJob()
    const [invoice] = await invoicesOf(template)
    expect(brief(invoice)).toEqual(['2026-04-15', '2026-05-15', 'open', 10_000])
    const messages = await sql('select kind, recipients, status from invoice_messages where business_id = $1 and invoice_id = $2', [team.business_id, invoice.id])
    expect(messages).toEqual([{ kind: 'invoice', recipients: ['bills@acme.example'], status: 'waiting' }])
    const { data: silent } = await team.client.post('/customers', { name: 'Silent' })
    const detail = 'The customer has no e-mail address to send invoices to: add one, or choose finalize.'
    expect((await team.client.post('/recurring', body({ on_generate: 'send', template: { customer_id: silent.id, line_items: [line] } }))).detail).toBe(detail)
    expect((await team.client.put(path(template), { template: { customer_id: silent.id, line_items: [line] } })).detail).toBe(detail)
    expect((await team.client.put(path(template), { on_generate: 'draft', template: { customer_id: silent.id, line_items: [line] } })).data.customer_id).toBe(silent.id)
  })

  it('is made before its time where somebody asks, with its own date', async () => {
    const template = await newTemplate({ start_date: '2026-05-31' })
    const { status, data } = await team.client.post(`${path(template)}/generate`)
    expect([status, data.status, data.scheduled_date, data.number]).toEqual([201, 'generated', '2026-05-31', 1])
    expect((await invoicesOf(template)).map(brief)).toEqual([['2026-05-31', '2026-06-30', 'draft', 10_000]])
    expect((await get(template)).next_date).toBe('2026-06-30')
    await team.client.put(`${path(template)}/pause`, {})
    expect((await team.client.post(`${path(template)}/generate`)).detail).toBe('Retainer is paused: resume it first.')
  })

  it('of a closed period is a draft of the first open day, with a warning', async () => {
    const { data } = await team.client.get('/accounting-periods', { descending: false })
    for (const { id } of data.items.slice(0, 2)) expect((await team.client.put(`/accounting-periods/${id}/close`, { accept_warnings: true })).status).toBe(200)
    const template = await newTemplate({ on_generate: 'finalize' })
    await runJob()
    expect((await invoicesOf(template)).map(brief).toSorted()).toEqual([
      ['2026-03-01', '2026-03-31', 'draft', 10_000], ['2026-03-01', '2026-03-31', 'draft', 10_000], ['2026-03-31', '2026-04-30', 'open', 10_000],
    ])
    const occurrences = await occurrencesOf(template)
    expect(occurrences.map(({ scheduled_date, warning }) => [scheduled_date, warning?.includes('made as a draft of 2026-03-01') ?? null])).toEqual(
      [['2026-01-31', true], ['2026-02-28', true], ['2026-03-31', null]])
    const [event] = await sql(`select data from events where resource_id = $1 and type = 'recurring.generated' order by seq limit 1`, [template.id])
    expect(event.data.occurrence.warning).toBe(occurrences[0]?.warning)
  })

  it('costs what it cost, or what it costs now', async () => {
    const item = (await team.client.post('/catalog-items', { name: 'Hosting', prices: [{ currency: 'USD', unit_price: 3000 }] })).data
    const lines = { template: { customer_id, line_items: [{ catalog_item_id: item.id }] }, start_date: '2026-04-30' }
    const [frozen, current] = [await newTemplate(lines), await newTemplate({ ...lines, price_mode: 'catalog' })]
    expect([frozen.prices, frozen.name]).toEqual([[3000], 'Recurring invoice'])
    expect((await team.client.put(`/catalog-items/${item.id}`, { prices: [{ currency: 'USD', unit_price: 4000 }] })).status).toBe(200)
    const total = async (template: RecurringTemplate) => {
      const { data } = await team.client.post(`${path(template)}/generate`)
      return (await team.client.get(`/invoices/${data.document_id}`)).data.total
    }
    expect([await total(frozen), await total(current)]).toEqual([3000, 4000])
    // Frozen anew at what it costs by then.
    expect((await team.client.put(path(current), { price_mode: 'frozen' })).data).toMatchObject({ prices: [4000], amount: 4000 })
    expect((await team.client.put(path(frozen), { price_mode: 'catalog' })).data.prices).toEqual([3000])
    expect([await total(frozen), await total(current)]).toEqual([4000, 4000])
  })

  it('follows a customer that was merged into another', async () => {
    const template = await newTemplate({ start_date: '2026-04-15' })
    const other = await newCustomer('Acme Holding')
    await sql(`update customers set merged_into = $3, status = 'archived' where business_id = $1 and id = $2`, [team.business_id, customer_id, other])
    await runJob()
    expect((await invoicesOf(template))[0].customer_id).toBe(other)
  })

  it('says what is to come', async () => {
    const template = await newTemplate({ start_date: '2026-04-30', max_occurrences: 2 })
    const weekly = await newTemplate({ frequency: 'weekly', start_date: '2026-05-04', name: 'Cleaning' })
    const paused = await newTemplate({ frequency: 'daily', start_date: '2026-04-16' })
    await team.client.put(`${path(paused)}/pause`, {})
    await team.client.post('/invoices', { customer_id, description: 'Later', line_items: [line], send_at: '2026-05-12T02:00:00Z' })
    const { data } = await team.client.get('/invoices/scheduled', { horizon_days: 30, include_total_count: true })
    const dates = (items: any[]) => items.map(({ scheduled_date, source_type, name }) => [scheduled_date, source_type, name])
    expect(dates(data.items)).toEqual(
      [['2026-04-30', 'recurring', 'Retainer'], ['2026-05-04', 'recurring', 'Cleaning'], ['2026-05-11', 'recurring', 'Cleaning'], ['2026-05-11', 'draft', 'Later']])
    expect(data.items[0]).toEqual({
      scheduled_date: '2026-04-30', source_type: 'recurring', source_id: template.id, name: 'Retainer', customer_id, customer_name: 'Acme', currency: 'USD', amount: 10_000,
    })
    expect(data.total).toBe(4)
    const walked: unknown[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: any = (await team.client.get('/invoices/scheduled', { limit: 3, ...(cursor ? { cursor } : {}) })).data
      walked.push(...dates(page.items))
      cursor = page.next_cursor
    }
    expect(walked).toHaveLength(2 + 11 + 1)
    expect(walked.filter(([, , name]: any) => name === 'Cleaning').map(([date]: any) => date).slice(0, 3)).toEqual(['2026-05-04', '2026-05-11', '2026-05-18'])
    expect((await team.client.get('/invoices/scheduled', { customer_id: newId() })).data.items).toEqual([])
    expect((await team.client.get('/invoices/scheduled', { horizon_days: 367 })).status).toBe(422)
    expect(weekly.next_date).toBe('2026-05-04')
  })
})

describe('a template is refused', () => {
  it.each<[string, () => object, number, string | RegExp]>([
    ['for nobody', () => ({ template: { customer_id: newId(), line_items: [line] } }), 404, /customer/],
    ['without a date', () => ({ end_date: '2026-02-15', start_date: '2026-02-01', day_of_month: 28 }), 400, /^No date of this monthly schedule/],
    ['with a ledger that is not there', () => ({ template: { customer_id, line_items: [{ ...line, ledger_id: newId() }] } }), 404, /ledger/],
    ['with a date for each day since long ago', () => ({ frequency: 'daily', start_date: '2020-01-01' }), 400, /^More than 1000 dates/],
    ['with a project that is not there', () => ({ template: { customer_id, project_id: newId() } }), 404, /project/],
  ])('%s', async (_, wrong, status, detail) => {
    const answer = await team.client.post('/recurring', body(wrong()))
    expect([answer.status, answer.detail]).toEqual([status, expect.stringMatching(detail)])
  })

  it.each<[object, (string | number)[], string]>([
    [{ kind: 'bill' }, ['body', 'kind'], 'enum'],
    [{ on_generate: 'charge' }, ['body', 'on_generate'], 'enum'],
    [{ template: { line_items: [] } }, ['body', 'template', 'customer_id'], 'missing'],
    [{ template: { customer_id: newId(), line_items: [{ quantity: -1 }] } }, ['body', 'template', 'line_items', 0, 'quantity'], 'greater_than_equal'],
    [{ template: { customer_id: newId(), line_items: [{ quantity: 1 }] } }, ['body', 'template', 'line_items', 0, 'description'], 'missing'],
    [{ end_date: '2026-01-30' }, ['body', 'end_date'], 'value_error'],
  ])('%j', async (wrong, loc, type) => {
    const answer = await team.client.post('/recurring', body(wrong))
    expect([answer.status, answer.detail[0].loc, answer.detail[0].type]).toEqual([422, loc, type])
  })

  it('for an archived customer', async () => {
    await team.client.put(`/customers/${customer_id}/archive`)
    expect((await team.client.post('/recurring', body())).detail).toMatch(/Acme is archived/)
  })
})

describe('a change', () => {
  it('counts for what is to come', async () => {
    const template = await newTemplate({ on_generate: 'finalize' })
    await runJob()
    const changed = await team.client.put(path(template), { frequency: 'quarterly', template: { customer_id, line_items: [{ ...line, quantity: 3 }] }, name: 'Support', days_until_due: 7 })
    expect(changed.data).toMatchObject({
      name: 'Support', amount: 15_000, anchor_date: '2026-04-30', start_date: '2026-01-31', upcoming_dates: expect.arrayContaining(['2026-04-30', '2026-07-31']), occurrences: 3,
    })
    expect((await team.client.put(path(template), changed.data)).data.version).toBe(changed.data.version)
    expect((await team.client.put(path(template), {})).data.version).toBe(changed.data.version)
    await runJobAt('2026-04-30T12:00:00Z')
    expect((await invoicesOf(template)).map(brief).at(-1)).toEqual(['2026-04-30', '2026-05-07', 'open', 15_000])
    expect((await invoicesOf(template)).map(({ total }) => total)).toEqual([10_000, 10_000, 10_000, 15_000])
  })

  it.each<[object, string | RegExp]>([
    [{ start_date: '2026-03-31' }, 'Retainer has come to 2026-03-31 already: choose a start_date after that.'],
    [{ end_date: '2026-04-29' }, 'Retainer would have no date left: end it instead.'],
    [{ max_occurrences: 3 }, 'Retainer would have no date left: end it instead.'],
  ])('%j is refused', async (changes, detail) => {
    const template = await newTemplate()
    await runJob()
    expect((await team.client.put(path(template), changes)).detail).toEqual(detail)
  })

  it('of an ended template is refused, and so is one by a stranger', async () => {
    const template = await newTemplate()
    await team.client.put(`${path(template)}/end`)
    expect((await team.client.put(path(template), { name: 'X' })).detail).toBe('Retainer has ended: make a new template.')
    const viewer = await newMember(team.business_id, 'viewer')
    expect((await viewer.client.put(path(template), { name: 'X' })).status).toBe(403)
    expect((await (await newBusiness()).client.put(path(template), { name: 'X' })).status).toBe(404)
  })
})

describe('the clock', () => {
  it('finds where something is due, and asks for it', async () => {
    const { program } = await service()
    await newTemplate({ start_date: '2026-04-15' })
    await sql(`delete from graphile_worker._private_jobs where key = $1`, [`recurring.generate ${team.business_id}`])
    await findRecurringDue.run({ database: program.database, log: openLog('silent'), mailer: null as never, job_id: 'test' }, {} as never)
    expect(await sql(`select task_identifier from graphile_worker.jobs where key = $1`, [`recurring.generate ${team.business_id}`])).toEqual([{ task_identifier: 'recurring.generate' }])
  })

  it('does not let one that cannot be made keep the others, and tries it again', async () => {
    const gone = await newLedger()
    const bad = await newTemplate({ template: { customer_id, line_items: [{ ...line, ledger_id: gone }] }, start_date: '2026-03-31', name: 'Bad' })
    const good = await newTemplate()
    await team.client.put(`/ledgers/${gone}/archive`)
    await runJob()
    expect(await invoicesOf(good)).toHaveLength(3)
    const [failed] = await occurrencesOf(bad)
    expect(failed).toMatchObject({ status: 'failed', attempts: 1, error: expect.stringMatching(/^Line 1: .*Gone takes no lines/), retry_at: '2026-04-15T12:15:00.000Z', document_id: null })
    expect(await get(bad)).toMatchObject({ last_error: failed?.error, occurrences_retrying: 1, next_date: '2026-04-30' })
    const again = await team.client.post(`${path(bad)}/occurrences/1/retry`)
    expect([again.status, again.detail]).toEqual([400, failed?.error])
    await runJobAt('2026-04-15T12:15:00Z')
    expect((await occurrencesOf(bad))[0]).toMatchObject({ attempts: 2, retry_at: '2026-04-15T12:45:00.000Z' })
    await team.client.put(`/ledgers/${gone}/restore`)
    await runJobAt('2026-04-15T12:45:00Z')
    expect((await occurrencesOf(bad))[0]).toMatchObject({ status: 'generated', attempts: 3, error: null })
    expect((await invoicesOf(bad)).map(brief)).toEqual([['2026-03-31', '2026-04-30', 'draft', 10_000]])
    expect(await get(bad)).toMatchObject({ last_error: null, occurrences_retrying: 0, occurrences_generated: 1 })
    await requireOneEach()
  })

  it('gives up after three days; then a person can try, within what the template may make', async () => {
    const gone = await newLedger()
    const bad = await newTemplate({ template: { customer_id, line_items: [{ ...line, ledger_id: gone }] }, start_date: '2026-04-15', frequency: 'weekly', max_occurrences: 1, name: 'Bad' })
    await team.client.put(`/ledgers/${gone}/archive`)
    await runJob()
    expect(await get(bad)).toMatchObject({ status: 'active', next_date: null })
    await runJobAt('2026-04-18T12:00:00Z')
    expect((await occurrencesOf(bad))[0]).toMatchObject({ status: 'failed', retry_at: null, attempts: 2 })
    expect(await get(bad)).toMatchObject({ status: 'active', next_date: '2026-04-22' })
    expect(await eventsOf(bad.id)).toEqual(['recurring.created', 'recurring.failed', 'recurring.failed'])
    await team.client.put(`/ledgers/${gone}/restore`)
    const [one, two] = await Promise.all([1, 2].map(() => team.client.post(`${path(bad)}/occurrences/1/retry`)))
    expect([one?.data.status, two?.data.document_id]).toEqual(['generated', one?.data.document_id])
    expect(await get(bad)).toMatchObject({ status: 'ended', occurrences_generated: 1 })
    expect(await invoicesOf(bad)).toHaveLength(1)
    expect((await team.client.post(`${path(bad)}/occurrences/2/retry`)).status).toBe(404)
  })

  it('a skipped date is not tried again', async () => {
    const template = await newTemplate()
    await team.client.post(`${path(template)}/skip`)
    expect((await team.client.post(`${path(template)}/occurrences/1/retry`)).detail).toBe('Occurrence 1 of Retainer, 2026-01-31, was skipped: make the document by hand.')
  })

  it('makes each once, however many workers run', async () => {
    const templates = []
    for (let made = 0; made < 12; made++) templates.push(await newTemplate({ start_date: `2026-0${1 + (made % 4)}-10`, ...(made % 3 === 0 && { on_generate: 'finalize' }), ...(made === 7 && { max_occurrences: 2 }) }))
    const others = await Promise.all([startService(), startService()])
    for (const other of others) other.clock.set(NOW)
    try {
      await Promise.all([null, null, ...others.map(({ program }) => program.database), ...others.map(({ program }) => program.database)].map((database) => runJob(database)))
    } finally {
      for (const other of others) await other.program.stop()
    }
    await runJob()
    await requireOneEach()
    const [{ count }] = await sql(`select count(*)::int as count from recurring_occurrences where business_id = $1`, [team.business_id])
    expect(count).toBe([4, 3, 2, 1].reduce((sum, dates) => sum + 3 * dates, 0))
    const numbers = (await sql(`select number from invoices where business_id = $1 and number is not null order by number`, [team.business_id])).map(({ number }) => number)
    expect(numbers).toEqual(numbers.map((_, index) => `INV-${String(index + 1).padStart(4, '0')}`))
  })

  it('leaves nothing of a transaction that dies after everything was written', async () => {
    const template = await newTemplate()
    await expect(inside(team.business_id, async (tx) => {
      await generate(tx, await takeDue(tx, BATCH))
      throw new Error('died')
    })).rejects.toThrow('died')
    expect(await occurrencesOf(template)).toEqual([])
    expect(await invoicesOf(template)).toEqual([])
    await runJob()
    expect(await invoicesOf(template)).toHaveLength(3)
    await requireOneEach()
  })

  it('makes more than a batch, oldest first', async () => {
    const template = await newTemplate({ frequency: 'daily', start_date: '2024-11-01', template: { customer_id, line_items: [] } })
    await runJob()
    const occurrences = await sql(`select number, scheduled_date::text from recurring_occurrences where template_id = $1 order by number`, [template.id])
    expect(occurrences.length).toBeGreaterThan(BATCH)
    expect(occurrences.map(({ scheduled_date }) => scheduled_date)).toEqual(occurrences.map(({ scheduled_date }) => scheduled_date).toSorted())
    expect(await get(template)).toMatchObject({ next_date: '2026-04-16', occurrences: occurrences.length })
    await requireOneEach()
  })
})
