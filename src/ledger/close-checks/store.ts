// The SQL of what the books themselves find in the way of a close.
import { Type } from 'typebox'
import { statement } from '../../foundation/database/statement.ts'
import { cents, id, nullable } from '../../foundation/shapes.ts'

/** Balances at the end of a month, of the ledgers that have a role. */
export const roleBalances = statement(
  Type.Object({ ledger_id: id(), role: nullable(Type.String()), name: Type.String(), balance: cents() }),
  `select l.id as ledger_id, l.role, l.name, coalesce(sum(m.debit - m.credit), 0)::bigint as balance
   from ledgers l left join ledger_months m on m.business_id = l.business_id and m.ledger_id = l.id and m.month <= :end_date
   where l.business_id = :business_id and l.role = any(:roles)
   group by l.id, l.role, l.name`)
