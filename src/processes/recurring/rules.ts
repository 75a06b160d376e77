// What an invoice of a recurring template says on its day.
import { addDays } from '../../foundation/calendar.ts'
import { Refusal } from '../../foundation/refusal.ts'
import type { RecurringTemplate } from '../../directory/recurring-templates/contract.ts'
import type { BookPeriod } from '../../ledger/books/contract.ts'
import { firstOpenDate, requireOpenDate } from '../../ledger/posting/rules.ts'
import type { InvoiceInput } from '../../receivables/invoice-drafts/contract.ts'
import type { InvoiceTemplate } from './contract.ts'

/** A date of a template that has its turn. */
export type Turn = { template: RecurringTemplate; scheduled_date: string }

/** The date of the invoice, and why it is not the scheduled one. */
export type Dated = { invoice_date: string; warning: string | null }

/** Its own date; where the books take nothing of that date any more, the first one after it that they take. */
export function datedFor(periods: readonly BookPeriod[], scheduled_date: string, today: string): Dated {
  // Years to come are opened as they are needed.
  if (scheduled_date > (periods.at(-1)?.end_date ?? scheduled_date)) return { invoice_date: scheduled_date, warning: null }
  try {
    requireOpenDate(periods, scheduled_date, 'receivables', { allowed: false, reason: null })
    return { invoice_date: scheduled_date, warning: null }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const invoice_date = firstOpenDate(periods, scheduled_date, 'receivables') ?? today
    return { invoice_date, warning: `Meant for ${scheduled_date} and made as a draft of ${invoice_date}: ${error.detail}` }
  }
}

/** The body of the invoice of a turn. `customer_id` is that of the template, or of the customer that it was merged into. */
export function inputFor({ template }: Turn, { invoice_date }: Dated, customer_id: string): InvoiceInput {
  const body = template.template as InvoiceTemplate
  return {
    ...body,
    customer_id,
    currency: template.currency,
    line_items: linesOf(body, template.price_mode === 'frozen' ? template.prices : []),
    invoice_date,
    due_date: addDays(invoice_date, template.days_until_due),
  }
}

/** Without the identity that lines had elsewhere: each invoice has lines of its own. */
function linesOf(body: InvoiceTemplate, prices: readonly (number | null)[]): NonNullable<InvoiceInput['line_items']> {
  return (body.line_items ?? []).map(({ id: _id, ...line }, index) => {
    const price = prices[index] ?? null
    return price === null || typeof (line.unit_price ?? line.amount) === 'number' ? line : { ...line, unit_price: price }
  })
}
