// Rules: which events become notifications, for whom, in which words, and which events settle them. They are data; every room lists its own.
import type { Event } from '../../foundation/jobs/job.ts'
import type { Severity, Topic } from '../notification-kinds/contract.ts'

export type Told = Pick<Event, 'type' | 'resource_type' | 'resource_id' | 'data'> & { business_id: string | null }
type Words = (event: Told) => string

export type NotificationRule = {
  event: string
  /** Its name, unique and never changed: together with the event it makes a notification once. */
  rule: string
  topic: Topic
  severity: Severity | ((event: Told) => Severity)
  /** Everybody in the business who may read the topic, or the one person that the event names. */
  audience: 'business' | ((event: Told) => string | null)
  title: Words
  body?: Words
  action_url?: Words
  /** Where it is about another record than the event. */
  about?: (event: Told) => { type: string; id: string | null }
  /** Only events of which this is true. */
  when?: (event: Told) => boolean
  /** Rules whose notifications about the same record are settled by this event. */
  resolves?: readonly string[]
  /** Not again while one about the same record is unsettled. */
  once?: boolean
}

/** An event that makes nothing and only settles. */
export type Resolution = Required<Pick<NotificationRule, 'event' | 'resolves'>> & Pick<NotificationRule, 'about' | 'when'>

/** An event of a person's security log. `mail` is false where that person was written to already. */
export type SecurityRule = {
  event: string
  rule: string
  severity: Severity
  title: string
  body: (detail: Record<string, unknown>) => string
  mail: boolean
  when?: (detail: Record<string, unknown>) => boolean
}
