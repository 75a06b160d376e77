// Decks are made: figures of one moment, all slides at once, whatever dies on the way.
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { post, chartOf, inside } from '../../../test/support/books.ts'
import { MARCH, metricOn, newDeck, recoverDecks, refreshed, workOn } from '../../../test/support/decks.ts'
import { client } from '../../../test/support/client.ts'
import { eventsOf } from '../../../test/support/events.ts'
import { newMember, newToken, sql, type Person } from '../../../test/support/people.ts'
import { newSeller, type Seller } from '../../../test/support/sales.ts'
import { service } from '../../../test/support/service.ts'
import type { Model } from '../../foundation/ai/model.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import type { Chunk, Step } from '../../workspace/jobs/contract.ts'
import { strangeNumbers } from '../narrative/rules.ts'
import { generateDeckJob, refreshDeckJob } from './jobs.ts'

let team: Seller
let keeper: Person
let sell: (amount: number, date?: string) => Promise<unknown>

beforeAll(async () => {
  team = await newSeller()
  keeper = await newMember(team.business_id, 'bookkeeper')
  await team.client.patch(`/businesses/${team.business_id}/settings`, { ai: { provider: 'model' } })
  const { named, role } = await chartOf(team.business_id)
  sell = (amount, date = '2026-03-10') => team.open({ line_items: [{ description: 'Work', unit_price: amount }], invoice_date: date })
  await sell(150_000)
  await sell(50_000)
  await post(team.business_id, { date: '2026-03-20', lines: [[named('Rent'), 80_000], [role('accounts_payable'), -80_000]] })
})

const setModel = async (model: Model | null) => {
  const { program } = await service()
  ;(program.database.surroundings as { model: Model | null }).model = model
}
afterEach(async () => {
  await setModel(null)
  ;(await service()).clock.set(null)
})

const path = '/ai-reporting/decks'
const get = async (deck_id: string, by = team.client) => (await by.get(`${path}/${deck_id}`)).data
const jobOf = async (job_id: string) => (await team.client.get(`/jobs/${job_id}`)).data
const figuresOf = (deck: any) => deck.slides.map(({ blocks }: any) => blocks.map(({ figures }: any) => figures))
const valuesOf = (deck: any) => deck.slides.flatMap(({ blocks }: any) => blocks).flatMap(({ figures }: any) => figures)
  .map(({ key, value_cents, decimal, formatted }: any) => [key, value_cents, decimal, formatted])
const profit = async (query: object = {}) => {
  const { data } = await team.client.get('/reports/profit-and-loss', { start_date: MARCH.period_start, end_date: MARCH.period_end, ...query })
  return Object.fromEntries(data.rows.map(({ key, cells }: any) => [key, cells[0].amount]))
}

