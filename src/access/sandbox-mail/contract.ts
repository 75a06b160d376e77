// The sandbox mailbox: without a mail server, what would have been sent can be read here.
import { endpoint, listQuery, pageOf } from '../../foundation/endpoint.ts'
import { email, id, nullable, optional, shape, text, timestamp } from '../../foundation/shapes.ts'

export const SandboxMail = shape('SandboxMail', {
  id: id(),
  business_id: nullable(id({ description: 'The business in whose name it was written.' })),
  recipient: email(),
  subject: text(0, 1000),
  text_body: text(0, 1_000_000),
  created_at: timestamp(),
  sent_at: nullable(timestamp()),
})

export const listSandboxMail = endpoint({
  id: 'list_sandbox_mail', method: 'GET', path: '/sandbox/mail', summary: 'Read sent mail in the sandbox', scope: 'user', permission: 'user:read',
  description: 'Newest first: mail to the caller and mail of businesses they own. Only while no mail server is set; with one this is a 404.',
  query: listQuery(['created_at'], { to: optional(email({ description: 'Only mail to this address.' })) }),
  reply: pageOf(SandboxMail),
})
