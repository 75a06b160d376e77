// Tests of notes over HTTP.
import { beforeAll, describe, expect, it } from 'vitest'
import { eventsOf } from '../../../test/support/events.ts'
import type { Client } from '../../../test/support/client.ts'
import { newBusiness, newMember, type Person, type Team } from '../../../test/support/people.ts'
import { newId } from '../../foundation/ids.ts'

let team: Team
let client: Client
let viewer: Person
beforeAll(async () => {
  team = await newBusiness()
  client = team.client
  viewer = await newMember(team.business_id, 'viewer')
})

/** A record to write on. */
async function newRecord(): Promise<{ resource_type: string; resource_id: string }> {
  const todo = await client.post('/todos', { title: 'A record' })
  return { resource_type: 'todo', resource_id: todo.data.id }
}

async function newNote(more: object = {}, by: Client = client) {
  const answer = await by.post('/notes', { ...(await newRecord()), body: 'A note', ...more })
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.data
}

describe('writing', () => {
  it('keeps the text safe to show, with its author and the members it mentions', async () => {
    const note = await newNote({ body: `<b>Hi</b> @${viewer.email.toUpperCase()}` })
    expect(note).toMatchObject({
      author_id: team.owner.user_id, author_name: 'Olive Owner', mentions: [viewer.user_id], pinned: false, edited_at: null, deleted: false, version: 1,
    })
    expect(note.body).toMatch(/^&lt;b>Hi&lt;\/b> @/)
    expect((await client.get(`/notes/${note.id}`)).data).toEqual(note)
    expect(await eventsOf(note.id)).toEqual(['note.created'])
  })

  it('by everyone in the business', async () => {
    expect(await newNote({}, viewer.client)).toMatchObject({ author_id: viewer.user_id })
  })

  it.each([
    ['a record that does not exist', { resource_id: newId() }, 404, /not found/],
    ['a kind of record that does not exist', { resource_type: 'unicorn' }, 404, /unicorn not found/],
    ['a kind that cannot be pointed at', { resource_type: 'note' }, 404, /not found/],
    ['a parent that does not exist', { parent_id: newId() }, 404, /Parent note not found/],
    ['somebody from outside', { body: 'Hi @stranger@example.com' }, 400, /stranger@example.com is not in this business/],
  ])('refuses %s', async (_, wrong, status, detail) => {
    const answer = await client.post('/notes', { ...(await newRecord()), body: 'A note', ...wrong })
    expect(answer).toMatchObject({ status, detail: expect.stringMatching(detail) })
  })

  it('names all problems of the shape at once', async () => {
    const { status, detail } = await client.post('/notes', { resource_type: 3, resource_id: 'x' })
    expect(status).toBe(422)
    expect(detail.map((problem: { loc: string[]; type: string }) => [problem.loc.join('.'), problem.type])).toEqual([
      ['body.body', 'missing'], ['body.resource_type', 'string_type'], ['body.resource_id', 'uuid_parsing'],
    ])
  })

  it('a dry run answers the same and leaves no trace', async () => {
    const record = await newRecord()
    const dry = await client.call('POST', '/notes', { query: { dry_run: true }, body: { ...record, body: 'Not yet' } })
    expect(dry).toMatchObject({ status: 201, data: { body: 'Not yet' } })
    expect((await client.get('/notes', record)).data.items).toEqual([])
    expect(await eventsOf(dry.data.id)).toEqual([])
  })

  it('under an idempotency key writes once', async () => {
    const body = { ...(await newRecord()), body: 'Once' }
    const headers = { 'idempotency-key': newId() }
    const first = await client.post('/notes', body, { headers })
    const second = await client.post('/notes', body, { headers })
    expect(second.body).toEqual(first.body)
    expect(second.headers.get('idempotent-replayed')).toBe('true')
    expect((await client.post('/notes', { ...body, body: 'Other' }, { headers })).status).toBe(400)
    expect((await client.get('/notes', { resource_id: body.resource_id })).data.items).toHaveLength(1)
  })
})

describe('threads', () => {
  it('are one level deep and stay on their record', async () => {
    const top = await newNote()
    const { resource_type, resource_id } = top
    const reply = await newNote({ resource_type, resource_id, parent_id: top.id })
    const answer = (more: object) => client.post('/notes', { resource_type, resource_id, body: 'Reply', ...more })
    expect(await answer({ parent_id: reply.id })).toMatchObject({ status: 400, detail: expect.stringMatching(/cannot be answered/) })
    expect(await answer({ parent_id: (await newNote()).id })).toMatchObject({ status: 400, detail: expect.stringMatching(/another record/) })
  })

  it('keep their top as an empty note until the last reply is gone', async () => {
    const top = await newNote()
    const { resource_type, resource_id } = top
    const reply = { resource_type, resource_id, parent_id: top.id }
    const replies = [await newNote(reply), await newNote(reply)]
    expect((await client.delete(`/notes/${top.id}`)).data).toMatchObject({ deleted: true, body: '', version: 2 })
    expect((await client.delete(`/notes/${top.id}`)).data.version).toBe(2)
    expect((await client.get(`/notes/${top.id}`)).data).toMatchObject({ deleted: true, body: '' })
    expect(await eventsOf(top.id)).toEqual(['note.created', 'note.deleted'])
    expect(await client.put(`/notes/${top.id}`, { body: 'Again' })).toMatchObject({ status: 400, detail: 'This note was deleted.' })
    expect(await client.put(`/notes/${top.id}/pin`)).toMatchObject({ status: 400, detail: 'This note was deleted.' })
    expect((await client.post('/notes', { ...reply, body: 'Too late' })).status).toBe(400)
    await Promise.all(replies.map(({ id }) => client.delete(`/notes/${id}`)))
    expect((await client.get(`/notes/${top.id}`)).status).toBe(404)
  })
})

