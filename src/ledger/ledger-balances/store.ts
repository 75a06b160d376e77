// The SQL of balances: whole months before the one asked for, and the days of that one. Lines are never read.
import { Type } from 'typebox'
import { statement } from '../../foundation/database/statement.ts'
import { cents, id } from '../../foundation/shapes.ts'
import { currency } from '../ledgers/contract.ts'

const Balance = Type.Object({ ledger_id: id(), currency, amount: cents(), base_amount: cents(), cash_amount: cents() })

const sums = `ledger_id, currency, sum(amount)::bigint as amount, sum(debit - credit)::bigint as base_amount,
  sum(debit - credit + cash_debit - cash_credit)::bigint as cash_amount`
const figures = 'ledger_id, currency, amount, debit, credit, cash_debit, cash_credit'

export const balancesNow = statement(
  Balance,
  `select ${sums} from ledger_months where business_id = :business_id group by ledger_id, currency`)

export const balancesAt = statement(
  Balance,
  `select ${sums} from (
     select ${figures} from ledger_months where business_id = :business_id and month < :month
     union all
     select ${figures} from ledger_days where business_id = :business_id and date >= :month and date <= :as_of
   ) as part group by ledger_id, currency`)
