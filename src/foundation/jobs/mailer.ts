// The way out for mail: an SMTP server, or none, which is the sandbox.
import { createTransport } from 'nodemailer'

export type Attachment = { file_name: string; content_type: string; content: Buffer }

export type Letter = {
  id: string
  to: readonly string[]
  cc: readonly string[]
  bcc: readonly string[]
  reply_to: string | null
  /** Shown instead of the name in the setting for the sender; the address stays. */
  sender_name: string | null
  subject: string
  text: string
  html: string | null
  attachments: readonly Attachment[]
  /** Beside the usual ones. */
  headers?: Record<string, string> | null
}

/** null where no mail server is set. */
export type Mailer = { send(letter: Letter): Promise<void> } | null

export function openMailer(smtp_url: string | null, from: string): Mailer {
  if (smtp_url === null) return null
  // Mail is sent inside a transaction: a mail server that hangs must not hold it until the database ends it. The URL may say otherwise.
  const transport = createTransport({ url: smtp_url, connectionTimeout: 8_000, greetingTimeout: 8_000, socketTimeout: 10_000 })
  const domain = /@([^>\s]+)/.exec(from)?.[1] ?? 'localhost'
  const address = /<([^>]+)>/.exec(from)?.[1] ?? from
  return {
    async send({ id: mail_id, to, cc, bcc, reply_to, sender_name, subject, text, html, attachments, headers = null }) {
      await transport.sendMail({
        // Addresses as objects: a comma in a name or an address must not become another recipient.
        from: sender_name === null ? from : { name: sender_name, address },
        to: recipients(to), cc: recipients(cc), bcc: recipients(bcc),
        ...(reply_to === null ? {} : { replyTo: { name: '', address: reply_to } }),
        subject, text,
        ...(html === null ? {} : { html }),
        attachments: attachments.map(({ file_name, content_type, content }) => ({ filename: file_name, contentType: content_type, content, contentDisposition: 'attachment' as const })),
        ...(headers === null ? {} : { headers }),
        messageId: `<${mail_id}@${domain}>`,
        // Nothing that others wrote may make the mailer read a file or a page.
        disableFileAccess: true,
        disableUrlAccess: true,
      })
    },
  }
}

function recipients(addresses: readonly string[]): { name: string; address: string }[] {
  return addresses.map((address) => ({ name: '', address }))
}
