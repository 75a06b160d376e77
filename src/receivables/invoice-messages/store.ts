// The SQL of mail about invoices.
import { Type } from 'typebox'
import { columns, command, statement } from '../../foundation/database/statement.ts'
import { id, integer, list, nullable, timestamp } from '../../foundation/shapes.ts'
import { MessageRow } from './contract.ts'

export const insertMessages = statement(
  Type.Object({ id: id() }),
  `insert into invoice_messages (${columns(MessageRow)}) select ${columns(MessageRow, 'r')} from jsonb_populate_recordset(null::invoice_messages, :rows::jsonb) r
   where r.business_id = :business_id
   on conflict (business_id, invoice_id, offset_days) where offset_days is not null do nothing returning id`)
export const lockMessage = statement(MessageRow, `select ${columns(MessageRow)} from invoice_messages where business_id = :business_id and id = :id for update`)
export const updateMessage = command(
  `update invoice_messages set status = :status, mail_id = :mail_id, sent_at = :sent_at, problem = :problem where business_id = :business_id and id = :id`)

/** What was to be sent with a draft later, before somebody wanted it otherwise. */
export const cancelWaiting = command(
  `update invoice_messages set status = 'canceled', problem = 'Another sending took its place.'
   where business_id = :business_id and invoice_id = :invoice_id and kind = 'invoice' and status = 'waiting' and send_at is not null`)

/** Who receives mail of this kind: the contacts that do, else the customer. */
export const addressesOf = statement(
  Type.Object({ customer_id: id(), addresses: list(Type.String()) }),
  `select c.id as customer_id, coalesce(
     (select array_agg(distinct p.email order by p.email) from customer_contacts p
      where p.business_id = c.business_id and p.customer_id = c.id and :kind = any(p.receives) and p.email is not null),
     case when c.email is null then '{}'::text[] else array[c.email] end) as addresses
   from customers c where c.business_id = :business_id and c.id = any(:customer_ids)`)

export const mailSentAt = statement(Type.Object({ sent_at: nullable(timestamp()) }), 'select sent_at from mails where id = :mail_id')
export const businessStatus = statement(Type.Object({ status: Type.String() }), 'select status from businesses where id = :business_id')

export const toSend = statement(
  Type.Object({ id: id() }),
  `select i.id from invoices i where i.business_id = :business_id and i.status = 'draft' and i.send_at <= :now::timestamptz
     and not exists (select from invoice_messages m where m.business_id = i.business_id and m.invoice_id = i.id and m.status = 'waiting')
   order by i.send_at, i.id limit 500`)

/** The latest day of reminding that has come, of invoices that are still to be paid; days that have long passed are let go. */
export const toRemind = statement(
  Type.Object({ invoice_id: id(), customer_id: id(), offset_days: integer() }),
  `select i.id as invoice_id, i.customer_id, max(o.days) as offset_days
   from invoices i join customers c on c.business_id = i.business_id and c.id = i.customer_id
     cross join unnest(:offsets::int[]) as o (days)
   where i.business_id = :business_id and i.status in ('open', 'partially_paid') and not i.uncollectible and not i.disputed and not i.reminders_paused and not c.reminders_paused
     and i.due_on between :today::date - :latest::int - :grace_days::int and :today::date - :earliest::int
     and i.due_on + o.days between :today::date - :grace_days::int and :today::date
     and not exists (select from invoice_messages m where m.business_id = i.business_id and m.invoice_id = i.id and m.offset_days >= o.days)
     and (c.email is not null or exists (select from customer_contacts p
       where p.business_id = c.business_id and p.customer_id = c.id and 'reminders' = any(p.receives) and p.email is not null))
   group by i.id, i.customer_id order by i.id limit 500`)

export const businessesToSend = statement(Type.Object({ business_id: id() }), 'select coalesce(id) as business_id from businesses_with_invoices_to_send(:now) as id')
export const businessesToRemind = statement(Type.Object({ business_id: id() }), 'select coalesce(id) as business_id from businesses_with_reminders(:now) as id')
