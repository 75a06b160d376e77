// Recurring templates: what makes a document again and again, and the dates on which it does. Stored here; they are run further up.
import type { Static } from 'typebox'
import { endpointsOf, listQuery, pageOf } from '../../foundation/endpoint.ts'
import { resource } from '../../foundation/resource.ts'
import { anyObject, boolean, cents, date, id, integer, list, nullable, oneOf, optional, record, shape, text, timestamp } from '../../foundation/shapes.ts'
import { currency } from '../../ledger/ledgers/contract.ts'

export const FREQUENCIES = ['daily', 'weekly', 'biweekly', 'monthly', 'quarterly', 'annually'] as const
export const KINDS = ['invoice'] as const

const schedule = {
  frequency: oneOf(FREQUENCIES),
  start_date: date({ description: 'The first occurrence is the first matching day on or after this one.' }),
  end_date: nullable(date({ description: 'The last day on which it can occur; null: indefinitely. With max_occurrences too, whichever comes first.' })),
  day_of_month: nullable(integer(1, 31, {
    description: 'For monthly, quarterly and annually, ignored otherwise; in a month without this day its last. Unless given, the day of start_date.',
  })),
  day_of_week: nullable(integer(0, 6, { description: '0 is Monday, 6 is Sunday; for weekly and biweekly, ignored otherwise. Unless given, that of start_date.' })),
  days_until_due: integer(0, 365, { default: 30, description: 'From the date of a document until it is due.' }),
  max_occurrences: nullable(integer(1, undefined, { description: 'Stops when so many documents were generated; null: unlimited.' })),
}

/** As in the update of an invoice, and in the body of a template. */
export const recurringConfig = {
  frequency: schedule.frequency,
  start_date: schedule.start_date,
  name: optional(nullable(text(0, 200, { description: 'Unless given, the description of the document.' }))),
  end_date: optional(schedule.end_date),
  day_of_month: optional(schedule.day_of_month),
  day_of_week: optional(schedule.day_of_week),
  days_until_due: optional(schedule.days_until_due),
  max_occurrences: optional(schedule.max_occurrences),
}

export const RecurringConfig = shape('RecurringConfig', recurringConfig)
export type RecurringConfig = Static<typeof RecurringConfig>

export const templateFields = {
  ...schedule,
  name: text(1, 200),
  kind: oneOf(KINDS, { description: 'What it makes. Bills are to come.' }),
  on_generate: oneOf(['draft', 'finalize', 'send'], { description: 'What becomes of a document that was made. To charge a saved card is to come.' }),
  price_mode: oneOf(['frozen', 'catalog'], {
    description: 'What a line without a price of its own costs: what it cost when the template was made or last changed, or what it costs on the day.',
  }),
}

export const RecurringTemplate = shape('RecurringTemplate', {
  ...record,
  ...templateFields,
  status: oneOf(['active', 'paused', 'ended']),
  template: anyObject({ description: 'The body from which each document is created, without dates and number.' }),
  customer_id: nullable(id()),
  prices: list(nullable(cents()), { description: 'Of each line, while price_mode is frozen.' }),
  currency,
  amount: cents({ description: 'What a document came to when the template was made or last changed.' }),
  source_invoice_id: nullable(id({ description: 'The invoice from whose update it was made.' })),
  anchor_date: date({ description: 'From where its dates are counted: start_date, or the next date at the time when the schedule was changed.' }),
  last_date: nullable(date({ description: 'The last date that has come.' })),
  next_date: nullable(date({ description: 'When it is due next; null where it is not.' })),
  paused_until: nullable(date({ description: 'The day on which a pause ends by itself.' })),
  occurrences: integer(0, undefined, { description: 'How many dates have come.' }),
  occurrences_generated: integer(0, undefined, { description: 'How many of them made a document.' }),
  occurrences_retrying: integer(0, undefined, { description: 'How many of them failed and are still tried again.' }),
  last_error: nullable(text(0, 2000, { description: 'Why the last attempt failed; null after a success.' })),
  created_by: nullable(id()),
})
export type RecurringTemplate = Static<typeof RecurringTemplate>

export const UPCOMING = 12

export const RecurringTemplateWithDates = shape('RecurringTemplateWithDates', {
  ...RecurringTemplate.properties,
  upcoming_dates: list(date(), { description: `The next ${UPCOMING} dates.` }),
})
export type RecurringTemplateWithDates = Static<typeof RecurringTemplateWithDates>

