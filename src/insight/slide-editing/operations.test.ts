// Slides over HTTP: added, edited, moved, copied, hidden and refreshed, also by several people at once.
import { beforeAll, describe, expect, it } from 'vitest'
import { chartOf, post } from '../../../test/support/books.ts'
import { client } from '../../../test/support/client.ts'
import { newDeck, refreshed } from '../../../test/support/decks.ts'
import { newBusiness, newMember, newToken, sql, type Person, type Team } from '../../../test/support/people.ts'
import { newDocument, SAMPLES } from '../../../test/support/uploads.ts'
import { eventsOf } from '../../../test/support/events.ts'
import { newId } from '../../foundation/ids.ts'

let team: Team
let keeper: Person
let viewer: Person
let deck: any
let earn: (amount: number) => Promise<unknown>

beforeAll(async () => {
  team = await newBusiness()
  ;[keeper, viewer] = await Promise.all([newMember(team.business_id, 'bookkeeper'), newMember(team.business_id, 'viewer')])
  const { named } = await chartOf(team.business_id)
  earn = (amount) => post(team.business_id, { date: '2026-03-10', lines: [[named('Checking'), amount], [named('Sales'), -amount]] })
  await earn(90_000)
  deck = await newDeck(team.client, { template: 'custom' })
})

const at = (tail = '', of = deck) => `/ai-reporting/decks/${of.id}/slides${tail}`
const get = async (of = deck) => (await team.client.get(`/ai-reporting/decks/${of.id}`)).data
const match = (version: number) => ({ headers: { 'if-match': `"${version}"` } })
const revenue = { kind: 'metric', binding: { metric: 'revenue' } }
const add = async (input: object, of = deck) => (await team.client.post(at('', of), { kind: 'metrics', title: 'Added', blocks: [revenue], ...input })).data
const positions = async (of = deck) => (await get(of)).slides.map(({ position }: any) => position)
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

async function refused(answer: Promise<{ status: number; detail: unknown }>, status: number, detail: RegExp): Promise<void> {
  const got = await answer
  expect([got.status, JSON.stringify(got.detail)]).toEqual([status, expect.stringMatching(detail)])
}

