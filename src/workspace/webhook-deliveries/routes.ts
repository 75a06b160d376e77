// The log of a webhook endpoint over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const webhookDeliveryRoutes = [
  on(contract.listWebhookDeliveries, (tx, { params, query }) => operations.listDeliveries(tx, params.webhook_id, query)),
  on(contract.replayWebhookDeliveries, (tx, { params, body }) => operations.replayDeliveries(tx, params.webhook_id, body)),
]
