// Tests of dimensions over HTTP, and of the check of their values on posted lines.
import { beforeAll, describe, expect, it } from 'vitest'
import { chartOf, inside, post } from '../../../test/support/books.ts'
import type { Client } from '../../../test/support/client.ts'
import { eventsOf } from '../../../test/support/events.ts'
import { newBusiness, newMember, sql, type Team } from '../../../test/support/people.ts'
import { newId } from '../../foundation/ids.ts'
import { dimensionVerifications } from './verifications.ts'

let team: Team
let client: Client
beforeAll(async () => {
  team = await newBusiness()
  client = team.client
})

async function newDimension(key: string, by: Client = client) {
  const answer = await by.post('/accounting-dimensions', { key, name: `The ${key}` })
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.data
}

/** A dimension with a value that a posted line carries. */
async function usedDimension({ business_id, client: by }: Team, key: string) {
  const dimension = await newDimension(key, by)
  const value = (await by.post(`/accounting-dimensions/${dimension.id}/values`, { code: 'ONE', name: 'One' })).data
  const chart = await chartOf(business_id)
  const lines = [{ ledger_id: chart.named('Rent'), amount: 500, dimension_value_ids: [value.id] }, [chart.named('Checking'), -500] as const]
  const [entry] = await post(business_id, { date: '2026-03-10', lines })
  return { dimension, value, entry: entry! }
}

const names = async (query: Record<string, string> = {}): Promise<string[]> =>
  (await client.get('/accounting-dimensions', { descending: 'false', ...query })).data.items.map(({ key }: { key: string }) => key)

