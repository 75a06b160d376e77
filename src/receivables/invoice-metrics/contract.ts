// Metrics: what was invoiced, collected, credited and given up in a time, in the base currency.
import { Type, type Static } from 'typebox'
import { CURRENCIES } from '../../foundation/money.ts'
import { cents, date, integer, list, nullable, oneOf, optional, shape } from '../../foundation/shapes.ts'
import { endpoint, STATUSES, type Status } from '../invoices/contract.ts'

const base = 'Integer cents in the base currency.'

export const InvoiceSum = shape('InvoiceSum', { count: integer(0), total: cents({ description: base }) })
export type InvoiceSum = Static<typeof InvoiceSum>

export const MetricsMonth = shape('InvoiceMetricsMonth', {
  month: Type.String({ description: 'YYYY-MM' }), invoiced: cents({ description: base }), collected: cents({ description: base }),
})
export type MetricsMonth = Static<typeof MetricsMonth>

const by_status = shape('InvoicesByStatus', Object.fromEntries(STATUSES.map((status) => [status, InvoiceSum])) as Record<Status, typeof InvoiceSum>)

export const InvoiceMetrics = shape('InvoiceMetrics', {
  from: date(),
  to: date(),
  base_currency: oneOf(CURRENCIES),
  by_status,
  invoiced: cents({ description: `Totals of the finalized invoices of these dates, without void ones. ${base}` }),
  collected: cents({ description: `Money of the payments of these days, recoveries too. ${base}` }),
  credited: cents({ description: `What credits of these days have settled. ${base}` }),
  written_off: cents({ description: `What was given up on these days, less what was recovered of it since. ${base}` }),
  overdue: shape('OverdueInvoices', {
    count: integer(0), total: cents({ description: `What is still open of them. ${base}` }),
  }, { description: 'Today, whatever their dates.' }),
  average_days_to_pay: nullable(integer(undefined, undefined, {
    description: 'From the date of an invoice to its last payment, of the paid invoices of these dates; null where none is.',
  })),
  dso_days: nullable(integer(undefined, undefined, {
    description: 'What was receivable at the end (at most today), divided by what was invoiced in the 90 days before, times 90. null where nothing was.',
  })),
  months: list(MetricsMonth),
})
export type InvoiceMetrics = Static<typeof InvoiceMetrics>

export const metricsQuery = shape('InvoiceMetricsQuery', {
  from: optional(date({ description: 'Default: the first day of the month eleven months before `to`.' })),
  to: optional(date({ description: 'Default: today.' })),
  currency: optional(oneOf(CURRENCIES, { description: 'Only invoices in this currency; the figures stay in the base currency.' })),
})
export type MetricsQuery = Static<typeof metricsQuery>

export const getMetrics = endpoint({
  id: 'get_invoice_metrics', method: 'GET', path: '/metrics', summary: 'Get the figures of invoices over a time',
  description: 'by_status counts invoices by their date; drafts without a date count as of today. '
    + 'A draft in another currency counts at its own rate, and as 0 while it has none.',
  live: true,
  query: metricsQuery,
  reply: InvoiceMetrics,
  refusals: ['The time is longer than ten years.'],
})
