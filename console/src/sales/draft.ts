// An invoice as it is being typed: text until it is understood, kept in this browser until it is saved.
import type { Schemas } from '../api.ts'
import { cents, typed } from '../format.ts'
import type { Offer } from './choices.ts'
import type { Invoice } from './invoice-status.tsx'

type LineInput = Schemas['LineItemInput']
export type DraftLine = {
  key: string
  /** null: a line by hand. */
  offer: Pick<Offer, 'kind' | 'id' | 'name' | 'price'> | null
  description: string
  quantity: string
  /** Empty with an offer: its own price, read again when the invoice is finalized. */
  price: string
  /** An amount, or a share such as 10%. */
  discount: string
  tax_code_id: string | null
  /** What this page does not show of a line is kept as it was. */
  kept: LineInput
}
export type Draft = {
  customer_id: string | null
  currency: Invoice['currency'] | null
  invoice_number: string
  invoice_date: string
  due_date: string
  payment_terms_id: string | null
  purchase_order_number: string
  description: string
  customer_message: string
  internal_note: string
  tax_mode: Invoice['tax_mode'] | null
  collect_online: boolean | null
  allow_partial_payments: boolean | null
  lines: DraftLine[]
}
export type LineProblems = Partial<Record<'description' | 'quantity' | 'price' | 'discount', string>>

export const newLine = (): DraftLine => ({
  key: crypto.randomUUID(), offer: null, description: '', quantity: '1', price: '', discount: '', tax_code_id: null, kept: {},
})

export const emptyDraft = (customer_id: string | null = null): Draft => ({
  customer_id, currency: null, invoice_number: '', invoice_date: '', due_date: '', payment_terms_id: null, purchase_order_number: '', description: '',
  customer_message: '', internal_note: '',
  tax_mode: null, collect_online: null, allow_partial_payments: null, lines: [newLine()],
})

function lineOf(line: Schemas['LineItem'], keeps_id: boolean): DraftLine {
  const { note, ledger_id, service_date, service_end_date, project_id, deferred, location_id, dimension_value_ids } = line
  const name = line.variant_name ?? line.description ?? ''
  const variant = line.variant_id && line.variant_id !== 'custom' ? { kind: 'variant' as const, id: line.variant_id, name, price: line.unit_price } : null
  return {
    ...newLine(),
    offer: line.catalog_item_id ? { kind: 'catalog', id: line.catalog_item_id, name, price: line.unit_price } : variant,
    description: line.description ?? '', quantity: String(line.quantity), price: line.price_source === 'catalog' ? '' : typed(line.unit_price),
    discount: line.discount_percent ? `${Number(line.discount_percent)}%` : line.discount_amount ? typed(line.discount_amount) : '',
    tax_code_id: line.tax_code_id,
    kept: { ...(keeps_id ? { id: line.id } : {}), note, ledger_id, service_date, service_end_date, project_id, deferred, location_id, dimension_value_ids },
  }
}

export const draftOf = (invoice: Invoice): Draft => ({
  customer_id: invoice.customer_id, currency: invoice.currency, invoice_number: invoice.number ?? '', invoice_date: invoice.invoice_date ?? '',
  due_date: invoice.due_date ?? '',
  payment_terms_id: invoice.payment_terms_id, purchase_order_number: invoice.purchase_order_number ?? '', description: invoice.description ?? '',
  customer_message: invoice.customer_message ?? '', internal_note: invoice.internal_note ?? '', tax_mode: invoice.tax_mode,
  collect_online: invoice.collect_online,
  allow_partial_payments: invoice.allow_partial_payments,
  lines: invoice.line_items?.length ? invoice.line_items.map((line) => lineOf(line, true)) : [newLine()],
})

/** Another invoice like it: the same customer and lines, but neither its number nor its dates. */
export const copyOf = (invoice: Invoice): Draft => ({
  ...draftOf(invoice), invoice_number: '', invoice_date: '', due_date: '', purchase_order_number: '',
  lines: (invoice.line_items ?? []).map((line) => lineOf(line, false)),
})

export const isBlank = ({ offer, description, price }: DraftLine): boolean => !offer && !description.trim() && !price.trim()

