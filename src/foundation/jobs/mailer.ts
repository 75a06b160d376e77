// The way out for mail: an SMTP server, or none, which is the sandbox.
import { createTransport } from 'nodemailer'

/** null where no mail server is set. */
export type Mailer = { send(mail: { id: string; to: string; subject: string; text: string }): Promise<void> } | null

export function openMailer(smtp_url: string | null, from: string): Mailer {
  if (smtp_url === null) return null
  // Mail is sent inside a transaction: a mail server that hangs must not hold it until the database ends it. The URL may say otherwise.
  const transport = createTransport({ url: smtp_url, connectionTimeout: 8_000, greetingTimeout: 8_000, socketTimeout: 10_000 })
  const domain = /@([^>\s]+)/.exec(from)?.[1] ?? 'localhost'
  return {
    async send({ id: mail_id, to, subject, text }) {
      await transport.sendMail({ from, to, subject, text, messageId: `<${mail_id}@${domain}>` })
    },
  }
}
