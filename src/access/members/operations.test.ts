import { beforeEach, describe, expect, it } from 'vitest'
import { client } from '../../../test/support/client.ts'
import { newBusiness, newMember, newPerson, sql, type Person, type Team } from '../../../test/support/people.ts'
import { newId } from '../../foundation/ids.ts'
import { hashToken, randomToken } from '../../foundation/secrets.ts'
import { permissionsFor, ROLES } from '../permissions.ts'

let team: Team
let path: string
beforeEach(async () => {
  team = await newBusiness()
  path = `/businesses/${team.business_id}`
})

const at = (person: Person, action = '') => `${path}/members/${person.user_id}${action}`
async function events(): Promise<string[]> {
  const rows = await sql(`select type from events where business_id = $1 and resource_type in ('member', 'business') and type <> 'business.created' order by seq`, [team.business_id])
  return rows.map((event) => event.type)
}
async function rolesNow(): Promise<Record<string, string>> {
  const rows = await sql('select user_id, role from memberships where business_id = $1', [team.business_id])
  return Object.fromEntries(rows.map((row) => [row.user_id, row.role]))
}
const fromFirm = (person: Person) =>
  sql(`update memberships set source = 'firm', firm_id = $3 where business_id = $1 and user_id = $2`, [team.business_id, person.user_id, newId()])

describe('seeing members', () => {
  it('lists them by role, status, source and text, sorted and in pages', async () => {
    const [ann, bob] = await Promise.all([newMember(team.business_id, 'viewer', 'Ann Able'), newMember(team.business_id, 'admin', 'Bob Bright')])
    await fromFirm(bob)
    await team.client.put(at(ann, '/suspend'))
    const names = async (query: Record<string, string | number | boolean>) =>
      (await team.client.get(`${path}/members`, query)).data.items.map((item: { name: string }) => item.name)
    expect(await names({ sort_by: 'name', descending: false })).toEqual(['Ann Able', 'Bob Bright', 'Olive Owner'])
    expect(await names({ role: 'owner' })).toEqual(['Olive Owner'])
    expect(await names({ status: 'suspended' })).toEqual(['Ann Able'])
    expect(await names({ source: 'firm' })).toEqual(['Bob Bright'])
    expect(await names({ q: 'bright' })).toEqual(['Bob Bright'])
    expect(await names({ q: ann.email.toUpperCase() })).toEqual(['Ann Able'])
    expect(await names({ sort_by: 'last_seen_at', q: 'Olive' })).toEqual(['Olive Owner'])
    const first = (await team.client.get(`${path}/members`, { limit: 2, sort_by: 'last_seen_at', include_total_count: true })).data
    expect([first.items.length, first.total]).toEqual([2, 3])
    expect((await team.client.get(`${path}/members`, { limit: 2, sort_by: 'last_seen_at', cursor: first.next_cursor })).data.items).toHaveLength(1)
  })

  it('gets one, with the id of the user as its own', async () => {
    const viewer = await newMember(team.business_id, 'viewer', 'Vera')
    const { data, headers } = await viewer.client.get(at(viewer))
    expect(data).toMatchObject({
      id: viewer.user_id, user_id: viewer.user_id, business_id: team.business_id, email: viewer.email, name: 'Vera', role: 'viewer',
      status: 'active', source: 'direct',
      firm_id: null, two_factor_enabled: false, last_seen_at: null, version: 1,
    })
    expect(headers.get('etag')).toBe('"1"')
    expect((await viewer.client.get(`${path}/members/${newId()}`)).status).toBe(404)
    expect((await viewer.client.get(`${path}/members/me`)).status).toBe(422)
  })

  it('is closed to others: a foreign business is a 403, a foreign member a 404', async () => {
    const stranger = await newBusiness()
    expect((await stranger.owner.client.get(`${path}/members`)).status).toBe(403)
    expect((await stranger.owner.client.get(at(team.owner))).status).toBe(403)
    expect((await team.client.get(at(stranger.owner))).status).toBe(404)
    for (const [method, action] of [['PATCH', ''], ['DELETE', ''], ['PUT', '/suspend'], ['PUT', '/reactivate']] as const) {
      const answer = await team.client.call(method, at(stranger.owner, action), { body: { role: 'viewer' } })
      expect([action, answer.status]).toEqual([action, 404])
    }
  })
})

