// Mail leaves after the commit: the text is stored with the change, and a job hands it to the mail server. Without a mail
// server it stays readable here, which is the sandbox.
import { Type } from 'typebox'
import { command, statement } from '../database/statement.ts'
import { plainRequest, transact } from '../database/transact.ts'
import type { Tx } from '../database/transaction.ts'
import { newId } from '../ids.ts'
import { id, nullable, timestamp } from '../shapes.ts'
import { job } from './job.ts'

export type Mail = { to: string; subject: string; text: string; business_id?: string | null }

const MailRow = Type.Object({
  id: id(), business_id: nullable(id()), recipient: Type.String(), subject: Type.String(), text_body: Type.String(),
  created_at: timestamp(), sent_at: nullable(timestamp()),
})

const insertMail = command(
  `insert into mails (id, business_id, recipient, subject, text_body, created_at) values (:id, :business, :recipient, :subject, :text_body, :now)`)
const unsentMail = statement(MailRow, `select id, business_id, recipient, subject, text_body, created_at, sent_at from mails where id = :id and sent_at is null for update`)
const markSent = command(`update mails set sent_at = :now, text_body = case when :keep::boolean then text_body else '' end where id = :id`)

/** Sends mail when, and only when, this transaction commits. */
export function sendMail(tx: Tx, mail: Mail): void {
  const mail_id = newId()
  tx.queue(insertMail, { id: mail_id, business: mail.business_id ?? null, recipient: mail.to, subject: mail.subject, text_body: mail.text })
  tx.enqueue('mail.send', { mail_id })
}

export const sendMailJob = job({
  name: 'mail.send',
  payload: Type.Object({ mail_id: id() }),
  run: ({ database, mailer }, { mail_id }) =>
    transact(database, { business_id: null, read_only: false, request: plainRequest }, async ({ tx }) => {
      const mail = await tx.find(unsentMail, { id: mail_id })
      if (!mail) return
      // Sent inside the transaction: a crash between the two repeats the mail (same Message-ID) rather than losing it.
      await mailer?.send({ id: mail.id, to: mail.recipient, subject: mail.subject, text: mail.text_body })
      tx.queue(markSent, { id: mail_id, keep: mailer === null })
    }),
})
