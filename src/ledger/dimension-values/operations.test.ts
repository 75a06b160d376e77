// Tests of the values of dimensions over HTTP.
import { beforeAll, describe, expect, it } from 'vitest'
import { chartOf, post } from '../../../test/support/books.ts'
import type { Client } from '../../../test/support/client.ts'
import { eventsOf } from '../../../test/support/events.ts'
import { newBusiness, newMember, type Team } from '../../../test/support/people.ts'
import { newId } from '../../foundation/ids.ts'

let team: Team
let client: Client
let dimension_id: string
let other_id: string
let path: string
beforeAll(async () => {
  team = await newBusiness()
  client = team.client
  dimension_id = (await client.post('/accounting-dimensions', { key: 'department', name: 'Department' })).data.id
  other_id = (await client.post('/accounting-dimensions', { key: 'place', name: 'Place' })).data.id
  path = `/accounting-dimensions/${dimension_id}/values`
})

let count = 0
async function newValue(more: object = {}, at = path) {
  const answer = await client.post(at, { code: `V${++count}`, name: `Value ${count}`, ...more })
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.data
}

/** A line that carries the value. */
async function use(value_id: string, date = '2026-03-10') {
  const chart = await chartOf(team.business_id)
  const lines = [{ ledger_id: chart.named('Rent'), amount: 100, dimension_value_ids: [value_id] }, [chart.named('Checking'), -100] as const]
  await post(team.business_id, { date, lines })
}

