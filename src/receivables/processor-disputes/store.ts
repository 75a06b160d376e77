// The SQL of disputes.
import { list } from '../../foundation/database/list.ts'
import { insertion, updating } from '../../foundation/database/rows.ts'
import { columns, statement } from '../../foundation/database/statement.ts'
import { DisputeRow, ProcessorDispute } from './contract.ts'

export const insertDispute = insertion('processor_disputes', DisputeRow)
export const updateDispute = updating('processor_disputes', 'settled_amount', 'fee', 'status', 'reason', 'due_by', 'booked_amount', 'credit_refund_ids', 'closed_at')
export const disputeByProcessorId = statement(DisputeRow,
  `select ${columns(DisputeRow)} from processor_disputes where business_id = :business_id and processor_dispute_id = :processor_dispute_id for update`)

export const disputes = list({
  item: ProcessorDispute,
  from: 'processor_disputes t',
  where: 't.business_id = :business_id',
  sorts: { created_at: { column: 't.created_at', type: 'timestamptz' }, amount: { column: 't.amount', type: 'bigint' } },
  filters: { status: 't.status = :status', charge_id: 't.charge_id = :charge_id' },
})
