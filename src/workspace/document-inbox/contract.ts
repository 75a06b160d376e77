// Documents by mail: what is attached to a message to the inbox of a business becomes documents of it.
import { type Static } from 'typebox'
import { endpoint } from '../../foundation/endpoint.ts'
import { boolean, list, nullable, optional, shape, text } from '../../foundation/shapes.ts'

export const MOST_ATTACHMENTS = 20

export const InboundMail = shape('InboundMail', {
  message_id: text(1, 998),
  to: list(text(1, 320), { minItems: 1, maxItems: 100 }),
  from: optional(nullable(text(0, 1000))),
  subject: optional(nullable(text(0, 2000))),
  attachments: list(shape('InboundAttachment', { file_name: text(0, 1000), content_base64: text(0, 400_000_000) }), { maxItems: 100 }),
})
export type InboundMail = Static<typeof InboundMail>

export const receiveMail = endpoint({
  id: 'receive_inbound_email', method: 'POST', path: '/documents/inbound-email', summary: 'Receive a message for the inbox of a business', group: 'documents',
  scope: 'public', permission: null, inbound: true, large_body: true,
  description: 'Called by the mail party with JSON: message_id, to (a list), from, subject, attachments with file_name and content_base64. '
    + 'Signed as Standard Webhooks say (webhook-id, webhook-timestamp, webhook-signature); anything else is a 401. Each message counts once. '
    + 'One to an unknown address, or to an inbox that is turned off, is taken and dropped, and so is an attachment that could not be uploaded; '
    + `of more than ${MOST_ATTACHMENTS} the first are kept.`,
  reply: shape('MailReceived', { received: boolean() }),
})
