// The SQL of the log of deliveries.
import { list } from '../../foundation/database/list.ts'
import { WebhookDelivery } from '../webhook-queue/contract.ts'

export const deliveries = list({
  item: WebhookDelivery,
  from: 'webhook_deliveries t',
  where: 't.business_id = :business_id',
  sorts: { created_at: { column: 't.created_at', type: 'timestamptz' } },
  filters: {
    webhook_id: 't.webhook_id = :webhook_id',
    status: 't.status = any(:status)',
    type: 't.type = :type',
    created_from: 't.created_at >= :created_from::timestamptz',
    created_to: 't.created_at < :created_to::timestamptz',
  },
})
