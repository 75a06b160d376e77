// What a credential can do follows from what its owner may do, at every moment.
import { afterAll, describe, expect, it } from 'vitest'
import { client } from '../support/client.ts'
import { mailedToken, newBusiness, newMember, newToken, PASSWORD } from '../support/people.ts'
import { service } from '../support/service.ts'
import { newTotp } from '../support/totp.ts'

afterAll(async () => (await service()).clock.set(null))

describe('a token follows its owner', () => {
  it('narrows with the role, dies with its revocation', async () => {
    const { business_id, client: owner } = await newBusiness()
    const accountant = await newMember(business_id, 'accountant')
    const token = await newToken(accountant, ['todos:read', 'todos:write', 'api-tokens:read'])
    const program = client(token, business_id)
    expect((await program.post('/todos', { title: 'By program' })).status).toBe(201)
    await owner.patch(`/businesses/${business_id}/members/${accountant.user_id}`, { role: 'viewer' })
    expect((await program.post('/todos', { title: 'No more' })).status).toBe(403)
    expect((await program.get('/todos')).status).toBe(200)
    const [{ id }] = (await accountant.client.get('/api-tokens')).data.items
    await accountant.client.delete(`/api-tokens/${id}`)
    expect((await program.get('/todos')).status).toBe(401)
  })
})

describe('a second factor', () => {
  it('asks for a code that is taken once; a recovery code works once', async () => {
    const { owner } = await newBusiness()
    const { code, recovery_codes } = await newTotp(owner)
    const challenge = async () => (await client().post('/user/sign-in', { email: owner.email, password: PASSWORD })).data.challenge
    const used = code(1)
    expect((await client().post('/user/sign-in/two-factor', { challenge: await challenge(), code: used })).status).toBe(201)
    expect((await client().post('/user/sign-in/two-factor', { challenge: await challenge(), code: used })).status).toBe(401)
    const recovery = { recovery_code: recovery_codes[0] }
    expect((await client().post('/user/sign-in/two-factor', { challenge: await challenge(), ...recovery })).status).toBe(201)
    expect((await client().post('/user/sign-in/two-factor', { challenge: await challenge(), ...recovery })).status).toBe(401)
  })
})

describe('a reset password', () => {
  it('ends every session; the last owner stays', async () => {
    const { owner, business_id, client: inside } = await newBusiness()
    expect((await inside.delete(`/businesses/${business_id}/members/me`)).status).toBe(400)
    await client().post('/user/password/forgot', { email: owner.email })
    await client().post('/user/password/reset', { token: await mailedToken(owner.email), password: 'quite another long one' })
    expect((await inside.get('/todos')).status).toBe(401)
    const { data } = await client().post('/user/sign-in', { email: owner.email, password: 'quite another long one' })
    expect((await client(data.session_token, business_id).get('/todos')).status).toBe(200)
  })
})

describe('a session', () => {
  it('lasts 14 idle days and 90 in all', async () => {
    const { clock } = await service()
    clock.set('2027-06-01T00:00:00Z')
    const { client: inside } = await newBusiness()
    clock.set('2027-06-14T00:00:00Z')
    expect((await inside.get('/todos')).status).toBe(200)
    clock.set('2027-08-31T00:00:00Z')
    expect((await inside.get('/todos')).status).toBe(401)
  })
})
