import { beforeAll, describe, expect, it } from 'vitest'
import { client } from '../../../test/support/client.ts'
import { newBusiness, newMember, sql, type Team } from '../../../test/support/people.ts'
import { service, startService } from '../../../test/support/service.ts'
import { newId } from '../ids.ts'

let team: Team
let invitation: any
/** Where the log of the business stood before the test wrote into it. */
let start: number
beforeAll(async () => {
  team = await newBusiness()
  start = await headOf(team)
  invitation = await write(team)
  await team.client.patch(`/invitations/${invitation.id}`, { role: 'approver' })
  await team.client.put(`/invitations/${invitation.id}/revoke`)
  await write(team)
})

const write = async (into: Team) => (await into.client.post('/invitations', { email: `${newId()}@example.com`, role: 'viewer' })).data

const tokenOf = async (of: Team, scopes: string[]) =>
  (await of.client.post('/api-tokens', { name: 'Program', scopes, business_ids: [of.business_id] })).data

async function headOf({ business_id }: Team): Promise<number> {
  return (await sql('select event_seq::int from business_heads where business_id = $1', [business_id]))[0].event_seq
}

const seqsOf = (items: any[], from = start) => items.map(({ seq }) => seq - from)

const typesOf = async (query: object, caller = team.client) => (await caller.get('/events', query as never)).data.items.map(({ type }: any) => type)

describe('the log', () => {
  it('is read newest first, and replayed from a place in order', async () => {
    const all = (await team.client.get('/events', { limit: 4 })).data.items
    expect(seqsOf(all)).toEqual([4, 3, 2, 1])
    expect(all[1]).toMatchObject({
      type: 'invitation.revoked', resource_type: 'invitation', resource_id: invitation.id,
      actor: { kind: 'user', id: team.owner.user_id, name: 'Olive Owner' }, data: { id: invitation.id, status: 'revoked', role: 'approver' },
    })
    const replay = (await team.client.get('/events', { after: start + 1, limit: 2 })).data
    expect(seqsOf(replay.items)).toEqual([2, 3])
    const rest = (await team.client.get('/events', { after: start + 1, limit: 2, cursor: replay.next_cursor })).data
    expect(seqsOf(rest.items)).toEqual([4])
    expect(seqsOf((await team.client.get('/events', { after: 0, descending: true, limit: 1 })).data.items)).toEqual([4])
    expect((await team.client.get('/events', { after: start + 4 })).data.items).toEqual([])
    expect((await team.client.get(`/events/${all[0].id}`)).data).toEqual(all[0])
  })

  it('filters', async () => {
    const [latest] = (await team.client.get('/events')).data.items
    expect(await typesOf({ type: 'invitation.*', after: 0 })).toEqual(['invitation.created', 'invitation.updated', 'invitation.revoked', 'invitation.created'])
    expect(await typesOf({ type: ['invitation.revoked', 'note.*'] })).toEqual(['invitation.revoked'])
    expect(await typesOf({ type: 'note.*' })).toEqual([])
    expect(await typesOf({ resource_type: 'invitation', resource_id: invitation.id }))
      .toEqual(['invitation.revoked', 'invitation.updated', 'invitation.created'])
    expect(await typesOf({ resource_type: 'note' })).toEqual([])
    expect(await typesOf({ to: latest.occurred_at, type: 'invitation.*' })).toHaveLength(3)
    expect(await typesOf({ from: latest.occurred_at })).toHaveLength(1)
    for (const query of [{ type: 'invitation' }, { type: '*' }, { after: -1 }, { resource_id: 'x' }, { from: 'x' }]) {
      expect((await team.client.get('/events', query as never)).status).toBe(422)
    }
  })

  it('shows only kinds that the caller may read', async () => {
    const viewer = await newMember(team.business_id, 'viewer')
    expect(await typesOf({ type: 'invitation.*' }, viewer.client)).toEqual([])
    expect(await typesOf({ resource_type: 'invitation' }, viewer.client)).toEqual([])
    expect(await typesOf({}, viewer.client)).not.toContain('invitation.created')
    const { data } = await team.client.get('/events')
    expect((await viewer.client.get(`/events/${data.items[0].id}`)).status).toBe(404)
    const types = (await viewer.client.get('/events/types')).data.map(({ group }: any) => group)
    expect(types).toContain('notes')
    expect(types).not.toContain('invitations')
    const narrow = (await tokenOf(team, ['events:read', 'notes:read'])).token
    expect(await typesOf({}, client(narrow, team.business_id))).toEqual([])
    const blind = (await tokenOf(team, ['notes:read'])).token
    for (const path of ['', '/types', '/stream', `/${data.items[0].id}`]) {
      expect((await client(blind, team.business_id).get(`/events${path}`)).status).toBe(403)
      expect((await client().get(`/events${path}`)).status).toBe(401)
    }
    const other = await newBusiness()
    expect(await typesOf({ type: 'invitation.*' }, other.client)).toEqual([])
    expect((await other.client.get(`/events/${data.items[0].id}`)).status).toBe(404)
  })

  it('describes its types', async () => {
    const { data } = await team.client.get('/events/types')
    const accepted = data.find(({ type }: any) => type === 'invitation.accepted')
    expect(accepted).toMatchObject({ resource_type: 'invitation', group: 'invitations' })
    expect(accepted.data).toMatchObject({ type: 'object', title: 'Invitation', properties: { email: { type: 'string' } } })
    expect(accepted.data.required).toContain('status')
  })

  it('has no gap and no double under thirty writers at once', async () => {
    const own = await newBusiness()
    const before = await headOf(own)
    const answers = await Promise.all(Array.from({ length: 30 }, () => own.client.post('/invitations', { email: `${newId()}@example.com`, role: 'viewer' })))
    expect(answers.every(({ status }) => status === 201)).toBe(true)
    const { items } = (await own.client.get('/events', { after: before, limit: 1000 })).data
    expect(seqsOf(items, before)).toEqual(Array.from({ length: 30 }, (_, index) => index + 1))
    expect(new Set(items.map(({ resource_id }: any) => resource_id))).toEqual(new Set(answers.map(({ data }) => data.id)))
    expect((await own.client.get('/audit-trail/verify')).data).toMatchObject({ checked: before + 30, ok: true })
    expect(await headOf(own)).toBe(before + 30)
  })

  it('numbers nothing that was rolled back', async () => {
    const own = await newBusiness()
    const before = await headOf(own)
    const body = { email: `${newId()}@example.com`, role: 'viewer' }
    expect((await own.client.post('/invitations', body, { query: { dry_run: true } })).status).toBe(201)
    expect((await own.client.post('/invitations', { ...body, role: 'king' })).status).toBe(422)
    await own.client.post('/invitations', body)
    expect(seqsOf((await own.client.get('/events', { after: before })).data.items, before)).toEqual([1])
  })
})

