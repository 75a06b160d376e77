// The feed of invoices for those who keep a copy: what changed since, deleted drafts included.
import { Type, type Static } from 'typebox'
import { listQuery, pageOf } from '../../foundation/endpoint.ts'
import { CURRENCIES } from '../../foundation/money.ts'
import { cents, date, id, list, nullable, oneOf, optional, shape, timestamp } from '../../foundation/shapes.ts'
import { endpoint, STATUSES } from '../invoices/contract.ts'

export const FeedRow = shape('InvoiceFeedRow', {
  id: id(),
  updated_at: timestamp(),
  deleted_at: nullable(timestamp({ description: 'The draft was deleted; nothing else of it is left.' })),
  number: nullable(Type.String()),
  status: nullable(oneOf(STATUSES)),
  customer_id: nullable(id()),
  customer_name: nullable(Type.String()),
  external_id: nullable(Type.String()),
  currency: nullable(oneOf(CURRENCIES)),
  invoice_date: nullable(date()),
  due_date: nullable(date()),
  total: nullable(cents()),
  total_paid: nullable(cents()),
  balance_due: nullable(cents()),
  created_at: nullable(timestamp()),
})
export type FeedRow = Static<typeof FeedRow>

export const feedInvoices = endpoint({
  id: 'bulk_list_invoices', method: 'GET', path: '/bulk', summary: 'All invoices, slim, as they change',
  description: 'Oldest change first, 500 at a time; follow next_cursor to the end, and later go on with updated_since. `format=csv` streams them all.',
  query: listQuery(['updated_at'], {
    ids: optional(list(id(), { maxItems: 200 })),
    updated_since: optional(timestamp()),
    status: optional(list(oneOf(STATUSES), { maxItems: 6 })),
    customer_id: optional(id()),
    format: optional(oneOf(['json', 'csv'])),
  }, 500),
  reply: pageOf(FeedRow),
})
