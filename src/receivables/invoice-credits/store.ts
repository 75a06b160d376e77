// The SQL of what credit memos settle of invoices, and of how many units of their lines are credited.
import { columns, command } from '../../foundation/database/statement.ts'
import { CreditRow } from '../invoices/contract.ts'

export const insertCredits = command(
  `insert into invoice_credits (business_id, ${columns(CreditRow)}) select :business_id, ${columns(CreditRow, 'r')}
   from jsonb_populate_recordset(null::invoice_credits, :rows::jsonb) r`)

export const endCredits = command('update invoice_credits set reversed_at = :now where business_id = :business_id and id = any(:ids)')

export const creditUnits = command(
  `update invoice_lines t set quantity_credited = r.quantity_credited from jsonb_populate_recordset(null::invoice_lines, :rows::jsonb) r
   where t.business_id = :business_id and t.id = r.id`)
