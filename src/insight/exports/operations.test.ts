// Exports over HTTP and on the worker: what is in the files, one moment for all of it, who sees what, and how long.
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { chartOf, post } from '../../../test/support/books.ts'
import { client, type Client } from '../../../test/support/client.ts'
import { eventsOf } from '../../../test/support/events.ts'
import { runJobs } from '../../../test/support/jobs.ts'
import { newBusiness, newMember, newToken, sql, type Person, type Team } from '../../../test/support/people.ts'
import { service } from '../../../test/support/service.ts'
import { exportKinds } from '../../app/exports.ts'
import { newId } from '../../foundation/ids.ts'
import { openLog } from '../../foundation/log.ts'
import { recordStates } from '../../processes/document-records/operations.ts'
import { longJobRunners } from '../../workspace/jobs/jobs.ts'
import { hasRows, type RowsKind } from '../export-kinds/contract.ts'
import { exportJob, expireExports } from './jobs.ts'

let team: Team
let viewer: Person
let elsewhere: Team
let customer_id: string

beforeAll(async () => {
  ;[team, elsewhere] = await Promise.all([newBusiness(), newBusiness()])
  viewer = await newMember(team.business_id, 'viewer')
  for (const name of ['=cmd()', 'Äpfel, "fein"', 'Zeta']) {
    customer_id = (await team.client.post('/customers', { name, billing_address: { city: 'Bern', country: 'CH' } })).data.id
  }
  const line_items = [{ description: 'Advice', quantity: 2, unit_price: 61728 }, { description: 'Travel', quantity: 1, unit_price: 5 }]
  await team.client.post('/invoices', { customer_id, invoice_date: '2026-03-02', finalize: true, line_items })
})
afterEach(async () => (await service()).clock.set(null))

const ask = async (body: object, by: Client = team.client) => by.post('/exports', body)

async function made(body: object): Promise<any> {
  const asked = await ask(body)
  if (!asked.data) throw new Error(JSON.stringify(asked.detail))
  await runJobs(team.business_id)
  return (await team.client.get(`/exports/${asked.data.id}`)).data
}

const fileOf = async (body: object) => {
  const done = await made(body)
  if (done.status !== 'ready') throw new Error(`${done.status}: ${done.error}`)
  return { done, answer: await team.client.get(`/exports/${done.id}/download`) }
}

/** A list that gives few rows at a time, and in between does what a test wants. */
function slowly(kind: string, between: (page: number) => Promise<void>) {
  const { page, ...rest } = exportKinds.find((one) => one.kind === kind) as RowsKind
  let count = 0
  const slow: RowsKind = { ...rest, page: async (tx, query) => {
    if (count > 0) await between(count)
    count += 1
    return page(tx, { ...query, limit: 2 })
  } }
  const [runner] = longJobRunners([exportJob([slow])])
  return async (job_id: string) => runner!.run(await context(), { business_id: team.business_id, job_id } as never)
}

const context = async () => ({ database: (await service()).program.database, log: openLog('silent'), mailer: null, job_id: 'test' })
const jobOf = async (job_id: string) => (await team.client.get(`/jobs/${job_id}`)).data