describe('a slide is added', () => {
  it('with blocks, at its place, with the figures of the deck\'s moment', async () => {
    const before = await get()
    await earn(10_000)
    const blocks = [revenue, { kind: 'text' }, { kind: 'text', text: 'Mine.' }]
    const answer = await team.client.post(at(), { kind: 'metrics', title: 'Second', position: 2, blocks })
    expect(answer.status).toBe(201)
    expect(answer.data).toMatchObject({ position: 2, title: 'Second', hidden: false, version: 1, data_as_of: before.data_as_of, speaker_notes: null })
    const [metric, said, mine] = answer.data.blocks
    expect(metric.figures[0].value_cents).toBe(before.slides[1].blocks[0].figures[0].value_cents)
    expect(said).toMatchObject({ generated_by: 'rules', edited: false, text: expect.stringContaining('Revenue') })
    expect(mine).toMatchObject({ text: 'Mine.', generated_by: 'person', edited: false })
    const after = await get()
    expect(after.slides.map(({ id }: any) => id)).toEqual([before.slides[0].id, answer.data.id, ...before.slides.slice(1).map(({ id }: any) => id)])
    expect(after.version).toBe(before.version + 1)
    expect(after.slides[1]).toEqual(answer.data)
    expect(await eventsOf(answer.data.id)).toEqual(['deck_slide.created'])
  })

  it('by a prompt, whose words choose from the catalogue', async () => {
    const slide = await add({ blocks: undefined, prompt: 'How long does our cash last? Show the runway.', kind: 'chart', title: 'Runway' })
    const names = slide.blocks.map(({ binding }: any) => binding?.metric ?? binding?.report ?? null)
    expect(names).toEqual(['cash_balance', 'cash_balance', 'burn', 'runway_months', null])
    expect(slide.blocks[0].figures.length).toBeGreaterThan(0)
    await refused(team.client.post(at(), { kind: 'chart', title: 'x', prompt: 'The weather tomorrow' }), 400, /names nothing/)
  })

  it('with a picture of the documents', async () => {
    const [picture, paper] = await Promise.all([newDocument(team.client, 'logo.png', SAMPLES['png']!), newDocument(team.client)])
    const slide = await add({ blocks: [{ kind: 'image', document_id: picture.id }] })
    expect(slide.blocks[0]).toMatchObject({ kind: 'image', document_id: picture.id, figures: [] })
    await refused(team.client.post(at(), { kind: 'custom', title: 'x', blocks: [{ kind: 'image', document_id: paper.id }] }), 400, /no PNG or JPEG/)
    await refused(team.client.post(at(), { kind: 'custom', title: 'x', blocks: [{ kind: 'image', document_id: newId() }] }), 404, /Document/)
  })

  it.each([
    [{ blocks: [{ kind: 'metric', binding: { metric: 'happiness' } }] }, 422, /blocks.*binding/],
    [{ blocks: [{ kind: 'table', binding: { report: 'horoscope' } }] }, 422, /blocks.*binding/],
    [{ blocks: [{ kind: 'table', binding: { report: 'profit-and-loss', params: { start_date: 'soon' } } }] }, 422, /blocks.*binding/],
    [{ blocks: [{ kind: 'text', text: 'x' }, { kind: 'metric' }] }, 422, /blocks",1,"binding/],
    [{ blocks: [{ ...revenue, figures: [{ key: 'x', value_cents: 1 }] }] }, 422, /typed over/],
    [{ blocks: undefined }, 422, /Blocks or a prompt/],
    [{ prompt: 'cash' }, 422, /not both/],
    [{ title: '' }, 422, /title/],
    [{ kind: 'poem' }, 422, /kind/],
    [{ position: 40 }, 400, /next position/],
    [{ blocks: Array.from({ length: 13 }, () => revenue) }, 422, /blocks/],
  ])('not with %j', async (input, status, detail) => {
    const count = (await get()).slides.length
    await refused(team.client.post(at(), { kind: 'metrics', title: 'Added', blocks: [revenue], ...input }), status, detail)
    expect((await get()).slides).toHaveLength(count)
  })

  it('not in a dry run, nor beyond sixty', async () => {
    const other = await newDeck(team.client, { template: 'custom' })
    expect((await team.client.post(`${at('', other)}?dry_run=true`, { kind: 'title', title: 'Dry' })).status).toBe(201)
    expect((await get(other)).slides).toHaveLength(4)
    await sql(
      `insert into deck_slides
       select business_id, gen_random_uuid(), deck_id, n, kind, title, hidden, speaker_notes, data_as_of, blocks, created_at, updated_at, version
       from deck_slides, generate_series(5, 59) n where deck_id = $1 and position = 1`, [other.id])
    const answers = await Promise.all([1, 2, 3].map(() => team.client.post(at('', other), { kind: 'title', title: 'Last' })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 400, 400])
    await refused(team.client.post(at(`/${other.slides[0].id}/duplicate`, other)), 400, /at most 60/)
    expect(await positions(other)).toEqual(upTo(60))
  })
})

