// The SQL of the feed: invoices and what is left of deleted drafts, in one order.
import { list } from '../../foundation/database/list.ts'
import { columns } from '../../foundation/database/statement.ts'
import { FeedRow } from './contract.ts'

const rows = `(
  select i.business_id, i.id, i.updated_at, null::timestamptz as deleted_at, i.number, i.status, i.customer_id, c.name as customer_name, i.external_id, i.currency,
    i.invoice_date, i.due_date, i.total, i.total_paid, i.balance_due, i.created_at
  from invoices i join customers c on c.business_id = i.business_id and c.id = i.customer_id where i.business_id = :business_id
  union all
  select d.business_id, d.id, d.deleted_at, d.deleted_at, null, null, null, null, null, null, null, null, null, null, null, null
  from invoice_tombstones d where d.business_id = :business_id)`

export const feed = list({
  item: FeedRow,
  select: columns(FeedRow, 't'),
  from: `${rows} t`,
  where: 't.business_id = :business_id',
  sorts: { updated_at: { column: 't.updated_at', type: 'timestamptz' } },
  filters: {
    ids: 't.id = any(:ids)',
    updated_since: 't.updated_at >= :updated_since',
    status: 't.status = any(:status)',
    customer_id: 't.customer_id = :customer_id',
  },
  default_limit: 500,
})
