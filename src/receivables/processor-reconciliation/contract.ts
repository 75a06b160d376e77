// Whether the clearing ledger says what the processor holds.
import { Type, type Static } from 'typebox'
import { endpoint } from '../../foundation/endpoint.ts'
import { cents, id, list, nullable, oneOf, shape } from '../../foundation/shapes.ts'

export const CAUSES = ['unbooked_charge', 'unbooked_refund', 'unbooked_dispute', 'adjustment', 'reserve', 'other'] as const

export const ReconciliationRow = shape('ProcessorReconciliationRow', {
  cause: oneOf(CAUSES, { description: 'other: entries on the ledger that came from elsewhere.' }),
  processor_charge_id: nullable(Type.String()),
  payout_id: nullable(id()),
  amount: cents({ description: 'What it adds to the difference.' }),
})

export const ProcessorReconciliation = shape('ProcessorReconciliation', {
  ledger_id: id(),
  currency: Type.String(),
  charges: cents({ description: 'Booked and not paid out.' }),
  refunds: cents({ description: 'Booked and not taken off a payout.' }),
  disputes: cents({ description: 'Booked and not taken off a payout.' }),
  fees: cents({ description: 'Booked with charges that are not paid out.' }),
  manual_payouts: cents({ description: 'Paid out by hand: nobody knows which charges.' }),
  expected: cents({ description: 'charges - refunds - disputes - fees - manual_payouts.' }),
  ledger_balance: cents(),
  difference: cents({ description: 'ledger_balance - expected.' }),
  rows: list(ReconciliationRow, { description: 'What causes the difference.' }),
})
export type ProcessorReconciliation = Static<typeof ProcessorReconciliation>

export const getReconciliation = endpoint({
  id: 'get_processor_reconciliation', method: 'GET', path: '/processor/reconciliation',
  summary: 'Compare the clearing ledger with what the processor holds', scope: 'business', permission: 'processor:read',
  reply: ProcessorReconciliation,
})
