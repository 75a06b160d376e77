// The SQL of registers. What lies before a page comes from months and days; only the day of its first line is read line by line.
import { Type } from 'typebox'
import { list } from '../../foundation/database/list.ts'
import { statement } from '../../foundation/database/statement.ts'
import { cents, id, oneOf } from '../../foundation/shapes.ts'
import { currency, LEDGER_TYPES } from '../ledgers/contract.ts'
import { LineRow } from './contract.ts'

export const lines = list({
  item: LineRow,
  select: `t.id, t.entry_id, t.entry_number, t.date, t.ledger_id, t.currency, t.amount, t.base_amount, t.rate, coalesce(t.memo, e.memo) as memo,
    e.source_type, e.source_id, t.customer_id, t.vendor_id, t.project_id, t.dimension_value_ids, t.is_adjusting, e.superseded`,
  from: 'journal_lines t join journal_entries e on e.business_id = t.business_id and e.id = t.entry_id',
  where: 't.business_id = :business_id',
  sorts: { date: { column: 't.date', type: 'date' } },
  filters: {
    ledger_id: 't.ledger_id = :ledger_id',
    // Only where others are merged into it: with one ledger the page is a walk along the index.
    ledger_ids: 't.ledger_id = any(:ledger_ids)',
    start_date: 't.date >= :start_date',
    end_date: 't.date <= :end_date',
    superseded: 'e.superseded = :superseded',
  },
})

/** The ledger, and those that are merged into it. */
export const ledgerWithMerged = statement(
  Type.Object({ id: id(), type: oneOf(LEDGER_TYPES), currency }),
  `select id, type, currency from ledgers where business_id = :business_id and (id = :ledger_id or merged_into_id = :ledger_id) order by id <> :ledger_id, id`)

/** Debit positive: before a day, and of that day the lines before one of them. A superseded pair is zero in a day, but not halfway through it. */
export const balanceBefore = statement(
  Type.Object({ amount: cents(), base_amount: cents() }),
  `select coalesce(sum(amount) filter (where currency = :currency), 0)::bigint as amount, coalesce(sum(base_amount), 0)::bigint as base_amount from (
     select currency, amount, debit - credit as base_amount from ledger_months
     where business_id = :business_id and ledger_id = any(:ledger_ids) and month < :month
     union all
     select currency, amount, debit - credit from ledger_days
     where business_id = :business_id and date >= :month and date < :date::date and ledger_id = any(:ledger_ids)
     union all
     select l.currency, l.amount, l.base_amount from journal_lines l join journal_entries e on e.business_id = l.business_id and e.id = l.entry_id
     where l.business_id = :business_id and l.ledger_id = any(:ledger_ids) and l.date = :date and l.id < :id and (:with_superseded::boolean or not e.superseded)
   ) as part`)