describe('changing roles', () => {
  it('is for those who manage members; what the member may do changes with the next request', async () => {
    const [admin, viewer] = await Promise.all([newMember(team.business_id, 'admin'), newMember(team.business_id, 'viewer')])
    expect((await viewer.client.patch(at(viewer), { role: 'admin' })).status).toBe(403)
    const { data } = await admin.client.patch(at(viewer), { role: 'accountant' })
    expect(data).toMatchObject({ role: 'accountant', version: 2 })
    expect((await viewer.client.put(path, { phone: '555' })).status).toBe(200)
    expect((await admin.client.patch(at(viewer), { role: 'accountant' })).data).toEqual(data)
    expect((await admin.client.patch(at(viewer), { role: 'viewer' }, { headers: { 'if-match': '"1"' } })).status).toBe(412)
    expect((await admin.client.patch(at(viewer), { role: 'king' })).status).toBe(422)
    expect(await events()).toEqual(['member.role_changed', 'business.updated'])
  })

  it('lets only an owner make or unmake an owner', async () => {
    const [admin, viewer] = await Promise.all([newMember(team.business_id, 'admin'), newMember(team.business_id, 'viewer')])
    expect((await admin.client.patch(at(viewer), { role: 'owner' })).status).toBe(403)
    expect((await admin.client.patch(at(admin), { role: 'owner' })).status).toBe(403)
    expect((await admin.client.patch(at(team.owner), { role: 'viewer' })).status).toBe(403)
    expect((await admin.client.delete(at(team.owner))).status).toBe(403)
    expect((await admin.client.put(at(team.owner, '/suspend'))).status).toBe(403)
    expect((await team.client.patch(at(viewer), { role: 'owner' })).data.role).toBe('owner')
    expect((await viewer.client.patch(at(team.owner), { role: 'viewer' })).data.role).toBe('viewer')
  })

  it('keeps the last active owner', async () => {
    const second = await newMember(team.business_id, 'owner')
    await team.client.put(at(second, '/suspend'))
    const detail = 'A business always has an active owner: make another member an owner first.'
    expect((await team.client.patch(at(team.owner), { role: 'admin' })).detail).toBe(detail)
    expect((await team.client.delete(at(team.owner))).detail).toBe(detail)
    expect((await team.client.delete(`${path}/members/me`)).detail).toBe(detail)
    expect((await team.client.patch(at(team.owner), { role: 'owner' })).status).toBe(200)
    await team.client.put(at(second, '/reactivate'))
    expect((await team.client.delete(`${path}/members/me`)).status).toBe(200)
  })

  it('leaves firm people to their firm', async () => {
    const guest = await newMember(team.business_id, 'accountant')
    await fromFirm(guest)
    const calls = [['PATCH', at(guest)], ['DELETE', at(guest)], ['PUT', at(guest, '/suspend')], ['PUT', at(guest, '/reactivate')]] as const
    for (const [method, url] of calls) {
      const answer = await team.client.call(method, url, { body: { role: 'viewer' } })
      expect([answer.status, answer.detail]).toEqual([400, 'This member is here through a firm: make the change in the firm.'])
    }
    expect((await guest.client.delete(`${path}/members/me`)).status).toBe(400)
    expect((await team.client.post(`${path}/transfer-ownership`, { user_id: guest.user_id })).status).toBe(400)
    expect(await events()).toEqual([])
  })
})

describe('suspending and removing', () => {
  it('ends access with the next request, and gives it back', async () => {
    const viewer = await newMember(team.business_id, 'viewer')
    const suspended = await team.client.put(at(viewer, '/suspend'))
    expect(suspended.data).toMatchObject({ status: 'suspended', version: 2 })
    expect((await viewer.client.get(path)).status).toBe(403)
    expect((await team.client.put(at(viewer, '/suspend'))).data).toEqual(suspended.data)
    expect((await team.client.put(at(viewer, '/reactivate'))).data.status).toBe('active')
    expect((await team.client.put(at(viewer, '/reactivate'))).data.version).toBe(3)
    expect((await viewer.client.get(path)).status).toBe(200)
    const { status, data } = await team.client.delete(at(viewer))
    expect([status, data.user_id]).toEqual([200, viewer.user_id])
    expect((await viewer.client.get(path)).status).toBe(403)
    expect((await team.client.delete(at(viewer))).status).toBe(404)
    expect(await events()).toEqual(['member.suspended', 'member.reactivated', 'member.removed'])
  })

  it('is not for oneself, nor for those who do not manage members, nor in an archived business', async () => {
    const [admin, viewer] = await Promise.all([newMember(team.business_id, 'admin'), newMember(team.business_id, 'viewer')])
    expect((await admin.client.put(at(admin, '/suspend'))).status).toBe(400)
    for (const [method, action] of [['DELETE', ''], ['PUT', '/suspend'], ['PUT', '/reactivate']] as const) {
      expect((await viewer.client.call(method, at(admin, action))).status).toBe(403)
    }
    await team.client.put(`${path}/archive`)
    expect((await admin.client.put(at(viewer, '/suspend'))).status).toBe(403)
    expect((await viewer.client.delete(`${path}/members/me`)).data.user_id).toBe(viewer.user_id)
    expect((await viewer.client.get(path)).status).toBe(403)
  })
})

