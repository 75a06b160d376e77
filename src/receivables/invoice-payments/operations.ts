// Settling invoices: payments, credits and write-offs, for one or for many at once, always under the lock of the invoices.
import { getSettings } from '../../access/business-settings/operations.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import { addCents, type Currency } from '../../foundation/money.ts'
import { invalid, notFound } from '../../foundation/refusal.ts'
import { ledgerOfRole, readBooks } from '../../ledger/books/operations.ts'
import { claim, lockTransactions, recordTransactions, release } from '../../ledger/cash-book/operations.ts'
import type { CashRow } from '../../ledger/cash-book/contract.ts'
import { ratesFor } from '../../ledger/fx-rates/operations.ts'
import type { PostedEntry } from '../../ledger/journal/contract.ts'
import { postEntries, reverseEntries } from '../../ledger/posting/operations.ts'
import type { RateOf } from '../../ledger/posting/rules.ts'
import { lockContracts, moveContracts } from '../../projects/contracts/operations.ts'
import { type Invoice, type InvoicePayment, type InvoiceRow, type PaymentRow } from '../invoices/contract.ts'
import { dismissed, endEntries, insertPayments, linkOf, lockInvoice, lockInvoices, present, save, saveAll, tieEntries, writePayments, type Loaded } from '../invoices/operations.ts'
import { balanceOf, money, nameOf, requireStatus } from '../invoices/rules.ts'
import type { BulkPayments, MarkPaid, PaymentInput } from './contract.ts'
import { converted, paidOn, paymentPosting, requirePayable, settled } from './rules.ts'

/** A payment to be recorded. Without `transaction` one is made on `ledger_id`. */
export type ToPay = {
  invoice_id: string
  amount: number
  transaction?: CashRow | undefined
  ledger_id?: string | undefined
  transaction_amount?: number | null | undefined
  paid_on: string
  posted_on: string
  kind?: 'manual' | 'processor' | undefined
  method: PaymentRow['method']
  reference?: string | null | undefined
  note?: string | null | undefined
  processor_charge_id?: string | null | undefined
  /** Of a payment that is posted anew. */
  again?: PaymentRow | undefined
}

export type Paid = { invoices: Map<string, Loaded>; payments: InvoicePayment[] }

/**
 * Records payments of invoices that are locked (`transaction`s too): all or none. `one_transaction` puts those without a transaction on one
 * that is made for all of them.
 */
export async function recordPayments(tx: BusinessTx, invoices: Map<string, Loaded>, wanted: readonly ToPay[], one_transaction = false): Promise<Paid> {
  const base = tx.business.base_currency as Currency
  const contracts = await lockContracts(tx, [...new Set(wanted.flatMap(({ invoice_id }) => invoices.get(invoice_id)?.invoice.contract_id ?? []))])
  const left = new Map([...invoices].map(([id, { invoice }]) => [id, invoice]))
  for (const { invoice_id, amount } of wanted) {
    const invoice = left.get(invoice_id) as InvoiceRow
    requirePayable(invoice, amount)
    const total_paid = invoice.total_paid + amount
    left.set(invoice_id, { ...invoice, total_paid, status: total_paid === invoice.total ? 'manual_paid' : 'partially_paid' })
  }
  const { books } = await readBooks(tx)
  const rateOf = await ratesNeeded(tx, invoices, wanted, books.ledgers)
  const currencyOn = ({ transaction, ledger_id }: ToPay) => (transaction?.currency ?? books.ledgers.get(ledger_id ?? '')?.currency ?? base) as Currency
  const amounts = wanted.map((each) => each.transaction_amount ?? converted(each.amount, invoiceOf(invoices, each).currency as Currency, currencyOn(each), base, each.posted_on, rateOf))
  const transactions = await transactionsFor(tx, invoices, wanted, amounts, one_transaction)
  const payments = wanted.map((each, index): PaymentRow => paymentRow(tx, invoiceOf(invoices, each), each, transactions[index] as CashRow, amounts[index] ?? 0))
  claim(tx, payments.map((payment, index) => ({ id: payment.id, transaction: transactions[index] as CashRow, document_type: 'invoice', document_id: payment.invoice_id, amount: payment.transaction_amount })))
  const accounts = { receivable: ledgerOfRole(books, 'accounts_receivable').id, bad_debt: () => ledgerOfRole(books, 'bad_debt').id }
  const entries = await postEntries(tx, payments.map((payment, index) => paymentPosting(invoiceOf(invoices, payment), payment, transactions[index] as CashRow, base, accounts)))
  const gains = ledgerOfRole(books, 'realized_fx').id
  const posted = payments.map((payment, index) => withEntry(payment, entries[index] as PostedEntry, gains))
  const fresh = posted.filter((_, index) => !wanted[index]?.again)
  const again = posted.filter((_, index) => wanted[index]?.again)
  insertPayments(tx, fresh)
  writePayments(tx, again)
  tieEntries(tx, posted.map((payment, index) => ({ invoice_id: payment.invoice_id, entry: entries[index] as PostedEntry, role: roleOf(payment) })))
  moveContracts(tx, posted.flatMap(({ invoice_id, amount, posted_on }) => {
    const contract = contracts.get(invoices.get(invoice_id)?.invoice.contract_id ?? '')
    return contract ? [{ contract, paid: amount, date: posted_on }] : []
  }))
  const shown = posted.map((payment, index): InvoicePayment => ({ ...payment, transaction: summaryOf(transactions[index] as CashRow) }))
  return { payments: shown, invoices: new Map([...invoices, ...saveSettled(tx, invoices, shown, entries).map((loaded): [string, Loaded] => [loaded.invoice.id, loaded])]) }
}