describe('a deck', () => {
  it('is begun at once, made by a job, and says what the reports say', async () => {
    const begun = await team.client.post(path, MARCH)
    expect(begun.status).toBe(201)
    expect(begun.data).toMatchObject({
      status: 'generating', title: 'Monthly review, March 2026', comparison: 'prior_period', basis: 'accrual', slides: [], data_as_of: null, stale: false,
      error: null,
      generated_by: null, created_by: team.owner.user_id, filters: {},
    })
    expect(await jobOf(begun.data.job_id)).toMatchObject({ kind: 'decks.generate', status: 'queued', progress: { done: 0, total: 4 }, subject: begun.data.id })
    await workOn(team.business_id, begun.data.job_id)
    const deck = await get(begun.data.id)
    const result = { deck_id: deck.id, slides: deck.slides.length }
    expect(await jobOf(deck.job_id)).toMatchObject({ status: 'succeeded', progress: { done: 4, total: 4 }, result })
    expect(deck).toMatchObject({ status: 'ready', stale: false, generated_by: 'rules', data_as_of: expect.any(String) })
    expect(deck.slides.map(({ position }: any) => position)).toEqual(deck.slides.map((_: any, index: number) => index + 1))
    expect(new Set(deck.slides.map(({ data_as_of }: any) => data_as_of))).toEqual(new Set([deck.data_as_of]))
    const [revenue, income] = [metricOn(deck, 'revenue'), metricOn(deck, 'net_income')]
    const [table] = deck.slides.find(({ title }: any) => title === 'Profit and loss').blocks
    expect([revenue.value_cents, income.value_cents]).toEqual([200_000, 120_000])
    const report = await profit({ known_at: deck.data_as_of })
    for (const { row, column, value_cents } of table.figures) if (column === 'total') expect(value_cents).toBe(report[row])
    expect(table.figures.length).toBeGreaterThan(7)
    for (const slide of deck.slides) {
      for (const { kind, text, problem, href } of slide.blocks) {
        expect(problem).toBeNull()
        if (kind === 'text') expect(strangeNumbers(text, { slide, figures: slide.blocks.flatMap(({ figures }: any) => figures) })).toEqual([])
        expect(href).toBeUndefined()
      }
    }
    expect(revenue.href).toContain(encodeURIComponent(deck.data_as_of).replaceAll('%3A', ':').slice(0, 10))
    expect(await eventsOf(deck.id)).toEqual(['deck.created', 'deck.ready'])
  })

  it('grows stale, is refreshed as a whole, and keeps what people wrote', async () => {
    const deck = await newDeck(team.client, { template: 'custom' })
    const [, summary] = deck.slides
    const text = summary.blocks.find(({ kind }: any) => kind === 'text')
    const written = await team.client.patch(`${path}/${deck.id}/slides/${summary.id}`, { blocks: [{ id: text.id, text: 'A good month: 42.' }] })
    expect(written.data.blocks.find(({ id }: any) => id === text.id)).toMatchObject({ text: 'A good month: 42.', edited: true, generated_by: 'person' })
    const before = await profit()
    await sell(30_000)
    const stale = await get(deck.id)
    expect(stale.stale).toBe(true)
    expect(metricOn(stale, 'revenue').value_cents).toBe(before['revenue'])
    expect(await profit({ known_at: deck.data_as_of })).toEqual(before)
    const after = await refreshed(team.client, deck.id)
    expect(after).toMatchObject({ stale: false, status: 'ready', job_id: expect.not.stringMatching(deck.job_id) })
    expect(after.data_as_of > deck.data_as_of).toBe(true)
    const values = ['revenue', 'net_income'].map((metric) => metricOn(after, metric).value_cents)
    expect(values).toEqual([before['revenue'] + 30_000, before['net_income'] + 30_000])
    expect(after.slides.map(({ id }: any) => id)).toEqual(deck.slides.map(({ id }: any) => id))
    const kept = after.slides[1].blocks.find(({ id }: any) => id === text.id)
    expect(kept).toMatchObject({ text: 'A good month: 42.', edited: true, generated_by: 'person' })
    const anew = await refreshed(team.client, deck.id, { overwrite_edits: true })
    const replaced = anew.slides[1].blocks.find(({ id }: any) => id === text.id)
    expect(replaced).toMatchObject({ edited: false, generated_by: 'rules' })
    expect(replaced.text).not.toContain('42')
    expect(await eventsOf(deck.id)).toEqual(['deck.created', 'deck.ready', 'deck.updated', 'deck.refreshed', 'deck.updated', 'deck.refreshed'])
  })

  it('can be moved to another period, with its title and its trends', async () => {
    await sell(7_000, '2026-04-02')
    const deck = await newDeck(team.client, { template: 'custom' })
    const moved = await refreshed(team.client, deck.id, { period_start: '2026-04-01', period_end: '2026-04-30' })
    expect(moved).toMatchObject({ title: 'Report, April 2026', period_start: '2026-04-01', period_end: '2026-04-30' })
    expect(moved.slides[0].title).toBe('Report, April 2026')
    expect(metricOn(moved, 'revenue').value_cents).toBe(7_000)
    const trend = moved.slides.find(({ title }: any) => title === 'Cash and runway').blocks[0]
    expect(trend.binding.params).toMatchObject({ start_date: '2026-01-01', end_date: '2026-04-30', group_by: 'month' })
    expect(new Set(trend.figures.map(({ column }: any) => column))).toEqual(new Set(['2026-01', '2026-02', '2026-03', '2026-04']))
    const named = await newDeck(team.client, { title: 'Mine', template: 'custom' })
    expect((await refreshed(team.client, named.id, { period_end: '2026-04-30' })).title).toBe('Mine')
    await refused(team.client.post(`${path}/${deck.id}/refresh`, { period_start: '2026-05-01' }), 400, /before it starts/)
    await refused(team.client.post(`${path}/${deck.id}/refresh`, { period_start: '2020-01-01' }), 400, /more than 60 months/)
  })

  it('of the same moment has the same figures, whenever it is made', async () => {
    const { clock } = await service()
    clock.set(new Date().toISOString())
    const one = await newDeck(team.client, { template: 'board' })
    const other = await newDeck(team.client, { template: 'board' })
    expect(one.data_as_of).toBe(other.data_as_of)
    expect(valuesOf(one).length).toBeGreaterThan(50)
    expect(figuresOf(one)).toEqual(figuresOf(other))
    clock.set(null)
    await sell(1_000)
    const third = await newDeck(team.client, { template: 'board' })
    expect(valuesOf(third)).not.toEqual(valuesOf(one))
  })

  it.each(['board', 'cash', 'investor', 'sales', 'custom'])('can be made from the template %s', async (template) => {
    const deck = await newDeck(team.client, { template, comparison: 'none', basis: 'cash', audience: 'The board', instructions: 'Be brief.' })
    expect(deck).toMatchObject({ status: 'ready', template, basis: 'cash', comparison: 'none', error: null })
    expect(deck.slides.flatMap(({ blocks }: any) => blocks).flatMap(({ problem }: any) => problem ?? [])).toEqual([])
  })
})

