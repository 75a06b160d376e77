// Computing the live alerts of a business for one caller.
import type { UserTx } from '../../foundation/database/transaction.ts'
import { holds } from '../notification-access/rules.ts'
import type { Entrance } from '../notification-access/operations.ts'
import { TOPIC_RIGHTS, type Notification } from '../notification-kinds/contract.ts'
import type { LiveAlert } from './contract.ts'
import { liveId } from './rules.ts'

/** Only what the caller may read there. The transaction goes on inside the business. */
export async function readLive(tx: UserTx, { business_id, role, timezone, base_currency }: Entrance, alerts: readonly LiveAlert[]): Promise<Notification[]> {
  const readable = alerts.filter(({ topic }) => holds(role, tx.actor.permissions, TOPIC_RIGHTS[topic].read))
  if (readable.length === 0) return []
  const inside = tx.enter({ id: business_id, timezone, base_currency, read_only: null }, role)
  const found = await Promise.all(readable.map(async ({ kind, topic, find }) =>
    (await find(inside)).map(({ since, severity, ...finding }): Notification => ({
      id: liveId(business_id, kind, finding.resource_id), scope: 'business', scope_id: business_id, business_id, firm_id: null, topic, severity, ...finding,
      status: 'unread', pinned: false, pinned_at: null, snoozed_until: null, read_at: null, resolved_at: null, dismissed_at: null,
      live: true, created_at: since, updated_at: since, version: 1,
    }))))
  return found.flat()
}