/** Each invoice once, with all its new payments. */
function saveSettled(tx: BusinessTx, invoices: Map<string, Loaded>, payments: readonly InvoicePayment[], entries: readonly PostedEntry[]): Loaded[] {
  const entryOf = new Map(entries.map((entry) => [entry.id, entry]))
  return saveAll(tx, [...Map.groupBy(payments, ({ invoice_id }) => invoice_id)].map(([invoice_id, own]) => {
    const before = invoices.get(invoice_id) as Loaded
    const after = own.reduce((invoice, { amount, base_amount, kind, paid_on }): InvoiceRow => ({
      ...invoice, ...settled(invoice, { amount, relieved: base_amount, recovery: kind === 'recovery', by_processor: kind === 'processor', paid_on }),
    }), before.invoice)
    const ids = new Set(own.map(({ id }) => id))
    const ties = own.map((payment) => linkOf(invoice_id, entryOf.get(payment.journal_entry_id) as PostedEntry, roleOf(payment)))
    const loaded = { ...before, payments: [...before.payments.filter(({ id }) => !ids.has(id)), ...own], entries: [...before.entries, ...ties] }
    return { loaded, changes: after, event: eventOf(own.at(-1) as PaymentRow, after) }
  }))
}

const invoiceOf = (invoices: Map<string, Loaded>, { invoice_id }: { invoice_id: string }): InvoiceRow => (invoices.get(invoice_id) as Loaded).invoice
const roleOf = ({ kind }: Pick<PaymentRow, 'kind'>) => (kind === 'recovery' ? 'recovery' : 'payment')

function eventOf({ kind }: PaymentRow, { status }: Partial<InvoiceRow>) {
  if (kind === 'recovery') return 'invoice.recovered'
  return status === 'partially_paid' ? 'invoice.partially_paid' : 'invoice.paid'
}

async function ratesNeeded(tx: BusinessTx, invoices: Map<string, Loaded>, wanted: readonly ToPay[], ledgers: ReadonlyMap<string, { currency: string }>): Promise<RateOf> {
  const base = tx.business.base_currency
  const needed = wanted.flatMap((each) => {
    const to = each.transaction?.currency ?? ledgers.get(each.ledger_id ?? '')?.currency ?? base
    const from = invoiceOf(invoices, each).currency
    return from === to || each.transaction_amount ? [] : [from, to].filter((currency) => currency !== base).map((currency) => ({ currency: currency as Currency, date: each.posted_on }))
  })
  return needed.length > 0 ? ratesFor(tx, needed) : () => null
}

