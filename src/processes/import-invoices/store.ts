// The SQL by which imported invoices are added up.
import { Type } from 'typebox'
import { statement } from '../../foundation/database/statement.ts'
import { CURRENCIES } from '../../foundation/money.ts'
import { cents, oneOf } from '../../foundation/shapes.ts'

export const totals = statement(
  Type.Object({ currency: oneOf(CURRENCIES), amount: cents() }),
  `select currency, coalesce(sum(total), 0)::bigint as amount from invoices
   where business_id = :business_id and id = any(:ids) group by currency order by currency`)
