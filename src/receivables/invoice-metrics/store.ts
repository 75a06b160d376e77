// The SQL of metrics.
import { Type } from 'typebox'
import { statement } from '../../foundation/database/statement.ts'
import { cents, date, integer, oneOf } from '../../foundation/shapes.ts'
import { STATUSES } from '../invoices/contract.ts'

const in_currency = (table: string) => `(:currency::text is null or ${table}.currency = :currency)`

/** A payment given as a date is kept at midnight UTC; one given as a moment counts on its day where the business is. */
const paid_day = `case when i.paid_on = date_trunc('day', i.paid_on, 'UTC') then (i.paid_on at time zone 'UTC')::date
  else (i.paid_on at time zone :timezone)::date end`
const is_paid = `i.status in ('manual_paid', 'processor_paid') and i.total > 0`

/** A draft has no base total yet. */
const in_base = `coalesce(i.base_total, case when i.currency = :base_currency then i.total else round(i.total * i.fx_rate::numeric)::bigint end, 0)`

export const counted = statement(
  Type.Object({ status: oneOf(STATUSES), month: date(), count: integer(), total: cents(), paid: integer(), days: integer() }),
  `select i.status, date_trunc('month', i.dated)::date as month, count(*) as count, sum(${in_base})::bigint as total,
     count(*) filter (where ${is_paid}) as paid, coalesce(sum(${paid_day} - i.invoice_date) filter (where ${is_paid}), 0)::bigint as days
   from (
     select t.*, t.invoice_date as dated from invoices t where t.business_id = :business_id and t.invoice_date between :from and :to
     union all
     select t.*, :today::date from invoices t
     where t.business_id = :business_id and t.status = 'draft' and t.invoice_date is null and :today::date between :from and :to
   ) i
   where ${in_currency('i')} group by 1, 2`)

/** Money in the base currency. A recovery takes nothing off the receivable, so its entry says what it was. */
export const collected = statement(
  Type.Object({ month: date(), amount: cents() }),
  `select date_trunc('month', p.posted_on)::date as month,
     sum(case when p.kind = 'recovery' then e.total else p.base_amount + p.realized_fx end)::bigint as amount
   from invoice_payments p left join journal_entries e on p.kind = 'recovery' and e.business_id = p.business_id and e.id = p.journal_entry_id
   where p.business_id = :business_id and p.reversed_at is null and p.posted_on between :from and :to and ${in_currency('p')} group by 1`)

export const credited = statement(
  Type.Object({ amount: cents() }),
  `select coalesce(sum(a.base_amount), 0)::bigint as amount from invoice_credits a join invoices i on i.business_id = a.business_id and i.id = a.invoice_id
   where a.business_id = :business_id and a.reversed_at is null and a.applied_on between :from and :to and ${in_currency('i')}`)

/** Of each standing write-off the part that was not recovered since. */
export const writtenOff = statement(
  Type.Object({ amount: cents() }),
  `select coalesce(sum(round(e.total::numeric * i.written_off / -l.amount)), 0)::bigint as amount
   from journal_entries e
   join invoices i on i.business_id = e.business_id and i.id = e.source_id and i.uncollectible
   join journal_lines l on l.business_id = e.business_id and l.entry_number = e.number and l.settles_line_id is not null
   where e.business_id = :business_id and e.source_type = 'invoice_write_off' and e.reversed_by_id is null and e.reversal_of_id is null
     and e.date between :from and :to and ${in_currency('i')}`)

export const overdue = statement(
  Type.Object({ count: integer(), total: cents() }),
  `select count(*) as count, coalesce(sum(i.base_balance), 0)::bigint as total from invoices i
   where i.business_id = :business_id and i.status in ('open', 'partially_paid') and not i.uncollectible
     and i.due_on < :today::date and ${in_currency('i')}`)
