// Finalizing and voiding invoices, and the entry that stands for each.
import { getSettings } from '../../access/business-settings/operations.ts'
import { nextNumbers, noteTyped } from '../../access/numbering/operations.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import type { Currency } from '../../foundation/money.ts'
import { invalid, notFound, Refusal } from '../../foundation/refusal.ts'
import { noteSold } from '../../directory/catalog-items/operations.ts'
import { customersByIds } from '../../directory/customers/operations.ts'
import { findDefaultTerm, termsByIds } from '../../directory/payment-terms/operations.ts'
import { dueDate } from '../../directory/payment-terms/rules.ts'
import { ledgerOfRole, lockJournal } from '../../ledger/books/operations.ts'
import type { Books } from '../../ledger/books/contract.ts'
import { getEntry } from '../../ledger/journal/operations.ts'
import type { Draft } from '../../ledger/journal/operations.ts'
import type { JournalEntry, PostedEntry } from '../../ledger/journal/contract.ts'
import { openDoor, repostEntry, reverseEntries, type Door } from '../../ledger/posting/operations.ts'
import type { Posting } from '../../ledger/posting/contract.ts'
import { openTax } from '../../ledger/tax-calculation/operations.ts'
import { ratesFor } from '../../ledger/fx-rates/operations.ts'
import { reverseStock } from '../../inventory/stock/operations.ts'
import { lockContracts, moveContracts } from '../../projects/contracts/operations.ts'
import type { ContractRow } from '../../projects/contracts/contract.ts'
import { afterMoves, type Move } from '../../projects/contracts/rules.ts'
import { createLinks, revokeLink } from '../../workspace/document-links/operations.ts'
import { creditedOf } from '../credit-memos/operations.ts'
import { codeOf, withTax, type Customer } from '../invoice-drafts/operations.ts'
import { invoiceResource, type Invoice, type InvoiceRow } from '../invoices/contract.ts'
import { endEntries, exposuresOf, invoicesByNumbers, invoicesOfEntry, linkOf, lockInvoice, present, save, saveAll, tieEntries, writeCredits, writeLines, writePayments, type LineRow, type Loaded } from '../invoices/operations.ts'
import { money, nameOf, numberKey, requireDueAfter, requireStatus } from '../invoices/rules.ts'
import { endCheckout } from '../processor-checkouts/operations.ts'
import { loadCatalogue } from '../sales-lines/operations.ts'
import { currentPrices, inBase, totalsOf } from '../sales-lines/rules.ts'
import type { Finalization } from './contract.ts'
import { finalizationPosting, memoOf } from './rules.ts'

/** `posted` is false of one whose entry is in the books already. */
export type ToFinalize = { loaded: Loaded; input: Finalization; posted?: boolean }

/** One that passed every check: what it becomes, and the entry that it posts, neither with a number yet. */
type Weighed = { before: Loaded; invoice: InvoiceRow; lines: LineRow[]; drafts: Draft[]; move: (Move & { contract: ContractRow }) | null }

export async function finalizeInvoice(tx: BusinessTx, invoice_id: string, input: Finalization): Promise<Invoice> {
  const loaded = await lockInvoice(tx, invoice_id)
  if (loaded.invoice.status !== 'draft' && loaded.invoice.status !== 'void') return present(tx, loaded)
  const [after] = await finalizeInvoices(tx, [{ loaded, input }])
  return present(tx, after as Loaded)
}

/** Finalizes drafts that are locked or were made in this transaction: all or none, numbered in this order. */
export async function finalizeInvoices(tx: BusinessTx, wanted: readonly ToFinalize[]): Promise<Loaded[]> {
  const { weigh, write } = await openFinalization(tx, wanted)
  return write(wanted.map(weigh))
}