describe('the file', () => {
  it('CSV: decimals with their currency, formulas made plain, a document that lasts seven days', async () => {
    ;(await service()).clock.set('2026-05-01T10:00:00Z')
    const { done, answer } = await fileOf({ kind: 'customers', columns: ['name', 'billing_address_city', 'open_balance'] })
    expect(answer.body.split('\r\n')).toEqual([
      'Name,Billing address city,Open balance,Base currency', "'=cmd(),Bern,0.00,USD", 'Zeta,Bern,1234.61,USD', '"Äpfel, ""fein""",Bern,0.00,USD', '',
    ])
    expect(done).toMatchObject({ rows: 3, file_name: 'customers-2026-05-01.csv', as_of: '2026-05-01T10:00:00.000Z', expires_at: '2026-05-08T10:00:00.000Z' })
    expect(answer.headers.get('content-disposition')).toContain('customers-2026-05-01.csv')
    expect((await team.client.get(`/documents/${done.document_id}`)).data).toMatchObject({ kind: 'export', source: 'generated', text_status: 'none', size: done.size })
    expect(await jobOf(done.job_id)).toMatchObject({ status: 'succeeded', progress: { done: 3, total: 3 }, result: { export_id: done.id } })
    expect(await eventsOf(done.id)).toEqual(['export.created', 'export.ready'])
    expect(await sql('select 1 from export_parts where export_id = $1', [done.id])).toEqual([])
  })

  it('JSON and JSONL: the cents beside the decimals, and JSON says what it is', async () => {
    const columns = ['number', 'total', 'is_overdue']
    const lines = (await fileOf({ kind: 'invoices', format: 'jsonl', columns })).answer.body.trim().split('\n').map((line: string) => JSON.parse(line))
    expect(lines).toEqual([{ number: expect.any(String), total: '1234.61', total_cents: 123461, is_overdue: expect.any(Boolean), currency: 'USD' }])
    const { answer: { body } } = await fileOf({ kind: 'invoices', format: 'json', columns, filters: { status: ['open'] } })
    expect(body).toMatchObject({ kind: 'invoices', filters: { status: ['open'] }, rows: lines })
    const below = (await fileOf({ kind: 'invoice_lines', format: 'jsonl', columns: ['invoice_number', 'description', 'amount'] })).answer.body.trim().split('\n')
    expect(below.map((line: string) => JSON.parse(line))).toMatchObject([{ description: 'Advice', amount: '1234.56', currency: 'USD' }, { description: 'Travel', amount_cents: 5 }])
    const none = await fileOf({ kind: 'invoices', format: 'jsonl', filters: { status: 'void' } })
    expect([none.done.rows, none.answer.body.trim()]).toEqual([0, ''])
  })

  it('XLSX, PDF, reports and plain-text journals', async () => {
    const chart = await chartOf(team.business_id)
    await post(team.business_id, { date: '2026-02-01', lines: [{ ledger_id: chart.role('sales'), amount: -100 }, { ledger_id: chart.role('undeposited_funds'), amount: 100 }] } as never)
    const start = async (kind: string, format: string, filters: object = {}) => String((await fileOf({ kind, format, filters })).answer.body).slice(0, 4)
    expect(await start('ledgers', 'xlsx')).toContain('PK')
    expect(await start('ledgers', 'pdf')).toBe('%PDF')
    expect(await start('trial-balance', 'pdf', { as_of: '2026-12-31' })).toBe('%PDF')
    const { body } = (await fileOf({ kind: 'general-ledger', format: 'csv', filters: { period: 'all_time' } })).answer
    expect(body).toContain('1.00')
    expect((await fileOf({ kind: 'profit-and-loss', format: 'json', filters: { period: 'all_time' } })).answer.body).toMatchObject({ report: 'profit-and-loss', currency: 'USD' })
    for (const format of ['hledger', 'beancount']) {
      const { done, answer } = await fileOf({ kind: 'books', format })
      expect([done.rows, answer.body.startsWith('; The books of')]).toEqual([null, true])
    }
  }, 20_000)

  it('every list can be read in one go, each amount among its columns with a currency', async () => {
    const lists = exportKinds.filter(hasRows)
    await Promise.all(lists.map(({ kind }) => ask({ kind, format: 'jsonl' })))
    await runJobs(team.business_id)
    const { data: { items } } = await team.client.get('/exports', { limit: 1000, status: 'ready' })
    for (const { kind, columns } of lists) {
      expect(items.some((one: any) => one.kind === kind), kind).toBe(true)
      const keys = columns.map(({ key }) => key)
      expect(new Set(keys).size, kind).toBe(keys.length)
      for (const { key, currency } of columns) if (currency) expect(keys, `${kind} ${key}`).toContain(currency)
    }
  }, 20_000)
})

