// Webhook endpoints over HTTP: contract → operation.
import { on, onOutside } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const webhookRoutes = [
  on(contract.listWebhooks, (tx, { query }) => operations.listWebhooks(tx, query)),
  onOutside(contract.createWebhook, operations.create),
  on(contract.getWebhook, (tx, { params }) => operations.getWebhook(tx, params.webhook_id)),
  onOutside(contract.updateWebhook, operations.update),
  on(contract.deleteWebhook, (tx, { params }) => operations.deleteWebhook(tx, params.webhook_id)),
]
