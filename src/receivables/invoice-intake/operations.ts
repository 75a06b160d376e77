// New invoices on their way in: made, and where asked finalized, paid and mailed, in one transaction and set by set.
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { invalid, notFound, Refusal } from '../../foundation/refusal.ts'
import { customersByKeys } from '../../directory/customers/operations.ts'
import { noteTyped } from '../../access/numbering/operations.ts'
import { createDrafts, openWorkshop, writeDrafts } from '../invoice-drafts/operations.ts'
import type { InvoiceInput } from '../invoice-drafts/contract.ts'
import { sendInvoices } from '../invoice-messages/operations.ts'
import { depositLedger, recordPayments, type ToPay } from '../invoice-payments/operations.ts'
import { paidOn } from '../invoice-payments/rules.ts'
import { finalizeInvoices, openFinalization } from '../invoice-postings/operations.ts'
import type { Invoice, Origin } from '../invoices/contract.ts'
import { invoicesByExternalIds, present, presentAll, type Loaded } from '../invoices/operations.ts'
import { money } from '../invoices/rules.ts'
import { rowPlace, type InvoiceBatch, type InvoiceImport, type InvoiceImportResult, type InvoiceImportRow, type NewInvoice } from './contract.ts'

type GoesOn = { finalize?: boolean | undefined; send?: boolean | undefined }
type NewOptions = GoesOn & { origin: Origin; origin_id?: string | null; ai_job_id?: string | null; recurring_template_id?: string | null }

export async function createInvoice(tx: BusinessTx, { finalize, send, ...input }: NewInvoice): Promise<Invoice> {
  const [made] = await createInvoices(tx, [input], { origin: 'manual', finalize, send })
  return present(tx, made as Loaded)
}

export async function createBatch(tx: BusinessTx, { invoices, finalize, send }: InvoiceBatch): Promise<{ invoices: Invoice[]; count: number }> {
  const made = await createInvoices(tx, invoices, { origin: 'batch', finalize, send }, rowPlace)
  return { invoices: await presentAll(tx, made), count: made.length }
}

/** For every room that makes invoices: in their order, all or none. */
export async function createInvoices(tx: BusinessTx, inputs: readonly InvoiceInput[], { finalize, send, ...options }: NewOptions, placeOf?: (index: number) => (string | number)[]): Promise<Loaded[]> {
  if (inputs.some(({ invoice_number }) => invoice_number)) noteTyped(tx, 'invoice')
  const drafts = await createDrafts(tx, inputs, options, placeOf)
  if (!finalize && !send) return drafts
  const open = await finalizeInvoices(tx, drafts.map((loaded) => ({ loaded, input: {} })))
  if (send) await sendInvoices(tx, open)
  return open
}

/** A row on its way through: what became of it so far. */
type Row = { index: number; row: InvoiceImportRow; id: string | null; detail: string | null; skipped: boolean; loaded: Loaded | null }

/** Each row by itself, unless all are to be refused with the first; what passed is written set by set. */
export async function importInvoices(tx: BusinessTx, { rows, atomic = true, on_duplicate = 'skip' }: InvoiceImport): Promise<InvoiceImportResult> {
  const all = rows.map((row, index): Row => ({ index, row, id: null, detail: null, skipped: false, loaded: null }))
  const attempt = (each: Row, work: () => void) => {
    if (each.detail !== null || each.skipped) return
    try {
      work()
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const detail = error.problems ? error.problems.map(({ loc, msg }) => `${loc.slice(1).join('.')}: ${msg}`).join(' ') : error.detail
      if (atomic) throw invalid(`Row ${each.index}: ${detail}`)
      each.detail = detail
    }
  }
  const [keys, known] = await Promise.all([
    customersByKeys(tx, { external_ids: rows.flatMap(({ customer_external_id }) => customer_external_id ?? []), names: rows.flatMap(({ customer_name }) => customer_name ?? []) }),
    invoicesByExternalIds(tx, rows.map(({ external_id }) => external_id)),
  ])
  const there = new Map(known.map(({ external_id, id }) => [external_id, id]))
  const inputs = new Map<Row, InvoiceInput>()
  for (const each of all) {
    const { row } = each
    each.id = there.get(row.external_id) ?? null
    if (each.id && on_duplicate === 'skip') each.skipped = true
    attempt(each, () => inputs.set(each, { ...row, customer_id: customerOf(row, keys) }))
  }
  const { draft } = await openWorkshop(tx, [...inputs.values()])
  for (const each of all) {
    attempt(each, () => {
      each.loaded = draft(inputs.get(each) as InvoiceInput, { origin: 'import', is_opening_balance: each.row.is_opening_balance ?? false })
      if (each.row.payments?.length && !each.row.finalize) throw invalid('Only finalized invoices take payments: set finalize.')
    })
  }
  await write(tx, all, attempt)
  const failed = all.filter(({ detail }) => detail !== null).length
  const skipped = all.filter((each) => each.skipped).length
  return {
    created: all.length - failed - skipped, skipped, succeeded: all.length - failed, failed,
    results: all.map(({ index, id, detail, skipped: was_there }) => ({ index, status: detail === null ? 'ok' as const : 'error' as const, id, detail: detail ?? (was_there ? 'There already.' : null) })),
  }
}

