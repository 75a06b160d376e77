// Live alerts: notifications that are computed when they are read. A room above gives each kind as a plug.
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import type { Severity, Topic } from '../notification-kinds/contract.ts'

/** What is the matter now; `since` is when it began. */
export type Finding = {
  severity: Severity
  title: string
  body: string | null
  action_url: string | null
  resource_type: string | null
  /** Null: it is about the business as a whole. */
  resource_id: string | null
  since: string
}

export type LiveAlert = {
  /** Part of the id of what it finds: never changed. */
  kind: string
  topic: Topic
  /** At most one finding per record. */
  find: (tx: BusinessTx) => Promise<Finding[]>
}
