// Decks become files: begun over HTTP, made by the worker's own code, kept as documents with the id that was promised.
import JSZip from 'jszip'
import { extractText, getDocumentProxy } from 'unpdf'
import { beforeAll, describe, expect, it } from 'vitest'
import { post, chartOf } from '../../../test/support/books.ts'
import { client } from '../../../test/support/client.ts'
import { newDeck } from '../../../test/support/decks.ts'
import { eventsOf } from '../../../test/support/events.ts'
import { newBusiness, newMember, newToken, sql, type Person } from '../../../test/support/people.ts'
import { newSeller, type Seller } from '../../../test/support/sales.ts'
import { service } from '../../../test/support/service.ts'
import { openLog } from '../../foundation/log.ts'
import { newId } from '../../foundation/ids.ts'
import { amountText } from '../../foundation/wording.ts'
import { longJobRunners } from '../../workspace/jobs/jobs.ts'
import { decimalOf } from '../chart-figures/rules.ts'
import { exportDeckJob } from './jobs.ts'

const [runner] = longJobRunners([exportDeckJob])
let team: Seller
let deck: any
let keeper: Person
let viewer: Person

beforeAll(async () => {
  team = await newSeller()
  ;[keeper, viewer] = await Promise.all([newMember(team.business_id, 'bookkeeper'), newMember(team.business_id, 'viewer')])
  const { named, role } = await chartOf(team.business_id)
  await team.open({ line_items: [{ description: 'Work', unit_price: 1_234_567 }], invoice_date: '2026-03-10' })
  await post(team.business_id, { date: '2026-03-20', lines: [[named('Rent'), 80_001], [role('accounts_payable'), -80_001]] })
  deck = await newDeck(team.client, { template: 'board' })
})

const pathOf = (deck_id: string) => `/ai-reporting/decks/${deck_id}/export`
const work = async (job_id: string) => runner!.run({ database: (await service()).program.database, log: openLog('silent'), mailer: null, job_id: 'test' },
  { business_id: team.business_id, job_id } as never)
const jobOf = async (job_id: string) => (await team.client.get(`/jobs/${job_id}`)).data

async function exported(body: object, deck_id = deck.id) {
  const { status, data } = await team.client.post(pathOf(deck_id), body)
  expect(status).toBe(201)
  await work(data.job_id)
  const job = await jobOf(data.job_id)
  expect(job).toMatchObject({ status: 'succeeded', result: { deck_id, document_id: data.document_id } })
  const document = (await team.client.get(`/documents/${data.document_id}`)).data
  const chunks: Uint8Array[] = []
  for await (const chunk of (await service()).program.database.surroundings.storage.read({ business_id: team.business_id,
    sha256: document.sha256 })) chunks.push(chunk)
  return { ...data, job, document, content: Buffer.concat(chunks) }
}

const figuresOf = (wanted: string) => deck.slides.flatMap(({ blocks }: any) => blocks).filter(({ kind }: any) => kind === wanted).flatMap(({ figures }: any) => figures)