export const Occurrence = shape('RecurringOccurrence', {
  id: id(),
  template_id: id(),
  number: integer(1),
  scheduled_date: date(),
  status: oneOf(['generated', 'skipped', 'failed']),
  document_id: nullable(id()),
  attempts: integer(0),
  error: nullable(text(0, 2000)),
  warning: nullable(text(0, 2000, { description: 'What is unusual about the document, such as another date because a period was closed.' })),
  retry_at: nullable(timestamp({ description: 'When a failed one is tried again; null where only you can.' })),
  created_at: timestamp(),
  updated_at: timestamp(),
})
export type Occurrence = Static<typeof Occurrence>

export const templateResource = resource({
  type: 'recurring_template', group: 'recurring', shape: RecurringTemplate, table: 'recurring_templates', label: 'name',
  events: [
    'recurring.created', 'recurring.updated', 'recurring.deleted', 'recurring.paused', 'recurring.resumed', 'recurring.ended', 'recurring.generated',
    'recurring.skipped', 'recurring.failed',
  ],
})

const endpoint = endpointsOf('recurring', 'business')
export const templateParams = shape('RecurringTemplateParams', { template_id: id() })

export const listTemplates = endpoint({
  id: 'list_recurring_templates', method: 'GET', path: '', summary: 'List recurring templates',
  query: listQuery(['created_at', 'next_date', 'name'], {
    kind: optional(templateFields.kind),
    status: optional(RecurringTemplate.properties.status),
    customer_id: optional(id()),
    next_date_from: optional(date()),
    next_date_to: optional(date()),
    search: optional(text(1, 200, { description: 'Part of the name.' })),
    updated_since: optional(timestamp()),
  }),
  reply: pageOf(RecurringTemplate),
})

export const getTemplate = endpoint({
  id: 'get_recurring_template', method: 'GET', path: '/{template_id}', summary: 'Get a recurring template and its next dates',
  params: templateParams,
  reply: RecurringTemplateWithDates,
})

export const deleteTemplate = endpoint({
  id: 'delete_recurring_template', method: 'DELETE', path: '/{template_id}', summary: 'Delete a recurring template',
  params: templateParams,
  reply: RecurringTemplate,
  refusals: ['It has generated a document: end it.'],
})

export const pauseTemplate = endpoint({
  id: 'pause_recurring_template', method: 'PUT', path: '/{template_id}/pause', summary: 'Pause a recurring template',
  description: 'With `until` the pause ends by itself on that day; the dates before it are then skipped.',
  params: templateParams,
  body: shape('RecurringPause', { until: optional(date({ description: 'A day after today.' })) }),
  reply: RecurringTemplateWithDates,
  refusals: ['The template has ended.', '`until` is not after today.'],
  example: {},
})

export const resumeTemplate = endpoint({
  id: 'resume_recurring_template', method: 'PUT', path: '/{template_id}/resume', summary: 'Resume a paused recurring template',
  description: 'Dates before today that were missed are recorded as skipped, or made where `catch_up` says so.',
  params: templateParams,
  body: shape('RecurringResume', { catch_up: optional(boolean({ default: false })) }),
  reply: RecurringTemplateWithDates,
  refusals: ['The template has ended.'],
  example: {},
})

export const endTemplate = endpoint({
  id: 'end_recurring_template', method: 'PUT', path: '/{template_id}/end', summary: 'End a recurring template',
  description: 'For good. What it has made stays; what failed is no longer tried again.',
  params: templateParams,
  reply: RecurringTemplateWithDates,
})

export const skipOccurrence = endpoint({
  id: 'skip_recurring_occurrence', method: 'POST', path: '/{template_id}/skip', summary: 'Skip the next date of a recurring template',
  params: templateParams,
  reply: Occurrence,
  refusals: ['The template is paused, has ended, or has no further date.'],
})

export const previewDates = endpoint({
  id: 'preview_recurring_dates', method: 'POST', path: '/preview', summary: 'Show the dates of a schedule',
  description: 'Stores nothing.',
  body: shape('RecurringPreviewInput', { ...recurringConfig, limit: optional(integer(1, 100, { default: 12 })) }),
  reply: shape('RecurringPreview', {
    dates: list(shape('RecurringDate', { date: date(), due_date: date() })),
    more: boolean({ description: 'There are further dates.' }),
  }),
  refusals: ['The schedule has no date at all.'],
  example: { frequency: 'monthly', start_date: '2026-01-31' },
})

export const listOccurrences = endpoint({
  id: 'list_recurring_occurrences', method: 'GET', path: '/{template_id}/occurrences', summary: 'List what became of the dates of a recurring template',
  params: templateParams,
  query: listQuery(['number', 'scheduled_date'], { status: optional(Occurrence.properties.status) }),
  reply: pageOf(Occurrence),
})
