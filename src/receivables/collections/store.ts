// The SQL of collections: open invoices by customer, and which of them were told to be late.
import { Type } from 'typebox'
import { list } from '../../foundation/database/list.ts'
import { columns, statement } from '../../foundation/database/statement.ts'
import { cents, date, id, integer, nullable } from '../../foundation/shapes.ts'
import { InvoiceRow } from '../invoices/contract.ts'
import { facts } from './contract.ts'
import { THRESHOLDS, WEIGHTS } from './rules.ts'

const due_on = 'i.due_on'
const open = `i.status in ('open', 'partially_paid') and not i.uncollectible`
const late = `${due_on} < :today::date`

const reaches = ({ days, promises }: { days: number; promises: number }) => `f.days_late >= ${days} or f.broken_promises >= ${promises}`
const weight = `(${WEIGHTS.plain} + least(${WEIGHTS.promise} * f.broken_promises, ${WEIGHTS.most_promises})
  + case when ${reaches(THRESHOLDS.high)} then ${WEIGHTS.high} when ${reaches(THRESHOLDS.medium)} then ${WEIGHTS.medium} else ${WEIGHTS.low} end)`

/** Amounts times days are more than a bigint may hold: numeric until they are brought down. */
const customers =
  `select f.*, least(trunc(f.cent_days * ${weight} / ${WEIGHTS.plain * 100}), ${Number.MAX_SAFE_INTEGER})::bigint as priority
   from (
     select :business_id::uuid as business_id, n.id, n.id as customer_id, n.name as customer_name, n.name_key,
       sum(i.base_balance)::bigint as open,
       coalesce(sum(i.base_balance) filter (where ${late}), 0)::bigint as overdue,
       coalesce(sum(i.base_balance) filter (where i.disputed), 0)::bigint as disputed,
       min(${due_on}) filter (where ${late}) as oldest_due_date,
       coalesce(:today::date - min(${due_on}) filter (where ${late}), 0) as days_late,
       count(*) as invoices,
       count(*) filter (where i.promised_on < :today::date) as broken_promises,
       coalesce(min(i.promised_on) filter (where i.promised_on >= :today::date), max(i.promised_on)) as promised_on,
       coalesce(sum(i.base_balance::numeric * (:today::date - ${due_on})) filter (where ${late} and not i.disputed), 0) as cent_days
     from invoices i
     join customers c on c.business_id = i.business_id and c.id = i.customer_id
     join customers n on n.business_id = i.business_id and n.id = c.target_id
     where i.business_id = :business_id and ${open}
     group by n.id, n.name, n.name_key
   ) f`

export const cases = list({
  item: Type.Object(facts),
  from: `(${customers}) t`,
  where: 't.business_id = :business_id',
  sorts: {
    priority: { column: 't.priority', type: 'bigint' },
    overdue: { column: 't.overdue', type: 'bigint' },
    open: { column: 't.open', type: 'bigint' },
    customer_name: { column: 't.name_key', type: 'text' },
  },
  filters: {
    // Stands inside the table: named here to be bound.
    today: ':today::date is not null',
    customer_id: 't.customer_id = :customer_id',
    is_overdue: 't.overdue > 0 and :is_overdue::boolean',
    is_not_overdue: 't.overdue = 0 and :is_not_overdue::boolean',
  },
})

export const summary = statement(
  Type.Object({ open: cents(), overdue: cents(), average_days_late: nullable(integer()), promises_due: integer() }),
  `select coalesce(sum(i.base_balance), 0)::bigint as open, coalesce(sum(i.base_balance) filter (where ${late}), 0)::bigint as overdue,
     round(avg(:today::date - ${due_on}) filter (where ${late}))::int as average_days_late,
     count(*) filter (where i.promised_on <= :today::date) as promises_due
   from invoices i where i.business_id = :business_id and ${open}`)

/**
 * When each of them was last spoken with, in their own name or that of one merged into them, and the last day they promised. A note is no
 * contact.
 */
export const contacts = statement(
  Type.Object({ customer_id: id(), last_contact_on: nullable(date()), promised_on: nullable(date()) }),
  `select coalesce(c.target_id) as customer_id, max((a.created_at at time zone :timezone)::date) as last_contact_on,
     (array_agg(a.promised_on order by a.created_at desc, a.id desc) filter (where a.promised_on is not null))[1] as promised_on
   from customers c join collection_activities a on a.business_id = c.business_id and a.customer_id = c.id
   where c.business_id = :business_id and c.target_id = any(:ids) and a.kind <> 'note' group by c.target_id`)

/** What was invoiced from day to day, without what was only taken over. */
export const salesBetween = statement(
  Type.Object({ sales: cents() }),
  `select coalesce(sum(i.base_total), 0)::bigint as sales from invoices i
   where i.business_id = :business_id and i.invoice_date between :from and :to and i.status in ('open', 'partially_paid', 'manual_paid', 'processor_paid')
     and not i.is_opening_balance and (:currency::text is null or i.currency = :currency)`)

export const receivableAt = statement(
  Type.Object({ balance: cents() }),
  `select coalesce(sum(amount), 0)::bigint as balance from (
     select debit - credit as amount from ledger_months
     where business_id = :business_id and ledger_id = any(:ledger_ids::uuid[]) and month < :month and (:currency::text is null or currency = :currency)
     union all
     select debit - credit from ledger_days
     where business_id = :business_id and ledger_id = any(:ledger_ids::uuid[]) and date between :month and :as_of
       and (:currency::text is null or currency = :currency)
   ) as part`)

export const invoicesByIds = statement(
  Type.Object({ id: id(), customer_id: id() }), 'select id, customer_id from invoices where business_id = :business_id and id = any(:ids) order by id')

/** Those whose due date has passed since the last look, at most 1,000 at a time; each is remembered in the same statement. */
export const noteOverdue = statement(
  InvoiceRow,
  `with due as (
     select i.id from invoices i
     where i.business_id = :business_id and ${open} and ${late} and not exists (
       select from invoice_overdue_notes n where n.business_id = i.business_id and n.invoice_id = i.id and n.due_on = ${due_on})
     order by i.id limit 1000 for update of i
   ), noted as (
     insert into invoice_overdue_notes as n (business_id, invoice_id, due_on, overdue_noted_on)
     select i.business_id, i.id, ${due_on}, :today from invoices i join due d on d.id = i.id where i.business_id = :business_id
     on conflict (business_id, invoice_id) do update
       set due_on = excluded.due_on, overdue_noted_on = excluded.overdue_noted_on where n.due_on <> excluded.due_on
     returning n.invoice_id
   )
   select ${columns(InvoiceRow, 'i')} from invoices i join noted on noted.invoice_id = i.id where i.business_id = :business_id order by i.id`)

export const businessesWithOverdue = statement(Type.Object({ business_id: id() }), 'select businesses_with_overdue_invoices(:now) as business_id')