/** Reads what finalizing these needs, and locks the journal. `weigh` refuses by throwing; `write` numbers and writes those that passed. */
export async function openFinalization(tx: BusinessTx, wanted: readonly ToFinalize[]) {
  const all = wanted.map(({ loaded }) => loaded)
  const lines = all.flatMap((loaded) => loaded.lines)
  const ids = (pick: (invoice: InvoiceRow) => string | null) => [...new Set(all.flatMap(({ invoice }) => pick(invoice) ?? []))]
  const [contracts, customers, settings, default_term, catalogue] = await Promise.all([
    lockContracts(tx, ids((invoice) => invoice.contract_id)),
    customersByIds(tx, ids((invoice) => invoice.customer_id)),
    getSettings(tx),
    findDefaultTerm(tx),
    loadCatalogue(tx, lines.flatMap((line) => line.variant_id ?? []), lines.flatMap((line) => line.catalog_item_id ?? [])),
  ])
  const codes = all.flatMap((loaded) => loaded.lines.map((line) => ({ tax_code_id: codeOf(line, customers.get(loaded.invoice.customer_id), catalogue) })))
  const term_ids = [...ids((invoice) => invoice.payment_terms_id), ...[...customers.values()].flatMap(({ payment_terms_id }) => payment_terms_id ?? [])]
  const limited = settings.sales.credit_policy === 'block' ? [...customers.values()].filter(({ credit_limit }) => credit_limit !== null).map(({ id }) => id) : []
  const foreign = all.filter(({ invoice }) => invoice.currency !== tx.business.base_currency && !invoice.fx_rate)
  const dateOf = ({ loaded, input }: ToFinalize) => input.invoice_date ?? loaded.invoice.invoice_date ?? tx.today
  const [locked, tax, terms, exposures, rateOf] = await Promise.all([
    lockJournal(tx),
    openTax(tx, [{ direction: 'sale', lines: codes }, ...[...customers.keys()].map((customer_id) => ({ direction: 'sale' as const, customer_id, lines: [] }))]),
    term_ids.length > 0 ? termsByIds(tx, term_ids) : new Map<string, never>(),
    exposuresOf(tx, limited),
    foreign.length > 0 ? ratesFor(tx, wanted.map((each) => ({ currency: each.loaded.invoice.currency as Currency, date: dateOf(each) }))) : () => null,
  ])
  const { books } = locked
  const door = await openDoor(tx, [], { locked })
  const typed = new Set<string>()
  const moved = new Map<string, Move[]>()
  const owed = new Map(exposures.map(({ customer_id, exposure }) => [customer_id, exposure]))

  function weigh({ loaded, input, posted = true }: ToFinalize): Weighed {
    const { invoice } = loaded
    requireStatus(invoice, ['draft'], 'only drafts are finalized')
    const customer = customers.get(invoice.customer_id)
    if (!customer) throw notFound('Customer')
    if (customer.status === 'archived') throw invalid(`The customer ${customer.name} is archived: restore it, or choose another.`)
    if (loaded.lines.length === 0) throw invalid('An invoice without lines cannot be finalized: add at least one.')
    const invoice_date = dateOf({ loaded, input })
    const term_id = invoice.payment_terms_id ?? customer.payment_terms_id
    const term = (term_id ? terms.get(term_id) : null) ?? default_term
    const due_date = input.due_date ?? invoice.due_date ?? (term ? dueDate(term, invoice_date) : invoice_date)
    requireDueAfter(invoice_date, due_date)
    const number = input.invoice_number?.trim() || invoice.number
    if (number && number !== invoice.number) typed.add(number)
    const sold = catalogue.in(invoice.currency as Currency)
    const priced = withTax(books, tax, { ...invoice, invoice_date }, currentPrices(loaded.lines, sold), customer, catalogue, tx.today)
    const final_lines = priced.map((line, index): LineRow => ({
      ...(loaded.lines[index] as LineRow), ...line,
      ledger_id: line.ledger_id ?? (line.variant_id ? sold.variant(line.variant_id).ledger_id : line.catalog_item_id ? sold.catalogItem(line.catalog_item_id).ledger_id : null) ?? ledgerOfRole(books, 'sales').id,
      tax_code_id: invoice.tax_mode === 'none' ? null : codeOf(line, customer, catalogue) ?? settings.tax.default_sales_code_id,
    }))
    const totals = totalsOf(final_lines, invoice.tax_mode)
    const fx_rate = invoice.currency === tx.business.base_currency ? null : invoice.fx_rate ?? rateOf(invoice.currency as Currency, invoice_date)
    if (invoice.currency !== tx.business.base_currency && !fx_rate) {
      throw invalid(`No ${invoice.currency}/${tx.business.base_currency} rate on or before ${invoice_date}: add one with POST /fx/rates, or give fx_rate.`)
    }
    const dated: InvoiceRow = {
      ...invoice, ...totals, number, invoice_date, due_date, fx_rate,
      status: totals.total === 0 ? 'manual_paid' : 'open',
      payment_terms_id: term?.id ?? null,
      billing_address: invoice.billing_address ?? customer.billing_address,
      shipping_address: invoice.shipping_address ?? customer.shipping_address,
      finalized_at: tx.now,
      paid_on: totals.total === 0 ? tx.now : null,
      base_total: 0, base_balance: 0,
    }
    const drafts = totals.total > 0 && posted ? door.weigh(finalizationPosting(dated, final_lines, invoice_date, accountsOf(books))) : []
    const receivable = drafts[0]?.lines[0]
    const base_total = receivable?.base_amount ?? (fx_rate ? inBase(totals.total, fx_rate) : totals.total)
    requireCredit(customer, owed, base_total, tx.business.base_currency, input.override_credit_limit === true && tx.actor.permissions.has('members:manage'))
    const contract = invoice.contract_id ? contracts.get(invoice.contract_id) : undefined
    const move = contract ? { contract, billed: totals.total, date: invoice_date } : null
    if (move) {
      const moves = [...(moved.get(move.contract.id) ?? []), move]
      afterMoves(move.contract, moves)
      moved.set(move.contract.id, moves)
    }
    return {
      before: loaded,
      invoice: { ...dated, base_total, base_balance: base_total, receivable_line_id: receivable?.id ?? null },
      lines: final_lines,
      drafts,
      move,
    }
  }

  async function write(weighed: readonly Weighed[]): Promise<Loaded[]> {
    if (weighed.length === 0) return []
    moveContracts(tx, weighed.flatMap(({ move }) => move ?? []))
    await requireFreeNumbers(tx, [...typed])
    if (typed.size > 0) noteTyped(tx, 'invoice')
    const unnumbered = weighed.filter(({ invoice }) => invoice.number === null)
    const numbers = unnumbered.length > 0 ? await nextNumbers(tx, 'invoice', unnumbered.map(({ invoice }) => invoice.invoice_date ?? tx.today), (candidates) => takenNumbers(tx, candidates)) : []
    const numbered = new Map(unnumbered.map(({ invoice }, index) => [invoice.id, numbers[index] ?? '']))
    const named = weighed.map((each) => ({ ...each, invoice: { ...each.invoice, number: each.invoice.number ?? numbered.get(each.invoice.id) ?? null } }))
    const entries = door.write(named.flatMap(({ invoice, drafts }) => drafts.map((draft) => ({ ...draft, memo: memoOf(invoice.number) }))))
    const byInvoice = new Map(entries.map((entry) => [entry.source_id, entry]))
    tieEntries(tx, entries.map((entry) => ({ invoice_id: entry.source_id ?? '', entry, role: 'finalization' })))
    writeLines(tx, named.flatMap(({ lines: rows }) => rows))
    createLinks(tx, named.map(({ invoice }) => ({ document_type: 'invoice', document_id: invoice.id })))
    const items = [...new Set(named.flatMap(({ lines: rows }) => rows.flatMap(({ catalog_item_id }) => catalog_item_id ?? [])))]
    if (items.length > 0) noteSold(tx, items, named[0]?.invoice.invoice_date ?? tx.today)
    const saved = saveAll(tx, named.map(({ before, invoice, lines: rows }) => ({ loaded: { ...before, lines: rows }, changes: invoice, event: 'invoice.finalized' })))
    return saved.map((loaded) => {
      const entry = byInvoice.get(loaded.invoice.id)
      if (loaded.invoice.total === 0) tx.record(invoiceResource, 'invoice.paid', { before: loaded.invoice, after: loaded.invoice })
      return entry ? { ...loaded, entries: [...loaded.entries, linkOf(loaded.invoice.id, entry, 'finalization')] } : loaded
    })
  }
  return { weigh, write }
}