async function transactionsFor(tx: BusinessTx, invoices: Map<string, Loaded>, wanted: readonly ToPay[], amounts: readonly number[], one_transaction: boolean): Promise<CashRow[]> {
  const missing = wanted.map((each, index) => ({ ...each, index })).filter(({ transaction }) => !transaction)
  const rowOf = (each: ToPay, amount: number) => ({
    ledger_id: each.ledger_id ?? '', amount, datetime: each.posted_on, reference: each.reference?.slice(0, 100) || null,
    counterparty: invoices.get(each.invoice_id)?.names.customer_name?.slice(0, 200) ?? null,
    customer_id: invoiceOf(invoices, each).customer_id, description: `Payment of ${nameOf(invoiceOf(invoices, each))}`,
  })
  const [first] = missing
  const together = one_transaction && first && missing.length > 1
  const made = await recordTransactions(tx, together
    ? [{ ...rowOf(first, addCents(...missing.map(({ index }) => amounts[index] ?? 0))), description: `Payment of ${missing.length} invoices` }]
    : missing.map((each) => rowOf(each, amounts[each.index] ?? 0)))
  const byIndex = new Map(missing.map(({ index }, place) => [index, made[together ? 0 : place]]))
  return wanted.map(({ transaction }, index) => transaction ?? (byIndex.get(index) as CashRow))
}

function paymentRow(tx: BusinessTx, invoice: InvoiceRow, wanted: ToPay, transaction: CashRow, transaction_amount: number): PaymentRow {
  if (transaction.amount < 0) throw invalid(`The transaction of ${transaction.datetime} is a withdrawal: it cannot pay an invoice.`)
  const { again } = wanted
  return {
    id: again?.id ?? newId(),
    business_id: tx.business_id,
    invoice_id: invoice.id,
    transaction_id: transaction.id,
    amount: wanted.amount,
    currency: invoice.currency,
    paid_on: wanted.paid_on,
    posted_on: wanted.posted_on,
    kind: invoice.uncollectible && invoice.written_off > 0 ? 'recovery' : wanted.kind ?? 'manual',
    method: wanted.method,
    reference: wanted.reference ?? null,
    note: wanted.note ?? null,
    journal_entry_id: '',
    transaction_amount,
    fx_rate: null,
    realized_fx: 0,
    base_amount: 0,
    processor_charge_id: wanted.processor_charge_id ?? null,
    reversed_at: null,
    created_at: again?.created_at ?? tx.now,
    updated_at: tx.now,
    version: (again?.version ?? 0) + 1,
  }
}

/** What the entry says of the payment: its rate, what it takes off the receivable, and what the rate has brought since. */
function withEntry(payment: PaymentRow, entry: PostedEntry, gains_ledger_id: string): PaymentRow {
  const [cash, receivable] = entry.lines
  const gain = entry.lines.find(({ ledger_id }, index) => index > 1 && ledger_id === gains_ledger_id)
  return {
    ...payment,
    journal_entry_id: entry.id,
    fx_rate: cash && cash.rate !== '1' ? cash.rate : receivable && receivable.rate !== '1' ? receivable.rate : null,
    realized_fx: 0 - (gain?.base_amount ?? 0),
    base_amount: payment.kind === 'recovery' ? 0 : -(receivable?.base_amount ?? 0),
  }
}

const summaryOf = ({ id, amount, currency, datetime, counterparty, description, ledger_id }: CashRow) => ({ id, amount, currency, datetime, counterparty, description, ledger_id })

/** Reverses payments of invoices that are locked, and gives their transactions back what they took. */
export async function reversePayments(tx: BusinessTx, loaded: Loaded, payments: readonly PaymentRow[], reversal_date?: string | null): Promise<Loaded> {
  await release(tx, payments.map(({ id }) => id))
  const contracts = await lockContracts(tx, loaded.invoice.contract_id ? [loaded.invoice.contract_id] : [])
  await reverseEntries(tx, payments.map(({ journal_entry_id }) => journal_entry_id), { reversal_date: reversal_date ?? undefined, area: 'receivables' })
  endEntries(tx, payments.map(({ journal_entry_id }) => journal_entry_id))
  const gone = new Map(payments.map((payment) => [payment.id, { ...payment, reversed_at: tx.now, updated_at: tx.now, version: payment.version + 1 }]))
  writePayments(tx, [...gone.values()])
  const amount = addCents(...payments.map((payment) => payment.amount))
  const contract = contracts.get(loaded.invoice.contract_id ?? '')
  if (contract) moveContracts(tx, [{ contract, paid: -amount, date: tx.today }])
  const recovered = addCents(...payments.map((payment) => (payment.kind === 'recovery' ? payment.amount : 0)))
  const standing = loaded.payments.filter(({ id, reversed_at }) => !gone.has(id) && reversed_at === null)
  const changes = settled(loaded.invoice, {
    amount: -amount, relieved: -addCents(...payments.map((payment) => payment.base_amount)), by_processor: standing.at(-1)?.kind === 'processor', paid_on: loaded.invoice.paid_on,
  })
  const after = save(tx, loaded, { ...changes, written_off: loaded.invoice.written_off + recovered }, 'invoice.payment_reversed')
  const ended = new Set(payments.map(({ journal_entry_id }) => journal_entry_id))
  return {
    ...after,
    payments: after.payments.map((payment) => ({ ...payment, ...gone.get(payment.id) })),
    entries: after.entries.map((entry) => (ended.has(entry.id) ? { ...entry, standing: false } : entry)),
  }
}

