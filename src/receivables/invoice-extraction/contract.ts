// What can be read of an invoice, or of a request for one, whoever or whatever reads it.
import type { Currency } from '../../foundation/money.ts'
import type { Evidence, Found } from '../../foundation/document-text/labels.ts'

/** Quantities are exact decimal text, money is cents. Without quantity and price only the amount was found. */
export type ExtractedLine = { description: string; quantity: string | null; unit_price: number | null; amount: number }

export type FoundLine = ExtractedLine & { confidence: number; evidence: Evidence | null }

/** The fields that stand for themselves; each may be missing. */
export type Fields = {
  invoice_number: string
  customer_name: string
  customer_email: string
  invoice_date: string
  due_date: string
  currency: Currency
  purchase_order_number: string
  payment_terms: string
  subtotal: number
  tax: number
  total: number
}

export type FieldName = keyof Fields

export const FIELD_NAMES = [
  'invoice_number', 'customer_name', 'customer_email', 'invoice_date', 'due_date', 'currency', 'purchase_order_number', 'payment_terms',
  'subtotal', 'tax', 'total',
] as const satisfies readonly FieldName[]

export type Extraction = { [Name in FieldName]: Found<Fields[Name]> | null } & {
  line_items: FoundLine[]
  /** A credit note: there is nothing to invoice. */
  is_credit: boolean
  warnings: string[]
}

/** What is known before reading: how amounts and dates without a sign of their own are meant, and what day it is. */
export type ReadingContext = { base_currency: Currency; today: string }
