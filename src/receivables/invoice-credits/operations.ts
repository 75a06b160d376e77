// The invoice's side of credits: what settles it without being a payment, and which units of its lines are credited. The invoices are locked.
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { addCents } from '../../foundation/money.ts'
import type { PostedEntry } from '../../ledger/journal/contract.ts'
import { settled } from '../invoice-payments/rules.ts'
import type { CreditRow, InvoiceRow } from '../invoices/contract.ts'
import { endEntries, insertCredits, linkOf, saveAll, tieEntries, writeCredits, writeLines, type Loaded } from '../invoices/operations.ts'

/** A credit that settles an invoice by an entry that is posted. */
export type ToCredit = { id: string; invoice_id: string; credit_memo_id: string; number: string | null; amount: number; applied_on: string; entry: PostedEntry }

/** Writes credits that settle invoices. Answers all invoices as they are now. */
export function applyCredits(tx: BusinessTx, invoices: Map<string, Loaded>, wanted: readonly ToCredit[]): Map<string, Loaded> {
  if (wanted.length === 0) return invoices
  const rows = wanted.map(({ entry, ...credit }): CreditRow => ({
    ...credit, base_amount: relievedBy(entry, (invoices.get(credit.invoice_id) as Loaded).invoice), journal_entry_id: entry.id, reversed_at: null, created_at: tx.now,
  }))
  insertCredits(tx, rows)
  tieEntries(tx, wanted.map(({ invoice_id, entry }) => ({ invoice_id, entry, role: 'payment' })))
  const entryOf = new Map(wanted.map(({ id, entry }) => [id, entry]))
  const saved = saveAll(tx, [...Map.groupBy(rows, ({ invoice_id }) => invoice_id)].map(([invoice_id, own]) => {
    const before = invoices.get(invoice_id) as Loaded
    const after = own.reduce((invoice, { amount, base_amount, applied_on }): InvoiceRow => ({
      ...invoice, ...settled(invoice, { amount, relieved: base_amount, credit: true, by_processor: false, paid_on: `${applied_on}T00:00:00.000Z` }),
    }), before.invoice)
    const ties = own.map(({ id }) => linkOf(invoice_id, entryOf.get(id) as PostedEntry, 'payment'))
    return { loaded: { ...before, credits: [...before.credits, ...own], entries: [...before.entries, ...ties] }, changes: after, event: eventOf(before.invoice, after) }
  }))
  return new Map([...invoices, ...saved.map((loaded): [string, Loaded] => [loaded.invoice.id, loaded])])
}

/** What of the receivable the entry takes off, in the base currency. */
function relievedBy({ lines }: PostedEntry, { receivable_line_id }: InvoiceRow): number {
  return -addCents(...lines.filter(({ settles_line_id }) => settles_line_id === receivable_line_id).map(({ base_amount }) => base_amount)) + 0
}

function eventOf(before: InvoiceRow, after: InvoiceRow) {
  if (after.status === 'manual_paid') return 'invoice.paid' as const
  return before.status === after.status ? 'invoice.credited' as const : 'invoice.partially_paid' as const
}

/** Takes credits off an invoice; their entries are reversed. */
export function reverseCredits(tx: BusinessTx, loaded: Loaded, credits: readonly CreditRow[]): Loaded {
  const ids = new Set(credits.map(({ id }) => id))
  const ended = new Set(credits.map(({ journal_entry_id }) => journal_entry_id))
  writeCredits(tx, credits.map((credit) => ({ ...credit, reversed_at: tx.now })))
  endEntries(tx, [...ended])
  const amount = addCents(...credits.map((credit) => credit.amount))
  const relieved = addCents(...credits.map((credit) => credit.base_amount))
  const changes = settled(loaded.invoice, { amount: -amount, relieved: -relieved, credit: true, by_processor: false, paid_on: null })
  const [after] = saveAll(tx, [{ loaded, changes, event: 'invoice.payment_reversed' }]) as [Loaded]
  return {
    ...after,
    credits: after.credits.map((credit) => (ids.has(credit.id) ? { ...credit, reversed_at: tx.now } : credit)),
    entries: after.entries.map((entry) => (ended.has(entry.id) ? { ...entry, standing: false } : entry)),
  }
}

/** So many more (or, negative, fewer) units of its lines are credited. */
export function creditUnits(tx: BusinessTx, loaded: Loaded, units: readonly { invoice_line_id: string | null; quantity_credited: number }[], sign: 1 | -1): Loaded {
  const added = new Map<string, number>()
  for (const { invoice_line_id, quantity_credited } of units) if (invoice_line_id) added.set(invoice_line_id, (added.get(invoice_line_id) ?? 0) + sign * quantity_credited)
  const lines = loaded.lines.map((line) => ({ ...line, quantity_credited: line.quantity_credited + (added.get(line.id) ?? 0) }))
  const changed = lines.filter(({ id }) => (added.get(id) ?? 0) !== 0)
  writeLines(tx, changed)
  return { ...loaded, lines }
}