function accountsOf(books: Books) {
  return { receivable: ledgerOfRole(books, 'accounts_receivable').id, opening_balance: () => ledgerOfRole(books, 'opening_balance').id }
}

/** Refuses what would take the customer above their limit, and counts what is let through. */
function requireCredit(customer: Customer, owed: Map<string, number>, base_total: number, currency: string, overridden: boolean): void {
  const before = owed.get(customer.id)
  if (before === undefined || customer.credit_limit === null) return
  if (before + base_total > customer.credit_limit && !overridden) {
    throw invalid(`${customer.name} would owe ${money(before + base_total, currency)} with this invoice, above the credit limit of ${money(customer.credit_limit, currency)}: collect first, or let an admin override it.`)
  }
  owed.set(customer.id, before + base_total)
}

async function takenNumbers(tx: BusinessTx, candidates: readonly string[]): Promise<Set<string>> {
  const rows = await invoicesByNumbers(tx, candidates.map(numberKey))
  const used = new Set(rows.map(({ number }) => numberKey(number ?? '')))
  return new Set(candidates.filter((candidate) => used.has(numberKey(candidate))))
}

async function requireFreeNumbers(tx: BusinessTx, numbers: readonly string[]): Promise<void> {
  if (numbers.length === 0) return
  const [used] = await takenNumbers(tx, numbers)
  if (used) throw invalid(`The invoice number ${used} is used already in this business: choose another.`)
}

