// Finalizing, changing and voiding credit memos. Locks are taken in one order: memo, invoice, contract, transaction, stock, journal, number.
import { nextNumbers } from '../../access/numbering/operations.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { invalid } from '../../foundation/refusal.ts'
import { returnStock, reverseStock } from '../../inventory/stock/operations.ts'
import type { CashRow } from '../../ledger/cash-book/contract.ts'
import { claim, recordTransactions, release } from '../../ledger/cash-book/operations.ts'
import { ledgerOfRole, readBooks } from '../../ledger/books/operations.ts'
import type { PostedEntry } from '../../ledger/journal/contract.ts'
import type { Posting } from '../../ledger/posting/contract.ts'
import { openDoor, repostEntry, reverseEntries } from '../../ledger/posting/operations.ts'
import type { ContractRow } from '../../projects/contracts/contract.ts'
import { lockContracts, moveContracts } from '../../projects/contracts/operations.ts'
import { draftMemo, lockCredited, type Drafted } from '../credit-drafts/operations.ts'
import { asInput } from '../credit-drafts/rules.ts'
import type { CreditMemoInput } from '../credit-drafts/contract.ts'
import type { CreditMemo, MemoLineRow, MemoRow } from '../credit-memos/contract.ts'
import { chargeOf, creditedOf, getMemo, lockMemo, replaceLines, saveMemo, writeReturned, type LoadedMemo } from '../credit-memos/operations.ts'
import { isMoney, nameOf, requireStatus } from '../credit-memos/rules.ts'
import { creditUnits } from '../invoice-credits/operations.ts'
import { lockTransaction } from '../invoice-payments/operations.ts'
import { lockInvoices, type Loaded } from '../invoices/operations.ts'
import { money, nameOf as invoiceName } from '../invoices/rules.ts'
import type { CreditMemoUpdate } from './contract.ts'
import { moneyPosting, notePosting, requireEditable } from './rules.ts'

export async function finalizeMemo(tx: BusinessTx, memo_id: string, { credit_date }: { credit_date?: string | null }): Promise<CreditMemo> {
  const { memo, lines } = await lockMemo(tx, memo_id)
  if (memo.status === 'open' || memo.status === 'closed') return getMemo(tx, memo_id)
  requireStatus(memo, ['draft'], 'only drafts are finalized')
  const invoice = memo.invoice_id ? await lockCredited(tx, memo.invoice_id) : null
  await finalizeDraft(tx, { memo, lines, invoice }, credit_date)
  return getMemo(tx, memo_id)
}

/** A draft that is locked or was made in this transaction; its invoice is locked. `transaction` is its money where somebody holds it already. */
export async function finalizeDraft(tx: BusinessTx, { memo, lines, invoice }: Drafted, credit_date?: string | null, transaction?: CashRow): Promise<Drafted> {
  const dated = { ...memo, credit_date: credit_date ?? memo.credit_date }
  if (memo.total === 0) throw invalid('A credit memo that comes to 0 cannot be finalized: give it lines or an amount.')
  return isMoney(memo) ? finalizeMoney(tx, memo, dated, transaction) : finalizeNote(tx, memo, dated, lines, invoice)
}

async function finalizeNote(tx: BusinessTx, before: MemoRow, memo: MemoRow, lines: MemoLineRow[], invoice: Loaded | null): Promise<Drafted> {
  const contract = await contractOf(tx, invoice?.invoice.contract_id ?? null)
  const returned = invoice ? await restock(tx, memo, lines, invoice) : lines
  const { books } = await readBooks(tx)
  const { entry, number } = await post(tx, memo, notePosting(memo, lines, ledgerOfRole(books, 'accounts_receivable').id))
  if (contract) moveContracts(tx, [{ contract, credited: memo.total, date: memo.credit_date }])
  const credited = invoice && creditUnits(tx, invoice, lines, 1)
  const [receivable] = entry.lines
  const after = saveMemo(tx, before, { ...finalized(tx, memo, entry, number), receivable_line_id: receivable?.id ?? null, contract_id: contract?.id ?? null }, 'credit_memo.finalized')
  return { memo: after, lines: returned, invoice: credited }
}

