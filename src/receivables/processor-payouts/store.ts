// The SQL of payouts.
import { Type } from 'typebox'
import { constraintMeans } from '../../foundation/database/errors.ts'
import { list } from '../../foundation/database/list.ts'
import { insertion, selectionById, updating } from '../../foundation/database/rows.ts'
import { columns, command, statement } from '../../foundation/database/statement.ts'
import { TransactionSummary } from '../../ledger/cash-book/contract.ts'
import { PayoutItem, PayoutRow } from './contract.ts'

constraintMeans('processor_payouts_match', 'Another payout is tied to this deposit.')

export const insertPayout = insertion('processor_payouts', PayoutRow)
const fixed = ['id', 'business_id', 'processor_payout_id', 'created_at', 'updated_at', 'version']
export const updatePayout = updating('processor_payouts', ...Object.keys(PayoutRow.properties).filter((name) => !fixed.includes(name)))
export const findPayout = selectionById('processor_payouts', PayoutRow)
export const lockPayout = selectionById('processor_payouts', PayoutRow, true)
export const payoutByProcessorId = statement(PayoutRow,
  `select ${columns(PayoutRow)} from processor_payouts where business_id = :business_id and processor_payout_id = :processor_payout_id for update`)
export const knownStatuses = statement(
  Type.Object({ processor_payout_id: Type.String(), status: Type.String() }),
  'select processor_payout_id, status from processor_payouts where business_id = :business_id and processor_payout_id = any(:processor_payout_ids)')

export const payouts = list({
  item: PayoutRow,
  from: 'processor_payouts t',
  where: 't.business_id = :business_id',
  sorts: {
    created_at: { column: 't.created_at', type: 'timestamptz' }, arrival_date: { column: 't.arrival_date', type: 'date' },
    amount: { column: 't.amount_cents', type: 'bigint' },
  },
  filters: {
    status: 't.status = :status', is_matched: '(t.bank_deposit_match_id is not null) = :is_matched::boolean',
    arrival_from: 't.arrival_date >= :arrival_from::date', arrival_to: 't.arrival_date <= :arrival_to::date',
  },
})

export const insertItems = command(
  `insert into processor_payout_items (business_id, payout_id, position, processor_item_id, kind, amount, fee, net, processor_charge_id)
   select :business_id, :payout_id, position, id, kind, amount, fee, net, charge_id
   from jsonb_to_recordset(:items::jsonb) as item (position int, id text, kind text, amount bigint, fee bigint, net bigint, charge_id text)`)
export const deleteItems = command('delete from processor_payout_items where business_id = :business_id and payout_id = :payout_id')
export const itemsOf = statement(PayoutItem,
  `select ${columns(PayoutItem)} from processor_payout_items where business_id = :business_id and payout_id = :payout_id order by position`)

export const candidates = statement(TransactionSummary,
  `select ${columns(TransactionSummary)} from transactions
   where business_id = :business_id and ledger_id = :ledger_id and datetime between :arrival_date::date - 5 and :arrival_date::date + 5
     and amount = :amount and kind = 'bank' and claimed = 0 and exclude_reason is null
   order by abs(datetime - :arrival_date::date), datetime, id limit 50`)