describe('a model', () => {
  it('speaks where it is asked for figures only, and what it makes up is not shown', async () => {
    const asked: string[] = []
    await setModel({
      name: 'clever-1',
      async ask({ text }) {
        asked.push(text)
        const { slides } = JSON.parse(text.replace(/<\/?slides>/g, ''))
        const said = (number: number, value: string) => (number === 1 ? `It is ${value} now.` : 'Sales were 999,999.99 at least.')
        return { slides: slides.map(({ number, figures }: any) => ({ number, text: said(number, figures[0].value) })) }
      },
    })
    const deck = await newDeck(team.client)
    const texts = deck.slides.flatMap(({ blocks }: any) => blocks).filter(({ kind }: any) => kind === 'text')
    expect(deck.generated_by).toBe('model')
    expect(texts[0]).toMatchObject({ generated_by: 'model', model: 'clever-1', text: expect.stringMatching(/^It is .* now\.$/) })
    expect(texts.slice(1).every(({ generated_by, text }: any) => generated_by === 'rules' && !text.includes('999,999'))).toBe(true)
    expect(asked).toHaveLength(1)
    const [{ runs }] = await sql('select runs::int from model_runs where business_id = $1', [team.business_id])
    expect(runs).toBe(1)
  })

  it('is not asked where the business keeps to rules, or has used up its runs', async () => {
    const settings = (ai: object) => team.client.patch(`/businesses/${team.business_id}/settings`, { ai })
    const asked: string[] = []
    await setModel({ name: 'clever-1', async ask({ text }) { asked.push(text); return { slides: [] } } })
    for (const ai of [{ provider: 'rules' }, { provider: 'model', enabled: false }, { enabled: true, monthly_runs: 0 }]) {
      await settings(ai)
      const deck = await newDeck(team.client, { template: 'custom' })
      const prompted = await team.client.post(`${path}/${deck.id}/slides`, { kind: 'summary', title: 'Cash', prompt: 'cash' })
      expect([deck.generated_by, prompted.status]).toEqual(['rules', 201])
    }
    expect(asked).toEqual([])
    await settings({ monthly_runs: 1000 })
  })
})

/** Carries a job out in a process that can be killed before or after any of its steps commits. */
function fragileStep(job_id: string, business_id: string) {
  let checkpoint: object | null = null
  let left = Infinity
  const spend = () => { if (left-- <= 0) throw new Error('Killed.') }
  const step: Step<object> = {
    job_id,
    get checkpoint() { return checkpoint },
    async chunk(work) {
      spend()
      const done: Chunk<object> = await inside(business_id, (tx) => work(tx, checkpoint))
      checkpoint = done.checkpoint
      spend()
      return done
    },
    async snapshot<T>(work: (tx: BusinessTx) => Promise<T>) {
      spend()
      return inside(business_id, work)
    },
  }
  return { step, allow: (steps: number) => { left = steps } }
}