export function problemsOf(line: DraftLine): LineProblems {
  const { offer, description, quantity, price, discount } = line
  const amount = cents(price)
  return {
    ...(!offer && !description.trim() ? { description: 'Say what is sold.' } : {}),
    ...(/^\d{1,9}$/.test(quantity.trim()) ? {} : { quantity: 'A whole number.' }),
    ...(price.trim() ? (amount === null || amount < 0 ? { price: 'Not a price.' } : {}) : offer && offer.price !== null ? {} : { price: 'Needs a price.' }),
    ...(discount.trim() && discountOf(discount) === null ? { discount: 'Such as 10% or 5.00.' } : {}),
  }
}

function discountOf(text: string): Pick<LineInput, 'discount_percent' | 'discount_amount'> | null {
  const share = /^(100(?:\.0{1,4})?|\d{1,2}(?:[.,]\d{1,4})?)\s*%$/.exec(text.trim())?.[1]
  if (share) return { discount_percent: share.replace(',', '.') }
  const amount = cents(text)
  return amount === null || amount < 0 ? null : { discount_amount: amount }
}

function inputOf({ offer, description, quantity, price, discount, tax_code_id, kept }: DraftLine): LineInput {
  return {
    ...kept,
    ...(offer?.kind === 'catalog' ? { catalog_item_id: offer.id } : offer ? { variant_id: offer.id } : {}),
    ...(description.trim() ? { description: description.trim() } : {}),
    quantity: Number(quantity), ...(price.trim() ? { unit_price: cents(price) } : {}), ...(discount.trim() ? discountOf(discount) : {}), tax_code_id,
  }
}

/** Lines that say enough to be reckoned with, with the place on the page that each came from. */
export function completeLines({ lines }: Draft): { keys: string[]; line_items: LineInput[] } {
  const complete = lines.filter((line) => !isBlank(line) && Object.keys(problemsOf(line)).length === 0)
  return { keys: complete.map(({ key }) => key), line_items: complete.map(inputOf) }
}

const orNull = (text: string) => text.trim() || null
const headOf = (draft: Draft) => ({
  invoice_date: orNull(draft.invoice_date), due_date: orNull(draft.due_date), payment_terms_id: draft.payment_terms_id,
  purchase_order_number: orNull(draft.purchase_order_number),
  description: orNull(draft.description), customer_message: orNull(draft.customer_message), internal_note: orNull(draft.internal_note),
  ...(draft.collect_online === null ? {} : { collect_online: draft.collect_online }),
  ...(draft.allow_partial_payments === null ? {} : { allow_partial_payments: draft.allow_partial_payments }),
})

export function creationOf(draft: Draft): Schemas['NewInvoice'] {
  const { payment_terms_id, ...head } = headOf(draft)
  return {
    ...head, customer_id: draft.customer_id ?? '', line_items: completeLines(draft).line_items, ...(payment_terms_id ? { payment_terms_id } : {}),
    ...(draft.invoice_number.trim() ? { invoice_number: draft.invoice_number.trim() } : {}),
    ...(draft.currency ? { currency: draft.currency } : {}), ...(draft.tax_mode ? { tax_mode: draft.tax_mode } : {}),
  }
}

/** Only what differs: what somebody else has changed meanwhile is left alone, and so is what a finalized invoice does not take. */
export function updateOf(draft: Draft, invoice: Invoice): Schemas['InvoiceUpdate'] {
  const before = headOf(draftOf(invoice)) as Record<string, unknown>
  const changed = Object.fromEntries(Object.entries(headOf(draft)).filter(([name, value]) => before[name] !== value))
  return {
    id: invoice.id, ...changed, ...(draft.customer_id !== invoice.customer_id ? { customer_id: draft.customer_id } : {}),
    ...(draft.invoice_number.trim() && draft.invoice_number.trim() !== invoice.number ? { invoice_number: draft.invoice_number.trim() } : {}),
    ...(invoice.status === 'draft' ? { line_items: completeLines(draft).line_items } : {}),
  }
}

type Kept = { draft: Draft; version: number | null }

/** What was typed and not saved, in this tab. */
export const unsaved = {
  key: (business_id: string, invoice_id: string | null) => `daybook.unsaved.invoice.${business_id}.${invoice_id ?? 'new'}`,
  read(key: string): Kept | null {
    try {
      return JSON.parse(sessionStorage.getItem(key) ?? 'null') as Kept | null
    } catch {
      return null
    }
  },
  write: (key: string, kept: Kept): void => sessionStorage.setItem(key, JSON.stringify(kept)),
  forget: (key: string): void => sessionStorage.removeItem(key),
}
