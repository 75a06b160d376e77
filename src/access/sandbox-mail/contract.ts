// The sandbox mailbox: without a mail server, what would have been sent can be read here.
import { endpoint, listQuery, pageOf } from '../../foundation/endpoint.ts'
import { anyObject, email, id, integer, list, nullable, optional, shape, text, timestamp } from '../../foundation/shapes.ts'

export const SandboxAttachment = shape('SandboxAttachment', { file_name: text(1, 255), content_type: text(1, 200), size: integer(0, undefined, { description: 'In bytes.' }) })

export const SandboxMail = shape('SandboxMail', {
  id: id(),
  business_id: nullable(id({ description: 'The business in whose name it was written.' })),
  recipient: email(),
  also_to: list(email(), { description: 'Further recipients.' }),
  cc: list(email()),
  bcc: list(email()),
  reply_to: nullable(email()),
  sender_name: nullable(text(1, 200, { description: 'In whose name it was sent; null where in that of the installation.' })),
  subject: text(0, 1000),
  text_body: text(0, 1_000_000),
  html_body: nullable(text(0, 1_000_000)),
  headers: nullable(anyObject({ description: 'Headers beside the usual ones, such as List-Unsubscribe.' })),
  attachments: list(SandboxAttachment),
  created_at: timestamp(),
  sent_at: nullable(timestamp()),
})

export const listSandboxMail = endpoint({
  id: 'list_sandbox_mail', method: 'GET', path: '/sandbox/mail', summary: 'Read sent mail in the sandbox', scope: 'user', permission: 'user:read',
  description: 'Newest first: mail to the caller and mail of businesses they own. Only while no mail server is set; with one this is a 404.',
  query: listQuery(['created_at'], { to: optional(email({ description: 'Only mail to this address.' })) }),
  reply: pageOf(SandboxMail),
})
