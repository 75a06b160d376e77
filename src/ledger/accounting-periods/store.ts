// The SQL of accounting periods and their certificates.
import { Type } from 'typebox'
import { list } from '../../foundation/database/list.ts'
import { selectionById, updating } from '../../foundation/database/rows.ts'
import { columns, command, statement } from '../../foundation/database/statement.ts'
import { cents, id, integer, nullable } from '../../foundation/shapes.ts'
import { currency } from '../ledgers/contract.ts'
import { EntryHeader, headerColumns } from '../journal/contract.ts'
import { AccountingPeriod, Certificate } from './contract.ts'

export const periods = list({
  item: AccountingPeriod,
  from: 'accounting_periods t',
  where: 't.business_id = :business_id',
  sorts: { start_date: { column: 't.start_date', type: 'date' } },
  filters: {
    fiscal_year: 't.fiscal_year = :fiscal_year',
    status: 't.status = :status',
    start_date: 't.end_date >= :start_date',
    end_date: 't.start_date <= :end_date',
  },
})

export const findPeriod = selectionById('accounting_periods', AccountingPeriod)
export const lockPeriod = selectionById('accounting_periods', AccountingPeriod, true)
export const periodsOfYear = statement(AccountingPeriod, `select ${columns(AccountingPeriod)} from accounting_periods where business_id = :business_id and fiscal_year = :fiscal_year order by sequence`)
export const updatePeriod = updating('accounting_periods', 'status', 'locks', 'closed_at', 'closed_by', 'reopen_reason', 'closing_hash')
export const findPeriodOf = statement(AccountingPeriod, `select ${columns(AccountingPeriod)} from accounting_periods where business_id = :business_id and start_date <= :date and end_date >= :date`)

/** Opening, movement and closing of each ledger that has any, for whole months. */
export const trialBalance = statement(
  Type.Object({ ledger_id: id(), number: nullable(Type.String()), name: Type.String(), opening: cents(), debit: cents(), credit: cents(), closing: cents() }),
  `select l.id as ledger_id, l.number, l.name,
     coalesce(sum(m.debit - m.credit) filter (where m.month < :start_date), 0)::bigint as opening,
     coalesce(sum(m.debit) filter (where m.month >= :start_date), 0)::bigint as debit,
     coalesce(sum(m.credit) filter (where m.month >= :start_date), 0)::bigint as credit,
     sum(m.debit - m.credit)::bigint as closing
   from ledger_months m join ledgers l on l.business_id = m.business_id and l.id = m.ledger_id
   where m.business_id = :business_id and m.month <= :end_date
   group by l.id, l.number, l.name
   order by l.number, l.name, l.id`)

export const balancesAt = statement(
  Type.Object({ ledger_id: id(), balance: cents() }),
  `select ledger_id, sum(debit - credit)::bigint as balance from ledger_months
   where business_id = :business_id and ledger_id = any(:ledger_ids) and month <= :end_date group by ledger_id`)

/** What is open on receivables and payables at a date, party by party. */
export const openItems = statement(
  Type.Object({ ledger_id: id(), customer_id: nullable(id()), vendor_id: nullable(id()), currency, count: integer(), amount: cents(), base_amount: cents() }),
  `select ledger_id, customer_id, vendor_id, currency, count(*) filter (where amount <> 0) as count, sum(amount)::bigint as amount, sum(base_amount)::bigint as base_amount
   from (select ledger_id, customer_id, vendor_id, currency, sum(amount) as amount, sum(base_amount) as base_amount
         from journal_lines where business_id = :business_id and ledger_id = any(:ledger_ids) and date <= :end_date
         group by ledger_id, customer_id, vendor_id, currency, coalesce(settles_line_id, id)) as item
   group by ledger_id, customer_id, vendor_id, currency
   having sum(amount) <> 0 or sum(base_amount) <> 0
   order by ledger_id, customer_id, vendor_id, currency`)

export const insertCertificate = command(
  `insert into period_certificates (${columns(Certificate)})
   select ${columns(Certificate)} from json_populate_record(null::period_certificates, :certificate::json) where business_id = :business_id`)

export const latestCertificate = statement(
  Certificate,
  `select ${columns(Certificate)} from period_certificates where business_id = :business_id and period_id = :period_id order by signed_at desc, id desc limit 1`)

export const laterEntries = statement(
  EntryHeader,
  `select ${headerColumns} from journal_entries t
   where t.business_id = :business_id and t.date between :start_date and :end_date and t.number > :journal_number order by t.number limit 1000`)

export const startMonth = statement(Type.Object({ fiscal_year_start_month: integer() }), 'select fiscal_year_start_month from businesses where id = :business_id')

/** Across businesses: those whose last period ends within so many days. */
export const businessesRunningOut = statement(Type.Object({ business_id: id() }), 'select businesses_running_out_of_periods(:now, :days) as business_id')
