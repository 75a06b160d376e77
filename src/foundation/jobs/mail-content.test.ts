// What a mail consists of, as a real mail server receives it and a mail reader takes it apart.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import PostalMime from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ownService, type Own } from '../../../test/support/own.ts'
import { until } from '../../../test/support/process.ts'
import { plainRequest, transact } from '../database/transact.ts'
import { newId } from '../ids.ts'
import { openLog } from '../log.ts'
import { sendMail, sendMailJob, type Mail } from './mail.ts'

type Taken = { sender: string; envelope: string[]; raw: Buffer }

let own: Own
let server: SMTPServer
const taken: Taken[] = []

const onData: SMTPServerOptions['onData'] = (stream, session, done) => {
  buffer(stream).then((raw) => {
    const { mailFrom, rcptTo } = session.envelope
    taken.push({ sender: mailFrom ? mailFrom.address : '', envelope: rcptTo.map(({ address }) => address), raw })
    done()
  }, done)
}

beforeAll(async () => {
  server = new SMTPServer({ authOptional: true, disabledCommands: ['STARTTLS'], onData })
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const { port } = listening.address() as AddressInfo
  own = await ownService({ DAYBOOK_SMTP_URL: `smtp://127.0.0.1:${port}`, DAYBOOK_MAIL_FROM: 'Books <books@example.com>', DAYBOOK_POOL_SIZE: '4' })
  await own.program.startWorker()
})
afterAll(async () => {
  await own.stop()
  await new Promise<void>((done) => server.close(() => done()))
})

const send = (mail: Mail): Promise<string> =>
  transact(own.program.database, { business_id: null, read_only: false, request: plainRequest }, async ({ tx }) => sendMail(tx, mail))

/** Waits for the server to take it, and takes it apart. */
async function arrived(mail_id: string) {
  await until('the mail is sent', async () => (await own.sql('select 1 from mails where id = $1 and sent_at is not null', [mail_id]))[0])
  const [found, ...more] = taken.filter(({ raw }) => raw.includes(`<${mail_id}@example.com>`))
  if (!found || more.length > 0) throw new Error(`The server has it ${more.length + (found ? 1 : 0)} times.`)
  return { ...found, content: await PostalMime.parse(found.raw) }
}

const PDF = Buffer.from(Array.from({ length: 70_000 }, (_, index) => (index * 31) % 256))

it('everything arrives: recipients, names, both forms, attachments byte for byte', async () => {
  const mail_id = await send({
    to: ['First@example.com', 'second@example.com'], cc: ['copy@example.com'], bcc: ['hidden@example.com'], reply_to: 'answers@example.com',
    sender_name: 'Müller, Söhne & "Co"', subject: 'Invoice 7 from Müller – 株式会社', text: 'Plain words.\n.\nÜber uns', html: '<p>Words with <b>weight</b> – ü</p>',
    attachments: [
      { file_name: 'Invoice INV-0007.pdf', content_type: 'application/pdf', content: PDF },
      { file_name: 'Größe 明細.csv', content_type: 'text/csv', content: Buffer.from('a;b\r\n1;2\r\n') },
    ],
  })
  const { sender, envelope, raw, content } = await arrived(mail_id)
  expect(sender).toBe('books@example.com')
  expect(envelope.toSorted()).toEqual(['First@example.com', 'copy@example.com', 'hidden@example.com', 'second@example.com'])
  expect(content).toMatchObject({
    from: { name: 'Müller, Söhne & "Co"', address: 'books@example.com' },
    to: [{ address: 'First@example.com' }, { address: 'second@example.com' }],
    cc: [{ address: 'copy@example.com' }],
    replyTo: [{ address: 'answers@example.com' }],
    subject: 'Invoice 7 from Müller – 株式会社',
  })
  expect(content.text?.trim()).toBe('Plain words.\n.\nÜber uns')
  expect(content.html?.trim()).toBe('<p>Words with <b>weight</b> – ü</p>')
  expect(content.attachments.map(({ filename, mimeType, disposition }) => [filename, mimeType, disposition]))
    .toEqual([['Invoice INV-0007.pdf', 'application/pdf', 'attachment'], ['Größe 明細.csv', 'text/csv', 'attachment']])
  expect(Buffer.from(content.attachments[0]?.content as ArrayBuffer).equals(PDF)).toBe(true)
  expect(raw.includes('hidden@example.com')).toBe(false)
})

