// What people opened last, over HTTP.
import { beforeAll, expect, it } from 'vitest'
import { newBusiness, newMember, type Person, type Team } from '../../../test/support/people.ts'
import { newId } from '../../foundation/ids.ts'

let team: Team
let viewer: Person
let tags: string[]
beforeAll(async () => {
  team = await newBusiness()
  viewer = await newMember(team.business_id, 'viewer')
  tags = await Promise.all(Array.from({ length: 22 }, async (_, index) => (await team.client.post('/tags', { name: `Tag ${index}` })).data.id))
})

const opened = async (by = team.client) => (await by.get('/search/recent')).data.map(({ id }: { id: string }) => id)

it('keeps the last twenty of each person, the latest first, each once', async () => {
  for (const id of tags) expect((await team.client.post('/search/recent', { type: 'tag', id })).status).toBe(201)
  expect(await opened()).toEqual(tags.toReversed().slice(0, 20))
  const again = await team.client.post('/search/recent', { type: 'tag', id: tags[5] })
  expect(again.data).toMatchObject({ type: 'tag', id: tags[5], title: 'Tag 5', path: `/tags/${tags[5]}` })
  expect((await opened())[0]).toBe(tags[5])
  expect(await opened()).toHaveLength(20)
  expect(await opened(viewer.client)).toEqual([])
  await Promise.all(tags.slice(0, 6).map((id) => viewer.client.post('/search/recent', { type: 'tag', id })))
  expect((await opened(viewer.client)).toSorted()).toEqual(tags.slice(0, 6).toSorted())
})

it('leaves out what is gone, and forgets on demand', async () => {
  await team.client.delete(`/tags/${tags[5]}`)
  expect(await opened()).not.toContain(tags[5])
  expect((await team.client.delete('/search/recent')).data).toEqual({ forgotten: 20 })
  expect((await team.client.delete('/search/recent')).data).toEqual({ forgotten: 0 })
  expect([await opened(), (await opened(viewer.client)).length]).toEqual([[], 5])
})

it('refuses what is not there or no kind', async () => {
  expect((await team.client.post('/search/recent', { type: 'tag', id: newId() })).detail).toBe('Record in tags not found.')
  expect((await team.client.post('/search/recent', { type: 'planet', id: newId() })).status).toBe(422)
  const other = await newBusiness()
  expect((await other.client.post('/search/recent', { type: 'tag', id: tags[0] })).status).toBe(404)
})
