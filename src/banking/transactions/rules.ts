// What may be done by hand with a transaction, and how transactions look in a file. Pure.
import { formatCents } from '../../foundation/money.ts'
import { invalid } from '../../foundation/refusal.ts'
import type { Column, TableRow } from '../../foundation/sheets.ts'
import type { Books } from '../../ledger/books/contract.ts'
import type { CashRow } from '../../ledger/cash-book/contract.ts'
import { nameOfRow, ownersOf } from '../../ledger/cash-book/rules.ts'
import { nameOf } from '../../ledger/posting/rules.ts'
import type { BankTransaction } from '../transaction-views/contract.ts'
import type { TransactionInput, TransactionUpdate } from './contract.ts'

const FACTS = ['ledger_id', 'amount', 'datetime'] as const

/** What an update really changes: a value that is there already is no change. */
export function changesOf(row: CashRow, input: TransactionUpdate): TransactionUpdate {
  return Object.fromEntries(Object.entries(input).filter(([name, value]) => value !== undefined && value !== row[name as keyof TransactionUpdate]))
}

export function requireChangeable(row: CashRow, changes: TransactionUpdate): void {
  const [first] = Object.keys(changes).filter((name) => name !== 'note')
  if (row.kind === 'book' && first !== undefined) throw invalid(`${nameOfRow(row)} ${postedBy(row)}: change that instead; only its note can change here.`)
  const fact = FACTS.find((name) => changes[name] !== undefined)
  if (fact === undefined) return
  requireFree(row, 'keeps its amount, day and ledger')
  if (row.source !== 'manual') throw invalid(`${nameOfRow(row)} was reported by the bank: it keeps its amount, day and ledger. Exclude it if it is wrong.`)
}

export function requireDeletable(row: CashRow): void {
  requireFree(row, 'cannot be deleted')
  if (row.source === 'feed') throw invalid(`${nameOfRow(row)} came through a connection to the bank: exclude it instead.`)
}

export function requireExcludable(row: CashRow): void {
  requireFree(row, 'cannot be excluded')
}

export function requireRestorable(row: CashRow): void {
  if (row.status !== 'excluded') throw invalid(`${nameOfRow(row)} is ${row.status.replaceAll('_', ' ')}: only an excluded one can be restored.`)
}

function requireFree(row: CashRow, consequence: string): void {
  if (row.kind === 'book') throw invalid(`${nameOfRow(row)} ${postedBy(row)}, so it ${consequence} here: change or void that instead.`)
  const owners = ownersOf(row)
  if (row.categorized > 0) throw invalid(`${nameOfRow(row)} is categorized, so it ${consequence}: undo that first.`)
  if (owners === null) return
  throw invalid(`${nameOfRow(row)} is ${row.status.replaceAll('_', ' ')} by ${owners}, so it ${consequence}: remove the payment there first.`)
}

function postedBy(row: CashRow): string {
  return `was posted by ${ownersOf(row) ?? `a ${row.source === 'journal' ? 'journal entry' : 'document'}`}`
}

/** One fact of the bank makes one row: sent again, it must say the same. */
export function requireSame(row: CashRow, input: TransactionInput): void {
  if (row.amount === input.amount && row.datetime === input.datetime) return
  const amount = `${formatCents(row.amount, row.currency)} ${row.currency}`
  throw invalid(`External id ${row.external_id} stands for ${amount} of ${row.datetime} on this ledger already: give this one another external id.`)
}

export const columns: Column[] = [
  { key: 'datetime', label: 'Date', kind: 'date' },
  { key: 'ledger', label: 'Ledger', kind: 'text' },
  { key: 'counterparty', label: 'Counterparty', kind: 'text' },
  { key: 'description', label: 'Description', kind: 'text' },
  { key: 'reference', label: 'Reference', kind: 'text' },
  { key: 'amount', label: 'Amount', kind: 'money' },
  { key: 'currency', label: 'Currency', kind: 'text' },
  { key: 'status', label: 'Status', kind: 'text' },
  { key: 'unallocated_amount', label: 'Unallocated', kind: 'money' },
  { key: 'category', label: 'Category', kind: 'text' },
  { key: 'kind', label: 'Kind', kind: 'text' },
  { key: 'source', label: 'Source', kind: 'text' },
  { key: 'external_id', label: 'External id', kind: 'text' },
  { key: 'customer_id', label: 'Customer id', kind: 'text' },
  { key: 'vendor_id', label: 'Vendor id', kind: 'text' },
  { key: 'note', label: 'Note', kind: 'text' },
  { key: 'id', label: 'Id', kind: 'text' },
]

export function rowOf(transaction: BankTransaction, { ledgers }: Books): TableRow {
  const named = (id: string) => {
    const ledger = ledgers.get(id)
    return ledger ? nameOf(ledger) : id
  }
  const category = [...new Set(transaction.lines.map(({ ledger_id }) => named(ledger_id)))].join('; ')
  const said = Object.fromEntries(columns.flatMap(({ key }) => (key in transaction ? [[key, transaction[key as keyof BankTransaction]]] : []))) as TableRow
  return { ...said, ledger: named(transaction.ledger_id), category: category || null }
}
