// Compares the clearing ledger with what the processor holds.
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { addCents } from '../../foundation/money.ts'
import { ledgerOfRole, readBooks } from '../../ledger/books/operations.ts'
import { requireAccount } from '../processor-connections/operations.ts'
import type { ProcessorReconciliation } from './contract.ts'
import * as store from './store.ts'

export async function getReconciliation(tx: BusinessTx): Promise<ProcessorReconciliation> {
  const { books } = await readBooks(tx)
  const clearing = ledgerOfRole(books, 'processor_clearing')
  const [connection, figures, causes, ledger] = await Promise.all([
    requireAccount(tx), tx.get(store.figures, {}, 'Reconciliation'), tx.many(store.causes), tx.get(store.ledgerBalance, { ledger_id: clearing.id }, 'Ledger'),
  ])
  const fees = connection.fee_recognition === 'charge' ? figures.fees : 0
  const expected = addCents(figures.charges, -figures.refunds, -figures.disputes, -fees, -figures.manual_payouts)
  const difference = ledger.balance - expected
  const other = difference - addCents(...causes.map(({ amount }) => amount))
  const rows = other === 0 ? causes : [...causes, { cause: 'other' as const, processor_charge_id: null, payout_id: null, amount: other }]
  return { ledger_id: clearing.id, currency: clearing.currency, ...figures, fees, expected, ledger_balance: ledger.balance, difference, rows }
}