describe('a slide is edited', () => {
  it('in its title, notes, texts, charts and bindings', async () => {
    const by_month = { kind: 'chart', chart: 'bar', binding: { metric: 'revenue', params: { group_by: 'month' } } }
    const slide = await add({ blocks: [revenue, { kind: 'text' }, by_month] })
    const [metric, text, chart] = slide.blocks
    const change = { title: 'Named', speaker_notes: 'Slowly.', blocks: [{ id: chart.id, chart: 'line' }, { id: metric.id, binding: { metric: 'net_income' } }] }
    const { data } = await team.client.patch(at(`/${slide.id}`), change)
    expect(data).toMatchObject({ title: 'Named', speaker_notes: 'Slowly.', version: 2, data_as_of: slide.data_as_of })
    expect(data.blocks[2]).toEqual({ ...chart, chart: 'line' })
    const figures = expect.arrayContaining([expect.objectContaining({ label: 'Net income' })])
    expect(data.blocks[0]).toMatchObject({ binding: { metric: 'net_income' }, figures })
    expect(data.blocks[1].text).not.toBe(text.text)
    expect(data.blocks[1]).toMatchObject({ generated_by: 'rules', edited: false })
    const again = await team.client.patch(at(`/${slide.id}`), change)
    expect(again.data).toEqual(data)
    const cleared = await team.client.patch(at(`/${slide.id}`), { speaker_notes: null, removed_block_ids: [chart.id] })
    expect(cleared.data).toMatchObject({ speaker_notes: null, version: 3 })
    expect(cleared.data.blocks).toHaveLength(2)
    expect(await eventsOf(slide.id)).toEqual(['deck_slide.created', 'deck_slide.updated', 'deck_slide.updated'])
  })

  it('but never in its figures', async () => {
    const slide = await add({})
    const [block] = slide.blocks
    const typed = block.figures.map((figure: object) => ({ ...figure, value_cents: 1 }))
    await refused(team.client.patch(at(`/${slide.id}`), { blocks: [{ id: block.id, figures: typed }] }), 422, /typed over/)
    await refused(team.client.patch(at(`/${slide.id}`), { blocks: [{ id: block.id, binding: { metric: 'nonsense' } }] }), 422, /binding/)
    await refused(team.client.patch(at(`/${slide.id}`), { figures: typed }), 422, /typed over/)
    expect((await team.client.patch(at(`/${slide.id}`), { blocks: slide.blocks })).data).toEqual(slide)
  })

  it('by two people: on different slides both, on the same one the first', async () => {
    const [one, two] = [await add({ title: 'One' }), await add({ title: 'Two' })]
    const [first, second] = await Promise.all([
      team.client.patch(at(`/${one.id}`), { title: 'One, edited' }, match(one.version)),
      keeper.client.patch(at(`/${two.id}`), { title: 'Two, edited' }, match(two.version)),
    ])
    expect([first.status, second.status]).toEqual([200, 200])
    const both = await Promise.all([team.client, keeper.client].map((by, index) => by.patch(at(`/${one.id}`), { title: `By ${index}` }, match(2))))
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 412])
    await refused(team.client.post(at(`/${one.id}/toggle-hidden`), undefined, match(1)), 412, /changed/)
    await refused(team.client.post(at(`/${one.id}/refresh`), undefined, match(1)), 412, /changed/)
    await refused(team.client.post(at('/reorder'), { slide_ids: (await get()).slides.map(({ id }: any) => id) }, match(1)), 412, /changed/)
  })
})

