// The SQL of webhook endpoints.
import { Type } from 'typebox'
import { list } from '../../foundation/database/list.ts'
import { Count, updating } from '../../foundation/database/rows.ts'
import { columns, command, statement } from '../../foundation/database/statement.ts'
import { id, integer, nullable, timestamp } from '../../foundation/shapes.ts'
import { Webhook } from './contract.ts'

const Buffer_ = Type.Unsafe<Buffer>({ type: 'buffer' })

/** What stays inside. */
export const Row = Type.Object({ ...Webhook.properties, failing_since: nullable(timestamp()) })

const shown = columns(Webhook)

export const insertWebhook = command(
  `insert into webhooks (${shown}, secret, after_sequence)
   select ${Object.keys(Webhook.properties).map((name) => `:${name}`).join(', ')}, :sealed, h.event_seq
   from business_heads h where h.business_id = :business_id`)

export const updateWebhook = updating(
  'webhooks', 'url', 'events', 'description', 'enabled', 'status', 'disabled_reason', 'previous_secret_until', 'failing_since')

/** The secret in use becomes the one before. */
export const rotateSecret = command(
  `update webhooks set previous_secret = secret, previous_secret_until = :until::timestamptz, secret = :sealed where business_id = :business_id and id = :id`)

/** What happens while an endpoint is off is not sent when it is on again. */
export const startFromHead = command(
  'update webhooks w set after_sequence = h.event_seq from business_heads h where h.business_id = :business_id and w.business_id = :business_id and w.id = :id')

export const markDeleted = command(
  `update webhooks set deleted_at = :now, enabled = false, status = 'disabled', disabled_reason = 'by_hand', secret = '',
     previous_secret = null, previous_secret_until = null, updated_at = :updated_at, version = :version where business_id = :business_id and id = :id`)

export const findWebhook = statement(Webhook, `select ${shown} from webhooks where business_id = :business_id and id = :id and deleted_at is null`)
export const lockWebhook = statement(
  Row, `select ${columns(Row)} from webhooks where business_id = :business_id and id = :id and deleted_at is null for update`)
export const existsWebhook = statement(Type.Object({ id: id() }), 'select id from webhooks where business_id = :business_id and id = :id')
export const countWebhooks = statement(Count, 'select count(*) as count from webhooks where business_id = :business_id and deleted_at is null')

export const webhooks = list({
  item: Webhook,
  from: 'webhooks t',
  where: 't.business_id = :business_id and t.deleted_at is null',
  sorts: { created_at: { column: 't.created_at', type: 'timestamptz' } },
  filters: { enabled: 't.enabled = :enabled' },
})

export const destinations = statement(
  Type.Object({ id: id(), url: Type.String(), secret: Buffer_, previous_secret: nullable(Buffer_), previous_secret_until: nullable(timestamp()) }),
  `select id, url, secret, previous_secret, previous_secret_until from webhooks where business_id = :business_id and id = any(:ids) and enabled`)

/** Health changes without a new version: nobody has edited anything. */
export const writeHealth = command(
  `update webhooks set status = :status, last_success_at = :last_success_at, last_failure_at = :last_failure_at, failing_since = :failing_since
   where business_id = :business_id and id = :id`)

export const forgetSecrets = command(
  `update webhooks set previous_secret = null, previous_secret_until = null where business_id = :business_id and previous_secret_until <= :now::timestamptz`)

/** Deleted endpoints of which no delivery is left. */
export const deleteGone = statement(
  Type.Object({ id: id(), version: integer(1) }),
  `delete from webhooks w where w.business_id = :business_id and w.deleted_at < :now::timestamptz - interval '30 days'
     and not exists (select from webhook_deliveries d where d.business_id = :business_id and d.webhook_id = w.id) returning w.id, w.version`)
