// Tests of tags over HTTP, and of what deleted records leave.
import { beforeAll, describe, expect, it } from 'vitest'
import { deliver, eventsOf } from '../../../test/support/events.ts'
import type { Call, Client } from '../../../test/support/client.ts'
import { newBusiness, newMember, sql, type Team } from '../../../test/support/people.ts'
import { newId } from '../../foundation/ids.ts'
import type { Tag } from './contract.ts'

let team: Team
let client: Client
beforeAll(async () => {
  team = await newBusiness()
  client = team.client
})

let made = 0
async function newTag(more: object = {}): Promise<Tag> {
  const answer = await client.post('/tags', { name: `Tag ${++made}`, ...more })
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.data
}

/** Records to put tags on. */
const newRecords = (count: number): Promise<string[]> =>
  Promise.all(Array.from({ length: count }, async () => (await client.post('/todos', { title: 'A record' })).data.id))

const use = (verb: 'assign' | 'unassign', tags: Tag[], resource_ids: string[]) =>
  client.post(`/tags/${verb}`, { tag_ids: tags.map((tag) => tag.id), resource_type: 'todo', resource_ids })

const carriers = async (tag: Tag): Promise<string[]> =>
  (await client.get(`/tags/${tag.id}/records`)).data.items.map((record: { resource_id: string }) => record.resource_id).toSorted()

const usage = async (tag: Tag): Promise<number> => (await client.get(`/tags/${tag.id}`)).data.usage_count

describe('the tags themselves', () => {
  it('are created, read and renamed', async () => {
    const tag = await newTag({ name: ' Big  client ', color: '#ABCDEF', group_name: 'Size' })
    expect(tag).toMatchObject({ name: 'Big client', color: '#abcdef', group_name: 'Size', usage_count: 0, archived: false, version: 1 })
    expect((await client.get(`/tags/${tag.id}`)).data).toEqual(tag)
    const { data } = await client.put(`/tags/${tag.id}`, { name: 'BIG client', color: null })
    expect(data).toMatchObject({ name: 'BIG client', color: null, group_name: 'Size', version: 2 })
    expect(await eventsOf(tag.id)).toEqual(['tag.created', 'tag.updated'])
  })

  it('have names that are unique ignoring case, also for two at once', async () => {
    const answers = await Promise.all(['Twice', 'TWICE'].map((name) => client.post('/tags', { name })))
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([201, 400])
    const refusal = 'A tag of this name exists already: use it, or choose another name.'
    expect(answers.find((answer) => answer.status === 400)?.detail).toBe(refusal)
    expect(await client.put(`/tags/${(await newTag()).id}`, { name: 'tWiCe' })).toMatchObject({ status: 400, detail: refusal })
    expect((await client.call('POST', '/tags', { query: { dry_run: true }, body: { name: 'twice' } })).status).toBe(400)
    expect((await (await newBusiness()).client.post('/tags', { name: 'Twice' })).status).toBe(201)
  })

  it.each([
    [{}, 'missing'], [{ name: ' ' }, 'value_error'], [{ name: 'x'.repeat(51) }, 'string_too_long'], [{ name: 'x', color: '#zzzzzz' }, 'value_error'],
  ])('%j is a 422', async (body, type) => {
    expect(await client.post('/tags', body)).toMatchObject({ status: 422, detail: [{ type }] })
  })

  it('are archived and restored; repeating it changes nothing', async () => {
    const tag = await newTag()
    const step = async (action: string) => (await client.put(`/tags/${tag.id}/${action}`)).data
    expect(await step('archive')).toMatchObject({ archived: true, version: 2 })
    expect(await step('archive')).toMatchObject({ archived: true, version: 2 })
    expect(await use('assign', [tag], await newRecords(1))).toMatchObject({ status: 400, detail: `The tag “${tag.name}” is archived: restore it first.` })
    expect(await step('restore')).toMatchObject({ archived: false, version: 3 })
    expect(await step('restore')).toMatchObject({ archived: false, version: 3 })
    expect(await eventsOf(tag.id)).toEqual(['tag.created', 'tag.archived', 'tag.restored'])
  })

  it('are deleted while unused, or with force', async () => {
    const [unused, used] = [await newTag(), await newTag()]
    await use('assign', [used], await newRecords(2))
    expect((await client.delete(`/tags/${unused.id}`)).status).toBe(200)
    const refusal = `2 records carry the tag “${used.name}”: archive it, or delete it with force=true.`
    expect(await client.delete(`/tags/${used.id}`)).toMatchObject({ status: 400, detail: refusal })
    expect((await client.delete(`/tags/${used.id}`, { query: { force: true } })).status).toBe(200)
    expect((await client.get(`/tags/${used.id}`)).status).toBe(404)
    expect(await sql('select count(*)::int as left from tag_assignments where tag_id = $1', [used.id])).toEqual([{ left: 0 }])
  })

  it('with a stale If-Match stay as they are', async () => {
    const [tag, other] = [await newTag(), await newTag()]
    const stale = { headers: { 'if-match': '"7"' } }
    const path = `/tags/${tag.id}`
    const writes = [
      client.put(path, { name: 'x' }, stale), client.delete(path, stale), client.put(`${path}/archive`, undefined, stale),
      client.put(`${path}/restore`, undefined, stale), client.put(`${path}/merge`, { into_id: other.id }, stale),
    ]
    expect((await Promise.all(writes)).map((answer) => answer.status)).toEqual(Array(5).fill(412))
    expect((await client.get(path)).data).toEqual(tag)
    expect((await client.put(`${path}/merge`, { into_id: other.id }, { headers: { 'if-match': '"1"' } })).status).toBe(200)
  })

  it('of another business are not found, and viewers only look', async () => {
    const [tag, other, viewer] = [await newTag(), (await newBusiness()).client, (await newMember(team.business_id, 'viewer')).client]
    const path = `/tags/${tag.id}`
    const assignment = { tag_ids: [tag.id], resource_type: 'todo', resource_ids: [newId()] }
    const statuses = async (by: Client) => (await Promise.all([
      by.put(path, { name: 'x' }), by.delete(path), by.put(`${path}/archive`), by.put(`${path}/restore`), by.put(`${path}/merge`, { into_id: tag.id }),
      by.post('/tags/assign', assignment), by.post('/tags/unassign', assignment), by.get(path), by.get(`${path}/records`),
    ])).map((answer) => answer.status)
    expect(await statuses(other)).toEqual(Array(9).fill(404))
    expect(await statuses(viewer)).toEqual([...Array(7).fill(403), 200, 200])
  })
})

