// What an account at the processor means for the connection, and what its settings may be.
import { invalid, notFound } from '../../foundation/refusal.ts'
import type { Account } from '../../foundation/processor/processor.ts'
import type { BookLedger, Books } from '../../ledger/books/contract.ts'
import { nameOf } from '../../ledger/posting/rules.ts'
import type { ConnectionRow } from './contract.ts'

/** Active once the account may charge; one that could and no longer can is restricted. */
export function statusOf(account: Account, before: ConnectionRow | null): ConnectionRow['status'] {
  if (account.charges_enabled) return 'active'
  return before?.status === 'active' || before?.status === 'restricted' ? 'restricted' : 'pending'
}

/** What the account says of the connection. Fees of payouts made by hand cannot be told from them, so they are booked with each charge. */
export function accountFields(account: Account, fee_recognition: ConnectionRow['fee_recognition']) {
  const { id: account_id, livemode, charges_enabled, payouts_enabled, requirements, payout_mode } = account
  const recognition = payout_mode === 'manual' ? 'charge' as const : fee_recognition
  return { account_id, livemode, charges_enabled, payouts_enabled, requirements, payout_mode, fee_recognition: recognition }
}

export function requireBankLedger(books: Books, ledger_id: string, currency: string): void {
  const ledger = books.ledgers.get(ledger_id)
  if (!ledger) throw notFound(`Ledger ${ledger_id} of bank_ledger_id`)
  if (!ledger.is_bank) throw invalid(`${nameOf(ledger)} is no bank account: payouts arrive on one.`)
  if (ledger.archived) throw invalid(`${nameOf(ledger)} is archived: restore it, or choose another bank account.`)
  if (ledger.currency !== currency) throw invalid(`${nameOf(ledger)} is kept in ${ledger.currency}, payouts arrive in ${currency}.`)
}

/** The bank account that payouts arrive on: the one that was chosen, else the first of the chart in the base currency. */
export function bankLedgerOf(books: Books, connection: Pick<ConnectionRow, 'bank_ledger_id'> | null, currency: string): BookLedger | null {
  const chosen = connection?.bank_ledger_id ? books.ledgers.get(connection.bank_ledger_id) : undefined
  if (chosen) return chosen
  const usable = (ledger: BookLedger) => ledger.is_bank && ledger.type === 'asset' && !ledger.archived && ledger.posting && ledger.currency === currency
  const banks = [...books.ledgers.values()].filter(usable)
  return banks.toSorted((a, b) => ((a.number ?? '') < (b.number ?? '') ? -1 : 1))[0] ?? null
}