describe('an export', () => {
  it('is a presentation that holds the figures of the deck to the cent', async () => {
    const before = deck.slides.length
    const { job, document, content } = await exported({ format: 'pptx' })
    expect(job).toMatchObject({ kind: 'decks.export', progress: { done: before + 1, total: before + 1 } })
    expect(document).toMatchObject({ source: 'generated', kind: 'report', attachments: [], name: `${deck.title}.pptx`, retained_until: null })
    expect(document.content_type).toContain('presentationml')
    const zip = await JSZip.loadAsync(content)
    const parts = (pattern: RegExp) => Promise.all(Object.keys(zip.files).filter((path) => pattern.test(path)).map((path) => zip.file(path)!.async('string')))
    const [slides, charts] = [(await parts(/^ppt\/slides\/slide\d+\.xml$/)).join(''), (await parts(/^ppt\/charts\/chart\d+\.xml$/)).join('')]
    expect(figuresOf('table').length).toBeGreaterThan(5)
    expect(figuresOf('chart').length).toBeGreaterThan(5)
    for (const { value_cents } of figuresOf('table')) if (value_cents !== null) expect(slides).toContain(`<a:t>${amountText(value_cents)}</a:t>`)
    for (const { value_cents } of figuresOf('metric')) if (value_cents !== null) expect(slides).toContain(amountText(value_cents))
    const revenue = figuresOf('chart').filter(({ value_cents }: any) => value_cents > 0)
    for (const { value_cents } of revenue) expect(charts).toContain(`<c:v>${decimalOf(value_cents)}</c:v>`)
    expect((await eventsOf(deck.id)).at(-1)).toBe('deck.exported')
    expect((await team.client.get(`/ai-reporting/decks/${deck.id}`)).data.version).toBe(deck.version)
  })

  it('is a PDF with the same; hidden slides stay out unless they are asked for', async () => {
    const hidden = deck.slides[1]
    await team.client.post(`/ai-reporting/decks/${deck.id}/slides/${hidden.id}/toggle-hidden`)
    const textOf = async (content: Buffer) => (await extractText(await getDocumentProxy(new Uint8Array(content)), { mergePages: true })).text
    const [without, all] = [await exported({ format: 'pdf' }), await exported({ format: 'pdf', include_hidden: true })]
    await team.client.post(`/ai-reporting/decks/${deck.id}/slides/${hidden.id}/toggle-hidden`)
    const [whole, part] = [await textOf(all.content), await textOf(without.content)]
    expect(whole).toContain(hidden.title)
    expect(part).not.toContain(hidden.title)
    for (const { value_cents } of figuresOf('table')) if (value_cents !== null) expect(whole).toContain(amountText(value_cents))
    expect(without.document_id).not.toBe(all.document_id)
  })

  it('stays when the deck goes; begun again after its worker died, the document is made once', async () => {
    const gone = await newDeck(team.client, { template: 'custom' })
    const { job_id, document_id } = await exported({ format: 'pdf' }, gone.id)
    await team.client.delete(`/ai-reporting/decks/${gone.id}`)
    expect((await team.client.get(`/documents/${document_id}`)).status).toBe(200)
    const order = { deck_id: gone.id, document_id, format: 'pdf', include_hidden: false, include_notes: false }
    expect(await exportDeckJob.run({ job_id, checkpoint: { kept: true } } as never, order as never)).toEqual({ deck_id: gone.id, document_id, format: 'pdf' })
    expect(await sql('select count(*)::int as count from documents where id = $1', [document_id])).toEqual([{ count: 1 }])
  })

  it('of a deck that is deleted meanwhile fails and says so', async () => {
    const short = await newDeck(team.client, { template: 'custom' })
    const { data } = await team.client.post(pathOf(short.id), { format: 'pptx' })
    await team.client.delete(`/ai-reporting/decks/${short.id}`)
    await work(data.job_id)
    expect(await jobOf(data.job_id)).toMatchObject({ status: 'failed', error: expect.stringContaining('Deck') })
    expect((await team.client.get(`/documents/${data.document_id}`)).status).toBe(404)
  })

  it('two at once make two documents', async () => {
    const both = await Promise.all([1, 2].map(() => team.client.post(pathOf(deck.id), { format: 'pptx' })))
    expect(both.map(({ status }) => status)).toEqual([201, 201])
    expect(new Set(both.map(({ data }) => data.document_id)).size).toBe(2)
    expect(new Set(both.map(({ data }) => data.job_id)).size).toBe(2)
  })
})

describe('refused', () => {
  it('while the deck is not ready', async () => {
    const { data } = await team.client.post('/ai-reporting/decks', { template: 'custom', period_start: '2026-03-01', period_end: '2026-03-31' })
    expect(await team.client.post(pathOf(data.id), { format: 'pptx' })).toMatchObject({ status: 400, detail: expect.stringContaining('still being generated') })
  })

  it('another format, an unknown deck, a deck of another business, without the right', async () => {
    expect((await team.client.post(pathOf(deck.id), { format: 'key' })).status).toBe(422)
    expect((await team.client.post(pathOf(newId()), { format: 'pdf' })).status).toBe(404)
    const stranger = await newBusiness()
    expect((await stranger.client.post(pathOf(deck.id), { format: 'pdf' })).status).toBe(404)
    expect((await viewer.client.post(pathOf(deck.id), { format: 'pdf' })).status).toBe(403)
    expect((await keeper.client.post(pathOf(deck.id), { format: 'pdf' })).status).toBe(201)
    expect((await client(await newToken(keeper, ['ai-reporting:read']), team.business_id).post(pathOf(deck.id), { format: 'pdf' })).status).toBe(403)
  })
})
