import { beforeAll, describe, expect, it } from 'vitest'
import { newBusiness, sql, type Team } from '../../../test/support/people.ts'
import { newId } from '../../foundation/ids.ts'

let team: Team
let path: string
beforeAll(async () => {
  team = await newBusiness()
  path = `/projects/${(await team.client.post('/projects', { name: 'Project', code: 'P' })).data.id}`
})
const make = async (body: object = {}) => (await team.client.post(`${path}/tasks`, { name: 'Task', ...body })).data

describe('the tasks of a project', () => {
  it('are created billable, updated, closed and told of', async () => {
    const task = await make({ name: ' Drawings ', rate: 12_000 })
    expect(task).toMatchObject({ name: 'Drawings', billable: true, rate: 12_000, budget_minutes: null, closed: false, version: 1 })
    const { data } = await team.client.put(`${path}/tasks/${task.id}`, { rate: null, closed: true })
    expect(data).toMatchObject({ name: 'Drawings', rate: null, closed: true, version: 2 })
    expect((await team.client.put(`${path}/tasks/${task.id}`, { closed: true, name: 'Drawings' })).data.version).toBe(2)
    const events = await sql('select type from events where business_id = $1 and resource_id = $2 order by seq', [team.business_id, task.id])
    expect(events.map(({ type }) => type)).toEqual(['project_task.created', 'project_task.updated'])
  })

  it('are listed for their project only', async () => {
    const { data: other } = await team.client.post('/projects', { name: 'Other', code: 'O' })
    const other_path = `/projects/${other.id}/tasks`
    for (const name of ['beta', 'Alpha', 'gamma']) await team.client.post(other_path, { name })
    const names = async (query: Record<string, boolean>) => (await team.client.get(other_path, { descending: false, ...query })).data.items.map((task: { name: string }) => task.name)
    expect(await names({})).toEqual(['Alpha', 'beta', 'gamma'])
    const [{ id }] = (await team.client.get(other_path, { descending: false })).data.items
    await team.client.put(`${other_path}/${id}`, { closed: true })
    expect(await names({ closed: false })).toEqual(['beta', 'gamma'])
    expect((await team.client.put(`${path}/tasks/${id}`, { closed: false })).status).toBe(404)
    expect((await team.client.get(`/projects/${newId()}/tasks`)).status).toBe(404)
  })

  it('are deleted while nothing points at them', async () => {
    const [free, held] = [await make(), await make({ name: 'Held' })]
    expect((await team.client.delete(`${path}/tasks/${free.id}`)).status).toBe(200)
    expect((await team.client.delete(`${path}/tasks/${free.id}`)).status).toBe(404)
    const table = `points_${newId().slice(-12)}`
    await sql(`create table ${table} (business_id uuid, task_id uuid, foreign key (business_id, task_id) references project_tasks (business_id, id))`)
    try {
      await sql(`insert into ${table} values ($1, $2)`, [team.business_id, held.id])
      const { status, detail } = await team.client.delete(`${path}/tasks/${held.id}`)
      expect([status, detail]).toEqual([400, 'Time is written on the task “Held”: close it instead.'])
    } finally {
      await sql(`drop table ${table}`)
    }
  })

  it('are refused by an archived project', async () => {
    const { data: { id } } = await team.client.post('/projects', { name: 'Old', code: 'OLD' })
    await team.client.put(`/projects/${id}/status`, { status: 'archived' })
    const { status, detail } = await team.client.post(`/projects/${id}/tasks`, { name: 'X' })
    expect([status, detail]).toEqual([400, 'The project OLD is archived: it takes no more tasks.'])
  })
})
