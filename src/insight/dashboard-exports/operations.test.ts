// Dashboards become files: begun over HTTP, made by the worker's own code, kept as documents and read back.
import JSZip from 'jszip'
import { extractText, getDocumentProxy } from 'unpdf'
import { beforeAll, describe, expect, it } from 'vitest'
import { chartOf, post } from '../../../test/support/books.ts'
import { client, type Client } from '../../../test/support/client.ts'
import { newBusiness, newMember, newToken, sql, type Person } from '../../../test/support/people.ts'
import { newSeller, type Seller } from '../../../test/support/sales.ts'
import { service } from '../../../test/support/service.ts'
import { openLog } from '../../foundation/log.ts'
import { newId } from '../../foundation/ids.ts'
import { readPicture } from '../../foundation/pictures.ts'
import { readRows } from '../../foundation/sheet-reading.ts'
import { amountText } from '../../foundation/wording.ts'
import { longJobRunners } from '../../workspace/jobs/jobs.ts'
import { exportDashboardJob } from './jobs.ts'

const [runner] = longJobRunners([exportDashboardJob])
let team: Seller
let viewer: Person
let board: any

beforeAll(async () => {
  team = await newSeller()
  viewer = await newMember(team.business_id, 'viewer')
  const { named, role } = await chartOf(team.business_id)
  await team.open({ line_items: [{ description: 'Work', unit_price: 1_234_567 }], invoice_date: '2026-01-10' })
  await post(team.business_id, { date: '2026-02-05', lines: [[named('Rent'), 80_001], [role('accounts_payable'), -80_001]] })
  board = (await team.client.post('/dashboards', {
    name: 'Quarter / review', filters: { period: 'all_time' }, visibility: 'business',
    widgets: [
      { kind: 'metric', query: { metric: 'revenue' }, x: 0, y: 0 }, { kind: 'metric', query: { metric: 'dpo' }, x: 3, y: 0 },
      { kind: 'bar', title: 'By month', query: { metric: 'net_income', compare: 'prior_year' }, x: 0, y: 4, w: 12, h: 6 },
      { kind: 'aging' }, { kind: 'text', title: 'To know', text: 'The warehouse moved.' },
    ],
  })).data
})

const begin = (body: object, by: Client = team.client, id = board.id) => by.post(`/dashboards/${id}/export`, body)
const work = async (job_id: string) => runner!.run({ database: (await service()).program.database, log: openLog('silent'), mailer: null, job_id: 'test' },
  { business_id: team.business_id, job_id } as never)
const jobOf = async (job_id: string) => (await team.client.get(`/jobs/${job_id}`)).data

async function exported(body: object, by?: Client, id?: string) {
  const { status, data, detail } = await begin(body, by, id)
  expect(status, JSON.stringify(detail)).toBe(201)
  await work(data.job_id)
  expect(await jobOf(data.job_id))
    .toMatchObject({ kind: 'dashboards.export', status: 'succeeded', result: { document_id: data.document_id }, progress: { done: 3, total: 3 } })
  const document = (await team.client.get(`/documents/${data.document_id}`)).data
  const chunks: Uint8Array[] = []
  for await (const chunk of (await service()).program.database.surroundings.storage.read({ business_id: team.business_id,
    sha256: document.sha256 })) chunks.push(chunk)
  return { ...data, document, content: Buffer.concat(chunks) }
}
const textOf = async (content: Buffer) => (await extractText(await getDocumentProxy(new Uint8Array(content)), { mergePages: true })).text
const figuresOf = async (query = {}) => (await team.client.get(`/dashboards/${board.id}/data`, query)).data.widgets.flatMap(({ figures }: any) => figures)

