// What is true of an invoice: its status follows from its figures, and what it shows follows from what is kept.
import { daysBetween } from '../../foundation/calendar.ts'
import { formatCents, type Currency } from '../../foundation/money.ts'
import { invalid } from '../../foundation/refusal.ts'
import type { InvoiceRow, Status } from './contract.ts'

export const isOpen = (status: Status): boolean => status === 'open' || status === 'partially_paid'
export const isPaid = (status: Status): boolean => status === 'manual_paid' || status === 'processor_paid'
export const isFinalized = (status: Status): boolean => status !== 'draft' && status !== 'void'

export const balanceOf = ({ total, total_paid }: Pick<InvoiceRow, 'total' | 'total_paid'>): number => total - total_paid

/** The status that the figures of a finalized invoice give. `by_processor`: what settled it last came from the processor. */
export function statusOf({ total, total_paid }: Pick<InvoiceRow, 'total' | 'total_paid'>, by_processor: boolean): Status {
  if (total_paid === total) return by_processor ? 'processor_paid' : 'manual_paid'
  return total_paid === 0 ? 'open' : 'partially_paid'
}

/** From when on it is late. */
export const dueOn = ({ due_date, invoice_date }: Pick<InvoiceRow, 'due_date' | 'invoice_date'>): string | null => due_date ?? invoice_date

export function daysOverdue(invoice: Pick<InvoiceRow, 'status' | 'due_date' | 'invoice_date' | 'uncollectible'>, today: string): number {
  const due = dueOn(invoice)
  if (!isOpen(invoice.status) || invoice.uncollectible || due === null) return 0
  return Math.max(0, daysBetween(due, today))
}

/** `Invoice INV-0007`, or what else tells a person which one is meant. */
export const nameOf = ({ number, id }: Pick<InvoiceRow, 'number' | 'id'>): string => (number ? `Invoice ${number}` : `Invoice ${id}`)

export function requireStatus(invoice: InvoiceRow, allowed: readonly Status[], what: string): void {
  if (allowed.includes(invoice.status)) return
  throw invalid(`${nameOf(invoice)} is ${invoice.status.replace('_', ' ')}: ${what}.`)
}

export const money = (cents: number, currency: string): string => `${formatCents(cents, currency as Currency)} ${currency}`

/** Numbers are compared without regard to case and to blanks around them. */
export const numberKey = (number: string): string => number.trim().toLowerCase()

export function requireDueAfter(invoice_date: string | null, due_date: string | null): void {
  if (invoice_date !== null && due_date !== null && due_date < invoice_date) throw invalid(`due_date ${due_date} lies before invoice_date ${invoice_date}.`)
}