export async function voidInvoice(tx: BusinessTx, invoice_id: string, input: { reason?: string | null; reversal_date?: string | null }): Promise<Invoice> {
  const loaded = await lockInvoice(tx, invoice_id)
  const { invoice } = loaded
  if (invoice.status === 'void') return present(tx, loaded)
  if (invoice.total_credited > 0) throw invalid(`${nameOf(invoice)} has credits of ${money(invoice.total_credited, invoice.currency)}: take them back first.`)
  if (invoice.total_paid > 0) throw invalid(`${nameOf(invoice)} has payments of ${money(invoice.total_paid, invoice.currency)}: remove them first.`)
  if (invoice.uncollectible) throw invalid(`${nameOf(invoice)} is written off: mark it unpaid first.`)
  const { total: credited } = await creditedOf(tx, invoice.id)
  if (credited > 0) throw invalid(`${nameOf(invoice)} has credit notes of ${money(credited, invoice.currency)}: void or delete them first.`)
  if (!(invoice.status === 'manual_paid' && invoice.total === 0)) requireStatus(invoice, ['open'], invoice.status === 'draft' ? 'delete it instead' : 'it cannot be voided')
  const reversal_date = input.reversal_date ?? undefined
  await moveBilled(tx, [{ contract_id: invoice.contract_id, billed: -invoice.total, date: invoice.invoice_date ?? tx.today }])
  const delivery = invoice.delivered ? await reverseStock(tx, { source_type: 'invoice', source_id: invoice.id, ...(reversal_date ? { reversal_date } : {}) }) : null
  const standing = loaded.entries.filter(({ standing: stands, role }) => stands && role === 'finalization')
  await reverseEntries(tx, standing.map(({ id }) => id), { reversal_date, area: 'receivables', memo: `${nameOf(invoice)} voided${input.reason ? `: ${input.reason}` : ''}`.slice(0, 500) })
  endEntries(tx, loaded.entries.filter(({ role }) => role !== 'related').map(({ id }) => id))
  revokeLink(tx, 'invoice', invoice.id)
  await endCheckout(tx, invoice.id)
  const after = save(tx, loaded, {
    status: 'void', voided_at: tx.now, base_balance: 0, receivable_line_id: null, paid_on: null, send_at: null,
    ...(delivery ? { delivered: false, delivered_on: null } : {}),
  }, 'invoice.voided')
  return present(tx, { ...after, entries: after.entries.filter(({ role }) => role === 'related'), lines: delivery ? undelivered(tx, after.lines) : after.lines })
}

function undelivered(tx: BusinessTx, lines: LineRow[]): LineRow[] {
  const back = lines.map((line) => ({ ...line, quantity_delivered: 0 }))
  writeLines(tx, back)
  return back
}

/** Moves the counters of contracts; those of invoices without one are passed over. */
export async function moveBilled(tx: BusinessTx, moves: readonly { contract_id: string | null; billed: number; date: string }[]): Promise<void> {
  const named = moves.filter((move) => move.contract_id !== null && move.billed !== 0)
  const contracts = await lockContracts(tx, [...new Set(named.flatMap(({ contract_id }) => contract_id ?? []))])
  moveContracts(tx, named.flatMap(({ contract_id, billed, date }) => {
    const contract = contracts.get(contract_id ?? '')
    return contract ? [{ contract, billed, date }] : []
  }))
}

/** Puts the entry of an invoice on another date or customer, with everything that settles it; the ids of entries and lines change along. */
export async function repostInvoice(tx: BusinessTx, loaded: Loaded, change: { date?: string; customer_id?: string }): Promise<Loaded> {
  const standing = loaded.entries.find(({ role, standing: stands }) => stands && role === 'finalization')
  if (!standing) return loaded
  const { entry, entry_ids, line_ids } = await repostEntry(tx, standing.id, change, 'receivables')
  const renamed = <Row extends { journal_entry_id: string }>(row: Row): Row => ({ ...row, journal_entry_id: entry_ids.get(row.journal_entry_id) ?? row.journal_entry_id })
  const payments = loaded.payments.map(renamed)
  const credits = loaded.credits.map(renamed)
  const ties = loaded.entries.filter(({ id, standing: stands }) => stands && entry_ids.has(id)).map((old) => ({ ...old, id: entry_ids.get(old.id) ?? old.id, date: old.id === standing.id ? entry.date : old.date }))
  endEntries(tx, [...entry_ids.keys()])
  tieEntries(tx, ties.map((tie) => ({ invoice_id: tie.invoice_id, entry: tie, role: tie.role })))
  writePayments(tx, payments)
  writeCredits(tx, credits)
  const receivable_line_id = line_ids.get(loaded.invoice.receivable_line_id ?? '') ?? loaded.invoice.receivable_line_id
  const entries = [...loaded.entries.map((old) => (entry_ids.has(old.id) ? { ...old, standing: false } : old)), ...ties]
  return { ...loaded, payments, credits, entries, invoice: { ...loaded.invoice, receivable_line_id } }
}

