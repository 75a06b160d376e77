// What refunds of the card processor look up among credits.
import { Type } from 'typebox'
import { columns, statement } from '../../foundation/database/statement.ts'
import { id } from '../../foundation/shapes.ts'
import { CreditRefund } from '../credit-refunds/contract.ts'

export const openNotesOf = statement(
  Type.Object({ id: id() }),
  `select id from credit_memos
   where business_id = :business_id and invoice_id = :invoice_id and kind = 'credit_note' and status = 'open' order by credit_date, id`)

export const creditRefundsByIds = statement(
  CreditRefund, `select ${columns(CreditRefund)} from credit_refunds where business_id = :business_id and id = any(:ids) order by created_at, id`)
