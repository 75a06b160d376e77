import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newBusiness, newMember, newPerson, sql, type Person, type Team } from '../../../test/support/people.ts'
import { service } from '../../../test/support/service.ts'
import { newId } from '../../foundation/ids.ts'

let team: Team
let bookkeeper: Person
beforeAll(async () => {
  ;(await service()).clock.set('2026-03-15T12:00:00Z')
  team = await newBusiness()
  bookkeeper = await newMember(team.business_id, 'bookkeeper', 'Bo Keeper')
})
afterAll(async () => (await service()).clock.set(null))

const newProject = async () => (await team.client.post('/projects', { name: 'Project', code: newId().slice(-12) })).data.id as string
const put = (project_id: string, members: object[], client = team.client) => client.put(`/projects/${project_id}/members`, { members })
const listed = async (project_id: string, client = team.client) => (await client.get(`/projects/${project_id}/members`, { descending: false })).data.items

describe('the people of a project', () => {
  it('are set as a whole: from today unless said, kept where they are the same', async () => {
    const id = await newProject()
    const { status, data } = await put(id, [{ user_id: team.owner.user_id, rate: 100, cost_rate: 60 }, { user_id: team.owner.user_id, from: '2026-01-01', rate: 90 }, { user_id: bookkeeper.user_id }])
    expect(status).toBe(200)
    expect(data.map(({ user_name, from, rate, cost_rate }: Record<string, unknown>) => [user_name, from, rate, cost_rate])).toEqual([
      ['Olive Owner', '2026-03-15', 100, 60], ['Olive Owner', '2026-01-01', 90, null], ['Bo Keeper', '2026-03-15', null, null],
    ])
    const again = await put(id, [{ user_id: team.owner.user_id, rate: 110, cost_rate: 60 }, { user_id: bookkeeper.user_id }])
    expect(again.data.map((member: { id: string }) => member.id)).toEqual([data[0].id, data[2].id])
    expect((await listed(id)).map((member: { rate: number }) => member.rate)).toEqual([110, null])
    const events = await sql(`select type from events where business_id = $1 and resource_id = any($2) order by seq`, [team.business_id, data.map((member: { id: string }) => member.id)])
    expect(events.map(({ type }) => type)).toEqual(['project_member.added', 'project_member.added', 'project_member.added', 'project_member.removed', 'project_member.changed'])
    await put(id, [])
    expect(await listed(id)).toEqual([])
  })

  it('cost what only accountants see and set', async () => {
    const id = await newProject()
    const accountant = await newMember(team.business_id, 'accountant')
    await put(id, [{ user_id: team.owner.user_id, from: '2026-01-01', rate: 100, cost_rate: 60 }], accountant.client)
    expect((await listed(id, bookkeeper.client))[0]).toMatchObject({ rate: 100, cost_rate: null })
    const set = await put(id, [{ user_id: team.owner.user_id, from: '2026-01-01', cost_rate: 1 }], bookkeeper.client)
    expect([set.status, set.detail]).toEqual([403, 'Only an accountant or above sets what people cost: leave cost_rate out.'])
    const left = await put(id, [{ user_id: team.owner.user_id, from: '2026-01-01', rate: 120, cost_rate: null }], bookkeeper.client)
    expect(left.data[0]).toMatchObject({ rate: 120, cost_rate: null })
    expect((await listed(id, accountant.client))[0]).toMatchObject({ rate: 120, cost_rate: 60 })
    const seen = await bookkeeper.client.get('/events', { limit: 1000 })
    expect(JSON.stringify(seen.data)).not.toContain('project_member')
    expect(JSON.stringify(seen.data)).not.toContain('cost_rate')
  })

  it.each<[string, () => object[] | Promise<object[]>, number, RegExp]>([
    ['a stranger', async () => [{ user_id: (await newPerson()).user_id }], 404, /of user_id not found/],
    ['one person twice from one day on', () => [{ user_id: team.owner.user_id, from: '2026-01-01' }, { user_id: team.owner.user_id, from: '2026-01-01' }], 400, /twice from 2026-01-01 on/],
    ['a negative rate', () => [{ user_id: team.owner.user_id, rate: -1 }], 422, /greater_than_equal/],
  ])('are refused with %s', async (_, members, status, detail) => {
    const answer = await put(await newProject(), await members())
    expect([answer.status, JSON.stringify(answer.detail)]).toEqual([status, expect.stringMatching(detail)])
  })

  it('stay as they are in an archived project', async () => {
    const id = await newProject()
    await team.client.put(`/projects/${id}/status`, { status: 'archived' })
    expect((await put(id, [])).detail).toMatch(/is archived: its people stay/)
  })

  it('stay in it after they have left the business', async () => {
    const id = await newProject()
    const leaver = await newMember(team.business_id, 'bookkeeper', 'Lee Ver')
    await put(id, [{ user_id: leaver.user_id, from: '2026-01-01', rate: 5 }])
    await team.client.delete(`/businesses/${team.business_id}/members/${leaver.user_id}`)
    expect((await put(id, [{ user_id: leaver.user_id, from: '2026-01-01', rate: 5 }, { user_id: team.owner.user_id }])).status).toBe(200)
  })
})
