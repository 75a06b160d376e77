// Mail: leaves after the commit and only then, through a real mail server, once, and is not lost when that server fails.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { ownService, type Own } from '../../../test/support/own.ts'
import { until } from '../../../test/support/process.ts'
import { startSmtp, type SmtpServer } from '../../../test/support/smtp.ts'
import { plainRequest, transact } from '../database/transact.ts'
import { newId } from '../ids.ts'
import { openLog } from '../log.ts'
import { sendMail, sendMailJob } from './mail.ts'
import { openMailer } from './mailer.ts'

let own: Own
let smtp: SmtpServer
beforeAll(async () => {
  smtp = await startSmtp()
  own = await ownService({ DAYBOOK_SMTP_URL: smtp.url, DAYBOOK_MAIL_FROM: 'Books <books@example.com>', DAYBOOK_POOL_SIZE: '6' })
  await own.program.startWorker()
})
afterAll(async () => {
  await own.stop()
  await smtp.stop()
})
beforeEach(() => {
  smtp.mode = 'accept'
})

/** Mails this in a transaction that ends as told. */
async function mail(to: string, ending: 'commit' | 'rollback' = 'commit', before_commit: () => Promise<void> = async () => {}): Promise<void> {
  await transact(own.program.database, { business_id: null, read_only: false, request: plainRequest }, async ({ tx }) => {
    sendMail(tx, { to, subject: 'Größe & more', text: `Hello ${to},\n\n.\nthis is a line of its own.` })
    await before_commit()
    if (ending === 'rollback') throw new Error('Undone.')
  }).catch((error: Error) => {
    if (error.message !== 'Undone.') throw error
  })
}

const receivedBy = (to: string) => smtp.received.filter((mail) => mail.to === to)
const rowOf = async (to: string) => (await own.sql('select id, text_body, sent_at from mails where recipient = $1', [to]))[0]
const sent = (to: string) => until(`the mail to ${to} is sent`, async () => (await rowOf(to))?.sent_at)
/** Waiting between tries is the queue's; here it is over at once. */
const hurry = () => own.sql('update graphile_worker._private_jobs set run_at = now() where locked_at is null')

it('arrives once, whole, under an id of its own, and its text is forgotten', async () => {
  const to = `${newId()}@example.com`
  let early = -1
  await mail(to, 'commit', async () => {
    early = receivedBy(to).length
  })
  await sent(to)
  const row = await rowOf(to)
  expect(early).toBe(0)
  expect(row.text_body).toBe('')
  const [received, ...more] = receivedBy(to)
  expect(more).toEqual([])
  expect(received?.from).toBe('books@example.com')
  expect(received?.content).toContain(`Message-ID: <${row.id}@example.com>`)
  expect(received?.content).toMatch(/^From: Books <books@example.com>$/m)
  expect(received?.content).toMatch(/^\.$/m)
  expect(received?.content).toContain(`Hello ${to},`)
})

it('does not leave where the transaction is undone', async () => {
  const [undone, done] = [`${newId()}@example.com`, `${newId()}@example.com`]
  await mail(undone, 'rollback')
  await mail(done)
  await sent(done)
  expect(receivedBy(undone)).toEqual([])
  expect(await rowOf(undone)).toBeUndefined()
  expect(await own.sql('select count(*)::int as jobs from graphile_worker._private_jobs')).toEqual([{ jobs: 0 }])
})

it('is tried again while the mail server refuses, and arrives once', async () => {
  const to = `${newId()}@example.com`
  smtp.mode = 'refuse'
  const before = smtp.calls
  await mail(to)
  await until('the first try fails', async () => (await own.sql('select 1 from graphile_worker._private_jobs where last_error is not null and locked_at is null'))[0])
  expect(smtp.calls).toBeGreaterThan(before)
  expect(await rowOf(to)).toMatchObject({ sent_at: null, text_body: expect.stringContaining(to) })
  smtp.mode = 'accept'
  await hurry()
  await sent(to)
  expect(receivedBy(to)).toHaveLength(1)
})

it('a job that runs twice sends once', async () => {
  const to = `${newId()}@example.com`
  await mail(to)
  await sent(to)
  const { id } = await rowOf(to)
  await sendMailJob.run({ database: own.program.database, mailer: openMailer(smtp.url, 'books@example.com'), log: openLog('silent'), job_id: '1' }, { mail_id: id } as never)
  expect(receivedBy(to)).toHaveLength(1)
})

it('a mail server that says nothing is given up, and the connection to the database is back', async () => {
  smtp.mode = 'silent'
  const mailer = openMailer(`${smtp.url}?greetingTimeout=200`, 'books@example.com')
  await expect(mailer?.send({ id: newId(), to: ['a@example.com'], cc: [], bcc: [], reply_to: null, sender_name: null, subject: 'x', text: 'x', html: null, attachments: [] })).rejects.toThrow(/greeting/i)
})

it('without a mail server it is kept and readable: the sandbox', async () => {
  const to = `${newId()}@example.com`
  const id = newId()
  await own.sql(`insert into mails (id, recipient, subject, text_body, created_at) values ($1, $2, 'Kept', 'Text', now())`, [id, to])
  await sendMailJob.run({ database: own.program.database, mailer: null, log: openLog('silent'), job_id: '1' }, { mail_id: id } as never)
  expect(await rowOf(to)).toMatchObject({ text_body: 'Text', sent_at: expect.any(Date) })
  expect(receivedBy(to)).toEqual([])
})