describe('several owners at once', () => {
  it.each([
    ['demote', (by: Person, other: Person) => by.client.patch(at(other), { role: 'viewer' })],
    ['suspend', (by: Person, other: Person) => by.client.put(at(other, '/suspend'))],
    ['remove', (by: Person, other: Person) => by.client.delete(at(other))],
    ['leave', (by: Person) => by.client.delete(`${path}/members/me`)],
  ])('who %s each other: one wins, one owner stays', async (_action, act) => {
    const owners = [{ ...team.owner, client: team.client }, await newMember(team.business_id, 'owner')] as const
    const answers = await Promise.all([act(owners[0], owners[1]), act(owners[1], owners[0])])
    const statuses = answers.map((answer) => answer.status).toSorted()
    expect(statuses[0]).toBe(200)
    expect([400, 403]).toContain(statuses[1])
    const [{ count }] = await sql(`select count(*)::int from memberships where business_id = $1 and role = 'owner' and status = 'active'`, [team.business_id])
    expect(count).toBe(1)
  })
})

describe('handing the business over', () => {
  it('makes the other the owner, and oneself what one said', async () => {
    const heir = await newMember(team.business_id, 'viewer')
    const { status, data } = await team.client.post(`${path}/transfer-ownership`, { user_id: heir.user_id, keep_role: 'accountant' })
    expect([status, data.user_id, data.role]).toEqual([201, heir.user_id, 'owner'])
    expect(await rolesNow()).toEqual({ [heir.user_id]: 'owner', [team.owner.user_id]: 'accountant' })
    expect(await events()).toEqual(['member.role_changed', 'member.role_changed', 'business.ownership_transferred'])
    const [audited] = await sql(
      `select before, after from audit_trail where business_id = $1 and action = 'business.ownership_transferred'`, [team.business_id])
    expect(audited).toEqual({ before: { owner_id: team.owner.user_id }, after: { owner_id: heir.user_id } })
    expect((await heir.client.post(`${path}/transfer-ownership`, { user_id: team.owner.user_id })).status).toBe(201)
    expect(await rolesNow()).toEqual({ [heir.user_id]: 'admin', [team.owner.user_id]: 'owner' })
  })

  it('is refused to others, to a stale sign-in, for oneself, a suspended member and nobody', async () => {
    const [admin, gone] = await Promise.all([newMember(team.business_id, 'admin'), newMember(team.business_id, 'viewer')])
    await team.client.put(at(gone, '/suspend'))
    const to = (user_id: string, more = {}) => team.client.post(`${path}/transfer-ownership`, { user_id, ...more })
    expect((await admin.client.post(`${path}/transfer-ownership`, { user_id: admin.user_id })).status).toBe(403)
    expect((await to(team.owner.user_id)).status).toBe(400)
    expect((await to(gone.user_id)).detail).toBe('This member is suspended: reactivate them first.')
    expect((await to((await newPerson()).user_id)).status).toBe(404)
    expect((await to(admin.user_id, { keep_role: 'owner' })).status).toBe(422)
    await sql(`update sessions set reauthenticated_at = now() - interval '1 hour' where user_id = $1`, [team.owner.user_id])
    expect((await to(admin.user_id)).status).toBe(403)
    expect(await rolesNow()).toMatchObject({ [team.owner.user_id]: 'owner', [admin.user_id]: 'admin' })
  })
})

describe('roles and access', () => {
  it('lists what each role may do', async () => {
    const { data } = await team.client.get(`${path}/roles`)
    expect(data.map((row: { role: string }) => row.role)).toEqual([...ROLES])
    expect(data[5].permissions).toEqual([...permissionsFor('viewer')].toSorted())
  })

  it('tells the caller what they may do, cut to the scopes of a token', async () => {
    const bookkeeper = await newMember(team.business_id, 'bookkeeper')
    expect((await bookkeeper.client.get(`${path}/access`)).data).toEqual({
      business_id: team.business_id, user_id: bookkeeper.user_id, role: 'bookkeeper', permissions: [...permissionsFor('bookkeeper')].toSorted(),
      access: 'full', read_only_reason: null,
    })
    const secret = randomToken('dbk_')
    await sql(`with token as (insert into api_tokens (id, user_id, name, token_prefix, scopes, created_at, updated_at, version)
        values ($1, $2, 'Test', 'dbk_', $3, now(), now(), 1)) insert into api_token_secrets (token_hash, token_id) values ($4, $1)`,
      [newId(), bookkeeper.user_id, ['businesses:read', 'notes:write', 'members:manage'], hashToken(secret)])
    expect((await client(secret).get(`${path}/access`)).data.permissions).toEqual(['businesses:read', 'notes:write'])
    expect((await client(secret).delete(`${path}/members/me`)).status).toBe(403)
    await team.client.put(`${path}/archive`)
    expect((await bookkeeper.client.get(`${path}/access`)).data).toMatchObject({ access: 'read_only', read_only_reason: expect.stringContaining('archived') })
    expect((await (await newPerson()).client.get(`${path}/access`)).status).toBe(403)
  })
})