export async function addPayment(tx: BusinessTx, invoice_id: string, input: PaymentInput): Promise<InvoicePayment> {
  const loaded = await lockInvoice(tx, invoice_id)
  requirePayable(loaded.invoice, input.amount ?? 1)
  const { payments } = await recordPayments(tx, new Map([[invoice_id, loaded]]), [await toPay(tx, loaded.invoice, input)])
  return payments[0] as InvoicePayment
}

export async function markPaid(tx: BusinessTx, invoice_id: string, input: MarkPaid): Promise<Invoice> {
  const loaded = await lockInvoice(tx, invoice_id)
  const { invoice } = loaded
  if (invoice.status === 'manual_paid' || invoice.status === 'processor_paid') return present(tx, loaded)
  requireStatus(invoice, ['open', 'partially_paid'], 'only open invoices are marked paid')
  const { invoices } = await recordPayments(tx, new Map([[invoice_id, loaded]]), [await toPay(tx, invoice, { ...input, amount: balanceOf(invoice) })])
  return present(tx, invoices.get(invoice_id) as Loaded)
}

/** What a person asks for, with its transaction locked and its defaults filled in. */
export async function toPay(tx: BusinessTx, invoice: InvoiceRow, input: PaymentInput): Promise<ToPay> {
  const transaction = input.transaction_id ? await lockTransaction(tx, input.transaction_id) : undefined
  const ledger_id = transaction ? undefined : await depositLedger(tx, input.deposit_ledger_id)
  // What is left of a transaction in the same currency bounds what it pays.
  const most = transaction?.currency === invoice.currency ? Math.min(balanceOf(invoice), transaction.remaining) : balanceOf(invoice)
  if (transaction && transaction.remaining === 0) throw invalid(`The transaction of ${transaction.datetime} is used up: choose another.`)
  return {
    invoice_id: invoice.id, amount: input.amount ?? most, transaction, ledger_id, transaction_amount: input.transaction_amount,
    ...paidOn(input.paid_on, transaction?.datetime ?? tx.today, tx.business.timezone),
    method: input.method ?? 'other', reference: input.reference, note: input.note,
  }
}

export async function lockTransaction(tx: BusinessTx, id: string): Promise<CashRow> {
  const found = (await lockTransactions(tx, [id])).get(id)
  if (!found) throw notFound(`transaction_id: transaction ${id}`)
  if (found.amount < 0) throw invalid(`The transaction of ${found.datetime} is a withdrawal: it cannot pay an invoice.`)
  const [gone] = await dismissed(tx, [id])
  if (gone) throw invalid(`The transaction of ${found.datetime} is dismissed from cash receipts: restore it first.`)
  return found
}

export async function depositLedger(tx: BusinessTx, given: string | null | undefined): Promise<string> {
  const [settings, { books }] = await Promise.all([getSettings(tx), readBooks(tx)])
  if (given && !books.ledgers.has(given)) throw notFound(`deposit_ledger_id: ledger ${given}`)
  return given ?? settings.sales.deposit_ledger_id ?? ledgerOfRole(books, 'undeposited_funds').id
}

