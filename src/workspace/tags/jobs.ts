// What happens to tags without a caller: a deleted record loses them.
import { resources } from '../../foundation/resource.ts'
import type { Subscriber } from '../../foundation/jobs/job.ts'
import { dropTags } from './operations.ts'

export const dropTagsOfDeleted: Subscriber = {
  name: 'tags.drop-of-deleted',
  /** Asked for when events are delivered: by then every kind of record is known. */
  get types() {
    return [...resources.values()].flatMap((resource) => resource.events.filter((event) => event.endsWith('.deleted')))
  },
  handle: dropTags,
}
