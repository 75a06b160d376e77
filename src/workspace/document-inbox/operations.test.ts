import { Webhook } from 'standardwebhooks'
import { beforeAll, describe, expect, it } from 'vitest'
import { client } from '../../../test/support/client.ts'
import { newBusiness, sql, type Team } from '../../../test/support/people.ts'
import { service, startService } from '../../../test/support/service.ts'
import { SAMPLES } from '../../../test/support/uploads.ts'
import { newId } from '../../foundation/ids.ts'
import { businessOfAddress, inboxAddress } from '../../foundation/inbox.ts'
import { inboxKey, signatureOf } from './rules.ts'

const KEY = Buffer.alloc(32, 7)
const visitor = client()
let team: Team
let address: string
beforeAll(async () => {
  team = await newBusiness()
  address = inboxAddress(KEY, 'inbox.localhost', team.business_id)
})

const pdf = { file_name: 'bill.pdf', content_base64: (SAMPLES['pdf'] ?? Buffer.alloc(0)).toString('base64') }
const mail = (more: object = {}) => ({ message_id: `<${newId()}@mail.example>`, to: [`Papers <${address.toUpperCase()}>`], from: 'Ann <ann@example.com>', subject: 'Your bill', attachments: [pdf], ...more })

/** As the mail party signs it, with the public library. */
async function deliver(body: unknown, { secret = inboxKey(null, KEY).toString('base64'), at = new Date(), changed = '' } = {}) {
  const text = JSON.stringify(body)
  const id = `msg_${newId()}`
  const headers = { 'webhook-id': id, 'webhook-timestamp': String(Math.floor(at.getTime() / 1000)), 'webhook-signature': new Webhook(secret).sign(id, at, text) }
  return visitor.call('POST', '/documents/inbound-email', { raw: text + changed, headers })
}
const inbox = async () => (await team.client.get('/documents', { source: 'email' })).data.items

describe('mail to the inbox', () => {
  it('becomes documents, once per message', async () => {
    const message = mail({ attachments: [pdf, { file_name: '../logo.gif', content_base64: 'R0lGODlhAQAB' }, { file_name: 'x.txt', content_base64: Buffer.from(newId()).toString('base64') }] })
    const answers = await Promise.all([deliver(message), deliver(message)])
    expect([...answers, await deliver(message)].map(({ status, body }) => [status, body])).toEqual(Array.from({ length: 3 }, () => [200, { received: true }]))
    expect((await inbox()).map(({ name, source, uploaded_by, description }: any) => [name, source, uploaded_by, description])).toEqual([
      ['x.txt', 'email', null, 'Mail from Ann <ann@example.com>: Your bill'], ['bill.pdf', 'email', null, 'Mail from Ann <ann@example.com>: Your bill'],
    ])
  })

  it('that is not signed, or wrongly, or long ago, is a 401', async () => {
    const before = (await inbox()).length
    const [now] = [Date.now()]
    expect((await deliver(mail(), { secret: Buffer.alloc(32, 1).toString('base64') })).status).toBe(401)
    expect((await deliver(mail(), { changed: ' ' })).status).toBe(401)
    expect((await deliver(mail(), { at: new Date(now - 301_000) })).status).toBe(401)
    expect((await visitor.post('/documents/inbound-email', mail())).status).toBe(401)
    expect((await deliver({ message_id: 5 })).status).toBe(422)
    expect((await inbox()).length).toBe(before)
  })

  it('to nobody, to an inbox that is off, or to a business that takes nothing is dropped', async () => {
    const before = (await inbox()).length
    const forged = `${address.startsWith('a') ? 'b' : 'a'}${address.slice(1)}`
    for (const to of [['nobody@inbox.localhost'], [forged], [address.replace('inbox.localhost', 'elsewhere.example')], [inboxAddress(KEY, 'inbox.localhost', newId())]]) {
      expect((await deliver(mail({ to }))).body).toEqual({ received: true })
    }
    await team.client.patch(`/businesses/${team.business_id}/settings`, { documents: { inbox_enabled: false } })
    expect((await deliver(mail())).status).toBe(200)
    await team.client.patch(`/businesses/${team.business_id}/settings`, { documents: { inbox_enabled: true } })
    await sql(`update businesses set status = 'archived' where id = $1`, [team.business_id])
    expect((await deliver(mail())).status).toBe(200)
    await sql(`update businesses set status = 'active' where id = $1`, [team.business_id])
    expect((await inbox()).length).toBe(before)
    expect((await deliver(mail())).status).toBe(200)
    expect((await inbox()).length).toBe(before + 1)
  })

  it('is signed with the secret that is set', async () => {
    const secret = `whsec_${Buffer.alloc(24, 9).toString('base64')}`
    const { url, program } = await startService({ DAYBOOK_INBOX_SECRET: secret, DAYBOOK_INBOX_DOMAIN: 'in.example.com' })
    try {
      const text = JSON.stringify(mail({ to: [inboxAddress(KEY, 'in.example.com', team.business_id)] }))
      const seconds = String(Math.floor(Date.now() / 1000))
      const signature = signatureOf(inboxKey(secret, KEY), 'm', seconds, Buffer.from(text))
      expect(signature).toBe(new Webhook(secret).sign('m', new Date(Number(seconds) * 1000), text))
      const before = (await inbox()).length
      const headers = { 'webhook-id': 'm', 'webhook-timestamp': seconds, 'webhook-signature': `v1,wrong ${signature}` }
      expect((await client(null, null, url).call('POST', '/documents/inbound-email', { raw: text, headers })).status).toBe(200)
      expect((await inbox()).length).toBe(before + 1)
    } finally {
      await program.stop()
    }
  })
})

describe('addresses', () => {
  it('name their business, in small and capital letters, and cannot be made up', async () => {
    await service()
    expect(address).toMatch(/^[a-z2-7]{40}@inbox\.localhost$/)
    expect(businessOfAddress(KEY, 'inbox.localhost', address.toUpperCase())).toBe(team.business_id)
    expect([businessOfAddress(Buffer.alloc(32, 1), 'inbox.localhost', address), businessOfAddress(KEY, 'other', address), businessOfAddress(KEY, 'inbox.localhost', 'x'), businessOfAddress(KEY, 'inbox.localhost', '')])
      .toEqual([null, null, null, null])
  })
})