describe('slides', () => {
  it('are reordered as a whole', async () => {
    const ids = (await get()).slides.map(({ id }: any) => id)
    const turned = ids.toReversed()
    const { status, data } = await team.client.post(at('/reorder'), { slide_ids: turned })
    expect(status).toBe(201)
    expect(data.slides.map(({ id }: any) => id)).toEqual(turned)
    expect(data.slides.map(({ position }: any) => position)).toEqual(upTo(ids.length))
    const other = await newDeck(team.client, { template: 'custom' })
    const strange = [...ids.slice(1), other.slides[0].id]
    const orders = [[ids.slice(1), /is missing/], [[...ids, ids[0]], /twice/], [strange, /none of this deck/], [[], /is missing/]] as const
    for (const [wrong, why] of orders) {
      await refused(team.client.post(at('/reorder'), { slide_ids: wrong }), 400, why)
    }
    const before = await get()
    expect((await team.client.post(at('/reorder'), { slide_ids: turned })).data).toEqual(before)
  })

  it('are copied right behind, with the same figures of the same moment', async () => {
    const slide = (await get()).slides[1]
    const { data } = await team.client.post(at(`/${slide.id}/duplicate`))
    expect(data).toMatchObject({ position: 3, title: slide.title, data_as_of: slide.data_as_of, version: 1 })
    expect(data.blocks.map(({ figures, text }: any) => [figures, text])).toEqual(slide.blocks.map(({ figures, text }: any) => [figures, text]))
    expect(data.id).not.toBe(slide.id)
    expect((await get()).slides[2]).toEqual(data)
  })

  it('are hidden and shown again', async () => {
    const slide = (await get()).slides[1]
    expect((await team.client.post(at(`/${slide.id}/toggle-hidden`))).data).toMatchObject({ hidden: true, version: slide.version + 1 })
    expect((await get()).slides[1].hidden).toBe(true)
    expect((await team.client.post(at(`/${slide.id}/toggle-hidden`))).data).toMatchObject({ hidden: false, version: slide.version + 2 })
  })

  it('are refreshed one by one, each with its own moment until the whole deck is', async () => {
    const own = await newDeck(team.client, { template: 'custom' })
    const slide = own.slides[1]
    const text = slide.blocks.at(-1)
    await team.client.patch(at(`/${slide.id}`, own), { blocks: [{ id: text.id, text: 'Mine.' }] })
    await earn(5_000)
    const { data } = await team.client.post(at(`/${slide.id}/refresh`, own))
    expect(data.data_as_of > own.data_as_of).toBe(true)
    expect(data.blocks[0].figures[0].value_cents).toBe(slide.blocks[0].figures[0].value_cents + 5_000)
    expect(data.blocks.at(-1)).toMatchObject({ text: 'Mine.', edited: true })
    const after = await get(own)
    expect(after).toMatchObject({ data_as_of: own.data_as_of, stale: true })
    expect(after.slides[2]).toEqual(own.slides[2])
    const bound = await team.client.patch(at(`/${slide.id}`, own), { blocks: [{ ...revenue }] })
    expect(bound.data.blocks.at(-1).figures[0].value_cents).toBe(data.blocks[0].figures[0].value_cents)
    const whole = await refreshed(team.client, own.id)
    expect(new Set(whole.slides.map(({ data_as_of }: any) => data_as_of))).toEqual(new Set([whole.data_as_of]))
  })

  it('stay without a gap, whatever many do at once', async () => {
    const own = await newDeck(team.client, { template: 'custom' })
    const ids = own.slides.map(({ id }: any) => id)
    const answers = await Promise.all([
      ...[1, 2, 3, 2].map((position) => team.client.post(at('', own), { kind: 'title', title: `At ${position}`, position })),
      ...ids.map((id: string) => keeper.client.post(at(`/${id}/duplicate`, own))),
      team.client.post(at('/reorder', own), { slide_ids: ids.toReversed() }),
      keeper.client.post(`/ai-reporting/decks/${own.id}/refresh`),
      team.client.post(at(`/${ids[1]}/refresh`, own)),
    ])
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status !== 201 && status !== 400)).toEqual([])
    expect(statuses.filter((status) => status === 400).length).toBeLessThanOrEqual(1)
    expect(await positions(own)).toEqual(upTo(12))
  })
})

describe('others', () => {
  const calls = (slide_id: string): [string, string, object?][] => [
    ['POST', at(), { kind: 'title', title: 'x' }], ['POST', at('/reorder'), { slide_ids: [] }], ['PATCH', at(`/${slide_id}`), { title: 'x' }],
    ['POST', at(`/${slide_id}/duplicate`)], ['POST', at(`/${slide_id}/refresh`)], ['POST', at(`/${slide_id}/toggle-hidden`)],
  ]

  it('of another business find nothing, readers may not write', async () => {
    const slide_id = deck.slides[1].id
    const [other, scoped] = [await newBusiness(), client(await newToken(keeper, ['ai-reporting:read']), team.business_id)]
    for (const [method, path, body] of calls(slide_id)) {
      for (const [by, status] of [[other.client, 404], [viewer.client, 403], [scoped, 403]] as const) {
        expect([method, path, (await by.call(method, path, body ? { body } : {})).status]).toEqual([method, path, status])
      }
    }
  })

  it('a slide is found only in its own deck', async () => {
    const other = await newDeck(team.client, { template: 'custom' })
    for (const [method, path, body] of calls(other.slides[1].id).slice(2)) expect((await team.client.call(method, path, body ? { body } : {})).status).toBe(404)
    for (const [method, path, body] of calls(newId()).slice(2)) expect((await team.client.call(method, path, body ? { body } : {})).status).toBe(404)
  })

  it('wait until the deck is there', async () => {
    const { data } = await team.client.post('/ai-reporting/decks', { template: 'custom', period_start: '2026-03-01', period_end: '2026-03-31' })
    await refused(team.client.post(at('', data), { kind: 'title', title: 'x' }), 400, /still being generated/)
    await refused(team.client.post(at('/reorder', data), { slide_ids: [] }), 400, /still being generated/)
  })
})
