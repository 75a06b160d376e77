// Saved searches over HTTP.
import { beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../../../test/support/client.ts'
import { newBusiness, newMember, type Person, type Team } from '../../../test/support/people.ts'

let team: Team
let viewer: Person
let keeper: Person
beforeAll(async () => {
  team = await newBusiness()
  ;[viewer, keeper] = await Promise.all([newMember(team.business_id, 'viewer'), newMember(team.business_id, 'bookkeeper')])
})

const saved = async (by: Client, more: object = {}) => (await by.post('/search/saved', { name: 'Open', q: 'inv', filters: { type: ['invoice'], status: 'open' }, ...more })).data
const listed = async (by: Client, query = {}) => (await by.get('/search/saved', query)).data.items.map(({ id }: { id: string }) => id)

describe('a saved search', () => {
  it('is its author’s alone, until shared', async () => {
    const own = await saved(viewer.client)
    expect(own).toMatchObject({ name: 'Open', q: 'inv', filters: { type: ['invoice'], status: 'open' }, shared: false, author_id: viewer.user_id, version: 1 })
    for (const by of [keeper.client, team.client]) {
      expect(await listed(by)).not.toContain(own.id)
      expect((await by.put(`/search/saved/${own.id}`, { name: 'Mine now' })).status).toBe(404)
      expect((await by.delete(`/search/saved/${own.id}`)).status).toBe(404)
    }
    expect((await viewer.client.put(`/search/saved/${own.id}`, { shared: true, q: null })).data).toMatchObject({ shared: true, q: null, name: 'Open', version: 2 })
    expect(await listed(keeper.client)).toContain(own.id)
    expect(await listed(keeper.client, { shared: true })).toContain(own.id)
    for (const answer of [await keeper.client.put(`/search/saved/${own.id}`, { name: 'x' }), await keeper.client.delete(`/search/saved/${own.id}`)]) {
      expect([answer.status, answer.detail]).toEqual([403, 'Only its author or an admin can change a saved search.'])
    }
    expect((await team.client.put(`/search/saved/${own.id}`, { name: 'By the owner' })).data).toMatchObject({ name: 'By the owner', author_id: viewer.user_id })
    expect((await team.client.delete(`/search/saved/${own.id}`)).status).toBe(200)
    expect((await viewer.client.delete(`/search/saved/${own.id}`)).status).toBe(404)
  })

  it('belongs to its business', async () => {
    const shared = await saved(team.client, { shared: true })
    const other = await newBusiness()
    expect(await listed(other.client)).toEqual([])
    expect((await other.client.put(`/search/saved/${shared.id}`, { name: 'x' })).status).toBe(404)
    expect((await other.client.delete(`/search/saved/${shared.id}`)).status).toBe(404)
  })

  it('asks for something, and leaves no trace in the log of events', async () => {
    const nothing = await team.client.post('/search/saved', { name: 'Nothing' })
    expect([nothing.status, nothing.detail]).toEqual([400, 'A saved search needs a question or at least one filter.'])
    const own = await saved(team.client, { q: null })
    expect((await team.client.put(`/search/saved/${own.id}`, { filters: {} })).status).toBe(400)
    for (const body of [{ name: '' }, { name: 'x', q: 'a' }, { name: 'x', filters: { type: ['planet'] } }, { name: 'x', filters: { from: 'soon' } }]) {
      expect((await team.client.post('/search/saved', body)).status).toBe(422)
    }
    expect((await team.client.put(`/search/saved/${own.id}`, { name: 'x' }, { headers: { 'if-match': '"7"' } })).status).toBe(412)
    expect((await team.client.get('/events', { resource_id: own.id })).data.items).toEqual([])
  })
})