type Message = { id: string; event: string; data: any }

/** An event stream as a browser reads it. */
async function open(url: string, token: string, business_id: string, query = '', headers: Record<string, string> = {}) {
  const ending = new AbortController()
  const response = await fetch(`${url}/api/v1/events/stream${query}`, {
    headers: { authorization: `Bearer ${token}`, 'x-business-id': business_id, ...headers }, signal: ending.signal,
  })
  return { response, messages: messagesOf(response), close: () => ending.abort() }
}

async function* messagesOf(response: Response): AsyncGenerator<Message, void> {
  let text = ''
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const parts = (text + chunk).split('\n\n')
    text = parts.pop() ?? ''
    for (const part of parts) {
      const [, id = '', event = '', data = ''] = /^id: (.*)\nevent: (.*)\ndata: (.*)$/.exec(part) ?? []
      if (id) yield { id, event, data: JSON.parse(data) }
    }
  }
}

async function next(messages: AsyncGenerator<Message, void>): Promise<Message> {
  const { value } = await messages.next()
  if (!value) throw new Error('The stream ended.')
  return value
}

describe('the stream', () => {
  it('brings what happens, from now, from a place or from where it broke off', async () => {
    const own = await newBusiness()
    const { url } = await service()
    const [first, second] = [await headOf(own) + 1, await headOf(own) + 2].map(String)
    await write(own)
    const live = await open(url, own.owner.token, own.business_id)
    expect(live.response.headers.get('content-type')).toBe('text/event-stream')
    expect(live.response.headers.get('x-request-id')).toEqual(expect.any(String))
    const made = await write(own)
    expect(await next(live.messages)).toMatchObject({ id: second, event: 'invitation.created', data: { resource_id: made.id, data: { email: made.email } } })
    live.close()
    const replayed = await open(url, own.owner.token, own.business_id, `?after=${Number(first) - 1}`)
    expect([(await next(replayed.messages)).id, (await next(replayed.messages)).id]).toEqual([first, second])
    replayed.close()
    const resumed = await open(url, own.owner.token, own.business_id, '?after=0', { 'last-event-id': first ?? '' })
    expect((await next(resumed.messages)).id).toBe(second)
    resumed.close()
  })

  it('filters', async () => {
    const own = await newBusiness()
    const { url } = await service()
    const made = await write(own)
    const revocations = await open(url, own.owner.token, own.business_id, '?after=0&type=invitation.revoked')
    await own.client.put(`/invitations/${made.id}/revoke`)
    expect(await next(revocations.messages)).toMatchObject({ event: 'invitation.revoked', data: { resource_id: made.id } })
    revocations.close()
    expect((await own.client.get('/events/stream', { after: 'x' })).status).toBe(422)
    expect((await client(own.owner.token).get('/events/stream')).status).toBe(400)
  })

  it('skips what the caller may not read', async () => {
    const own = await newBusiness()
    const { url } = await service()
    const viewer = await newMember(own.business_id, 'viewer')
    const stream = await open(url, viewer.token, own.business_id, '?after=0')
    await write(own)
    await own.client.put(`/businesses/${own.business_id}`, { name: 'Renamed' })
    const seen: string[] = []
    while (seen.at(-1) !== 'business.updated') seen.push((await next(stream.messages)).event)
    expect(seen).not.toContain('invitation.created')
    stream.close()
  })

  it('ends when the credential is revoked', async () => {
    const own = await newBusiness()
    const { url } = await service()
    const token = await tokenOf(own, ['events:read', 'invitations:read'])
    const stream = await open(url, token.token, own.business_id)
    await write(own)
    expect((await next(stream.messages)).event).toBe('invitation.created')
    await own.client.delete(`/api-tokens/${token.id}`)
    expect((await stream.messages.next()).done).toBe(true)
  })

  it('ends when the server stops', async () => {
    const own = await newBusiness()
    const { url, program } = await startService()
    const stream = await open(url, own.owner.token, own.business_id)
    const stopping = program.stop()
    expect((await stream.messages.next()).done).toBe(true)
    await stopping
  })
})
