import pg from 'pg'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { client } from '../../../test/support/client.ts'
import { newBusiness, newMember, sql, type Person, type Team } from '../../../test/support/people.ts'
import { service } from '../../../test/support/service.ts'
import { asSystem } from '../database/transact.ts'
import { newId } from '../ids.ts'
import { verifyChain } from './operations.ts'

let team: Team
let accountant: Person
let invitations: any[]
/** Where the history of the business stood before the test wrote into it. */
let start: number
beforeAll(async () => {
  team = await newBusiness()
  start = await headOf(team)
  accountant = await newMember(team.business_id, 'accountant')
  invitations = await write(team, 4)
  await team.client.patch(`/invitations/${invitations[0].id}`, { role: 'approver' })
})

async function write({ client: caller }: Team, count: number): Promise<any[]> {
  const made = []
  for (let index = 0; index < count; index++) made.push((await caller.post('/invitations', { email: `${newId()}@example.com`, role: 'viewer' })).data)
  return made
}

async function headOf({ business_id }: Team): Promise<number> {
  return (await sql('select audit_seq::int from business_heads where business_id = $1', [business_id]))[0].audit_seq
}

/** What the test wrote; `seq` counts from there. */
const list = async (query: object = {}) => {
  const { items } = (await team.client.get('/audit-trail', query as never)).data
  return items.map((entry: any) => ({ ...entry, seq: entry.seq - start })).filter(({ seq }: any) => seq > 0)
}