describe('assigning', () => {
  it('puts every tag on every record, once, and counts exactly', async () => {
    const [tags, records] = [[await newTag(), await newTag()], await newRecords(3)]
    expect((await use('assign', tags, records)).data).toEqual({ changed: 6 })
    expect((await use('assign', tags, [...records, ...records])).data).toEqual({ changed: 0 })
    expect(await Promise.all(tags.map(usage))).toEqual([3, 3])
    expect(await carriers(tags[0] as Tag)).toEqual(records.toSorted())
    expect((await use('unassign', tags.slice(0, 1), [...records.slice(1), newId()])).data).toEqual({ changed: 2 })
    expect((await use('unassign', tags.slice(0, 1), records.slice(1))).data).toEqual({ changed: 0 })
    expect(await Promise.all(tags.map(usage))).toEqual([1, 3])
    expect(await eventsOf((tags[0] as Tag).id)).toEqual(['tag.created', 'tag.assigned', 'tag.unassigned'])
  })

  it('by many at once still counts exactly', async () => {
    const [tag, records] = [await newTag(), await newRecords(6)]
    await Promise.all(records.map((_, index) => use('assign', [tag], records.slice(0, index + 1))))
    expect(await usage(tag)).toBe(6)
    await Promise.all([use('unassign', [tag], records.slice(0, 3)), use('unassign', [tag], records.slice(2, 4)), use('assign', [tag], records.slice(4))])
    expect(await usage(tag)).toBe((await carriers(tag)).length)
  })

  it('tells in the event which records', async () => {
    const [tag, records] = [await newTag(), await newRecords(2)]
    await use('assign', [tag], records)
    const [event] = await sql(`select data from events where resource_id = $1 and type = 'tag.assigned'`, [tag.id])
    expect(event.data).toMatchObject({ name: tag.name, usage_count: 2, resource_type: 'todo' })
    expect(event.data.resource_ids.toSorted()).toEqual(records.toSorted())
  })

  it('refuses what is not there, and then puts nothing on anything', async () => {
    const [tag, records] = [await newTag(), await newRecords(1)]
    expect(await use('assign', [tag], [...records, newId()])).toMatchObject({ status: 404, detail: expect.stringMatching(/^Todo .* not found/) })
    expect(await use('assign', [tag, { ...tag, id: newId() }], records)).toMatchObject({ status: 404, detail: expect.stringMatching(/^Tag .* not found/) })
    expect((await client.post('/tags/assign', { tag_ids: [tag.id], resource_type: 'unicorn', resource_ids: records })).status).toBe(404)
    expect((await use('assign', [], records)).status).toBe(422)
    expect((await use('assign', [tag], Array(1001).fill(records[0]))).status).toBe(422)
    expect(await usage(tag)).toBe(0)
  })

  it('a thousand records at once', async () => {
    const records: string[] = (await sql(
      `insert into todos (business_id, id, title, priority, checklist, tags, status, source, created_at, updated_at, version)
       select $1, gen_random_uuid(), 'Todo', 'normal', '[]', '{}', 'open', 'manual', now(), now(), 1 from generate_series(1, 1000) returning id`,
      [team.business_id])).map((row) => row.id)
    const tags = [await newTag(), await newTag(), await newTag()]
    expect((await use('assign', tags, records)).data).toEqual({ changed: 3000 })
    expect((await client.delete(`/tags/${tags[0]?.id}`, { query: { force: true } })).status).toBe(200)
  })
})

