// What can be done to an invoice, each with its words, its call and what came of it. The list and the page share it.
import { api, dataOf } from '../api.ts'
import { day, money } from '../format.ts'
import { STATUS_WORDS, type Invoice } from './invoice-status.tsx'

export type Values = { date: string; reason: string }

export type InvoiceAction = {
  name: string
  button: string
  /** What it does, before it is done. */
  words: string
  date?: string
  reason?: string
  /** Roles below accountant cannot do it. */
  corrects?: boolean
  /** Cannot be taken back. */
  grave?: boolean
  fits: (invoice: Invoice) => boolean
  /** Answers what came of it, or on a dry run what would. */
  run: (invoice: Invoice, values: Values, dry_run: boolean) => Promise<string>
}

const options = ({ id }: { id: string }, dry_run: boolean) => ({ params: { path: { invoice_id: id }, ...(dry_run ? { query: { dry_run } } : {}) } })
const orNull = (text: string) => text.trim() || null
const owed = ({ balance_due, currency }: Invoice) => money(balance_due, currency)
export const owes = ({ status, uncollectible }: Invoice): boolean => (status === 'open' || status === 'partially_paid') && !uncollectible
const isPaid = ({ status }: Invoice) => status === 'manual_paid' || status === 'processor_paid'

export const finalize: InvoiceAction = {
  name: 'finalize', button: 'Finalize', words: 'It gets its number and is booked. After this its lines cannot be changed any more.',
  date: 'Invoice date (empty: that of the draft, else today)',
  fits: ({ status }) => status === 'draft',
  async run(invoice, { date }, dry_run) {
    const done = await dataOf(api.PUT('/api/v1/invoices/{invoice_id}/finalize', { ...options(invoice, dry_run), body: date ? { invoice_date: date } : {} }))
    return `${dry_run ? '' : `${done.number ?? ''}: `}${money(done.total, done.currency)} dated ${day(done.invoice_date)}, due ${day(done.due_date)}`
  },
}

export const send: InvoiceAction = {
  name: 'send', button: 'Send', words: 'It is mailed with its PDF and the link to pay. A draft is finalized first.',
  fits: ({ status }) => status !== 'void',
  async run(invoice, _values, dry_run) {
    const { to } = await dataOf(api.POST('/api/v1/invoices/{invoice_id}/send', { ...options(invoice, dry_run), body: {} }))
    return `Mail to ${to.join(', ')}`
  },
}

export const markPaid: InvoiceAction = {
  name: 'pay', button: 'Mark paid', words: 'One payment of the whole balance is booked.', date: 'Paid on (empty: now)',
  fits: ({ status, uncollectible }) => (status === 'open' || status === 'partially_paid') && !uncollectible,
  async run(invoice, { date }, dry_run) {
    const done = await dataOf(api.PUT('/api/v1/invoices/{invoice_id}/paid', { ...options(invoice, dry_run), body: date ? { paid_on: date } : {} }))
    return `${owed(invoice)} paid on ${day(done.paid_on)}`
  },
}

export const markUnpaid: InvoiceAction = {
  name: 'unpay', button: 'Mark unpaid',
  words: 'Every payment by hand is reversed; card payments and credits stay. Of a written-off invoice the write-off is undone.',
  date: 'Date of the reversal (only if the period is closed)',
  fits: (invoice) => isPaid(invoice) || invoice.status === 'partially_paid' || invoice.uncollectible,
  async run(invoice, { date }, dry_run) {
    const done = await dataOf(api.PUT('/api/v1/invoices/{invoice_id}/unpaid', { ...options(invoice, dry_run), body: date ? { reversal_date: date } : {} }))
    return `${STATUS_WORDS[done.status]} again, ${owed(done)} to pay`
  },
}

export const voidInvoice: InvoiceAction = {
  name: 'void', button: 'Void', words: 'Its entry is reversed and delivered goods come back. The number stays used. This cannot be undone.', corrects: true,
  grave: true,
  date: 'Date of the reversal (only if the period is closed)', reason: 'Why',
  fits: ({ status, uncollectible }) => status === 'open' && !uncollectible,
  async run(invoice, { date, reason }, dry_run) {
    await api.PUT(
      '/api/v1/invoices/{invoice_id}/void', { ...options(invoice, dry_run), body: { reason: orNull(reason), ...(date ? { reversal_date: date } : {}) } }
    )
    return `${money(invoice.total, invoice.currency)} taken back`
  },
}

export const writeOff: InvoiceAction = {
  name: 'write_off', button: 'Write off', words: 'The balance goes to bad debt. The claim stays: a later payment is booked as a recovery.', corrects: true,
  grave: true,
  date: 'Written off on (empty: today)', reason: 'Why', fits: owes,
  async run(invoice, { date, reason }, dry_run) {
    const done = await dataOf(
      api.PUT(
        '/api/v1/invoices/{invoice_id}/uncollectible',
        { ...options(invoice, dry_run), body: { reason: orNull(reason), ...(date ? { uncollectible_on: date } : {}) } }
      )
    )
    return `${money(done.written_off, done.currency)} written off on ${day(done.uncollectible_on)}`
  },
}

export const deliver: InvoiceAction = {
  name: 'deliver', button: 'Mark delivered', words: 'Stock leaves its location and its cost is booked. Lines without stock only get the mark.',
  date: 'Delivered on (empty: now)',
  fits: ({ status, delivered }) => status !== 'draft' && status !== 'void' && !delivered,
  async run(invoice, { date }, dry_run) {
    const done = await dataOf(api.PUT('/api/v1/invoices/{invoice_id}/delivered', { ...options(invoice, dry_run), body: date ? { delivered_on: date } : {} }))
    return `Delivered on ${day(done.delivered_on)}`
  },
}

export const remove: InvoiceAction = {
  name: 'delete', button: 'Delete draft', words: 'The draft is gone. Nothing was booked for it.', grave: true,
  fits: ({ status }) => status === 'draft',
  async run(invoice, _values, dry_run) {
    await api.DELETE('/api/v1/invoices/{invoice_id}', options(invoice, dry_run))
    return `Draft of ${money(invoice.total, invoice.currency)} deleted`
  },
}

export const removePayment = (payment_id: string): InvoiceAction => ({
  name: 'remove_payment', button: 'Remove payment', words: 'Its entry is reversed, and the bank transaction is free for something else.',
  date: 'Date of the reversal (only if the period is closed)', grave: true,
  fits: () => true,
  async run({ id }, { date }, dry_run) {
    const query = { ...(dry_run ? { dry_run } : {}), ...(date ? { reversal_date: date } : {}) }
    const done = await dataOf(api.DELETE('/api/v1/invoices/{invoice_id}/payments/{payment_id}', { params: { path: { invoice_id: id, payment_id }, query } }))
    return `${owed(done)} to pay afterwards`
  },
})

export const BULK: InvoiceAction[] = [finalize, send, markPaid, voidInvoice, remove]
/** What a change of an invoice can change elsewhere. */
export const TOUCHED = ['invoices', 'credit-memos', 'customers', 'transactions', 'journal-entries', 'ledgers', 'reports', 'inventory', 'events']
