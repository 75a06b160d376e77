// What can be done with collection activities.
import type { Page, PageQuery } from '../../foundation/database/list.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import { requireRecords } from '../../foundation/records.ts'
import { requireCustomer, withAliases } from '../customers/operations.ts'
import { requireNotMerged } from '../customers/rules.ts'
import { collectionActivityResource, type CollectionActivity, type CollectionActivityInput } from './contract.ts'
import { requirePromise } from './rules.ts'
import * as store from './store.ts'

/** A room above keeps what was promised on the invoices, and refuses those that are not this customer's; null while there are none. */
export type PromiseKeeper = (tx: BusinessTx, activity: CollectionActivity) => Promise<void>

export async function listActivities(tx: BusinessTx, customer_id: string, query: PageQuery): Promise<Page<CollectionActivity>> {
  await requireCustomer(tx, customer_id)
  const customer_ids = await withAliases(tx, customer_id)
  const asked = { ...query, ...(customer_ids.length > 1 ? { customer_ids } : { customer_id }) }
  return tx.page(store.activities, asked)
}

export async function createActivity(
  tx: BusinessTx, customer_id: string, input: CollectionActivityInput, keepPromise: PromiseKeeper | null,
): Promise<CollectionActivity> {
  requirePromise(input)
  const customer = await requireCustomer(tx, customer_id)
  const invoice_ids = [...new Set(input.invoice_ids)]
  if (invoice_ids.length > 0) await requireRecords(tx, 'invoice', invoice_ids)
  requireNotMerged(customer)
  const activity: CollectionActivity = {
    id: newId(),
    business_id: tx.business_id,
    customer_id,
    kind: input.kind,
    invoice_ids,
    promised_on: input.promised_on ?? null,
    note: input.note ?? null,
    author_id: tx.actor.user_id,
    author_name: tx.actor.name,
    created_at: tx.now,
    updated_at: tx.now,
    version: 1,
  }
  tx.queue(store.insertActivity, activity)
  tx.record(collectionActivityResource, 'collection_activity.created', { before: null, after: activity })
  if (invoice_ids.length > 0) await keepPromise?.(tx, activity)
  return activity
}