describe('values', () => {
  it('are made, changed and found', async () => {
    const parent = await newValue({ code: 'EAST', name: 'East coast' })
    const value = await newValue({ code: 'NYC', name: ' New York ', parent_id: parent.id, valid_from: '2026-01-01' })
    expect(value).toMatchObject({
      dimension_id, code: 'NYC', name: 'New York', parent_id: parent.id, valid_from: '2026-01-01', valid_to: null, archived: false, merged_into_id: null,
    })
    const changed = await client.put(`${path}/${value.id}`, { name: 'New York City', valid_from: null, parent_id: null })
    expect(changed.data).toMatchObject({ code: 'NYC', name: 'New York City', valid_from: null, parent_id: null, version: 2 })
    expect((await client.put(`${path}/${value.id}`, {})).data.version).toBe(2)
    expect((await client.get(`${path}/${value.id}`)).data).toEqual(changed.data)
    const found = async (query: Record<string, string>) => (await client.get(path, query)).data.items.map(({ code }: { code: string }) => code)
    expect(await found({ q: 'york' })).toEqual(['NYC'])
    expect(await found({ q: 'nyc' })).toEqual(['NYC'])
    expect(await found({ sort_by: 'name', descending: 'false', limit: '1' })).toEqual(['EAST'])
    expect((await client.get(`/accounting-dimensions/${other_id}/values`)).data.items).toEqual([])
    expect(await eventsOf(value.id)).toEqual(['dimension_value.created', 'dimension_value.updated'])
  })

  it('come in pages', async () => {
    const at = `/accounting-dimensions/${other_id}/values`
    for (const code of ['P3', 'P1', 'P2']) await newValue({ code }, at)
    const first = (await client.get(at, { descending: 'false', limit: '2', include_total_count: 'true' })).data
    expect([first.items.map(({ code }: { code: string }) => code), first.total]).toEqual([['P1', 'P2'], 3])
    const next = (await client.get(at, { descending: 'false', limit: '2', cursor: first.next_cursor })).data
    expect(next.items.map(({ code }: { code: string }) => code)).toEqual(['P3'])
  })

  it('take a code once in their dimension, also for many at once', async () => {
    const made = await Promise.all(Array.from({ length: 4 }, () => client.post(path, { code: 'ONCE', name: 'Once' })))
    expect(made.map(({ status }) => status).toSorted()).toEqual([201, 400, 400, 400])
    expect(made.find(({ status }) => status === 400)?.detail).toBe('The dimension has a value with the code ONCE already: use it, or choose another code.')
    await newValue({ code: 'ONCE' }, `/accounting-dimensions/${other_id}/values`)
  })

  it.each([
    ['a parent that does not exist', async () => ({ parent_id: newId() }), 404, /Dimension value .* of parent_id not found/],
    ['a parent of another dimension',
      async () => ({ parent_id: (await newValue({}, `/accounting-dimensions/${other_id}/values`)).id }), 404, /of parent_id not found/],
    ['an archived parent', async () => ({ parent_id: await archivedValue() }), 400, /is archived: restore it first, or choose another parent/],
    ['an end before its beginning',
      async () => ({ valid_from: '2026-02-01', valid_to: '2026-01-31' }), 400, /valid_to 2026-01-31 lies before valid_from 2026-02-01/],
    ['a code with blanks around', async () => ({ code: ' X' }), 422, null],
    ['a day that does not exist', async () => ({ valid_from: '2026-02-30' }), 422, null],
  ])('refuse %s', async (_, wrong, status, detail) => {
    const body = await wrong()
    const value = await newValue()
    for (const answer of [await client.post(path, { code: 'WRONG', name: 'Wrong', ...body }), await client.put(`${path}/${value.id}`, body)]) {
      expect(answer.status).toBe(status)
      if (detail) expect(answer.detail).toMatch(detail)
    }
  })

  it('form a tree of five levels without circles', async () => {
    let parent_id: string | null = null
    const ids: string[] = []
    for (let level = 1; level <= 5; level++) ids.push((parent_id = (await newValue({ parent_id })).id as string))
    expect(await client.post(path, { code: 'DEEP', name: 'Deep', parent_id }))
      .toMatchObject({ status: 400, detail: 'DEEP Deep would lie more than 5 deep: choose a parent further up.' })
    expect(await client.put(`${path}/${ids[0]}`, { parent_id })).toMatchObject({ status: 400, detail: expect.stringMatching(/cannot lie below itself/) })
    const top = await newValue()
    expect(await client.put(`${path}/${ids[0]}`, { parent_id: top.id })).toMatchObject({ status: 400, detail: expect.stringMatching(/more than 5 deep/) })
    expect((await client.put(`${path}/${ids[1]}`, { parent_id: top.id })).status).toBe(200)
  })

  it('are not made in an archived dimension', async () => {
    const { id } = (await client.post('/accounting-dimensions', { key: 'ended', name: 'Ended' })).data
    await client.put(`/accounting-dimensions/${id}/archive`)
    expect(await client.post(`/accounting-dimensions/${id}/values`, { code: 'A', name: 'A' }))
      .toMatchObject({ status: 400, detail: 'The dimension Ended is archived: restore it first.' })
    expect((await client.post(`/accounting-dimensions/${newId()}/values`, { code: 'A', name: 'A' })).status).toBe(404)
    expect((await client.get(`/accounting-dimensions/${newId()}/values`)).status).toBe(404)
  })

  it('belong to their dimension and their business, and are changed by accountants', async () => {
    const { id } = await newValue()
    expect((await client.get(`/accounting-dimensions/${other_id}/values/${id}`)).status).toBe(404)
    expect((await (await newBusiness()).client.get(`${path}/${id}`)).status).toBe(404)
    const viewer = await newMember(team.business_id, 'viewer')
    expect((await viewer.client.get(`${path}/${id}`)).status).toBe(200)
    expect((await viewer.client.put(`${path}/${id}/archive`)).status).toBe(403)
    expect((await client.put(`${path}/${id}`, { name: 'x' }, { headers: { 'if-match': '"9"' } })).status).toBe(412)
  })
})

async function archivedValue(): Promise<string> {
  const { id } = await newValue()
  await client.put(`${path}/${id}/archive`)
  return id
}

