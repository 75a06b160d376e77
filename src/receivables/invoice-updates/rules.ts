// Which fields of an invoice may change in which state.
import { invalid } from '../../foundation/refusal.ts'
import type { InvoiceRow } from '../invoices/contract.ts'
import { isOpen, nameOf } from '../invoices/rules.ts'
import type { LineInput, SalesLine } from '../sales-lines/contract.ts'
import type { InvoiceUpdate } from './contract.ts'

type Changes = Omit<InvoiceUpdate, 'id' | 'recurring' | 'line_items'>

/** Fields in which null means nothing: they cannot be empty. */
const NEVER_NULL = new Set<string>(['customer_id', 'invoice_date', 'invoice_number'])

/** What the body says, as values of the row: only what is given, null only where it means something. */
export function changesOf({ id: _id, recurring: _recurring, line_items: _lines, ...given }: InvoiceUpdate): Partial<InvoiceRow> {
  const { invoice_number, ...rest } = Object.fromEntries(
    Object.entries(given satisfies Changes).filter(([name, value]) => value !== undefined && !(value === null && NEVER_NULL.has(name))),
  ) as Changes
  const number = invoice_number?.trim()
  return { ...rest, ...('revenue_treatment' in rest ? { revenue_treatment: rest.revenue_treatment || null } : {}), ...(number ? { number } : {}) } as Partial<InvoiceRow>
}

/** Only the fields whose value is another than the stored one. */
export function differing(invoice: InvoiceRow, changes: Partial<InvoiceRow>): Partial<InvoiceRow> {
  return Object.fromEntries(Object.entries(changes).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(invoice[name as keyof InvoiceRow]))) as Partial<InvoiceRow>
}

const ON_VOID = new Set<string>(['description', 'revenue_treatment'])
/** What the finalization has used up. */
const DRAFT_ONLY = new Set<string>(['payment_terms_id', 'dimension_value_ids'])

/** Refuses what this state does not allow; `changes` holds real changes only. */
export function requireEditable(invoice: InvoiceRow, changes: Partial<InvoiceRow>, standing_credits: boolean): void {
  const fields = Object.keys(changes)
  if (invoice.status === 'draft') return
  if (invoice.status === 'void') {
    const forbidden = fields.find((field) => !ON_VOID.has(field))
    if (forbidden) throw invalid(`${nameOf(invoice)} is void: only description and revenue_treatment can change, not ${forbidden}.`)
    return
  }
  const used = fields.find((field) => DRAFT_ONLY.has(field))
  if (used) throw invalid(`${nameOf(invoice)} is finalized: ${used} can change on a draft only.`)
  if (changes.number !== undefined && (invoice.processor_invoice_id || invoice.issued_by === 'processor')) {
    throw invalid(`${nameOf(invoice)} was issued by the processor: its number cannot change.`)
  }
  if (changes.customer_id === undefined) return
  if (!isOpen(invoice.status)) throw invalid(`${nameOf(invoice)} is ${invoice.status.replace('_', ' ')}: its customer cannot change.`)
  if (invoice.total_paid > 0 || standing_credits) throw invalid(`${nameOf(invoice)} has payments or credits: remove them before its customer changes.`)
  if (invoice.uncollectible) throw invalid(`${nameOf(invoice)} is written off: undo that before its customer changes.`)
  if (invoice.processor_invoice_id) throw invalid(`${nameOf(invoice)} is at the processor: its customer cannot change.`)
}

/** A stored line as it would be given: what comes from the catalog is left to the catalog. */
export function asInput(line: SalesLine): LineInput {
  const { id, variant_id, catalog_item_id, quantity, description, note, deferred, ledger_id, tax_code_id, discount_percent, discount_amount, service_date, service_end_date, project_id } = line
  return {
    id, variant_id, catalog_item_id, quantity, description, note, deferred, ledger_id, tax_code_id, discount_percent, discount_amount, service_date, service_end_date, project_id,
    location_id: line.location_id, dimension_value_ids: line.dimension_value_ids,
    ...(line.price_source === 'override' ? { unit_price: line.unit_price } : {}),
  }
}