it('what was taken is forgotten: words and bytes', async () => {
  const mail_id = await send({ to: 'a@example.com', subject: 'x', text: 'secret', html: '<p>secret</p>', attachments: [{ file_name: 'a.pdf', content_type: 'application/pdf', content: PDF }] })
  await arrived(mail_id)
  expect(await own.sql('select text_body, html_body from mails where id = $1', [mail_id])).toEqual([{ text_body: '', html_body: null }])
  expect(await own.sql('select file_name, length(content) as size from mail_attachments where mail_id = $1', [mail_id])).toEqual([{ file_name: 'a.pdf', size: 0 }])
})

it('a plain one stays plain, under the name of the installation', async () => {
  const { content } = await arrived(await send({ to: 'a@example.com', subject: 'Plain', text: 'Words' }))
  expect(content).toMatchObject({ from: { name: 'Books', address: 'books@example.com' }, attachments: [] })
  expect([content.html, content.cc, content.replyTo]).toEqual([undefined, undefined, undefined])
})

it('headers of its own arrive as they are, and are forgotten with the words', async () => {
  const headers = { 'List-Unsubscribe': `<https://books.example.com/api/v1/notification-preferences/unsubscribe?token=${'x'.repeat(120)}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
  const mail_id = await send({ to: 'a@example.com', subject: 'x', text: 'x', headers })
  const { content } = await arrived(mail_id)
  expect(content.headers.filter(({ key }) => key.startsWith('list-')).map(({ key, value }) => [key, value.replaceAll(/\s/g, '')])).toEqual([
    ['list-unsubscribe', headers['List-Unsubscribe']], ['list-unsubscribe-post', headers['List-Unsubscribe-Post']],
  ])
  expect(await own.sql('select headers from mails where id = $1', [mail_id])).toEqual([{ headers: null }])
})

it.each([
  ['a subject', { subject: 'One\r\nBcc: thief@example.com' }],
  ['a sender', { sender_name: 'One\r\nBcc: thief@example.com' }],
  ['a sender with an address', { sender_name: 'One <thief@example.com>, Two' }],
  ['the name of a file', { attachments: [{ file_name: 'a.pdf\r\nBcc: thief@example.com', content_type: 'application/pdf', content: PDF }] }],
  ['the answer', { reply_to: 'a@example.com\r\nBcc: thief@example.com' }],
])('%s adds no header and no recipient', async (_what, more) => {
  const { envelope, content } = await arrived(await send({ to: 'a@example.com', subject: 'x', text: 'x', ...more }))
  expect(envelope).toEqual(['a@example.com'])
  expect(content.from?.address).toBe('books@example.com')
  expect(content.bcc).toBeUndefined()
  expect(content.headers.filter(({ key }) => key === 'bcc')).toEqual([])
})

it('the job that follows is added when the mail is taken, once, and not before', async () => {
  const key = newId()
  const mail_id = await send({ to: 'a@example.com', subject: 'x', text: 'x', on_sent: { task: 'test.noted', payload: { key } } })
  await arrived(mail_id)
  const jobs = () => own.sql(
    `select payload from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = 'test.noted'`)
  expect(await jobs()).toEqual([{ payload: { key } }])
  await sendMailJob.run({ database: own.program.database, mailer: null, log: openLog('silent'), job_id: '1' }, { mail_id } as never)
  expect(await jobs()).toHaveLength(1)
  const refused = newId()
  await own.sql(`insert into mails (id, recipient, subject, text_body, on_sent, created_at) values ($1, 'b@example.com', 'x', 'x', '{"task": "test.noted", "payload": {}}', now())`, [refused])
  const broken = { async send() { throw new Error('Not today.') } }
  await expect(sendMailJob.run({ database: own.program.database, mailer: broken, log: openLog('silent'), job_id: '1' }, { mail_id: refused } as never)).rejects.toThrow('Not today.')
  expect(await jobs()).toHaveLength(1)
})