describe('changing', () => {
  it('is for the author, who leaves a mark', async () => {
    const note = await newNote({}, viewer.client)
    expect(await client.put(`/notes/${note.id}`, { body: 'Mine now' })).toMatchObject({ status: 403, detail: 'Only its author can edit a note.' })
    const edited = await viewer.client.put(`/notes/${note.id}`, { body: 'Better' })
    expect(edited.data).toMatchObject({ body: 'Better', edited_at: expect.any(String), version: 2 })
    expect((await viewer.client.put(`/notes/${note.id}`, {})).data.version).toBe(2)
  })

  it('with a stale If-Match is a 412 and changes nothing', async () => {
    const note = await newNote()
    const stale = { headers: { 'if-match': '"9"' } }
    expect((await client.put(`/notes/${note.id}`, { body: 'Lost' }, stale)).status).toBe(412)
    expect((await client.delete(`/notes/${note.id}`, stale)).status).toBe(412)
    expect((await client.get(`/notes/${note.id}`)).data).toEqual(note)
    expect((await client.put(`/notes/${note.id}`, { body: 'Kept' }, { headers: { 'if-match': '"1"' } })).status).toBe(200)
  })

  it('deleting is for the author and for admins', async () => {
    const [first, second] = [await newNote(), await newNote({}, viewer.client)]
    expect(await viewer.client.delete(`/notes/${first.id}`)).toMatchObject({ status: 403, detail: 'Only its author or an admin can delete a note.' })
    expect((await client.delete(`/notes/${second.id}`)).status).toBe(200)
    expect((await client.get(`/notes/${second.id}`)).status).toBe(404)
  })

  it('of a note of another business finds nothing', async () => {
    const note = await newNote()
    const other = (await newBusiness()).client
    const path = `/notes/${note.id}`
    const calls = [other.get(path), other.put(path, { body: 'x' }), other.delete(path), other.put(`${path}/pin`), other.put(`${path}/unpin`)]
    expect((await Promise.all(calls)).map(({ status, detail }) => `${status} ${detail}`)).toEqual(Array(5).fill('404 Note not found.'))
  })
})

describe('pinning', () => {
  it('stops at five of a record, also for many at once', async () => {
    const record = await newRecord()
    const notes = await Promise.all(Array.from({ length: 12 }, () => newNote(record)))
    const pin = (note: { id: string }) => client.put(`/notes/${note.id}/pin`)
    const [first, ...others] = notes
    for (const note of notes.slice(0, 4)) expect((await pin(note)).data.pinned).toBe(true)
    const last = await Promise.all(notes.slice(4).map(pin))
    expect(last.map((answer) => answer.status).toSorted()).toEqual([200, ...Array(7).fill(400)])
    expect(last.find((answer) => answer.status === 400)?.detail).toBe('This record has 5 pinned notes already: unpin one first.')
    expect((await pin(first)).data.version).toBe(2)
    expect((await client.put(`/notes/${first.id}/unpin`)).data).toMatchObject({ pinned: false, version: 3 })
    expect((await client.put(`/notes/${first.id}/unpin`)).data.version).toBe(3)
    expect((await Promise.all(others.map(pin))).filter((answer) => answer.status === 200)).toHaveLength(5)
  })
})

describe('finding', () => {
  it('by record, author, mention and words', async () => {
    const record = await newRecord()
    const mine = await newNote({ ...record, body: 'The zebra crossing' })
    const theirs = await newNote({ ...record, body: `For @${team.owner.email}, about zebras` }, viewer.client)
    const found = async (query: Record<string, string>): Promise<string[]> =>
      (await client.get('/notes', { ...query, descending: 'false' })).data.items.map((note: { id: string }) => note.id)
    expect(await found({ ...record })).toEqual([mine.id, theirs.id])
    expect(await found({ ...record, author_id: viewer.user_id })).toEqual([theirs.id])
    expect(await found({ ...record, mentions_me: 'true' })).toEqual([theirs.id])
    expect(await found({ ...record, mentions_me: 'false' })).toEqual([mine.id, theirs.id])
    expect(await found({ q: 'zebra' })).toEqual([mine.id])
    expect(await found({ q: 'zebra -crossing' })).toEqual([])
    expect((await (await newBusiness()).client.get('/notes', { q: 'zebra' })).data.items).toEqual([])
    expect((await client.get('/notes', { q: team.business_id })).data.items).toEqual([])
  })

  it('counts the notes of several records', async () => {
    const [first, second] = [await newRecord(), await newRecord()]
    await newNote(first)
    const latest = await newNote(first)
    const query = { resource_type: 'todo', resource_ids: [first.resource_id, second.resource_id] }
    expect((await client.get('/notes/counts', query)).data).toEqual([{ resource_id: first.resource_id, count: 2, latest_at: latest.created_at }])
    expect((await client.get('/notes/counts', { resource_type: 'todo' })).status).toBe(422)
  })
})
