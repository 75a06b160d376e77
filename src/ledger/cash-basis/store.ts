// The SQL of open items and of what the cash basis counts.
import { Type } from 'typebox'
import { columns, command, statement } from '../../foundation/database/statement.ts'
import { id } from '../../foundation/shapes.ts'
import { CashLine, OpenItem, Part } from './contract.ts'

const settled = (column: string) =>
  `coalesce((select sum(s.${column}) from journal_lines s where s.business_id = l.business_id and s.settles_line_id = l.id), 0)::bigint`

const itemColumns = columns(OpenItem, 'l').replace('l.settled, ', '').replace(', l.settled_base', '')

export const itemsByIds = statement(
  OpenItem,
  `select ${itemColumns}, ${settled('amount')} as settled, ${settled('base_amount')} as settled_base
   from journal_lines l where l.business_id = :business_id and l.id = any(:ids)`)

/** What waits for these items; the first rows are those of the entry that opened them. */
export const partsOf = statement(
  Part,
  `select c.item_line_id, coalesce(c.document_line_id, c.id) as document_line_id, c.ledger_id, c.customer_id, c.vendor_id, c.project_id, c.dimension_value_ids, -c.base_amount as deferred,
     -(select sum(x.base_amount) from cash_basis_lines x
       where x.business_id = c.business_id and x.item_line_id = c.item_line_id and x.document_line_id = c.document_line_id)::bigint as remaining
   from cash_basis_lines c join journal_lines i on i.business_id = c.business_id and i.id = c.item_line_id and i.entry_id = c.entry_id
   where c.business_id = :business_id and c.item_line_id = any(:ids) and c.document_line_id is not null
   order by c.id`)

export const cashLinesOf = statement(
  Type.Object({ entry_id: id(), ...CashLine.properties }),
  `select entry_id, ${columns(CashLine)} from cash_basis_lines where business_id = :business_id and entry_number = any(:numbers) order by id`)

/** The lines, and the balances that follow from them, in the order of their keys. */
export const insertCashLines = command(
  `with line as (
     insert into cash_basis_lines (business_id, id, entry_id, entry_number, date, item_line_id, document_line_id, ledger_id, currency, base_amount,
       customer_id, vendor_id, project_id, dimension_value_ids, is_adjusting)
     select :business_id, id, entry_id, entry_number, date, item_line_id, document_line_id, ledger_id, currency, base_amount,
       customer_id, vendor_id, project_id, dimension_value_ids, is_adjusting
     from json_to_recordset(:lines::json) as l (id uuid, entry_id uuid, entry_number bigint, date date, item_line_id uuid, document_line_id uuid,
       ledger_id uuid, currency text, base_amount bigint, customer_id uuid, vendor_id uuid, project_id uuid, dimension_value_ids uuid[], is_adjusting boolean)
     returning ledger_id, currency, date, base_amount
   ), months as (
     insert into ledger_months as m (business_id, ledger_id, currency, month, amount, debit, credit, cash_debit, cash_credit)
     select :business_id, ledger_id, currency, date_trunc('month', date)::date, 0, 0, 0, sum(greatest(base_amount, 0)), sum(greatest(-base_amount, 0))
     from line group by 2, 3, 4 order by 2, 3, 4
     on conflict (business_id, ledger_id, currency, month) do update
       set cash_debit = m.cash_debit + excluded.cash_debit, cash_credit = m.cash_credit + excluded.cash_credit
   )
   insert into ledger_days as d (business_id, date, ledger_id, currency, amount, debit, credit, cash_debit, cash_credit)
   select :business_id, date, ledger_id, currency, 0, 0, 0, sum(greatest(base_amount, 0)), sum(greatest(-base_amount, 0))
   from line group by 2, 3, 4 order by 2, 3, 4
   on conflict (business_id, date, ledger_id, currency) do update
     set cash_debit = d.cash_debit + excluded.cash_debit, cash_credit = d.cash_credit + excluded.cash_credit`)
