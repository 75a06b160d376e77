// What is known of disputes; the books are told elsewhere.
import type { PageQuery } from '../../foundation/database/list.ts'
import { changed } from '../../foundation/database/rows.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import type { Dispute } from '../../foundation/processor/processor.ts'
import { disputeResource, type DisputeRow } from './contract.ts'
import * as store from './store.ts'

export function listDisputes(tx: BusinessTx, query: PageQuery) {
  return tx.page(store.disputes, query)
}

/** What the processor says of a dispute now. Whoever calls has locked the connection. */
export async function applyDispute(tx: BusinessTx, charge_id: string, found: Dispute): Promise<DisputeRow> {
  const before = await tx.find(store.disputeByProcessorId, { processor_dispute_id: found.id })
  const { settled_amount, fee, status, reason, due_by } = found
  const closed_at = status === 'open' ? null : before?.closed_at ?? tx.now
  const said = { settled_amount: settled_amount ?? before?.settled_amount ?? null, fee, status, reason, due_by, closed_at }
  if (before) {
    const news = Object.entries(said).some(([name, value]) => before[name as keyof typeof said] !== value)
    return news ? saveDispute(tx, before, said, before.status === 'open' && status !== 'open' ? 'dispute.closed' : 'dispute.updated') : before
  }
  const dispute: DisputeRow = {
    id: newId(), business_id: tx.business_id, processor_dispute_id: found.id, charge_id, amount: found.amount, ...said, booked_amount: 0, credit_refund_ids: [],
    created_at: tx.now, updated_at: tx.now, version: 1,
  }
  tx.queue(store.insertDispute, dispute)
  tx.record(disputeResource, status === 'open' ? 'dispute.opened' : 'dispute.closed', { before: null, after: dispute })
  return dispute
}

type DisputeEvent = (typeof disputeResource.events)[number]

export function saveDispute(tx: BusinessTx, before: DisputeRow, changes: Partial<DisputeRow>, event: DisputeEvent = 'dispute.updated'): DisputeRow {
  const after = changed(before, changes, tx.now)
  tx.queue(store.updateDispute, after)
  tx.record(disputeResource, event, { before, after })
  return after
}