describe('groups', () => {
  it('give a record at most one of their tags', async () => {
    const group_name = 'Color'
    const [red, blue, records] = [await newTag({ name: 'Red', group_name }), await newTag({ name: 'Blue', group_name }), await newRecords(2)]
    const both = '“Red” and “Blue” are both of the group “Color”: a record can have one of them.'
    expect(await use('assign', [red, blue], records)).toMatchObject({ status: 400, detail: both })
    await use('assign', [red], records)
    const other = `${records[1]} has the tag “Red”, of the same group as “Blue”: take that off first.`
    expect(await use('assign', [blue], records.slice(1))).toMatchObject({ status: 400, detail: other })
    await use('unassign', [red], records.slice(1))
    expect((await use('assign', [blue], records.slice(1))).data).toEqual({ changed: 1 })
  })

  it('also for two at once', async () => {
    const [tags, [record = '']] = [[await newTag({ group_name: 'Race' }), await newTag({ group_name: 'Race' })], await newRecords(1)]
    const answers = await Promise.all(tags.map((tag) => use('assign', [tag], [record])))
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([201, 400])
  })

  it('are joined only by a tag whose records have no other of them', async () => {
    const [north, other, free, records] = [await newTag({ group_name: 'Region' }), await newTag(), await newTag(), await newRecords(2)]
    await use('assign', [north, other], records)
    const join = (tag: Tag) => client.put(`/tags/${tag.id}`, { group_name: 'Region' })
    expect(await join(other)).toMatchObject({ status: 400, detail: expect.stringContaining(`has both “${other.name}” and “${north.name}”`) })
    expect((await join(free)).status).toBe(200)
    expect((await use('assign', [free], records)).status).toBe(400)
    await client.put(`/tags/${north.id}`, { group_name: null })
    expect((await use('assign', [free], records)).data).toEqual({ changed: 2 })
    const kept = await sql('select distinct group_name from tag_assignments where tag_id = any($1) order by 1', [[north.id, free.id]])
    expect(kept).toEqual([{ group_name: 'Region' }, { group_name: null }])
  })
})

