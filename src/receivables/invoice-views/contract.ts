// The view of an invoice: all that a customer is shown of it, on a page, on paper or in mail.
import type { Picture } from '../../foundation/pictures.ts'
import type { PostalAddress } from '../../foundation/wording.ts'

export type InvoiceView = {
  invoice_id: string
  /** null on a draft. */
  number: string | null
  /** What is written across the page. */
  mark: 'DRAFT' | 'VOID' | null
  state: 'draft' | 'due' | 'overdue' | 'paid' | 'written_off' | 'void'
  currency: string
  business: {
    name: string
    country: string
    address: PostalAddress | null
    email: string | null
    phone: string | null
    website: string | null
    /** What it is registered under for tax, each as it is printed. */
    tax_numbers: string[]
    logo: Picture | null
  }
  customer: { name: string; email: string | null; tax_number: string | null; address: PostalAddress | null; shipping_address: PostalAddress | null }
  invoice_date: string | null
  due_date: string | null
  terms: string | null
  purchase_order_number: string | null
  lines: InvoiceViewLine[]
  prices_include_tax: boolean
  subtotal: number
  discount_total: number
  /** By component: what each took, and of how much. */
  taxes: { name: string; percent: string; net: number; amount: number }[]
  total: number
  payments: { date: string; method: string; reference: string | null; amount: number }[]
  credits: { date: string; number: string | null; amount: number }[]
  balance_due: number
  message: string | null
  footer: string | null
  /** Where it is seen and paid; null where there is nothing to pay, or nobody may know it yet. */
  pay_url: string | null
  paid_on: string | null
  /** Of the last change: the paper carries this time, so that the same invoice is the same file. */
  updated_at: string
}

export type InvoiceViewLine = {
  description: string
  note: string | null
  /** The days it is for. */
  service_date: string | null
  service_end_date: string | null
  quantity: number
  unit_price: number
  discount: number
  amount: number
  taxed: string
}