export async function generateEntry(tx: BusinessTx, invoice_id: string, input: { date?: string | null }) {
  const loaded = await lockInvoice(tx, invoice_id)
  requireMissingEntry(loaded)
  const { invoice, lines } = loaded
  const locked = await lockJournal(tx)
  const posting: Posting = finalizationPosting(invoice, lines, input.date ?? invoice.invoice_date ?? tx.today, accountsOf(locked.books))
  const door: Door = await openDoor(tx, [posting], { locked })
  const [entry] = door.write(door.weigh(posting))
  return standFor(tx, loaded, entry as PostedEntry)
}

export async function linkEntry(tx: BusinessTx, invoice_id: string, { journal_entry_id, role = 'related' }: { journal_entry_id: string; role?: 'finalization' | 'related' }) {
  const loaded = await lockInvoice(tx, invoice_id)
  const entry = await entryNamed(tx, journal_entry_id)
  const tied = loaded.entries.find(({ id, standing }) => id === journal_entry_id && standing)
  if (tied?.role === role) return { journal_entry: entry, invoice: await present(tx, loaded) }
  requireStatus(loaded.invoice, ['open', 'partially_paid', 'manual_paid', 'processor_paid'], 'entries are tied to finalized invoices')
  if (entry.status !== 'posted') throw invalid(`Entry ${entry.number} is ${entry.status}: choose one that stands.`)
  if (role === 'finalization') return standFor(tx, loaded, entry, await requireStandIn(tx, loaded, entry))
  tieEntries(tx, [{ invoice_id, entry, role }])
  const after = save(tx, loaded, {}, 'invoice.updated')
  return { journal_entry: entry as JournalEntry, invoice: await present(tx, { ...after, entries: [...after.entries, linkOf(invoice_id, entry, role)] }) }
}

async function entryNamed(tx: BusinessTx, id: string): Promise<PostedEntry> {
  try {
    return await getEntry(tx, id)
  } catch (error) {
    throw error instanceof Refusal && error.status === 404 ? notFound(`journal_entry_id: entry ${id}`) : error
  }
}

function requireMissingEntry({ invoice, entries }: Loaded): void {
  requireStatus(invoice, ['open', 'partially_paid', 'manual_paid', 'processor_paid'], 'only finalized invoices have an entry')
  if (invoice.total === 0) throw invalid(`${nameOf(invoice)} comes to 0 and has no entry.`)
  if (entries.some(({ role, standing }) => role === 'finalization' && standing)) throw invalid(`${nameOf(invoice)} has its entry already.`)
}

/** The receivable line of an entry that can stand for the invoice. */
async function requireStandIn(tx: BusinessTx, loaded: Loaded, entry: PostedEntry): Promise<string> {
  requireMissingEntry(loaded)
  const { invoice } = loaded
  const { books } = await lockJournal(tx)
  const receivable = ledgerOfRole(books, 'accounts_receivable').id
  const line = entry.lines.find((each) => each.ledger_id === receivable && each.amount === invoice.total && each.currency === invoice.currency && each.customer_id === invoice.customer_id)
  if (!line) throw invalid(`Entry ${entry.number} has no receivable line of ${money(invoice.total, invoice.currency)} for this customer.`)
  const [other] = await invoicesOfEntry(tx, entry.id)
  if (other) throw invalid(`Entry ${entry.number} stands for invoice ${other.number ?? other.id} already.`)
  return line.id
}

async function standFor(tx: BusinessTx, loaded: Loaded, entry: PostedEntry, receivable_line_id = entry.lines[0]?.id ?? null) {
  tieEntries(tx, [{ invoice_id: loaded.invoice.id, entry, role: 'finalization' }])
  const base = entry.lines.find(({ id }) => id === receivable_line_id)?.base_amount ?? loaded.invoice.base_total
  const after = save(tx, loaded, { receivable_line_id, base_total: base, base_balance: base }, 'invoice.updated')
  return { journal_entry: entry as JournalEntry, invoice: await present(tx, { ...after, entries: [...after.entries, linkOf(loaded.invoice.id, entry, 'finalization')] }) }
}
