// Tests of listing and ending sessions.
import { beforeEach, describe, expect, it } from 'vitest'
import { client, type Client } from '../../../test/support/client.ts'
import { newPerson, newToken, PASSWORD, sql, type Person } from '../../../test/support/people.ts'
import { newId } from '../../foundation/ids.ts'
import { hashToken } from '../../foundation/secrets.ts'

let person: Person
let phone: Client
beforeEach(async () => {
  person = await newPerson()
  phone = client((await client().post('/user/sign-in', { email: person.email, password: PASSWORD }, { headers: { 'user-agent': 'phone' } })).data.session_token)
})

describe('sessions', () => {
  it('lists the live ones, the current marked, without their secrets', async () => {
    await sql(`insert into sessions (id, user_id, token_hash, created_at, last_seen_at, expires_at, reauthenticated_at) values
      ($1, $3, $2, now() - interval '20 days', now() - interval '15 days', now() + interval '70 days', now())`, [newId(), hashToken('idle'), person.user_id])
    const { data } = await phone.get('/user/sessions')
    expect(data.items).toHaveLength(2)
    expect(data.items[0]).toMatchObject({ current: true, user_agent: 'phone', ip: '127.0.0.1' })
    expect(data.items[1]).toMatchObject({ current: false })
    expect(Object.keys(data.items[0]).sort()).toEqual(['created_at', 'current', 'expires_at', 'id', 'ip', 'last_seen_at', 'user_agent'])
    const first = await phone.get('/user/sessions', { limit: 1 })
    const second = await phone.get('/user/sessions', { limit: 1, cursor: first.data.next_cursor })
    expect([first.data.items[0].id, second.data.items[0].id]).toEqual(data.items.map(({ id }: { id: string }) => id))
  })

  it('ends all others', async () => {
    expect((await phone.delete('/user/sessions')).data).toEqual({ ended: 1 })
    expect((await person.client.get('/user')).status).toBe(401)
    expect((await phone.get('/user')).status).toBe(200)
    expect((await phone.delete('/user/sessions')).data).toEqual({ ended: 0 })
  })

  it('ends one, once, and only one of the caller', async () => {
    const other = await newPerson()
    const { data } = await phone.get('/user/sessions')
    const [current, earlier] = data.items
    expect((await other.client.delete(`/user/sessions/${earlier.id}`)).status).toBe(404)
    expect((await phone.delete(`/user/sessions/${earlier.id}`)).data).toEqual({ ended: 1 })
    expect((await person.client.get('/user')).status).toBe(401)
    expect((await phone.delete(`/user/sessions/${earlier.id}`)).status).toBe(404)
    expect((await phone.delete('/user/sessions/none')).status).toBe(422)
    expect((await phone.delete(`/user/sessions/${current.id}`)).status).toBe(200)
    expect((await phone.get('/user')).status).toBe(401)
  })

  it('sign-out ends this one', async () => {
    expect((await phone.post('/user/sign-out')).data).toEqual({ ended: 1 })
    expect((await phone.post('/user/sign-out')).status).toBe(401)
    expect((await person.client.get('/user')).status).toBe(200)
  })

  it('a token reads with the scope and changes nothing', async () => {
    const reader = client(await newToken(person, ['user:read']))
    const other = client(await newToken(person, ['api-tokens:read']))
    for (const path of ['/user', '/user/sessions', '/user/memberships', '/user/security-events', '/user/two-factor']) {
      expect([path, (await reader.get(path)).status, (await other.get(path)).status, (await client().get(path)).status]).toEqual([path, 200, 403, 401])
    }
    expect((await reader.get('/user/sessions')).data.items.every(({ current }: { current: boolean }) => !current)).toBe(true)
    const writes = await Promise.all([
      reader.put('/user', { name: 'No' }),
      reader.delete('/user'),
      reader.post('/user/sign-out'),
      reader.delete('/user/sessions'),
      reader.delete(`/user/sessions/${newId()}`),
      reader.post('/user/reauthenticate', { password: PASSWORD }),
      reader.post('/user/email', { email: 'a@example.com' }),
      reader.put('/user/password', { current_password: PASSWORD, new_password: 'another long passphrase' }),
      reader.post('/user/two-factor/enroll'),
      reader.post('/user/two-factor/confirm', { code: '000000' }),
      reader.post('/user/two-factor/recovery-codes'),
      reader.delete('/user/two-factor', { body: { password: PASSWORD } }),
    ])
    expect(writes.map(({ status }) => status)).toEqual(writes.map(() => 403))
  })
})
