// Recurring templates as far as documents are concerned: what they are made from, and making them.
import type { Static } from 'typebox'
import { recurringConfig, templateFields, templateParams, Occurrence, RecurringTemplateWithDates } from '../../directory/recurring-templates/contract.ts'
import { endpointsOf } from '../../foundation/endpoint.ts'
import { id, integer, optional, partial, shape } from '../../foundation/shapes.ts'
import { invoiceInput } from '../../receivables/invoice-drafts/contract.ts'

const { invoice_date: _date, due_date: _due, invoice_number: _number, external_id: _external, send_at: _send, promised_on: _promised, ...body } = invoiceInput

export const InvoiceTemplate = shape('InvoiceTemplate', body, {
  description: 'The body of a new invoice without its dates, number and external id. A line without unit_price costs what price_mode says.',
})
export type InvoiceTemplate = Static<typeof InvoiceTemplate>

const { kind, on_generate, price_mode, name, days_until_due, ...schedule } = templateFields

export const RecurringInput = shape('RecurringInput', {
  ...recurringConfig,
  kind,
  template: InvoiceTemplate,
  on_generate: optional({ ...on_generate, default: 'draft' }),
  price_mode: optional({ ...price_mode, default: 'frozen' }),
})
export type RecurringInput = Static<typeof RecurringInput>

export const RecurringUpdate = partial('RecurringUpdate', { ...schedule, name, days_until_due, kind, template: InvoiceTemplate, on_generate, price_mode })
export type RecurringUpdate = Static<typeof RecurringUpdate>

const endpoint = endpointsOf('recurring', 'business')

const refusals = [
  'The schedule has no date, or more than 1000 that are over already.',
  'Its invoices are to be sent, and the customer has no e-mail address.',
  'The template makes no invoice: an archived customer, a ledger that takes no lines, a contract of another customer.',
]

export const createTemplate = endpoint({
  id: 'create_recurring_template', method: 'POST', path: '', summary: 'Create a recurring template',
  description: 'What it names is looked at now as it will be for each invoice. Dates that are over already are made up for at once, oldest first, each with its own date; in a closed period as a draft dated the first open day, with a warning.',
  body: RecurringInput,
  reply: RecurringTemplateWithDates,
  refusals,
})

export const updateTemplate = endpoint({
  id: 'update_recurring_template', method: 'PUT', path: '/{template_id}', summary: 'Change a recurring template',
  description: 'For what is to come; what it has made stays. Where its days change they are counted from the next date on, or from a new start_date.',
  params: templateParams,
  body: RecurringUpdate,
  reply: RecurringTemplateWithDates,
  refusals: ['The template has ended.', 'It would have no date left.', 'A new start_date lies before what has come already.', ...refusals],
  example: { name: 'Monthly retainer' },
})

export const generateNext = endpoint({
  id: 'generate_recurring_occurrence', method: 'POST', path: '/{template_id}/generate', summary: 'Make the next document now',
  description: 'The next one due, also ahead of its time, with its own date.',
  params: templateParams,
  reply: Occurrence,
  refusals: ['The template is paused, has ended, or has no further date.', 'The document cannot be made.'],
})

export const retryOccurrence = endpoint({
  id: 'retry_recurring_occurrence', method: 'POST', path: '/{template_id}/occurrences/{number}/retry', summary: 'Try a failed date once more',
  params: shape('RecurringOccurrenceParams', { template_id: id(), number: integer(1, 2147483647) }),
  reply: Occurrence,
  refusals: ['The date was skipped.', 'The template has made as many documents as it may.', 'The document cannot be made.'],
})