describe('the trail', () => {
  it('tells who changed what, newest first', async () => {
    const entries = await list()
    expect(entries.map(({ seq }: any) => seq)).toEqual([5, 4, 3, 2, 1])
    expect(entries[0]).toMatchObject({
      action: 'invitation.updated', actor_kind: 'user', actor_id: team.owner.user_id, actor_name: 'Olive Owner', on_behalf_of: null,
      resource_type: 'invitation', resource_id: invitations[0].id, resource_label: invitations[0].email,
      before: { role: 'viewer' }, after: { role: 'approver' }, reason: null,
    })
    expect(entries[4]).toMatchObject({ before: null, after: { email: invitations[0].email } })
    expect(entries[0].hash).toMatch(/^[0-9a-f]{64}$/)
    expect(entries[0].prev_hash).toBe(entries[1].hash)
    expect((await team.client.get(`/audit-trail/${entries[0].id}`)).data).toEqual({ ...entries[0], seq: start + 5 })
    expect((await team.client.get(`/events/${entries[0].id}`)).status).toBe(200)
  })

  it('walks by pages both ways', async () => {
    const first = (await team.client.get('/audit-trail', { limit: 2 })).data
    const second = (await team.client.get('/audit-trail', { limit: 2, cursor: first.next_cursor })).data
    expect(second.items.map(({ seq }: any) => seq - start)).toEqual([3, 2])
    const back = (await team.client.get('/audit-trail', { limit: 2, cursor: second.prev_cursor, direction: 'prev' })).data
    expect(back.items.map(({ seq }: any) => seq - start)).toEqual([5, 4])
    expect((await team.client.get('/audit-trail', { descending: false, include_total_count: true, limit: 1 })).data)
      .toMatchObject({ total: start + 5, items: [{ seq: 1, prev_hash: '' }] })
    expect((await team.client.get('/audit-trail', { sort_by: 'at' })).status).toBe(422)
  })

  it('filters', async () => {
    const [latest] = await list()
    const seqs = async (query: object) => (await list(query)).map(({ seq }: any) => seq)
    expect(await seqs({ resource_type: 'invitation', resource_id: invitations[0].id })).toEqual([5, 1])
    expect(await seqs({ resource_type: 'note' })).toEqual([])
    expect(await seqs({ actor_id: team.owner.user_id, actor_kind: 'user' })).toEqual([5, 4, 3, 2, 1])
    expect(await seqs({ actor_kind: 'token' })).toEqual([])
    expect(await seqs({ action: ['invitation.updated', 'invitation.revoked'] })).toEqual([5])
    expect(await seqs({ request_id: latest.request_id })).toEqual([5])
    expect(await seqs({ from: latest.at })).toContain(5)
    expect(await seqs({ to: latest.at })).not.toContain(5)
    expect((await team.client.get('/audit-trail', { actor_kind: 'ghost' })).status).toBe(422)
  })

  it('names the person behind a token', async () => {
    const own = await newBusiness()
    const { data } = await own.client.post('/api-tokens', { name: 'Program', scopes: ['members:manage'], business_ids: [own.business_id] })
    const [made] = await write({ ...own, client: own.client }, 1)
    expect((await client(data.token, own.business_id).put(`/invitations/${made.id}/revoke`)).status).toBe(200)
    const [entry] = (await own.client.get('/audit-trail')).data.items
    expect(entry).toMatchObject({ actor_kind: 'token', actor_id: data.id, on_behalf_of: own.owner.user_id })
  })

  it('shows the history of one record, also of one that is gone', async () => {
    const path = `/audit-trail/resources/invitation/${invitations[0].id}`
    const before = (await team.client.get(path)).data.items
    expect(before.map(({ action }: any) => action)).toEqual(['invitation.updated', 'invitation.created'])
    await sql('delete from invitations where id = $1', [invitations[0].id])
    expect((await team.client.get(path)).data.items).toEqual(before)
    expect((await team.client.get(`/audit-trail/resources/invitation/${newId()}`)).status).toBe(404)
    expect((await team.client.get(`/audit-trail/resources/note/${invitations[0].id}`)).status).toBe(404)
    expect((await team.client.get('/audit-trail/resources/invitation/x')).status).toBe(422)
  })

  it('hides what a record says from those who may not read it', async () => {
    const seen = (await accountant.client.get('/audit-trail', { resource_type: 'invitation' })).data.items
    expect(seen).toHaveLength(5)
    for (const entry of seen) expect([entry.before, entry.after, entry.resource_type]).toEqual([null, null, 'invitation'])
    expect((await accountant.client.get(`/audit-trail/${seen[0].id}`)).data).toMatchObject({ before: null, after: null, action: 'invitation.updated' })
    expect((await accountant.client.get(`/audit-trail/resources/invitation/${invitations[1].id}`)).data.items[0].after).toBeNull()
  })

  it('is closed to those without the permission and to other businesses', async () => {
    const bookkeeper = await newMember(team.business_id, 'bookkeeper')
    const [entry] = await list()
    for (const path of ['', '/verify', `/${entry.id}`, `/resources/invitation/${invitations[0].id}`]) {
      expect((await bookkeeper.client.get(`/audit-trail${path}`)).status).toBe(403)
      expect((await client().get(`/audit-trail${path}`)).status).toBe(401)
    }
    const other = await newBusiness()
    expect((await other.client.get(`/audit-trail/${entry.id}`)).status).toBe(404)
    expect((await other.client.get(`/audit-trail/resources/invitation/${invitations[0].id}`)).status).toBe(404)
    expect((await other.client.get('/audit-trail', { resource_type: 'invitation' })).data.items).toEqual([])
  })
})

