// The SQL that tells what stands in the way of moving a role.
import { Type } from 'typebox'
import { Count } from '../../foundation/database/rows.ts'
import { statement } from '../../foundation/database/statement.ts'
import { currency } from '../ledgers/contract.ts'

/** Items of a receivable or payable whose settlements do not add up to them. */
export const countOpenItems = statement(
  Count,
  `select count(*) as count from (
     select from journal_lines where business_id = :business_id and ledger_id = :ledger_id
     group by coalesce(settles_line_id, id) having sum(amount) <> 0) as open_item`)

export const currenciesOf = statement(
  Type.Object({ currency }),
  'select distinct currency from ledger_months where business_id = :business_id and ledger_id = :ledger_id order by currency')
