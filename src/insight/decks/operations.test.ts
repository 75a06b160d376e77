// Decks over HTTP: what is refused, who sees them, lists and the end of a deck.
import { beforeAll, describe, expect, it } from 'vitest'
import { client } from '../../../test/support/client.ts'
import { newCustomer } from '../../../test/support/customers.ts'
import { MARCH, newDeck, workOn } from '../../../test/support/decks.ts'
import { newBusiness, newMember, newToken, sql, type Person, type Team } from '../../../test/support/people.ts'
import { newId } from '../../foundation/ids.ts'

let team: Team
let keeper: Person
let viewer: Person
beforeAll(async () => {
  team = await newBusiness()
  ;[keeper, viewer] = await Promise.all([newMember(team.business_id, 'bookkeeper'), newMember(team.business_id, 'viewer')])
})

const path = '/ai-reporting/decks'
const get = async (deck_id: string, by = team.client) => (await by.get(`${path}/${deck_id}`)).data
const jobOf = async (job_id: string) => (await team.client.get(`/jobs/${job_id}`)).data

async function refused(answer: Promise<{ status: number; detail: unknown }>, status: number, detail: RegExp): Promise<void> {
  const got = await answer
  expect([got.status, JSON.stringify(got.detail)]).toEqual([status, expect.stringMatching(detail)])
}

describe('refusals', () => {
  it.each([
    [{ ...MARCH, period_end: '2026-02-28' }, 400, /before it starts/],
    [{ ...MARCH, period_end: '2031-03-01' }, 400, /more than 60 months/],
    [{ ...MARCH, comparison: 'budget' }, 400, /no budgets yet/],
    [{ ...MARCH, template: 'poem' }, 422, /template/],
    [{ ...MARCH, comparison: 'last_week' }, 422, /comparison/],
    [{ template: 'board' }, 422, /period_start/],
    [{ ...MARCH, filters: { customer_id: '0192f6a0-0000-7000-8000-000000000000' } }, 404, /Customer/],
    [{ ...MARCH, filters: { dimension_value_id: ['0192f6a0-0000-7000-8000-000000000000'] } }, 404, /not found/],
  ])('a deck of %j is a %i', async (body, status, detail) => {
    await refused(team.client.post(path, body), status, detail)
  })

  it('instructions have an end', async () => {
    await refused(team.client.post(path, { ...MARCH, instructions: 'x'.repeat(4_001) }), 422, /instructions/)
  })

  it('who may only read cannot make, refresh or delete', async () => {
    const deck = await newDeck(keeper.client, { template: 'custom' })
    expect((await viewer.client.get(`${path}/${deck.id}`)).data.slides).toHaveLength(4)
    expect((await viewer.client.get(path)).status).toBe(200)
    await refused(viewer.client.post(path, MARCH), 403, /./)
    await refused(viewer.client.post(`${path}/${deck.id}/refresh`), 403, /./)
    await refused(viewer.client.delete(`${path}/${deck.id}`), 403, /./)
    const reader = client(await newToken(keeper, ['reports:read']), team.business_id)
    await refused(reader.get(`${path}/${deck.id}`), 403, /./)
    await refused(client(null, team.business_id).get(path), 401, /./)
  })

  it('nothing of one business is in another', async () => {
    const deck = await newDeck(team.client, { template: 'custom' })
    const other = await newBusiness()
    for (const [method, tail] of [['GET', ''], ['DELETE', ''], ['POST', '/refresh'], ['POST', '/slides/reorder']] as const) {
      const answer = await other.client.call(method, `${path}/${deck.id}${tail}`, tail === '/slides/reorder' ? { body: { slide_ids: [] } } : {})
      expect([method, tail, answer.status]).toEqual([method, tail, 404])
    }
    expect((await other.client.get(path)).data.items).toEqual([])
    await refused(other.client.post(path, { ...MARCH, filters: { customer_id: await newCustomer(team.client) } }), 404, /Customer/)
    expect((await get(newId(), other.client))).toBeUndefined()
  })
})

describe('decks are', () => {
  it('listed without slides, filtered, sorted and searched', async () => {
    const one = await newDeck(team.client, { title: 'Zebra crossing', period_start: '2026-01-01', period_end: '2026-02-28', template: 'custom' })
    const waiting = (await team.client.post(path, { ...MARCH, title: 'Aardvark', template: 'sales' })).data
    const ids = async (query: Record<string, string>) => (await team.client.get(path, query)).data.items.map(({ id }: any) => id)
    const { data } = await team.client.get(path, { limit: '2' })
    expect(data.items.map(({ id }: any) => id)).toEqual([waiting.id, one.id])
    expect(data.items[1]).not.toHaveProperty('slides')
    expect(data.items[1].stale).toBe(false)
    expect(await ids({ status: 'generating', template: 'sales' })).toEqual([waiting.id])
    expect(await ids({ period_start: '2026-01-01', template: 'custom' })).toEqual([one.id])
    expect(await ids({ q: 'zebra' })).toEqual([one.id])
    expect((await ids({ sort_by: 'title', descending: 'false' }))[0]).toBe(waiting.id)
    expect((await ids({ sort_by: 'title' }))[0]).toBe(one.id)
    expect((await ids({ sort_by: 'period_end', descending: 'false' }))[0]).toBe(one.id)
  })

  it('deleted with their slides, also while a job works on them', async () => {
    const deck = await newDeck(team.client, { template: 'custom' })
    const job = (await team.client.post(`${path}/${deck.id}/refresh`)).data
    const gone = await team.client.delete(`${path}/${deck.id}`)
    expect(gone.status).toBe(200)
    expect((await team.client.get(`${path}/${deck.id}`)).status).toBe(404)
    expect(await sql('select count(*)::int as left from deck_slides where deck_id = $1', [deck.id])).toEqual([{ left: 0 }])
    await workOn(team.business_id, job.id)
    expect(await jobOf(job.id)).toMatchObject({ status: 'failed', error: 'Deck not found.' })
    await refused(team.client.delete(`${path}/${deck.id}`), 404, /Deck/)
    const kept = await newDeck(team.client, { template: 'custom' })
    await refused(team.client.delete(`${path}/${kept.id}`, { headers: { 'if-match': '"1"' } }), 412, /./)
  })
})
