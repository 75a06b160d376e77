// What happens to attachments without a caller: a deleted record loses them.
import type { Subscriber } from '../../foundation/jobs/job.ts'
import { resources } from '../../foundation/resource.ts'
import { dropAttachments } from './operations.ts'

export const dropAttachmentsOfDeleted: Subscriber = {
  name: 'documents.drop-attachments-of-deleted',
  /** Asked for when events are delivered: by then every kind of record is known. */
  get types() {
    return [...resources.values()].flatMap((resource) => resource.events.filter((event) => event.endsWith('.deleted')))
  },
  handle: dropAttachments,
}
