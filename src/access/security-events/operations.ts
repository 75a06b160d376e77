// Writing and reading the security log of a user.
import type { PageQuery } from '../../foundation/database/list.ts'
import type { Tx, UserTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import type { USER_EVENTS } from './contract.ts'
import * as store from './store.ts'

type UserEvent = (typeof USER_EVENTS)[number]

/** Commits with the change it tells of. The detail never holds a secret. */
export function recordUserEvent(tx: Tx, user_id: string, type: UserEvent, detail: Record<string, unknown> = {}): void {
  const { ip, request_id } = tx.request
  const user_agent = tx.request.user_agent?.slice(0, 500) ?? null
  tx.queue(store.insertEvent, { id: newId(), user_id, type, ip, user_agent, request_id, detail: JSON.stringify(detail) })
}

export function listSecurityEvents(tx: UserTx, query: PageQuery) {
  return tx.page(store.securityEvents, query)
}
