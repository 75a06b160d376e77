// What the embedded bank reports comes in as that of a real one would: once per line, under a clean name, and posts nothing by itself.
import { addDays } from '../../foundation/calendar.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { forbidden, invalid, notFound } from '../../foundation/refusal.ts'
import { readBooks } from '../../ledger/books/operations.ts'
import { lockExternalIds, newBankRow } from '../../ledger/cash-book/operations.ts'
import { requireCashLedger } from '../../ledger/cash-book/rules.ts'
import { nameOf } from '../../ledger/posting/rules.ts'
import { arrive } from '../arrivals/operations.ts'

export async function readSandboxDays(tx: BusinessTx, ledger_id: string, days: number) {
  const { bank, processor } = tx.surroundings
  if (tx.actor.role !== 'owner') throw forbidden('Only the owner of the business may use the test doors.')
  if (bank.name !== 'sandbox' || processor.name !== 'sandbox') throw notFound('Test door')
  const { books } = await readBooks(tx)
  if (!books.ledgers.has(ledger_id)) throw notFound('Ledger')
  const ledger = requireCashLedger(books, ledger_id)
  if (!ledger.is_bank) throw invalid(`${nameOf(ledger)} is no bank account: choose one that a bank reports on.`)
  const [from, to] = [addDays(tx.today, 1 - days), tx.today]
  const account = { reference: `${tx.business_id} ${ledger_id}`, kind: ledger.type === 'liability' ? 'card' as const : 'account' as const }
  // The embedded bank works in this process: nothing leaves it.
  const lines = await bank.readStatement(account, from, to)
  const known = new Set((await lockExternalIds(tx, lines.map(({ id }) => ({ ledger_id, external_id: id })))).map(({ external_id }) => external_id))
  const rows = lines.filter(({ id }) => !known.has(id)).map(({ id, date, amount, name, description, reference }) =>
    newBankRow(tx, books, { ledger_id, amount, datetime: date, counterparty_raw: name, description, reference, external_id: id, source: 'feed' }))
  const arrived = await arrive(tx, rows)
  return { ledger_id, from, to, added: rows.length, known: known.size, categorized: arrived.filter(({ categorized }) => categorized > 0).length }
}