async function finalizeMoney(tx: BusinessTx, before: MemoRow, memo: MemoRow, held?: CashRow): Promise<Drafted> {
  const transaction = held ?? (memo.transaction_id ? await lockTransaction(tx, memo.transaction_id) : await recordMoney(tx, memo))
  if (transaction.currency !== memo.currency) throw invalid(`The money came in ${transaction.currency}: ${nameOf(memo)} is in ${memo.currency}.`)
  claim(tx, [{ id: memo.id, transaction, document_type: 'credit_memo', document_id: memo.id, amount: memo.total }])
  const { books } = await readBooks(tx)
  const { entry, number } = await post(tx, memo, moneyPosting(memo, transaction, ledgerOfRole(books, 'customer_deposits').id))
  const after = saveMemo(tx, before, { ...finalized(tx, memo, entry, number), transaction_id: transaction.id }, 'credit_memo.finalized')
  return { memo: after, lines: [], invoice: null }
}

async function recordMoney(tx: BusinessTx, memo: MemoRow): Promise<CashRow> {
  const [made] = await recordTransactions(tx, [{
    ledger_id: memo.deposit_ledger_id ?? '', amount: memo.total, datetime: memo.credit_date, customer_id: memo.customer_id,
    description: memo.kind === 'deposit' ? 'Deposit of a customer' : 'Overpayment of a customer',
  }])
  return made as CashRow
}

/** The number is drawn last: the sequence is locked by nobody who still waits for the journal. */
async function post(tx: BusinessTx, memo: MemoRow, posting: Posting): Promise<{ entry: PostedEntry; number: string }> {
  const door = await openDoor(tx, [posting])
  const drafts = door.weigh(posting)
  const [number = ''] = await nextNumbers(tx, 'credit_memo', [memo.credit_date])
  const [entry] = door.write(drafts.map((draft) => ({ ...draft, memo: nameOf({ ...memo, number }) })))
  return { entry: entry as PostedEntry, number }
}

/** The first line of the entry is what the customer has to their credit. */
function finalized(tx: BusinessTx, memo: MemoRow, entry: PostedEntry, number: string): Partial<MemoRow> {
  const base_total = -(entry.lines[0]?.base_amount ?? 0)
  const fx_rate = memo.currency === tx.business.base_currency ? null : memo.fx_rate ?? entry.rate
  return { ...memo, status: 'open', number, fx_rate, base_total, base_remaining: base_total, journal_entry_id: entry.id, finalized_at: tx.now }
}

async function contractOf(tx: BusinessTx, contract_id: string | null): Promise<ContractRow | undefined> {
  return contract_id ? (await lockContracts(tx, [contract_id])).get(contract_id) : undefined
}

/** What was delivered of the credited units and has not come back yet. */
async function restock(tx: BusinessTx, memo: MemoRow, lines: MemoLineRow[], { invoice, lines: sold }: Loaded): Promise<MemoLineRow[]> {
  const wanted = lines.filter((line) => line.restock)
  if (wanted.length === 0) return lines
  const { lines: others } = await creditedOf(tx, invoice.id, memo.id)
  const out = new Map(sold.map(({ id, quantity_delivered }) => [id, quantity_delivered]))
  for (const { invoice_line_id, returned } of others) if (invoice_line_id) out.set(invoice_line_id, (out.get(invoice_line_id) ?? 0) - returned)
  const coming = wanted.map((line) => {
    const left = out.get(line.invoice_line_id ?? '') ?? 0
    const quantity = Math.min(line.quantity_credited, Math.max(0, left))
    out.set(line.invoice_line_id ?? '', left - quantity)
    return { line, quantity }
  }).filter(({ quantity }) => quantity > 0)
  if (coming.length === 0) return lines
  const moved = await returnStock(tx, {
    source_type: 'credit_memo', source_id: memo.id, date: memo.credit_date, memo: `Return of ${invoiceName(invoice)}`,
    lines: coming.map(({ line, quantity }) => ({
      source_line_id: line.id, issued_source_type: 'invoice', issued_source_id: invoice.id, issued_line_id: line.invoice_line_id ?? '', quantity, location_id: line.location_id,
      customer_id: memo.customer_id, project_id: line.project_id, dimension_value_ids: line.dimension_value_ids,
    })),
  })
  const came = new Map(moved.lines.map(({ source_line_id, quantity }) => [source_line_id, quantity]))
  const after = lines.map((line) => ({ ...line, quantity_returned: came.get(line.id) ?? 0 }))
  writeReturned(tx, after.filter((line) => line.quantity_returned > 0))
  return after
}

