// Mail leaves after the commit: it is stored with the change, and a job hands it to the mail server. Without a mail server it
// stays readable here, which is the sandbox.
import { Type } from 'typebox'
import { command, statement } from '../database/statement.ts'
import { plainRequest, transact } from '../database/transact.ts'
import type { Tx } from '../database/transaction.ts'
import { newId } from '../ids.ts'
import { id, list, nullable } from '../shapes.ts'
import { job } from './job.ts'
import type { Attachment } from './mailer.ts'

export type Mail = {
  to: string | readonly string[]
  subject: string
  text: string
  business_id?: string | null
  cc?: readonly string[]
  bcc?: readonly string[]
  reply_to?: string | null
  /** In whose name it is sent: a business writes to its customers under its own. */
  sender_name?: string | null
  /** The same words for mail programs that show pages. */
  html?: string | null
  attachments?: readonly Attachment[]
  /** Beside the usual ones, such as List-Unsubscribe. */
  headers?: Record<string, string> | null
  /** A job that runs when the mail server (or the sandbox) has taken it, and only then. */
  on_sent?: { task: string; payload: Record<string, unknown> } | null
}

const MailRow = Type.Object({
  id: id(), recipient: Type.String(), also_to: list(Type.String()), cc: list(Type.String()), bcc: list(Type.String()), reply_to: nullable(Type.String()),
  sender_name: nullable(Type.String()), subject: Type.String(), text_body: Type.String(), html_body: nullable(Type.String()),
  headers: nullable(Type.Unsafe<Record<string, string>>({ type: 'object' })),
  on_sent: nullable(Type.Unsafe<NonNullable<Mail['on_sent']>>({ type: 'object' })),
})
const AttachmentRow = Type.Object({ file_name: Type.String(), content_type: Type.String(), content: Type.Unsafe<Buffer>({ type: 'buffer' }) })

const insertMail = command(
  `insert into mails (id, business_id, recipient, also_to, cc, bcc, reply_to, sender_name, subject, text_body, html_body, headers, on_sent, created_at)
   values (:id, :business, :recipient, :also_to, :cc, :bcc, :reply_to, :sender_name, :subject, :text_body, :html_body, :headers::jsonb, :on_sent::jsonb, :now)`)
const insertAttachments = command(
  `insert into mail_attachments (mail_id, position, file_name, content_type, content)
   select :mail_id, ordinality, file_name, content_type, content
   from unnest(:file_names::text[], :content_types::text[], :contents::bytea[]) with ordinality as attachment (file_name, content_type, content, ordinality)`)
const unsentMail = statement(MailRow,
  `select id, recipient, also_to, cc, bcc, reply_to, sender_name, subject, text_body, html_body, headers, on_sent from mails where id = :id and sent_at is null for update`)
const attachmentsOf = statement(AttachmentRow, 'select file_name, content_type, content from mail_attachments where mail_id = :id order by position')
const markSent = command(
  `update mails set sent_at = :now, text_body = case when :keep::boolean then text_body else '' end, html_body = case when :keep then html_body end,
     headers = case when :keep then headers end where id = :id`)
const forgetAttachments = command(`update mail_attachments set content = '' where mail_id = :id`)

/** Sends mail when, and only when, this transaction commits; its id is that of the message. */
export function sendMail(tx: Tx, mail: Mail): string {
  const mail_id = newId()
  const [recipient = '', ...also_to] = [mail.to].flat()
  tx.queue(insertMail, {
    id: mail_id, business: mail.business_id ?? null, recipient, also_to, cc: [...(mail.cc ?? [])], bcc: [...(mail.bcc ?? [])], reply_to: mail.reply_to ?? null,
    sender_name: mail.sender_name ?? null, subject: mail.subject, text_body: mail.text, html_body: mail.html ?? null,
    headers: mail.headers ? JSON.stringify(mail.headers) : null,
    on_sent: mail.on_sent ? JSON.stringify(mail.on_sent) : null,
  })
  const attachments = mail.attachments ?? []
  if (attachments.length > 0) {
    tx.queue(insertAttachments, {
      mail_id, file_names: attachments.map(({ file_name }) => file_name), content_types: attachments.map(({ content_type }) => content_type),
      contents: attachments.map(({ content }) => content),
    })
  }
  tx.enqueue('mail.send', { mail_id })
  return mail_id
}

export const sendMailJob = job({
  name: 'mail.send',
  payload: Type.Object({ mail_id: id() }),
  run: ({ database, mailer }, { mail_id }) =>
    transact(database, { business_id: null, read_only: false, request: plainRequest }, async ({ tx }) => {
      const mail = await tx.find(unsentMail, { id: mail_id })
      if (!mail) return
      if (mailer) {
        const attachments = await tx.many(attachmentsOf, { id: mail_id })
        // Sent inside the transaction: a crash between the two repeats the mail (same Message-ID) rather than losing it.
        await mailer.send({ ...mail, to: [mail.recipient, ...mail.also_to], text: mail.text_body, html: mail.html_body, attachments })
        tx.queue(forgetAttachments, { id: mail_id })
      }
      tx.queue(markSent, { id: mail_id, keep: mailer === null })
      if (mail.on_sent) tx.enqueue(mail.on_sent.task, mail.on_sent.payload)
    }),
})
