import { describe, expect, it } from 'vitest'
import { client } from '../../../test/support/client.ts'
import { newBusiness, newMember, newPerson } from '../../../test/support/people.ts'
import { service, startService } from '../../../test/support/service.ts'
import { plainRequest, transact } from '../../foundation/database/transact.ts'
import { newId } from '../../foundation/ids.ts'
import { sendMail } from '../../foundation/jobs/mail.ts'

describe('the sandbox mailbox', () => {
  it('shows mail to oneself and of businesses one owns, newest first', async () => {
    const team = await newBusiness()
    const person = await newPerson()
    const stranger = `${newId()}@example.com`
    await team.client.post('/invitations', { email: person.email, role: 'viewer' })
    await team.client.post('/invitations', { email: stranger, role: 'viewer' })
    const recipients = async (caller: typeof team.client, query = {}) =>
      (await caller.get('/sandbox/mail', query)).data.items.map(({ recipient }: any) => recipient)
    expect(await recipients(team.owner.client)).toEqual([stranger, person.email])
    expect(await recipients(team.owner.client, { to: person.email.toUpperCase() })).toEqual([person.email])
    expect(await recipients(person.client)).toEqual([person.email])
    expect(await recipients(person.client, { to: stranger })).toEqual([])
    const admin = await newMember(team.business_id, 'admin')
    expect(await recipients(admin.client)).toEqual([])
    const page = (await team.owner.client.get('/sandbox/mail', { limit: 1 })).data
    expect(page.items[0]).toMatchObject({ subject: 'Olive Owner invites you to Test Trading', business_id: team.business_id, sent_at: null })
    expect(page.items[0].text_body).toContain('The token by itself')
    expect((await team.owner.client.get('/sandbox/mail', { limit: 1, cursor: page.next_cursor })).data.items[0].recipient).toBe(person.email)
  })

  it('shows all that a mail consists of, but the attachments by name and size', async () => {
    const team = await newBusiness()
    const [first, second, third, hidden] = ['to', 'also', 'cc', 'bcc'].map((name) => `${name}-${newId()}@example.com`) as [string, string, string, string]
    const { program } = await service()
    await transact(program.database, { business_id: null, read_only: false, request: plainRequest }, async ({ tx }) => sendMail(tx, {
      to: [first, second], cc: [third], bcc: [hidden], reply_to: team.owner.email, sender_name: 'Test Trading', subject: 'Invoice', text: 'Words', html: '<p>Words</p>',
      business_id: team.business_id, attachments: [{ file_name: 'Invoice.pdf', content_type: 'application/pdf', content: Buffer.from('%PDF-') }],
    }))
    for (const to of [first, second.toUpperCase(), third, hidden]) {
      const { data } = await team.owner.client.get('/sandbox/mail', { to })
      expect(data.items).toMatchObject([{
        recipient: first, also_to: [second], cc: [third], bcc: [hidden], reply_to: team.owner.email, sender_name: 'Test Trading', text_body: 'Words', html_body: '<p>Words</p>',
        attachments: [{ file_name: 'Invoice.pdf', content_type: 'application/pdf', size: 5 }],
      }])
    }
  })

  it('needs a caller, and of a token the scope', async () => {
    const person = await newPerson()
    expect((await client().get('/sandbox/mail')).status).toBe(401)
    const make = async (scope: string) => client((await person.client.post('/api-tokens', { name: 'Program', scopes: [scope] })).data.token)
    expect((await (await make('user:read')).get('/sandbox/mail')).status).toBe(200)
    expect((await (await make('api-tokens:read')).get('/sandbox/mail')).status).toBe(403)
    expect((await person.client.get('/sandbox/mail', { to: 'x' })).status).toBe(422)
  })

  it('is not there where a mail server is set', async () => {
    const person = await newPerson()
    const { url, program } = await startService({ DAYBOOK_SMTP_URL: 'smtp://127.0.0.1:1' })
    const answer = await client(person.token, null, url).get('/sandbox/mail')
    await program.stop()
    expect([answer.status, answer.detail]).toEqual([404, 'Sandbox mailbox not found.'])
  })
})
