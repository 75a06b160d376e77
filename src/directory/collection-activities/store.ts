// The SQL of collection activities.
import { list } from '../../foundation/database/list.ts'
import { insertion } from '../../foundation/database/rows.ts'
import { CollectionActivity } from './contract.ts'

export const insertActivity = insertion('collection_activities', CollectionActivity)

export const activities = list({
  item: CollectionActivity,
  from: 'collection_activities t',
  where: 't.business_id = :business_id',
  sorts: { created_at: { column: 't.created_at', type: 'timestamptz' } },
  filters: {
    customer_id: 't.customer_id = :customer_id',
    // Only where others are merged into it: with one customer the page is a walk along the index.
    customer_ids: 't.customer_id = any(:customer_ids)',
    kind: 't.kind = :kind',
  },
})