export async function addBulkPayments(tx: BusinessTx, input: BulkPayments) {
  const ids = input.payments.map(({ invoice_id }) => invoice_id)
  const twice = ids.find((id, index) => ids.indexOf(id) !== index)
  if (twice) throw invalid(`Invoice ${twice} is named twice: add its amounts up.`)
  const invoices = await lockInvoices(tx, ids)
  const rows = ids.map((id) => (invoices.get(id) as Loaded).invoice)
  const currencies = new Set(rows.map(({ currency }) => currency))
  if (currencies.size > 1) throw invalid(`The invoices are in ${[...currencies].join(' and ')}: pay them currency by currency.`)
  const transaction = input.transaction_id ? await lockTransaction(tx, input.transaction_id) : undefined
  const ledger_id = transaction ? undefined : await depositLedger(tx, input.deposit_ledger_id)
  const dated = paidOn(input.paid_on, transaction?.datetime ?? tx.today, tx.business.timezone)
  const wanted = input.payments.map(({ invoice_id, amount }, index): ToPay => ({
    invoice_id, amount: amount ?? balanceOf(rows[index] as InvoiceRow), transaction, ledger_id, ...dated, method: input.method ?? 'other', reference: input.reference,
  }))
  for (const [index, row] of rows.entries()) requirePayable(row, wanted[index]?.amount ?? 0)
  const paid = await recordPayments(tx, invoices, wanted, input.one_transaction ?? true)
  return {
    payments: paid.payments,
    invoices: ids.map((id) => {
      const { invoice } = paid.invoices.get(id) as Loaded
      return { id, status: invoice.status, balance_due: balanceOf(invoice) }
    }),
    transaction_ids: [...new Set(paid.payments.map(({ transaction_id }) => transaction_id))],
  }
}

function requireOwnPayment({ payments }: Loaded, payment_id: string): InvoicePayment {
  const payment = payments.find(({ id }) => id === payment_id)
  if (!payment) throw notFound('Payment')
  if (payment.kind === 'processor') throw invalid('This payment came from the processor: refund the charge.')
  return payment
}

export async function removePayment(tx: BusinessTx, invoice_id: string, payment_id: string, reversal_date?: string): Promise<Invoice> {
  const loaded = await lockInvoice(tx, invoice_id)
  const payment = requireOwnPayment(loaded, payment_id)
  if (payment.reversed_at) return present(tx, loaded)
  return present(tx, await reversePayments(tx, loaded, [payment], reversal_date))
}

export async function updatePayment(tx: BusinessTx, invoice_id: string, payment_id: string, input: Partial<PaymentInput>): Promise<InvoicePayment> {
  const loaded = await lockInvoice(tx, invoice_id)
  const payment = requireOwnPayment(loaded, payment_id)
  if (payment.reversed_at) throw invalid('This payment is reversed: add a new one instead.')
  const dated = input.paid_on ? paidOn(input.paid_on, payment.posted_on, tx.business.timezone) : { paid_on: payment.paid_on, posted_on: payment.posted_on }
  const said = { method: input.method ?? payment.method, reference: input.reference === undefined ? payment.reference : input.reference, note: input.note === undefined ? payment.note : input.note }
  const moves = (input.amount ?? payment.amount) !== payment.amount || dated.posted_on !== payment.posted_on
    || (input.transaction_id ?? payment.transaction_id) !== payment.transaction_id || (input.transaction_amount ?? payment.transaction_amount) !== payment.transaction_amount
  if (!moves) {
    const after = { ...payment, ...said, paid_on: dated.paid_on, updated_at: tx.now, version: payment.version + 1 }
    writePayments(tx, [after])
    save(tx, loaded, {}, 'invoice.updated')
    return after
  }
  const own_book_row = payment.transaction !== null && !input.transaction_id
  const ledger_id = own_book_row ? payment.transaction?.ledger_id : undefined
  if (input.transaction_id && input.transaction_id !== payment.transaction_id) await lockTransactions(tx, [payment.transaction_id, input.transaction_id])
  const freed = await reversePayments(tx, loaded, [payment])
  const kept = (await lockTransactions(tx, [input.transaction_id ?? payment.transaction_id])).get(input.transaction_id ?? payment.transaction_id)
  if (input.transaction_id && !kept) throw notFound(`transaction_id: transaction ${input.transaction_id}`)
  const amount = input.amount ?? payment.amount
  const { payments } = await recordPayments(tx, new Map([[invoice_id, freed]]), [{
    invoice_id, amount, transaction: kept, ledger_id: kept ? undefined : ledger_id, ...dated, ...said, again: { ...payment, version: payment.version + 1 },
    transaction_amount: input.transaction_amount ?? (amount === payment.amount && !input.transaction_id ? payment.transaction_amount : undefined),
  }])
  return payments[0] as InvoicePayment
}

