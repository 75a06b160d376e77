// The SQL of what will become an invoice by itself. A date of a template has no row yet: the database works it out.
import { list } from '../../foundation/database/list.ts'
import { columns } from '../../foundation/database/statement.ts'
import { ScheduledInvoice } from './contract.ts'

const fromTemplates = `
  select r.business_id, r.id, d as scheduled_date, 'recurring' as source_type, r.id as source_id, r.name, r.customer_id, r.currency, r.amount
  from recurring_templates r cross join lateral recurring_dates(r, :today::date + :horizon_days::int) as d
  where r.business_id = :business_id and r.kind = 'invoice' and r.status = 'active' and r.next_date <= :today::date + :horizon_days::int`

const fromDrafts = `
  select i.business_id, i.id, (i.send_at at time zone b.timezone)::date, 'draft', i.id, coalesce(i.description, i.number), i.customer_id, i.currency, i.total
  from invoices i join businesses b on b.id = i.business_id
  where i.business_id = :business_id and i.status = 'draft' and i.send_at is not null
    and (i.send_at at time zone b.timezone)::date <= :today::date + :horizon_days::int`

export const scheduledInvoices = list({
  item: ScheduledInvoice,
  select: `${columns(ScheduledInvoice, 't').replace('t.customer_name', 'c.name as customer_name')}`,
  from: `(${fromTemplates} union all ${fromDrafts}) t join customers c on c.business_id = t.business_id and c.id = t.customer_id`,
  where: 't.business_id = :business_id',
  sorts: { scheduled_date: { column: 't.scheduled_date', type: 'date' } },
  filters: { horizon_days: 't.scheduled_date <= :today::date + :horizon_days::int', customer_id: 't.customer_id = :customer_id' },
})
