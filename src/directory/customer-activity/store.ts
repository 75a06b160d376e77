// The SQL of what customers owe. What lies before a page comes from months; only the month of its first line is read line by line.
import { Type } from 'typebox'
import { list } from '../../foundation/database/list.ts'
import { statement } from '../../foundation/database/statement.ts'
import { cents, integer, oneOf } from '../../foundation/shapes.ts'
import { CURRENCIES } from '../../foundation/money.ts'
import { LineRow } from './contract.ts'

export const lines = list({
  item: LineRow,
  select: `t.id, t.entry_id, t.entry_number, t.date, coalesce(t.customer_id) as customer_id, t.currency, t.amount, t.base_amount,
    coalesce(t.memo, e.memo) as memo, e.source_type, e.source_id, t.settles_line_id, e.superseded`,
  from: 'journal_lines t join journal_entries e on e.business_id = t.business_id and e.id = t.entry_id',
  where: 't.business_id = :business_id and t.customer_id is not null',
  sorts: { date: { column: 't.date', type: 'date' } },
  filters: {
    customer_id: 't.customer_id = :customer_id',
    // Only where others are merged into it: with one customer the page is a walk along the index.
    customer_ids: 't.customer_id = any(:customer_ids)',
    ledger_ids: 't.ledger_id = any(:ledger_ids)',
    start_date: 't.date >= :start_date',
    end_date: 't.date <= :end_date',
    superseded: 'e.superseded = :superseded',
  },
})

/** Before a line. A superseded pair is zero in a day, but not halfway through it. */
export const balanceBefore = statement(
  Type.Object({ base_amount: cents() }),
  `select coalesce(sum(base_amount), 0)::bigint as base_amount from (
     select debit - credit as base_amount from analysis_months
     where business_id = :business_id and axis = 'customer' and value_id = any(:customer_ids) and ledger_id = any(:ledger_ids) and month < :month
     union all
     select l.base_amount from journal_lines l join journal_entries e on e.business_id = l.business_id and e.id = l.entry_id
     where l.business_id = :business_id and l.customer_id = any(:customer_ids) and l.ledger_id = any(:ledger_ids)
       and l.date >= :month and (l.date, l.id) < (:date::date, :id::uuid) and (:with_superseded::boolean or not e.superseded)
   ) as part`)

/** By role of the ledger and currency of the line; entries become known in the order of their numbers. */
export const balances = statement(
  Type.Object({ receivable: Type.Boolean(), currency: oneOf(CURRENCIES), balance: cents(), base_balance: cents() }),
  `select l.ledger_id = any(:receivable_ids) as receivable, l.currency, sum(l.amount)::bigint as balance, sum(l.base_amount)::bigint as base_balance
   from journal_lines l
   where l.business_id = :business_id and l.customer_id = any(:customer_ids) and (l.ledger_id = any(:receivable_ids) or l.ledger_id = any(:deposit_ids))
     and l.date <= :as_of and l.entry_number <= :last_number
   group by 1, 2 order by 1, 2`)

export const lastNumberAt = statement(
  Type.Object({ number: integer() }),
  `select number from journal_entries where business_id = :business_id and recorded_at <= :known_at order by recorded_at desc, number desc limit 1`)

/** What counts against a limit that these customers share. */
export const exposure = statement(
  Type.Object({ used: cents() }),
  `select coalesce(sum(open_balance - unapplied_credit - deposit_balance), 0)::bigint as used
   from customer_figures(:business_id, :today) where customer_id = any(:ids)`)