describe('verifying', () => {
  it('recomputes the whole chain, or a part of it', async () => {
    const own = await newBusiness()
    const before = await headOf(own)
    await write(own, 3)
    const [newest] = (await own.client.get('/audit-trail')).data.items
    expect((await own.client.get('/audit-trail/verify')).data).toEqual({ checked: before + 3, ok: true, first_broken_seq: null, head_hash: newest.hash })
    expect((await own.client.get('/audit-trail/verify', { from_seq: 2, to_seq: 2 })).data)
      .toEqual({ checked: 1, ok: true, first_broken_seq: null, head_hash: newest.hash })
  })

  it('finds nothing wrong where nothing was written', async () => {
    const own = await newBusiness()
    await sql(`update business_heads set audit_seq = 0, audit_hash = '' where business_id = $1`, [own.business_id])
    expect((await own.client.get('/audit-trail/verify')).data).toEqual({ checked: 0, ok: true, first_broken_seq: null, head_hash: '' })
  })

  it.each([
    [{ from_seq: 4, to_seq: 2 }, 400, 'lies behind'],
    [{ to_seq: 1000 }, 400, 'ends at'],
    [{ from_seq: 0 }, 422, null],
  ])('refuses the range %o', async (query, status, detail) => {
    const answer = await team.client.get('/audit-trail/verify', query as never)
    expect(answer.status).toBe(status)
    if (detail) expect(answer.detail).toContain(detail)
  })

  it('checks 100,000 entries in one call at most', async () => {
    const own = await newBusiness()
    await sql('update business_heads set audit_seq = 100001 where business_id = $1', [own.business_id])
    const answer = await own.client.get('/audit-trail/verify')
    expect([answer.status, answer.detail]).toEqual([400, 'At most 100000 entries are checked in one call: narrow the range with from_seq and to_seq.'])
  })

  it.each([
    ['a changed entry', `update audit_trail set after = '{"role": "owner"}' where business_id = $1 and seq = $2 + 2`, 2],
    ['a changed time', `update audit_trail set at = at + interval '1 second' where business_id = $1 and seq = $2 + 3`, 3],
    ['a removed entry', 'delete from audit_trail where business_id = $1 and seq = $2 + 2', 2],
    ['a removed end', 'delete from audit_trail where business_id = $1 and seq = $2 + 4', 4],
    ['a renamed actor', `update audit_trail set actor_name = 'Nobody' where business_id = $1 and seq = $2 + 1`, 1],
  ])('finds %s', async (_what, tampering, seq) => {
    const own = await newBusiness()
    const before = await headOf(own)
    await write(own, 4)
    await tamper(tampering, [own.business_id, before])
    expect((await own.client.get('/audit-trail/verify')).data).toMatchObject({ ok: false, first_broken_seq: before + seq })
    expect((await own.client.get('/audit-trail/verify', { to_seq: before })).data.ok).toBe(true)
  })

  it('serves the command line too', async () => {
    const own = await newBusiness()
    const { program } = await service()
    await write(own, 2)
    const checked = await headOf(own)
    const business = { id: own.business_id, timezone: 'UTC', base_currency: 'USD', read_only: null }
    expect(await asSystem(program.database, business, 'verify', (tx) => verifyChain(tx))).toMatchObject({ checked, ok: true })
  })
})

describe('append-only', () => {
  it.each(['audit_trail', 'events'])('%s refuses the application and the owner alike', async (table) => {
    const app = new pg.Client({ connectionString: inject('database_url') })
    await app.connect()
    await app.query(`set role daybook_app; set app.business_id = '${team.business_id}'`)
    const attempts = [
      `update ${table} set request_id = 'x' where business_id = '${team.business_id}'`,
      `delete from ${table} where business_id = '${team.business_id}'`,
      `truncate ${table}`,
    ]
    for (const text of attempts) {
      await expect(app.query(text)).rejects.toThrow('permission denied')
      await expect(sql(text)).rejects.toThrow('append-only')
    }
    await app.end()
    expect((await team.client.get('/audit-trail/verify')).data.ok).toBe(true)
  })
})

/** As somebody who owns the database would: with the triggers out of the way for one transaction. */
async function tamper(text: string, values: unknown[]): Promise<void> {
  const owner = new pg.Client({ connectionString: inject('database_url') })
  await owner.connect()
  await owner.query('begin; alter table audit_trail disable trigger user')
  await owner.query(text, values)
  await owner.query('alter table audit_trail enable trigger user; commit')
  await owner.end()
}
