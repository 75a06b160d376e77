// The SQL of live alerts: each is one statement that finds nothing in a business where all is well.
import { Type } from 'typebox'
import { statement } from '../../foundation/database/statement.ts'
import { cents, id, integer, nullable, timestamp } from '../../foundation/shapes.ts'

/** A day begins where the business is. */
const beginning = (day: string) => `((${day})::timestamp at time zone :timezone)`

/**
 * Bank ledgers below the threshold today, and since when: months first, then the days behind the last month that ended above it, so that the
 * cost does not grow with the age of the books.
 */
export const lowCash = statement(
  Type.Object({ id: id(), name: Type.String(), balance: cents(), since: nullable(timestamp()) }),
  `with bank as (
     select l.id, l.name from ledgers l where l.business_id = :business_id and l.is_bank and l.type = 'asset' and not l.archived
   ), months as (
     select m.ledger_id, m.month, sum(sum(m.debit - m.credit)) over (partition by m.ledger_id order by m.month) as balance
     from ledger_months m join bank b on b.id = m.ledger_id
     where m.business_id = :business_id and m.month < date_trunc('month', :today::date)::date group by m.ledger_id, m.month
   ), today as (
     select b.id, b.name, (coalesce((select o.balance from months o where o.ledger_id = b.id order by o.month desc limit 1), 0) + coalesce((
       select sum(d.debit - d.credit) from ledger_days d
       where d.business_id = :business_id and d.ledger_id = b.id and d.date >= date_trunc('month', :today::date)::date and d.date <= :today::date), 0))::bigint as balance
     from bank b
   ), low as (
     select t.id, t.name, t.balance, good.month as good_month, coalesce(good.balance, 0) as opening from today t
     left join lateral (select o.month, o.balance from months o where o.ledger_id = t.id and o.balance >= :threshold::bigint order by o.month desc limit 1) good on true
     where t.balance < :threshold::bigint and exists (select from ledger_months m where m.business_id = :business_id and m.ledger_id = t.id)
   ), days as (
     select l.id, d.date, l.opening + sum(sum(d.debit - d.credit)) over (partition by l.id order by d.date) as balance
     from low l join ledger_days d on d.business_id = :business_id and d.ledger_id = l.id and d.date <= :today::date
       and d.date >= coalesce((l.good_month + interval '1 month')::date, '0001-01-01') group by l.id, l.opening, d.date
   )
   select l.id, l.name, l.balance, ${beginning(`select min(d.date) from days d where d.id = l.id
     and d.date > coalesce((select max(o.date) from days o where o.id = l.id and o.balance >= :threshold::bigint), '0001-01-01')`)} as since
   from low l order by l.id`)

export const overdue = statement(
  Type.Object({ count: integer(0), balance: cents(), since: nullable(timestamp()) }),
  `select count(*) as count, coalesce(sum(i.base_balance), 0)::bigint as balance, ${beginning('min(i.due_on) + 1')} as since from invoices i
   where i.business_id = :business_id and i.status in ('open', 'partially_paid') and not i.uncollectible and i.due_on < :today::date`)

/** Months with entries that are open half a month after their end. */
export const openMonths = statement(
  Type.Object({ count: integer(0), oldest: nullable(Type.String()), since: nullable(timestamp()) }),
  `select count(*) as count, min(p.name) as oldest, ${beginning('min(p.end_date) + 16')} as since from accounting_periods p
   where p.business_id = :business_id and p.status = 'open' and p.end_date + 15 < :today::date
     and exists (select from ledger_months m where m.business_id = :business_id and m.month = date_trunc('month', p.start_date)::date)`)

/** What was issued before it was there. */
export const shortages = statement(
  Type.Object({ count: integer(0), since: nullable(timestamp()) }),
  `select count(distinct (s.variant_id, s.location_id)) as count, min(m.recorded_at) as since
   from stock_shortages s join stock_movements m on m.business_id = s.business_id and m.id = s.movement_id where s.business_id = :business_id`)

export const restricted = statement(
  Type.Object({ id: id(), updated_at: timestamp() }),
  `select id, updated_at from processor_connections where business_id = :business_id and status = 'restricted'`)

export const trial = statement(
  Type.Object({ trial_ends_at: nullable(timestamp()), since: nullable(timestamp()) }),
  `select trial_ends_at, trial_ends_at - interval '7 days' as since from businesses
   where id = :business_id and plan_tier = 'trial' and trial_ends_at - interval '7 days' <= :now::timestamptz`)

export const threshold = statement(
  Type.Object({ threshold: cents() }),
  `select coalesce((settings -> 'banking' ->> 'low_cash_threshold')::bigint, 0) as threshold from businesses where id = :business_id`)