function customerOf({ customer_id, customer_external_id, customer_name }: InvoiceImportRow, keys: Awaited<ReturnType<typeof customersByKeys>>): string {
  if (customer_id) return customer_id
  if (customer_external_id) {
    const found = keys.external_ids.get(customer_external_id)
    if (!found) throw notFound(`customer_external_id: customer ${customer_external_id}`)
    return found.id
  }
  const named = keys.names.get(customer_name ?? '') ?? []
  if (!customer_name) throw invalid('Name the customer: customer_id, customer_external_id or customer_name.')
  if (named.length > 1) throw invalid(`${named.length} customers are called ${customer_name}: give customer_id or customer_external_id.`)
  if (!named[0]) throw notFound(`customer_name: customer ${customer_name}`)
  return named[0].id
}

/** Finalization is weighed row by row before anything is written, so that a row which fails leaves nothing behind. */
async function write(tx: BusinessTx, all: readonly Row[], attempt: (each: Row, work: () => void) => void): Promise<void> {
  const standing = () => all.filter(({ loaded, detail, skipped }) => loaded && detail === null && !skipped)
  const finalizing = standing().filter(({ row }) => row.finalize).map((each) => ({ each, loaded: each.loaded as Loaded, input: {}, posted: each.row.post_entry ?? true }))
  const writer = finalizing.length > 0 ? await openFinalization(tx, finalizing) : null
  const passed: ReturnType<NonNullable<typeof writer>['weigh']>[] = []
  for (const wanted of finalizing) {
    attempt(wanted.each, () => {
      const weighed = (writer as NonNullable<typeof writer>).weigh(wanted)
      const paid = (wanted.each.row.payments ?? []).reduce((sum, { amount }) => sum + amount, 0)
      if (paid > weighed.invoice.total) throw invalid(`Payments of ${money(paid, weighed.invoice.currency)} are above the total of ${money(weighed.invoice.total, weighed.invoice.currency)}.`)
      if (paid > 0 && !wanted.posted) throw invalid('Link the entry first, then add the payments.')
      passed.push(weighed)
    })
  }
  if (all.some(({ row }) => row.invoice_number)) noteTyped(tx, 'invoice')
  writeDrafts(tx, standing().map(({ loaded }) => loaded as Loaded))
  for (const each of standing()) each.id = each.loaded?.invoice.id ?? null
  const finalized = new Map((await writer?.write(passed))?.map((loaded) => [loaded.invoice.id, loaded]))
  const ledger_id = standing().some(({ row }) => row.payments?.length) ? await depositLedger(tx, null) : undefined
  const payments = standing().flatMap(({ row, loaded }): ToPay[] => (row.payments ?? []).map(({ amount, paid_on, method }) => ({
    invoice_id: loaded?.invoice.id ?? '', amount, ledger_id, method: method ?? 'other', ...paidOn(paid_on, finalized.get(loaded?.invoice.id ?? '')?.invoice.invoice_date ?? tx.today, tx.business.timezone),
  })))
  if (payments.length > 0) await recordPayments(tx, finalized, payments)
}