describe('one moment', () => {
  it('what changes while the rows are read is not in the file, and each part commits with the progress', async () => {
    const { data: asked } = await ask({ kind: 'customers', format: 'jsonl' })
    // What a worker that died has left behind.
    await sql(`insert into export_parts (business_id, export_id, position, content) values ($1, $2, 0, 'lost')`, [team.business_id, asked.id])
    const seen: unknown[] = []
    await slowly('customers', async () => {
      await team.client.put(`/customers/${customer_id}`, { name: 'Zeta renamed' })
      seen.push([(await jobOf(asked.job_id)).progress, (await sql('select count(*)::int as parts from export_parts where export_id = $1', [asked.id]))[0].parts])
    })(asked.job_id)
    const { body } = await team.client.get(`/exports/${asked.id}/download`)
    expect([body.includes('"Zeta"'), body.includes('renamed'), body.includes('lost')]).toEqual([true, false, false])
    expect(seen).toEqual([[{ done: 2, total: 3 }, 1]])
    await team.client.put(`/customers/${customer_id}`, { name: 'Zeta' })
  })

  it('canceled in the middle: nothing is left, and a new one can be asked for', async () => {
    const { data: asked } = await ask({ kind: 'customers' })
    await slowly('customers', async () => void (await team.client.put(`/jobs/${asked.job_id}/cancel`)))(asked.job_id)
    expect((await team.client.get(`/exports/${asked.id}`)).data).toMatchObject({ status: 'canceled', document_id: null })
    expect(await sql('select 1 from export_parts where export_id = $1', [asked.id])).toEqual([])
    const refused = await team.client.get(`/exports/${asked.id}/download`)
    expect([refused.status, refused.detail]).toEqual([400, 'The export of Customers was canceled: ask for a new one.'])
  })

  it('failed, then retried: the same export becomes ready by the new job', async () => {
    const { data: asked } = await ask({ kind: 'customers' })
    await slowly('customers', async () => { throw new Error('The disk is full.') })(asked.job_id)
    const failed = (await team.client.get(`/exports/${asked.id}`)).data
    expect([failed.status, (await eventsOf(asked.id)).at(-1)]).toEqual(['failed', 'export.failed'])
    expect((await team.client.get(`/exports/${asked.id}/download`)).status).toBe(400)
    const { data: again } = await team.client.put(`/jobs/${asked.job_id}/retry`)
    await runJobs(team.business_id)
    expect((await team.client.get(`/exports/${asked.id}`)).data).toMatchObject({ status: 'ready', job_id: again.id, error: null, rows: 3 })
  })

  it('two who run the same job make one file', async () => {
    const { data: asked } = await ask({ kind: 'tags' })
    const run = slowly('tags', async () => {})
    await Promise.all([run(asked.job_id), run(asked.job_id)])
    // Where another test that moves its clock took the job for lost, it waits again.
    await runJobs(team.business_id)
    expect(await jobOf(asked.job_id)).toMatchObject({ status: 'succeeded' })
    expect(await eventsOf(asked.id)).toEqual(['export.created', 'export.ready'])
  })
})

