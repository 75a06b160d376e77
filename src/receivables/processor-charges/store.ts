// The SQL of charges and refunds.
import { list } from '../../foundation/database/list.ts'
import { insertion, selectionById, updating } from '../../foundation/database/rows.ts'
import { columns, command, statement } from '../../foundation/database/statement.ts'
import { ChargeRow, ProcessorCharge, RefundRow } from './contract.ts'

const fixed = ['id', 'business_id', 'created_at', 'updated_at', 'version']
const changing = (row: { properties: object }) => Object.keys(row.properties).filter((name) => !fixed.includes(name))

export const insertCharge = insertion('processor_charges', ChargeRow)
export const updateCharge = updating('processor_charges', ...changing(ChargeRow))
export const findCharge = selectionById('processor_charges', ChargeRow)
export const lockCharge = selectionById('processor_charges', ChargeRow, true)
export const chargeByProcessorId = statement(ChargeRow,
  `select ${columns(ChargeRow)} from processor_charges where business_id = :business_id and processor_charge_id = :processor_charge_id for update`)
export const chargesByProcessorIds = statement(ChargeRow,
  `select ${columns(ChargeRow)} from processor_charges where business_id = :business_id and processor_charge_id = any(:processor_charge_ids) order by id for update`)
export const chargesOfPayout = statement(ChargeRow,
  `select ${columns(ChargeRow)} from processor_charges where business_id = :business_id and payout_id = :payout_id order by id for update`)

/** Many charges change their payout at once. */
export const movePayout = command(
  `update processor_charges set payout_id = :payout_id, updated_at = :now, version = version + 1 where business_id = :business_id and id = any(:ids)`)

export const charges = list({
  item: ProcessorCharge,
  from: 'processor_charges t',
  where: 't.business_id = :business_id',
  sorts: { created_at: { column: 't.created_at', type: 'timestamptz' }, amount: { column: 't.amount', type: 'bigint' } },
  filters: {
    status: 't.status = :status', customer_id: 't.customer_id = :customer_id', invoice_id: 't.invoice_id = :invoice_id', payout_id: 't.payout_id = :payout_id',
  },
})

export const insertRefund = insertion('processor_refunds', RefundRow)
export const updateRefund = updating('processor_refunds', ...changing(RefundRow))
export const lockRefund = selectionById('processor_refunds', RefundRow, true)
export const findRefund = selectionById('processor_refunds', RefundRow)
export const refundsOf = statement(RefundRow,
  `select ${columns(RefundRow)} from processor_refunds where business_id = :business_id and charge_id = :charge_id order by created_at, id`)