describe('dimensions', () => {
  it('are made, renamed, moved and found', async () => {
    const first = await newDimension('department')
    expect(first).toMatchObject({ key: 'department', name: 'The department', description: null, position: 1, archived: false, version: 1 })
    expect(await newDimension('place')).toMatchObject({ position: 2 })
    const front = await client.post('/accounting-dimensions', { key: 'channel', name: ' Channel ', description: 'How it is sold', position: 1 })
    expect(front.data).toMatchObject({ name: 'Channel', position: 1 })
    expect(await names()).toEqual(['channel', 'department', 'place'])
    expect((await client.get(`/accounting-dimensions/${first.id}`)).data).toMatchObject({ position: 2, version: 2 })
    const moved = await client.put(`/accounting-dimensions/${first.id}`, { name: 'Cost centre', position: 99 })
    expect(moved.data).toMatchObject({ key: 'department', name: 'Cost centre', position: 3, version: 3 })
    expect(await names()).toEqual(['channel', 'place', 'department'])
    expect(await names({ sort_by: 'name' })).toEqual(['channel', 'department', 'place'])
    expect(await names({ q: 'CENT' })).toEqual(['department'])
    expect(await names({ q: 'chan' })).toEqual(['channel'])
    expect(await eventsOf(first.id)).toEqual(['dimension.created', 'dimension.updated', 'dimension.updated'])
    expect((await client.put(`/accounting-dimensions/${first.id}`, {})).data.version).toBe(3)
    expect((await client.put(`/accounting-dimensions/${first.id}`, { description: null })).data).toMatchObject({ description: null, position: 3 })
  })

  it('are archived and restored, each once', async () => {
    const { id } = await newDimension('season')
    expect((await client.put(`/accounting-dimensions/${id}/archive`)).data).toMatchObject({ archived: true, version: 2 })
    expect((await client.put(`/accounting-dimensions/${id}/archive`)).data.version).toBe(2)
    expect(await names()).not.toContain('season')
    expect(await names({ archived: 'true' })).toEqual(['season'])
    expect(await names({ archived: 'all' })).toContain('season')
    expect((await client.put(`/accounting-dimensions/${id}/restore`)).data).toMatchObject({ archived: false, version: 3 })
    expect((await client.put(`/accounting-dimensions/${id}/restore`)).data.version).toBe(3)
    expect(await eventsOf(id)).toEqual(['dimension.created', 'dimension.archived', 'dimension.restored'])
  })

  it('take a key once, also for many at once', async () => {
    const made = await Promise.all(Array.from({ length: 5 }, () => client.post('/accounting-dimensions', { key: 'grant', name: 'Grant' })))
    expect(made.map(({ status }) => status).toSorted()).toEqual([201, 400, 400, 400, 400])
    expect(made.find(({ status }) => status === 400)?.detail).toBe('A dimension with the key grant exists already: use it, or choose another key.')
  })

  it('are ten at most while they are active, also for many at once', async () => {
    const { client: own } = await newBusiness()
    const made = await Promise.all(Array.from({ length: 13 }, (_, index) => own.post('/accounting-dimensions', { key: `d${index}x`, name: 'D' })))
    expect(made.map(({ status }) => status).toSorted()).toEqual([...Array(10).fill(201), 400, 400, 400])
    expect(made.find(({ status }) => status === 400)?.detail).toBe('The business has 10 active dimensions already: archive one first.')
    const [first] = made.filter(({ status }) => status === 201)
    await own.put(`/accounting-dimensions/${first!.data.id}/archive`)
    await newDimension('eleventh', own)
    expect(await own.put(`/accounting-dimensions/${first!.data.id}/restore`))
      .toMatchObject({ status: 400, detail: expect.stringMatching(/10 active dimensions/) })
    const positions = (await own.get('/accounting-dimensions', { archived: 'all' })).data.items.map(({ position }: { position: number }) => position)
    expect(new Set(positions).size).toBe(11)
  })

  it('go with their values and rules while they were never used', async () => {
    const { id } = await newDimension('event')
    const value = (await client.post(`/accounting-dimensions/${id}/values`, { code: 'A', name: 'A' })).data
    await client.post(`/accounting-dimensions/${id}/values`, { code: 'B', name: 'B', parent_id: value.id })
    const { rules } = (await client.get('/accounting-dimensions/rules')).data
    await client.put('/accounting-dimensions/rules', { rules: [...rules, { dimension_id: id, mode: 'optional', default_value_id: value.id }] })
    expect(await client.delete(`/accounting-dimensions/${id}`)).toMatchObject({ status: 200, data: { id } })
    expect((await client.get(`/accounting-dimensions/${id}`)).status).toBe(404)
    expect((await client.get('/accounting-dimensions/rules')).data.rules).toEqual(rules)
    expect(await eventsOf(value.id)).toEqual(['dimension_value.created', 'dimension_value.deleted'])
  })

  it('stay once a line carries one of their values', async () => {
    const own = await newBusiness()
    const { dimension } = await usedDimension(own, 'used')
    expect(await own.client.delete(`/accounting-dimensions/${dimension.id}`)).toMatchObject({
      status: 400, detail: 'Posted lines carry values of the dimension The used: archive it instead.',
    })
  })

  it.each([
    ['a key with capitals', { key: 'Department', name: 'x' }, ['body', 'key']],
    ['a key of one letter', { key: 'd', name: 'x' }, ['body', 'key']],
    ['an empty name', { key: 'dd', name: ' ' }, ['body', 'name']],
    ['a place before the first', { key: 'dd', name: 'x', position: 0 }, ['body', 'position']],
  ])('refuse %s', async (_, body, loc) => {
    const { status, detail } = await client.post('/accounting-dimensions', body)
    expect([status, detail[0].loc]).toEqual([422, loc])
  })

  it('are changed by accountants, with the version they have read', async () => {
    const { id } = await newDimension('office')
    const bookkeeper = await newMember(team.business_id, 'bookkeeper')
    expect((await bookkeeper.client.get(`/accounting-dimensions/${id}`)).status).toBe(200)
    expect((await bookkeeper.client.put(`/accounting-dimensions/${id}`, { name: 'x' })).status).toBe(403)
    expect((await client.put(`/accounting-dimensions/${id}`, { name: 'x' }, { headers: { 'if-match': '"7"' } })).status).toBe(412)
    expect((await client.get(`/accounting-dimensions/${newId()}`)).status).toBe(404)
  })
})

describe('the checks of posted lines', () => {
  it('find nothing in sound books, and whatever is off in others', async () => {
    const own = await newBusiness()
    const { value, entry, dimension } = await usedDimension(own, 'used')
    const second = (await own.client.post(`/accounting-dimensions/${dimension.id}/values`, { code: 'TWO', name: 'Two' })).data
    const found = async () => inside(own.business_id, async (tx) => {
      const findings = []
      for (const { run } of dimensionVerifications) findings.push(await run(tx))
      return findings
    })
    expect(await found()).toEqual([{ checked: 1, problems: [] }, { checked: 1, problems: [] }])
    const [line, other] = entry.lines
    // As nobody but the owner of the schema could, past the triggers that keep the journal as it is.
    await sql(`begin; set local session_replication_role = replica;
      insert into journal_line_dimensions (business_id, value_id, date, line_id) values ('${own.business_id}', '${value.id}', '${entry.date}', '${other!.id}');
      update journal_lines set dimension_value_ids = '{${value.id},${second.id}}' where business_id = '${own.business_id}' and id = '${line!.id}'; commit`)
    const [index, known] = await found()
    expect(index).toEqual({
      checked: 2,
      problems: expect.arrayContaining([
        `the index says that line ${other!.id} carries value ${value.id}, which it does not`,
        `line ${line!.id} carries value ${second.id}, which the index does not say`,
      ]),
    })
    expect(known).toEqual({ checked: 2, problems: [`line ${line!.id} carries 2 values, of which 2 are known, of 1 dimensions`] })
  })
})