describe('the end of a value', () => {
  it('is deletion while nothing needs it', async () => {
    const value = await newValue()
    expect((await client.delete(`${path}/${value.id}`)).data.id).toBe(value.id)
    expect((await client.get(`${path}/${value.id}`)).status).toBe(404)
  })

  it.each([
    ['lines carry it', async (id: string) => use(id), 'Posted lines carry V'],
    ['others lie below it', async (id: string) => newValue({ parent_id: id }), 'Other values lie below V'],
    ['others are merged into it',
      async (id: string) => client.put(`${path}/${(await newValue()).id}/merge`, { into_id: id }), 'Other values are merged into V'],
    ['a rule has it as its default',
      async (id: string) => client.put('/accounting-dimensions/rules', { rules: [{ dimension_id, mode: 'optional', default_value_id: id }] }), 'A rule has V'],
  ])('is not deletion where %s', async (_, need, detail) => {
    const value = await newValue()
    await need(value.id)
    expect(await client.delete(`${path}/${value.id}`)).toMatchObject({ status: 400, detail: expect.stringMatching(detail) })
    await client.put('/accounting-dimensions/rules', { rules: [] })
  })

  it('is archiving, which new lines respect, and restoring undoes', async () => {
    const value = await newValue()
    await use(value.id)
    expect((await client.put(`${path}/${value.id}/archive`)).data).toMatchObject({ archived: true, version: 2 })
    expect((await client.put(`${path}/${value.id}/archive`)).data.version).toBe(2)
    await expect(use(value.id)).rejects.toThrow(`Line 1 (6100 Rent): Department ${value.code} ${value.name} is archived: restore it, or use another value.`)
    expect((await client.get(path, { q: value.code })).data.items).toEqual([])
    expect((await client.get(path, { q: value.code, archived: 'true' })).data.items).toHaveLength(1)
    expect((await client.put(`${path}/${value.id}/restore`)).data).toMatchObject({ archived: false, version: 3 })
    expect((await client.put(`${path}/${value.id}/restore`)).data.version).toBe(3)
    await use(value.id)
    expect(await eventsOf(value.id)).toEqual(['dimension_value.created', 'dimension_value.archived', 'dimension_value.restored'])
  })

  it('waits for the values below it and for the rules that have it as their default', async () => {
    const parent = await newValue()
    const child = await newValue({ parent_id: parent.id })
    expect(await client.put(`${path}/${parent.id}/archive`))
      .toMatchObject({ status: 400, detail: expect.stringMatching(/are in use: archive or move them first/) })
    await client.put(`${path}/${child.id}/archive`)
    expect((await client.put(`${path}/${parent.id}/archive`)).status).toBe(200)
    expect(await client.put(`${path}/${child.id}/restore`)).toMatchObject({ status: 400, detail: expect.stringMatching(/is archived: restore it first/) })
    const value = await newValue()
    await client.put('/accounting-dimensions/rules', { rules: [{ dimension_id, mode: 'optional', default_value_id: value.id }] })
    expect(await client.put(`${path}/${value.id}/archive`))
      .toMatchObject({ status: 400, detail: expect.stringMatching(/A rule has .* as its default: change the rule first/) })
    await client.put('/accounting-dimensions/rules', { rules: [] })
  })
})

describe('merging', () => {
  it('leaves the lines, and takes along what pointed at the value', async () => {
    const [value, into, earlier] = [await newValue(), await newValue(), await newValue()]
    const child = await newValue({ parent_id: value.id })
    await use(value.id)
    await client.put('/accounting-dimensions/rules', { rules: [{ dimension_id, mode: 'optional', default_value_id: value.id }] })
    await client.put(`${path}/${earlier.id}/merge`, { into_id: value.id })
    const merged = await client.put(`${path}/${value.id}/merge`, { into_id: into.id })
    expect(merged.data).toMatchObject({ id: value.id, archived: true, merged_into_id: into.id, version: 2 })
    expect((await client.put(`${path}/${value.id}/merge`, { into_id: into.id })).data.version).toBe(2)
    expect((await client.get(`${path}/${earlier.id}`)).data.merged_into_id).toBe(into.id)
    expect((await client.get(`${path}/${child.id}`)).data.parent_id).toBe(into.id)
    expect((await client.get('/accounting-dimensions/rules')).data.rules).toMatchObject([{ default_value_id: into.id }])
    expect(await eventsOf(value.id)).toEqual(['dimension_value.created', 'dimension_value.merged'])
    await expect(use(value.id)).rejects.toThrow(/is merged into another value: use that one/)
    await client.put('/accounting-dimensions/rules', { rules: [] })
  })

  it.each([
    ['into itself', async (id: string) => id, 400, /cannot be merged into itself/],
    ['into one that does not exist', async () => newId(), 404, /of into_id not found/],
    ['into one of another dimension', async () => (await newValue({}, `/accounting-dimensions/${other_id}/values`)).id, 404, /of into_id not found/],
    ['into an archived one', async () => archivedValue(), 400, /is archived: restore it first, or choose another value/],
    ['into a merged one', async () => mergedValue(), 400, /is merged into another value itself: merge into that one/],
    ['into one below it', async (id: string) => (await newValue({ parent_id: id })).id, 400, /lies below .*: move it elsewhere first/],
  ])('%s is refused', async (_, target, status, detail) => {
    const value = await newValue()
    expect(await client.put(`${path}/${value.id}/merge`, { into_id: await target(value.id) })).toMatchObject({ status, detail: expect.stringMatching(detail) })
  })

  it('happens once, and is for good', async () => {
    const [value, first, second] = [await newValue(), await newValue(), await newValue()]
    const merge = (into: { id: string }) => client.put(`${path}/${value.id}/merge`, { into_id: into.id })
    const answers = await Promise.all([merge(first), merge(second)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400])
    expect(answers.find(({ status }) => status === 400)?.detail).toMatch(/is merged into another value already/)
    expect(await client.put(`${path}/${value.id}/restore`))
      .toMatchObject({ status: 400, detail: expect.stringMatching(/is merged into another value and stays archived/) })
    expect(await client.put(`${path}/${value.id}`, { name: 'x' })).toMatchObject({ status: 400, detail: expect.stringMatching(/cannot be changed any more/) })
  })

  it('of two into each other leaves one of them', async () => {
    const [a, b] = [await newValue(), await newValue()]
    const answers = await Promise.all([client.put(`${path}/${a.id}/merge`, { into_id: b.id }), client.put(`${path}/${b.id}/merge`, { into_id: a.id })])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400])
  })
})