export async function voidMemo(tx: BusinessTx, memo_id: string, input: { reason?: string | null; reversal_date?: string | null }): Promise<CreditMemo> {
  const { memo, lines } = await lockMemo(tx, memo_id)
  if (memo.status === 'void') return getMemo(tx, memo_id)
  requireStatus(memo, ['open', 'closed'], 'delete it instead')
  if (memo.applied_total > 0) throw invalid(`${money(memo.applied_total, memo.currency)} of ${nameOf(memo)} is applied: take that back first.`)
  if (memo.refunded_total > 0) throw invalid(`${money(memo.refunded_total, memo.currency)} of ${nameOf(memo)} is refunded: take that back first.`)
  const charge = isMoney(memo) ? await chargeOf(tx, memo.id) : null
  if (charge) throw invalid(`${nameOf(memo)} is money of the card charge ${charge}: refund that instead.`)
  const reversal_date = input.reversal_date ?? undefined
  const invoice = memo.invoice_id ? (await lockInvoices(tx, [memo.invoice_id])).get(memo.invoice_id) : undefined
  const contract = await contractOf(tx, memo.contract_id)
  if (contract) moveContracts(tx, [{ contract, credited: -memo.total, date: reversal_date ?? memo.credit_date }])
  if (isMoney(memo)) await release(tx, [memo.id])
  if (lines.some(({ quantity_returned }) => quantity_returned > 0)) {
    await reverseStock(tx, { source_type: 'credit_memo', source_id: memo.id, memo: `${nameOf(memo)} voided`, ...(reversal_date ? { reversal_date } : {}) })
    writeReturned(tx, lines.map((line) => ({ ...line, quantity_returned: 0 })))
  }
  await reverseEntries(tx, [memo.journal_entry_id ?? ''], { reversal_date, area: 'receivables', memo: `${nameOf(memo)} voided${input.reason ? `: ${input.reason}` : ''}`.slice(0, 500) })
  if (invoice) creditUnits(tx, invoice, lines, -1)
  saveMemo(tx, memo, { status: 'void', voided_at: tx.now, base_remaining: 0, receivable_line_id: null }, 'credit_memo.voided')
  return getMemo(tx, memo_id)
}

/** Fields in which null means nothing. */
const NEVER_NULL = new Set(['customer_id', 'credit_date', 'amount', 'line_items'])

export async function updateMemo(tx: BusinessTx, memo_id: string, body: CreditMemoUpdate): Promise<CreditMemo> {
  const loaded = await lockMemo(tx, memo_id)
  const { memo } = loaded
  const stored: Record<string, unknown> = { ...memo, amount: isMoney(memo) ? memo.total : null, line_items: null }
  const changes = Object.fromEntries(Object.entries(body).filter(([name, value]) =>
    name in stored && value !== undefined && !(value === null && NEVER_NULL.has(name)) && JSON.stringify(value) !== JSON.stringify(stored[name])))
  requireEditable(memo, changes)
  if (Object.keys(changes).length === 0) return getMemo(tx, memo_id)
  if (memo.status === 'draft') await redraft(tx, loaded, changes)
  else saveMemo(tx, memo, { ...changes, ...(await redated(tx, memo, changes as Partial<MemoRow>)) }, 'credit_date' in changes ? 'credit_memo.redated' : 'credit_memo.updated')
  return getMemo(tx, memo_id)
}

/** A draft is made anew from what it was and what is given, so that everything about it is checked together. */
async function redraft(tx: BusinessTx, loaded: LoadedMemo, changes: Partial<CreditMemoInput>): Promise<void> {
  const { memo, lines } = loaded
  const { customer_id, kind, credit_date, fx_rate, order_id, reason, description } = memo
  const kept = { customer_id, kind, credit_date, fx_rate, order_id, reason, description }
  const { transaction_id, deposit_ledger_id, currency, tax_mode, invoice_id } = memo
  const input: CreditMemoInput = isMoney(memo)
    ? { ...kept, amount: memo.total, transaction_id, deposit_ledger_id, ...changes }
    : { ...kept, currency, tax_mode, invoice_id, line_items: lines.map(asInput), ...changes }
  const drafted = await draftMemo(tx, input, loaded)
  replaceLines(tx, memo.id, drafted.lines)
  saveMemo(tx, memo, drafted.memo, 'credit_memo.updated')
}

async function redated(tx: BusinessTx, memo: MemoRow, { credit_date }: Partial<MemoRow>): Promise<Partial<MemoRow>> {
  if (!credit_date) return {}
  const { entry, line_ids } = await repostEntry(tx, memo.journal_entry_id ?? '', { date: credit_date }, 'receivables')
  return { journal_entry_id: entry.id, receivable_line_id: line_ids.get(memo.receivable_line_id ?? '') ?? memo.receivable_line_id }
}
