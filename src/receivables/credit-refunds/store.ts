// The SQL of refunds.
import { constraintMeans } from '../../foundation/database/errors.ts'
import { list } from '../../foundation/database/list.ts'
import { insertion, updating } from '../../foundation/database/rows.ts'
import { columns, statement } from '../../foundation/database/statement.ts'
import { CreditRefund } from './contract.ts'

constraintMeans('credit_refunds_processor', 'This refund of the processor is recorded already.')

export const insertRefund = insertion('credit_refunds', CreditRefund)
export const updateRefund = updating('credit_refunds', 'reversed_at')

export const findRefund = statement(
  CreditRefund, `select ${columns(CreditRefund)} from credit_refunds where business_id = :business_id and id = :id and credit_memo_id = :memo_id`)

export const byProcessorId = statement(
  CreditRefund, `select ${columns(CreditRefund)} from credit_refunds where business_id = :business_id and processor_refund_id = :processor_refund_id and reversed_at is null`)

export const refunds = list({
  item: CreditRefund,
  from: 'credit_refunds t',
  where: 't.business_id = :business_id',
  sorts: { created_at: { column: 't.created_at', type: 'timestamptz' } },
  filters: { credit_memo_id: 't.credit_memo_id = :credit_memo_id', standing: 't.reversed_at is null and :standing::boolean' },
})