describe('merging', () => {
  const merge = (tag: Tag, into: Tag) => client.put(`/tags/${tag.id}/merge`, { into_id: into.id })

  it('moves the records; those with both keep one', async () => {
    const [tag, into, records] = [await newTag(), await newTag({ group_name: 'Merged' }), await newRecords(4)]
    await use('assign', [tag], records.slice(0, 3))
    await use('assign', [into], records.slice(2))
    expect((await merge(tag, into)).data).toMatchObject({ id: into.id, usage_count: 4 })
    expect(await carriers(into)).toEqual(records.toSorted())
    expect((await client.get(`/tags/${tag.id}`)).status).toBe(404)
    expect(await eventsOf(tag.id)).toEqual(['tag.created', 'tag.assigned', 'tag.merged'])
    const [event] = await sql(`select data from events where resource_id = $1 and type = 'tag.merged'`, [tag.id])
    expect(event.data.merged_into).toBe(into.id)
    expect((await use('assign', [await newTag({ group_name: 'Merged' })], records.slice(0, 1))).status).toBe(400)
  })

  it('refuses itself, an archived tag, an unknown one, and a third tag of the group', async () => {
    const [tag, into, third, records] = [await newTag(), await newTag({ group_name: 'Third' }), await newTag({ group_name: 'Third' }), await newRecords(1)]
    expect(await merge(tag, tag)).toMatchObject({ status: 400, detail: 'A tag cannot be merged into itself.' })
    expect((await merge(tag, { ...tag, id: newId() })).status).toBe(404)
    await use('assign', [tag, third], records)
    expect(await merge(tag, into)).toMatchObject({ status: 400, detail: expect.stringContaining(`has both “${tag.name}” and “${third.name}”`) })
    await client.put(`/tags/${into.id}/archive`)
    expect(await merge(tag, into)).toMatchObject({ status: 400, detail: expect.stringContaining('is archived') })
    expect(await usage(tag)).toBe(1)
  })

  it('each into the other at once leaves one', async () => {
    const [one, other] = [await newTag(), await newTag()]
    await use('assign', [one], await newRecords(1))
    await use('assign', [other], await newRecords(1))
    const answers = await Promise.all([merge(one, other), merge(other, one)])
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 404])
    expect(answers.find((answer) => answer.status === 200)?.data.usage_count).toBe(2)
  })
})

it('a deleted record loses its tags', async () => {
  const [tag, [record = '', kept = '']] = [await newTag(), await newRecords(2)]
  await use('assign', [tag], [record, kept])
  await client.delete(`/todos/${record}`)
  await deliver(team.business_id)
  expect([await usage(tag), await carriers(tag)]).toEqual([1, [kept]])
})

describe('lists', () => {
  it('hide the archived unless asked, sort without regard to case, and filter', async () => {
    const other = (await newBusiness()).client
    const ids = new Map<string, string>()
    for (const body of [{ name: 'banana' }, { name: 'Apple', group_name: 'Fruit' }, { name: 'cherry' }, { name: 'Date_100%' }]) {
      ids.set(body.name, (await other.post('/tags', body)).data.id)
    }
    await other.put(`/tags/${ids.get('cherry')}/archive`)
    const { data: record } = await other.post('/todos', { title: 'A record' })
    await other.post('/tags/assign', { tag_ids: [ids.get('banana')], resource_type: 'todo', resource_ids: [record.id] })
    const names = async (query: NonNullable<Call['query']>): Promise<string[]> =>
      (await other.get('/tags', { descending: false, ...query })).data.items.map((tag: Tag) => tag.name)
    expect(await names({})).toEqual(['Apple', 'banana', 'Date_100%'])
    expect(await names({ archived: 'all' })).toEqual(['Apple', 'banana', 'cherry', 'Date_100%'])
    expect(await names({ archived: 'true' })).toEqual(['cherry'])
    expect(await names({ group_name: 'Fruit' })).toEqual(['Apple'])
    expect(await names({ resource_type: 'todo' })).toEqual(['banana'])
    expect(await names({ q: 'AN' })).toEqual(['banana'])
    expect(await names({ q: '_100%' })).toEqual(['Date_100%'])
    expect((await names({ sort_by: 'usage_count', descending: true }))[0]).toBe('banana')
    expect((await other.get('/tags', { archived: 'maybe' })).status).toBe(422)

    const seen: string[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const { data } = await other.get('/tags', { descending: false, limit: 1, ...(cursor && { cursor }) })
      seen.push(...data.items.map((tag: Tag) => tag.name))
      cursor = data.next_cursor
    }
    expect(seen).toEqual(['Apple', 'banana', 'Date_100%'])
    const records = async (resource_type: string) => (await other.get(`/tags/${ids.get('banana')}/records`, { resource_type })).data.items
    expect(await records('todo')).toMatchObject([{ resource_type: 'todo', resource_id: record.id }])
    expect(await records('invoice')).toEqual([])
  })
})