describe('an export', () => {
  it('is a workbook of every figure to the cent, with its definitions', async () => {
    const { document, content } = await exported({ format: 'xlsx' })
    expect(document).toMatchObject({ name: 'Quarter review.xlsx', source: 'generated', kind: 'report', description: 'Dashboard: Quarter / review' })
    const [header, ...rows] = (await Array.fromAsync(readRows('a.xlsx', content))).flat()
    expect(header).toEqual(['Widget', 'Figure', 'Column', 'Amount (USD)', 'Value', 'Unit', 'Note', 'Source'])
    const figures = await figuresOf()
    expect(rows).toHaveLength(figures.length + 1)
    for (const [index, { label, column_label, value_cents, unit }] of figures.entries()) {
      expect([rows[index]?.[1], rows[index]?.[2], rows[index]?.[5]]).toEqual([label, column_label, unit])
      if (value_cents !== null) expect(Math.round(Number(rows[index]?.[3]) * 100)).toBe(value_cents)
    }
    expect(rows.find((row) => row[0] === 'Days payables outstanding')?.[6]).toBe('There is no cost of goods sold to divide by.')
    expect(rows.at(-1)).toEqual(['To know', '', '', '', '', '', 'The warehouse moved.', ''])
    const zip = await JSZip.loadAsync(content)
    const words = await zip.file('xl/sharedStrings.xml')!.async('string')
    for (const told of ['Revenue of the period, before discounts.', 'profit-and-loss', 'What customers owe, by how long it has been due.']) expect(words)
      .toContain(told)
    expect(await zip.file('xl/workbook.xml')!.async('string')).toMatch(/name="Figures".*name="Definitions"/)
  })

  it('is a PDF of the board, the figures behind its charts and what they mean', async () => {
    const { document, content } = await exported({ format: 'pdf' })
    expect(document).toMatchObject({ content_type: 'application/pdf', name: 'Quarter review.pdf' })
    const text = (await textOf(content)).replaceAll(/\s+/g, ' ')
    for (const { value_cents } of await figuresOf()) if (value_cents !== null) expect(text).toContain(amountText(value_cents))
    for (const told of ['Quarter / review', 'The warehouse moved.', 'By month', 'What the figures mean',
      'What income and expenses leave. Report profit-and-loss, net_income']) expect(text).toContain(told)
  })

  it('is a picture of the whole board', async () => {
    const { document, content } = await exported({ format: 'png' })
    expect(document).toMatchObject({ content_type: 'image/png', name: 'Quarter review.png' })
    const { width, height } = readPicture(content)
    expect([width, height > 1000]).toEqual([1920, true])
  })

  it('follows the period and basis that are asked for, by viewers too', async () => {
    const { content } = await exported({ format: 'xlsx', basis: 'cash' }, viewer.client)
    const rows = (await Array.fromAsync(readRows('a.xlsx', content))).flat()
    expect(rows.find((row) => row[0] === 'Revenue')?.[3]).toBe('0')
  })

  it('holds only what whoever asked may read', async () => {
    const scoped = client(await newToken(team.owner, ['dashboards:read', 'dashboards:write', 'jobs:read']), team.business_id)
    const { content } = await exported({ format: 'xlsx' }, scoped)
    const [, ...rows] = (await Array.fromAsync(readRows('a.xlsx', content))).flat()
    expect(rows.slice(0, 4).map((row) => [row[3], row[6]]))
      .toEqual(Array.from({ length: 4 }, () => ['', 'These figures may not be read by whoever asked for this file.']))
  })

  it('of a board without widgets and of a built-in one works', async () => {
    const empty = (await team.client.post('/dashboards', { name: '///' })).data
    const { content, document } = await exported({ format: 'pdf' }, team.client, empty.id)
    expect([await textOf(content), document.name]).toEqual([expect.stringContaining('There are no widgets yet.'), expect.stringMatching(/\.pdf$/)])
    const [owner] = (await team.client.get('/dashboards')).data.items
    expect(await textOf((await exported({ format: 'pdf' }, team.client, owner.id)).content)).toContain('Revenue by month')
  })

  it('stays when the board goes; begun again after its worker died, the document is made once; of a board that is gone it fails', async () => {
    const gone = (await team.client.post('/dashboards', { name: 'Gone' })).data
    const { job_id, document_id } = await exported({ format: 'xlsx' }, team.client, gone.id)
    const waiting = (await begin({ format: 'pdf' }, team.client, gone.id)).data
    await team.client.delete(`/dashboards/${gone.id}`)
    expect((await team.client.get(`/documents/${document_id}`)).status).toBe(200)
    await exportDashboardJob.run({ job_id, checkpoint: { kept: true } } as never, { dashboard_id: gone.id, document_id, format: 'xlsx', override: {} } as never)
    expect(await sql('select count(*)::int as count from documents where id = $1', [document_id])).toEqual([{ count: 1 }])
    await work(waiting.job_id)
    expect(await jobOf(waiting.job_id)).toMatchObject({ status: 'failed', error: 'Dashboard not found.' })
  })

  it('is refused in another format, of what is not there, in another business, without the right', async () => {
    expect((await begin({ format: 'pptx' })).status).toBe(422)
    expect((await begin({ format: 'pdf' }, team.client, newId())).status).toBe(404)
    expect((await begin({ format: 'pdf' }, (await newBusiness()).client)).status).toBe(404)
    expect((await begin({ format: 'pdf' }, client(await newToken(team.owner, ['dashboards:read']), team.business_id))).status).toBe(403)
  })
})
