// What happens to a document request as a whole: it is sent, reminded of, completed, canceled and reopened.
import { boolean, optional, shape, text } from '../../foundation/shapes.ts'
import { DocumentRequest, endpoint, params } from '../document-requests/contract.ts'

/** A link opens nothing after so many days. */
export const LINK_DAYS = 90

export const sendRequest = endpoint({
  id: 'send_document_request', method: 'PUT', path: '/{request_id}/send', summary: 'Send a document request',
  description: `Each recipient is mailed a link of their own. It dies when the request is completed or canceled, and after ${LINK_DAYS} days.`,
  params,
  reply: DocumentRequest,
  refusals: ['It has no item, or no recipient.', 'It was completed or canceled: reopen it.'],
})

export const remindRequest = endpoint({
  id: 'remind_document_request', method: 'POST', path: '/{request_id}/remind', summary: 'Remind the recipients of a document request',
  params,
  body: shape('DocumentRequestRemind', { force: optional(boolean({ description: 'Also a second time on the same day.' })) }),
  reply: DocumentRequest,
  refusals: [
    'Nothing is missing.', 'They were reminded today and force is not true.', 'It is a draft, completed or canceled.',
    'Its links have expired: cancel and reopen it.',
  ],
  example: {},
})

export const completeRequest = endpoint({
  id: 'complete_document_request', method: 'PUT', path: '/{request_id}/complete', summary: 'Complete a document request',
  description: 'Its links die.',
  params,
  reply: DocumentRequest,
  refusals: ['A required item is neither accepted nor waived.', 'It is a draft, or canceled.'],
})

export const cancelRequest = endpoint({
  id: 'cancel_document_request', method: 'PUT', path: '/{request_id}/cancel', summary: 'Cancel a document request',
  description: 'Its links die, and nothing follows it where it recurs.',
  params,
  body: shape('DocumentRequestCancel', { reason: optional(text(1, 500, { description: 'Kept in the audit trail.' })) }),
  reply: DocumentRequest,
  refusals: ['It is a draft: delete it.', 'It is completed.'],
})

export const reopenRequest = endpoint({
  id: 'reopen_document_request', method: 'PUT', path: '/{request_id}/reopen', summary: 'Reopen a document request',
  description: 'It is sent again, with new links; the old ones stay dead.',
  params,
  reply: DocumentRequest,
  refusals: ['It is a draft: send it.', 'It is received or partially received.'],
})