async function mergedValue(): Promise<string> {
  const { id } = await newValue()
  await client.put(`${path}/${id}/merge`, { into_id: (await newValue()).id })
  return id
}

describe('a file', () => {
  const file = (...lines: string[]) => ({ file_name: 'values.csv', content_base64: Buffer.from(lines.join('\n')).toString('base64') })
  const send = (body: object) => client.post(`${path}/import`, body)

  it('makes and changes values by code, once it was looked at', async () => {
    await newValue({ code: 'F-OLD', name: 'Old name' })
    const body = file('code,name,parent_code,valid_to', 'F-CHILD,Child,F-NEW,', 'F-NEW,New,,2026-12-31', 'F-OLD,New name,,')
    const preview = await send({ ...body, preview: true })
    expect(preview.data).toMatchObject({
      created: 2, updated: 1, unchanged: 0, failed: 0,
      rows: [{ row: 2, action: 'create', code: 'F-CHILD' }, { row: 3, action: 'create' }, { row: 4, action: 'update', detail: null }],
    })
    expect((await client.get(path, { q: 'F-NEW' })).data.items).toEqual([])
    expect((await send(body)).data).toMatchObject({ created: 2, updated: 1 })
    const [child] = (await client.get(path, { q: 'F-CHILD' })).data.items
    const [parent] = (await client.get(path, { q: 'F-NEW' })).data.items
    expect([child.parent_id, parent.valid_to, parent.version]).toEqual([parent.id, '2026-12-31', 1])
    expect(await eventsOf(parent.id)).toEqual(['dimension_value.created'])
    expect((await send(body)).data).toMatchObject({ created: 0, updated: 0, unchanged: 3 })
    expect(await eventsOf(parent.id)).toEqual(['dimension_value.created'])
  })

  it('with a wrong row changes nothing and names it; a preview names all', async () => {
    const body = file('code,name,valid_from', 'F-GOOD,Good,', 'F-BAD,,', 'F-WORSE,Worse,yesterday')
    expect(await send(body)).toMatchObject({ status: 400, detail: 'Row 3 of values.csv: The name is missing.' })
    expect((await client.get(path, { q: 'F-GOOD' })).data.items).toEqual([])
    expect((await send({ ...body, preview: true })).data).toMatchObject({
      created: 1, failed: 2,
      rows: [
        { action: 'create' }, { action: 'error', id: null, detail: 'The name is missing.' }, { action: 'error', detail: expect.stringMatching(/yesterday/) },
      ],
    })
  })

  it.each([
    ['an unknown column', file('code,name,colour', 'A,A,red'), /has a column colour/],
    ['no code', file('name', 'A'), /has no column code/],
    ['what is no file', { file_name: 'x.csv', content_base64: '!!' }, /is not base64/],
  ])('with %s is refused', async (_, body, detail) => {
    expect(await send(body)).toMatchObject({ status: 400, detail: expect.stringMatching(detail) })
  })

  it('of many rows, sent twice at once, makes each value once', async () => {
    const body = file('code,name', ...Array.from({ length: 300 }, (_, index) => `M${index},Many ${index}`))
    const answers = await Promise.all([send(body), send(body)])
    expect(answers.map(({ data }) => [data.created, data.unchanged]).toSorted()).toEqual([[0, 300], [300, 0]])
  })
})