describe('a job that dies', () => {
  it('anywhere leaves no half of a deck, and goes on from where it was', async () => {
    const begun = (await team.client.post(path, MARCH)).data
    const { step, allow } = fragileStep(begun.job_id, team.business_id)
    let done = false
    for (let deaths = 0; !done && deaths < 30; deaths++) {
      allow(deaths)
      const ended = await generateDeckJob.run(step as never, { deck_id: begun.id, overwrite_edits: false } as never).catch((error: Error) => error.message)
      const { status, slides } = await get(begun.id)
      expect([status, slides.length]).toEqual(status === 'ready' ? ['ready', 12] : ['generating', 0])
      done = ended !== 'Killed.'
    }
    expect(done).toBe(true)
    expect(await eventsOf(begun.id)).toEqual(['deck.created', 'deck.ready'])
  })

  it('is taken over by another worker, and comes back too late', async () => {
    const { clock } = await service()
    clock.set('2026-05-01T00:00:00Z')
    const begun = (await team.client.post(path, MARCH)).data
    const reached = gate()
    const released = gate()
    await setModel({ name: 'slow', async ask() { reached.open(); await released.passed; return { slides: [] } } })
    const dying = workOn(team.business_id, begun.job_id)
    await reached.passed
    expect(await jobOf(begun.job_id)).toMatchObject({ status: 'running', phase: 'words', progress: { done: 2, total: 4 } })
    const open = () => sql(`select pid from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`)
    await expect.poll(open).toEqual([])
    await setModel(null)
    clock.set('2026-05-01T00:02:00Z')
    await recoverDecks()
    await workOn(team.business_id, begun.job_id)
    const ready = await get(begun.id)
    expect(ready).toMatchObject({ status: 'ready' })
    released.open()
    await dying
    expect(await get(begun.id)).toEqual(ready)
    expect(await eventsOf(begun.id)).toEqual(['deck.created', 'deck.ready'])
  })

  it('by a fault leaves a deck that failed and says why; a retry or a refresh makes it', async () => {
    const fault = (): Promise<never> => Promise.reject(new Error('secret stack'))
    for (const again of ['retry', 'refresh'] as const) {
      await setModel({ name: 'broken', ask: fault })
      const begun = (await team.client.post(path, { ...MARCH, template: 'custom' })).data
      await workOn(team.business_id, begun.job_id)
      const failed = await get(begun.id)
      expect(failed).toMatchObject({ status: 'failed', error: expect.stringMatching(/^The service failed at this\./), slides: [], data_as_of: null })
      await refused(team.client.post(`${path}/${begun.id}/slides`, { kind: 'title', title: 'x' }), 400, /could not be generated/)
      await setModel(null)
      const job = again === 'retry' ? (await team.client.put(`/jobs/${begun.job_id}/retry`)).data : (await team.client.post(`${path}/${begun.id}/refresh`)).data
      await workOn(team.business_id, job.id)
      expect(await get(begun.id)).toMatchObject({ status: 'ready', error: null, job_id: job.id })
      expect(await eventsOf(begun.id)).toEqual(['deck.created', 'deck.failed', 'deck.updated', 'deck.ready'])
    }
  })

  it('while it refreshes leaves the old deck and says why', async () => {
    const deck = await newDeck(team.client, { template: 'custom' })
    await sell(2_000)
    await setModel({ name: 'broken', ask: () => Promise.reject(new Error('secret')) })
    const after = await refreshed(team.client, deck.id)
    expect(after).toMatchObject({ status: 'ready', stale: true, error: expect.stringMatching(/^The service failed/), data_as_of: deck.data_as_of })
    expect(after.slides).toEqual(deck.slides)
    await setModel(null)
    expect(await refreshed(team.client, deck.id)).toMatchObject({ status: 'ready', stale: false, error: null })
  })

  it('because it was canceled says so', async () => {
    const begun = (await team.client.post(path, MARCH)).data
    expect((await team.client.put(`/jobs/${begun.job_id}/cancel`)).status).toBe(200)
    expect(await get(begun.id)).toMatchObject({ status: 'failed', error: expect.stringContaining('canceled') })
  })
})

