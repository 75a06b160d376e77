// The SQL that says how the records stand to which documents are attached.
import { Type } from 'typebox'
import { statement } from '../../foundation/database/statement.ts'
import { boolean, id } from '../../foundation/shapes.ts'

const State = Type.Object({ id: id(), posted: boolean(), closed: boolean() })

/** `posted` and `date` are said of the table, called `t`. */
function states(table: string, posted: string, date: string) {
  return statement(State, `select t.id, (${posted}) as posted, (${posted}) and exists (
      select from accounting_periods p where p.business_id = :business_id and p.status = 'closed' and ${date} between p.start_date and p.end_date) as closed
    from ${table} t where t.business_id = :business_id and t.id = any(:ids)`)
}

export const invoiceStates = states('invoices', `t.status <> 'draft'`, 't.invoice_date')
export const creditMemoStates = states('credit_memos', `t.status <> 'draft'`, 't.credit_date')
export const entryStates = states('journal_entries', 'true', 't.date')
export const transactionStates = states('transactions', `t.kind = 'book' or t.claimed <> 0`, 't.datetime')
export const adjustmentStates = states('stock_adjustments', `t.status <> 'draft'`, 't.adjusted_on')
