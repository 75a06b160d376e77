// An invoice on its way through a real mail server: from the call to the attachment in the customer's mailbox, and back to sent_at.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { extractText } from 'unpdf'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ownService, type Own, type Owner } from '../../../test/support/own.ts'
import { until } from '../../../test/support/process.ts'
import { ok } from '../../../test/support/sales.ts'

let own: Own
let owner: Owner
let server: SMTPServer
const taken: Buffer[] = []
let busy = false

beforeAll(async () => {
  server = new SMTPServer({
    authOptional: true, disabledCommands: ['STARTTLS'],
    onMailFrom: (_address, _session, done) => done(busy ? Object.assign(new Error('Try again later'), { responseCode: 451 }) : null),
    onData: (stream, _session, done) => void buffer(stream).then((raw) => (taken.push(raw), done()), done),
  })
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  own = await ownService({ DAYBOOK_SMTP_URL: `smtp://127.0.0.1:${(listening.address() as AddressInfo).port}`, DAYBOOK_MAIL_FROM: 'Books <books@example.com>', DAYBOOK_POOL_SIZE: '8' })
  owner = await own.owner()
  await own.program.startWorker()
})
afterAll(async () => {
  await own.stop()
  await new Promise<void>((done) => server.close(() => done()))
})

it('arrives with its PDF under the name of the business, and only then counts as sent', async () => {
  const customer = ok(await owner.client.post('/customers', { name: 'Παπαδόπουλος Α.Ε.', email: 'customer@example.com' }))
  const draft = ok(await owner.client.post('/invoices', { customer_id: customer.id, line_items: [{ description: 'Work', unit_price: 12_500 }] }))
  busy = true
  const { invoice } = ok(await owner.client.post(`/invoices/${draft.id}/send`, { cc: ['copy@example.com'] }))
  expect(invoice).toMatchObject({ status: 'open', sent_at: null })
  await until('the mail server has refused once', async () => (await own.sql(`select 1 from graphile_worker._private_jobs where last_error like '%Try again later%' and locked_at is null`))[0])
  expect(ok(await owner.client.get(`/invoices/${draft.id}`)).sent_at).toBeNull()
  busy = false
  await own.sql('update graphile_worker._private_jobs set run_at = now() where locked_at is null')
  const sent = await until('the invoice is sent', async () => (await own.sql('select sent_at from invoices where id = $1 and sent_at is not null', [draft.id]))[0])
  expect(taken).toHaveLength(1)
  const mail = await PostalMime.parse(taken[0] as Buffer)
  const [business] = await own.sql('select name from businesses where id = $1', [owner.business_id])
  expect(mail).toMatchObject({
    from: { name: business.name, address: 'books@example.com' }, to: [{ address: 'customer@example.com' }], cc: [{ address: 'copy@example.com' }], subject: `Invoice ${invoice.number} from ${business.name}`,
  })
  for (const body of [mail.text, mail.html]) {
    expect(body).toContain('Παπαδόπουλος Α.Ε.')
    expect(body?.replaceAll(/=\n/g, '')).toContain(invoice.hosted_invoice_url)
  }
  const [attachment, ...more] = mail.attachments
  expect([attachment?.filename, attachment?.mimeType, more]).toEqual([`Invoice-${invoice.number}.pdf`, 'application/pdf', []])
  expect((await extractText(new Uint8Array(attachment?.content as ArrayBuffer), { mergePages: true })).text).toContain('Παπαδόπουλος')
  const [row] = await own.sql('select sent_at, text_body from mails where business_id = $1', [owner.business_id])
  expect([row.sent_at, row.text_body]).toEqual([sent.sent_at, ''])
}, 30_000)
