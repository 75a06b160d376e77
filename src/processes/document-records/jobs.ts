// Documents that an invoice names are attached to it as well, so that the books keep them.
import type { Subscriber } from '../../foundation/jobs/job.ts'
import { attachTo } from '../../workspace/document-attachments/operations.ts'
import { documentsByIds } from '../../workspace/documents/operations.ts'

export const attachDocumentsOfInvoices: Subscriber = {
  name: 'documents.attach-to-invoices',
  types: ['invoice.created', 'invoice.updated'],
  async handle(tx, { resource_id, data }) {
    const named = (data['attachment_ids'] ?? []) as string[]
    // One that was deleted before this came to it is no proof any more.
    const document_ids = [...(await documentsByIds(tx, named)).keys()]
    await attachTo(tx, 'invoice', [{ resource_id, document_ids }])
  },
}