describe('who and how long', () => {
  it('a token sees the kinds of its scopes only, and nothing of the others', async () => {
    const secret = await made({ kind: 'invoices' })
    const token = client(await newToken(team.owner, ['exports:read', 'exports:write', 'customers:read']), team.business_id)
    expect((await token.get('/exports/kinds')).data.map((one: any) => one.kind)).toEqual(['customers'])
    expect((await token.get('/exports', { limit: 1000 })).data.items.every((one: any) => one.kind === 'customers')).toBe(true)
    const answers = [await token.get(`/exports/${secret.id}`), await token.get(`/exports/${secret.id}/download`), await token.delete(`/exports/${secret.id}`)]
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
    const refused = await ask({ kind: 'invoices' }, token)
    expect([refused.status, refused.detail]).toEqual([403, 'To export invoices, the permission invoices:read is needed too.'])
    expect((await ask({ kind: 'customers' }, token)).status).toBe(201)
    const without = client(await newToken(team.owner, ['customers:read']), team.business_id)
    expect([(await without.get('/exports/kinds')).status, (await ask({ kind: 'customers' }, without)).status]).toEqual([403, 403])
  })

  it('a viewer exports what a viewer reads, which the books as text are not; another business sees nothing', async () => {
    const mine = client(viewer.token, team.business_id)
    const kinds = (await mine.get('/exports/kinds')).data
    expect(kinds.find((one: any) => one.kind === 'customers')).toMatchObject({ title: 'Customers', permission: 'customers:read', formats: ['csv', 'xlsx', 'pdf', 'json', 'jsonl'] })
    expect(kinds.some((one: any) => one.kind === 'books')).toBe(false)
    expect([(await ask({ kind: 'books', format: 'hledger' }, mine)).status, (await ask({ kind: 'todos' }, mine)).status]).toEqual([403, 201])
    const { id } = await made({ kind: 'tags' })
    expect([(await elsewhere.client.get(`/exports/${id}`)).status, (await elsewhere.client.delete(`/exports/${id}`)).status]).toEqual([404, 404])
  })

  it.each([
    [{ kind: 'nothing' }, 404, 'Export kind nothing not found'],
    [{ kind: 'customers', format: 'hledger' }, 400, 'Customers cannot be exported as hledger: choose csv, xlsx, pdf, json or jsonl.'],
    [{ kind: 'customers', columns: ['nmae'] }, 400, 'Customers has no column nmae: GET /exports/kinds names those that it has.'],
    [{ kind: 'trial-balance', columns: ['name'] }, 400, 'has no columns to choose from'],
    [{ kind: 'customers', filters: { stauts: 'active' } }, 400, 'Customers has no filter stauts: GET /exports/kinds names those that it has.'],
    [{ kind: 'customers', filters: { status: 'gone' } }, 422, 'filters'],
    [{ kind: 'customers', format: 'doc' }, 422, 'format'],
  ])('refused: %j', async (body, status, words) => {
    const answer = await ask(body)
    expect([answer.status, JSON.stringify(answer.detail)]).toEqual([status, expect.stringContaining(words)])
  })

  it('not ready: no file and nothing to drop; dropped: gone, with its file in the bin; expired after seven days', async () => {
    const { clock } = await service()
    clock.set('2026-06-01T10:00:00Z')
    const { data: waiting } = await ask({ kind: 'tags' })
    const early = [await team.client.get(`/exports/${waiting.id}/download`), await team.client.delete(`/exports/${waiting.id}`)]
    expect(early.map(({ status, detail }) => [status, detail])).toEqual([
      [400, 'The file of Tags is not ready yet: follow its job.'], [400, 'The export of Tags is still queued: cancel its job first.'],
    ])
    await runJobs(team.business_id)
    const { document_id } = (await team.client.get(`/exports/${waiting.id}`)).data
    expect((await team.client.delete(`/exports/${waiting.id}`)).status).toBe(200)
    expect((await team.client.get(`/exports/${waiting.id}`)).status).toBe(404)
    expect((await team.client.get(`/documents/${document_id}`)).data.deleted_at).not.toBeNull()

    const kept = await made({ kind: 'tags' })
    clock.set('2026-06-08T10:00:00Z')
    expect((await team.client.get(`/exports/${kept.id}/download`)).status).toBe(404)
    await expireExports(recordStates).run(await context(), {} as never)
    expect((await team.client.get(`/exports/${kept.id}`)).data.status).toBe('expired')
    expect((await team.client.get(`/documents/${kept.document_id}`)).data.deleted_at).not.toBeNull()
  })

  it('a read-only business can still take its data along; a dry run leaves nothing', async () => {
    const { data } = await team.client.post('/exports?dry_run=true', { kind: 'tags' })
    expect((await team.client.get(`/exports/${data.id}`)).status).toBe(404)
    await sql(`update businesses set status = 'archived' where id = $1`, [elsewhere.business_id])
    expect((await elsewhere.client.post('/tags', { name: 'x' })).status).toBe(403)
    expect((await elsewhere.client.post('/exports', { kind: 'ledgers' })).status).toBe(201)
    expect((await team.client.get(`/exports/${newId()}`)).status).toBe(404)
  })
})