export async function markUnpaid(tx: BusinessTx, invoice_id: string, { reversal_date }: { reversal_date?: string | null }): Promise<Invoice> {
  const loaded = await lockInvoice(tx, invoice_id)
  const { invoice } = loaded
  requireStatus(invoice, ['open', 'partially_paid', 'manual_paid', 'processor_paid'], 'there is nothing to undo')
  if (invoice.uncollectible) return present(tx, await undoWriteOff(tx, loaded, reversal_date))
  const manual = loaded.payments.filter(({ kind, reversed_at }) => kind === 'manual' && reversed_at === null)
  if (manual.length === 0 && invoice.status === 'open') return present(tx, loaded)
  if (manual.length === 0) throw invalid(`${nameOf(invoice)} has no payment by hand: there is nothing to undo.`)
  return present(tx, await reversePayments(tx, loaded, manual, reversal_date))
}

export async function markUncollectible(tx: BusinessTx, invoice_id: string, input: { uncollectible_on?: string | null; reason?: string | null }): Promise<Invoice> {
  const loaded = await lockInvoice(tx, invoice_id)
  const { invoice } = loaded
  if (invoice.uncollectible) return present(tx, loaded)
  const amount = balanceOf(invoice)
  requirePayable(invoice, amount)
  const { books } = await readBooks(tx)
  const uncollectible_on = input.uncollectible_on ?? tx.today
  const { customer_id, currency } = invoice
  const [entry] = await postEntries(tx, [{
    date: uncollectible_on, source_type: 'invoice_write_off', source_id: invoice.id, area: 'receivables', currency, automatic: true,
    memo: `Write-off of ${nameOf(invoice)}${input.reason ? `: ${input.reason}` : ''}`.slice(0, 500),
    lines: [
      { ledger_id: ledgerOfRole(books, 'bad_debt').id, amount, base_amount: currency === tx.business.base_currency ? undefined : invoice.base_balance ?? 0, customer_id, project_id: invoice.project_id },
      { ledger_id: ledgerOfRole(books, 'accounts_receivable').id, amount: -amount, customer_id, settles_line_id: invoice.receivable_line_id },
    ],
  }])
  const posted = entry as PostedEntry
  tieEntries(tx, [{ invoice_id, entry: posted, role: 'write_off' }])
  const after = save(tx, loaded, { uncollectible: true, uncollectible_on, written_off: amount, base_balance: 0 }, 'invoice.written_off')
  return present(tx, { ...after, entries: [...after.entries, linkOf(invoice_id, posted, 'write_off')] })
}

async function undoWriteOff(tx: BusinessTx, loaded: Loaded, reversal_date?: string | null): Promise<Loaded> {
  const recovery = loaded.payments.find(({ kind, reversed_at }) => kind === 'recovery' && reversed_at === null)
  if (recovery) throw invalid(`${money(recovery.amount, recovery.currency)} of ${nameOf(loaded.invoice)} was recovered: remove that payment first.`)
  const entry = loaded.entries.find(({ role, standing }) => role === 'write_off' && standing)
  const reversed = entry ? await reverseEntries(tx, [entry.id], { reversal_date: reversal_date ?? undefined, area: 'receivables' }) : []
  if (entry) endEntries(tx, [entry.id])
  const receivable = reversed.flatMap(({ lines }) => lines).find(({ settles_line_id }) => settles_line_id === loaded.invoice.receivable_line_id)
  // A payment from before that was taken back meanwhile is owed already.
  const base_balance = addCents(loaded.invoice.base_balance ?? 0, receivable?.base_amount ?? 0)
  const after = save(tx, loaded, { uncollectible: false, uncollectible_on: null, written_off: 0, base_balance }, 'invoice.unpaid')
  return { ...after, entries: after.entries.map((each) => (each.id === entry?.id ? { ...each, standing: false } : each)) }
}
