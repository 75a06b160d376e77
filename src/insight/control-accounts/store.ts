// The SQL of open items at a date, party by party.
import { Type } from 'typebox'
import { statement } from '../../foundation/database/statement.ts'
import { id, integer, nullable } from '../../foundation/shapes.ts'

/** An item is a line of a receivable or payable with all that settle it; what the cash basis adds belongs to one too. */
export const openItems = statement(
  Type.Object({ ledger_id: id(), customer_id: nullable(id()), vendor_id: nullable(id()), amount: Type.String(), open_items: integer() }),
  `select ledger_id, customer_id, vendor_id, sum(base_amount) as amount, count(*) filter (where base_amount <> 0) as open_items
   from (select ledger_id, customer_id, vendor_id, item_id, sum(base_amount) as base_amount
         from (select l.ledger_id, l.customer_id, l.vendor_id, coalesce(l.settles_line_id, l.id) as item_id, l.base_amount
               from journal_lines l
               where l.business_id = :business_id and l.ledger_id = any(:ledger_ids) and l.date <= :as_of and l.entry_number <= :last_number
               union all
               select l.ledger_id, l.customer_id, l.vendor_id, l.item_line_id, l.base_amount
               from cash_basis_lines l
               where l.business_id = :business_id and l.ledger_id = any(:ledger_ids) and l.date <= :as_of and l.entry_number <= :last_number
                 and :cash) as line
         group by ledger_id, customer_id, vendor_id, item_id) as item
   group by ledger_id, customer_id, vendor_id`)
