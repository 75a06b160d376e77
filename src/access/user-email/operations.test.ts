// Tests of moving an account to another address and back.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { client } from '../../../test/support/client.ts'
import { mailedToken, mailsTo, newPerson, PASSWORD, sql, type Person } from '../../../test/support/people.ts'
import { service } from '../../../test/support/service.ts'
import { newId } from '../../foundation/ids.ts'

const anyone = client()
let person: Person
let email: string
beforeEach(async () => {
  person = await newPerson()
  email = `${newId()}@example.com`
})
afterEach(async () => (await service()).clock.set(null))

const request = (to = email) => person.client.post('/user/email', { email: to })
const confirm = async (token?: string) => anyone.post('/user/email/confirm', { token: token ?? (await mailedToken(email, 'Confirm')) })
const undo = (token: string) => anyone.post('/user/email/undo', { token })
const signIn = async (as: string) => (await anyone.post('/user/sign-in', { email: as, password: PASSWORD })).status

describe('changing the address', () => {
  it('happens at the confirmation, and the old address is told', async () => {
    const requested = await request()
    expect([requested.status, requested.data.email, requested.data.new_email]).toEqual([201, person.email, email])
    expect((await person.client.get('/user')).data.email).toBe(person.email)
    expect((await mailsTo(person.email))[0]).toMatchObject({ subject: 'Your e-mail address is about to change', text_body: expect.stringContaining(email) })
    const answers = await Promise.all([confirm(), confirm()])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400])
    expect((await person.client.get('/user')).data).toMatchObject({ email, status: 'active' })
    expect([await signIn(person.email), await signIn(email)]).toEqual([401, 201])
    expect((await mailsTo(person.email))[0]?.subject).toBe('Your e-mail address was changed')
    const events = await sql(`select detail from user_events where user_id = $1 and type = 'user.email_changed'`, [person.user_id])
    expect(events).toEqual([{ detail: { from: person.email, to: email } }])
  })

  it('voids what was mailed to the old address', async () => {
    await anyone.post('/user/password/forgot', { email: person.email })
    const reset = await mailedToken(person.email)
    await request()
    await confirm()
    expect((await anyone.post('/user/password/reset', { token: reset, password: 'another long passphrase' })).status).toBe(400)
  })

  it('does not tell whether the new address has an account, and refuses it when confirmed', async () => {
    const other = await newPerson()
    const [free, taken] = [await request(), await request(other.email)]
    expect(Object.keys(taken.data)).toEqual(Object.keys(free.data))
    expect(taken.status).toBe(free.status)
    expect((await mailsTo(other.email)).map(({ subject }) => subject)).toEqual(['This e-mail address is in use'])

    await request()
    await sql('update users set email = $2 where id = $1', [other.user_id, email.toUpperCase()])
    const late = await confirm()
    expect([late.status, late.detail]).toEqual([400, expect.stringContaining('another account')])
  })

  it('of two accounts that confirm one address at once, one gets it', async () => {
    const other = await newPerson()
    await request()
    const first = await mailedToken(email, 'Confirm')
    await other.client.post('/user/email', { email })
    const second = await mailedToken(email, 'Confirm')
    const answers = await Promise.all([confirm(first), confirm(second)])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400])
  })

  it('refuses the same address, a stale sign-in, an old request and a late confirmation', async () => {
    expect((await request(person.email.toUpperCase())).status).toBe(400)
    await request()
    const first = await mailedToken(email, 'Confirm')
    await request()
    expect((await confirm(first)).status).toBe(400)
    const { clock } = await service()
    clock.set(new Date(Date.now() + 3_600_000 + 1000).toISOString())
    expect((await confirm()).status).toBe(400)
    expect((await request()).status).toBe(403)
  })
})

describe('undoing it', () => {
  it('restores the old address, ends every session and mails a reset', async () => {
    await request()
    await confirm()
    const { clock } = await service()
    clock.set(new Date(Date.now() + 7 * 86_400_000 - 60_000).toISOString())
    const token = await mailedToken(person.email)
    const answers = await Promise.all([undo(token), undo(token)])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400])
    expect((await person.client.get('/user')).status).toBe(401)
    const reset = await mailedToken(person.email, 'Reset')
    expect((await anyone.post('/user/password/reset', { token: reset, password: 'another long passphrase' })).status).toBe(201)
    expect(await sql('select email from users where id = $1', [person.user_id])).toEqual([{ email: person.email }])
  })

  it('before the confirmation, makes that impossible', async () => {
    await request()
    expect((await undo(await mailedToken(person.email))).data.email).toBe(person.email)
    expect((await confirm()).status).toBe(400)
  })

  it('leads back to the first address, whatever was done at the second', async () => {
    await request()
    const first = await mailedToken(person.email)
    await confirm()
    const third = `${newId()}@example.com`
    await request(third)
    const second = await mailedToken(email, 'about to change')
    await confirm(await mailedToken(third, 'Confirm'))
    expect((await undo(second)).data.email).toBe(email)
    expect((await undo(first)).data.email).toBe(person.email)
    expect(await sql('select email from users where id = $1', [person.user_id])).toEqual([{ email: person.email }])
  })

  it('ends after 7 days, and where the old address has a new owner', async () => {
    await request()
    await confirm()
    const token = await mailedToken(person.email)
    const { clock } = await service()
    clock.set(new Date(Date.now() + 7 * 86_400_000 + 1000).toISOString())
    expect((await undo(token)).status).toBe(400)
    clock.set(null)
    await anyone.post('/user/sign-up', { email: person.email, password: PASSWORD, name: 'Next' })
    expect((await undo(token)).detail).toContain('another account')
  })
})