describe('somebody who may not read reports', () => {
  it('has none put on slides', async () => {
    const deck = await newDeck(team.client, { template: 'custom' })
    const blind = client(await newToken(team.owner, ['ai-reporting:read', 'ai-reporting:write']), team.business_id)
    const blocks = [{ kind: 'metric', binding: { metric: 'revenue' } }]
    const [, summary] = deck.slides
    for (const attempt of [
      blind.post(path, MARCH), blind.post(`${path}/${deck.id}/refresh`), blind.post(`${path}/${deck.id}/slides`, { kind: 'metrics', title: 'x', blocks }),
      blind.post(`${path}/${deck.id}/slides/${summary.id}/refresh`), blind.patch(`${path}/${deck.id}/slides/${summary.id}`, { blocks }),
    ]) await refused(attempt, 403, /takes the permission reports:read/)
    expect((await get(deck.id)).slides).toEqual(deck.slides)
  })
})

describe('at the same time', () => {
  it('several who refresh get one job', async () => {
    const deck = await newDeck(team.client, { template: 'custom' })
    const answers = await Promise.all([team.client, keeper.client, team.client, keeper.client].map((by) => by.post(`${path}/${deck.id}/refresh`)))
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201])
    expect(new Set(answers.map(({ data }) => data.id)).size).toBe(1)
    expect((await get(deck.id)).status).toBe('ready')
    const begun = (await team.client.post(path, MARCH)).data
    expect((await team.client.post(`${path}/${begun.id}/refresh`, { period_end: '2026-04-30' })).data.id).toBe(begun.job_id)
  })

  it('a refresh takes in what people change meanwhile', async () => {
    const deck = await newDeck(team.client, { template: 'custom' })
    const [, summary, table] = deck.slides
    const text = summary.blocks.at(-1)
    const { step } = fragileStep((await team.client.post(`${path}/${deck.id}/refresh`)).data.id, team.business_id)
    let changes = 0
    const busy: Step<object> = {
      ...step,
      get checkpoint() { return step.checkpoint },
      async snapshot(work) {
        const read = await step.snapshot(work)
        if (changes++ === 0) {
          await team.client.patch(`${path}/${deck.id}/slides/${summary.id}`, { blocks: [{ id: text.id, text: 'Mine.' }], title: 'My summary' })
          await team.client.patch(`${path}/${deck.id}/slides/${table.id}`, { blocks: [{ kind: 'metric', binding: { metric: 'revenue' } }] })
          const blocks = [{ kind: 'metric', binding: { metric: 'net_income' } }]
          await team.client.post(`${path}/${deck.id}/slides`, { kind: 'metrics', title: 'Added', blocks })
        }
        return read
      },
    }
    await refreshDeckJob.run(busy as never, { deck_id: deck.id, overwrite_edits: false } as never)
    expect(changes).toBe(2)
    const after = await get(deck.id)
    expect(after.slides.map(({ title }: any) => title)).toEqual([deck.title, 'My summary', 'Profit and loss', 'Cash and runway', 'Added'])
    expect(new Set(after.slides.map(({ data_as_of }: any) => data_as_of))).toEqual(new Set([after.data_as_of]))
    expect(after.slides[1].blocks.at(-1)).toMatchObject({ text: 'Mine.', edited: true })
    expect(after.slides[2].blocks.at(-1).figures[0].value_cents).toBe((await profit())['revenue'])
  })
})

async function refused(answer: Promise<{ status: number; detail: unknown }>, status: number, detail: RegExp): Promise<void> {
  const got = await answer
  expect([got.status, JSON.stringify(got.detail)]).toEqual([status, expect.stringMatching(detail)])
}

/** A promise that a test lets go. */
function gate() {
  let open = () => {}
  const passed = new Promise<void>((resolve) => { open = resolve })
  return { open, passed }
}
