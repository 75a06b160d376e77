// The SQL of a cash flow: the entries that touch cash, and the revaluation of cash.
import { Type } from 'typebox'
import { statement } from '../../foundation/database/statement.ts'
import { boolean, id, integer } from '../../foundation/shapes.ts'

const slots = 'unnest(:starts::date[], :ends::date[], :slots::int[]) as s (start_date, end_date, slot)'
const counted = 'l.entry_number <= :last_number and (:adjusting or not l.is_adjusting)'

/** What stands on the other side of cash, by ledger; on the cash basis with what that adds to the same entries. */
export const counterparts = statement(
  Type.Object({ slot: integer(), ledger_id: id(), revaluation: boolean(), receipts: Type.String(), payments: Type.String() }),
  `with touched as (
     select distinct s.slot, l.entry_number
     from ${slots}
     join journal_lines l on l.business_id = :business_id and l.ledger_id = any(:cash_ids) and l.date between s.start_date and s.end_date and ${counted}
   ), other as (
     select t.slot, t.entry_number, l.ledger_id, l.base_amount
     from touched t join journal_lines l on l.business_id = :business_id and l.entry_number = t.entry_number
     union all
     select t.slot, t.entry_number, l.ledger_id, l.base_amount
     from touched t join cash_basis_lines l on l.business_id = :business_id and l.entry_number = t.entry_number and :cash
   )
   select o.slot, o.ledger_id, e.source_type = 'fx_revaluation' as revaluation,
     sum(greatest(-o.base_amount, 0)) as receipts, sum(greatest(o.base_amount, 0)) as payments
   from other o join journal_entries e on e.business_id = :business_id and e.number = o.entry_number
   where o.ledger_id <> all(:cash_ids)
   group by 1, 2, 3`)

/** What revaluation did to cash ledgers. */
export const revaluations = statement(
  Type.Object({ slot: integer(), amount: Type.String() }),
  `select s.slot, sum(l.base_amount) as amount
   from ${slots}
   join journal_entries e on e.business_id = :business_id and e.source_type = 'fx_revaluation' and e.date between s.start_date and s.end_date
   join journal_lines l on l.business_id = :business_id and l.entry_number = e.number and l.ledger_id = any(:cash_ids) and ${counted}
   group by s.slot`)
