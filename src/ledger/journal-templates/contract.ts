// Templates of entries: saved ones that somebody runs, and recurring ones that the clock runs.
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { endpointsOf, listQuery, pageOf } from '../../foundation/endpoint.ts'
import { resource } from '../../foundation/resource.ts'
import { boolean, date, id, integer, list, nullable, oneOf, optional, partial, record, shape, text } from '../../foundation/shapes.ts'
import { JournalLine } from '../journal/contract.ts'
import { amounts, Entry, lineTags, MOST_LINES } from '../journal-drafts/contract.ts'
import { currency } from '../ledgers/contract.ts'

export const FREQUENCIES = ['daily', 'weekly', 'biweekly', 'monthly', 'quarterly', 'annually'] as const
export const AMOUNT_KINDS = ['fixed', 'percent_of_ledger'] as const

const amount_kind = oneOf(AMOUNT_KINDS, {
  description: 'percent_of_ledger: a share of what the ledger of_ledger_id moves, debit positive, in the month of the entry.',
})
const percent = Type.String({ pattern: '^-?[0-9]{1,4}(\\.[0-9]{1,6})?$', description: 'Decimal text, such as 33.33 or -100.' })

export const TemplateLineInput = shape('JournalTemplateLineInput', {
  ledger_id: id(),
  amount_kind: optional({ ...amount_kind, default: 'fixed' }),
  ...amounts,
  currency: optional({ ...currency, description: 'That of the template unless given; shares are in the base currency.' }),
  percent: optional(percent),
  of_ledger_id: optional(id()),
  ...lineTags,
})
export type TemplateLineInput = Static<typeof TemplateLineInput>

const { ledger_id, memo, customer_id, vendor_id, project_id, dimension_value_ids, tax_code_id } = JournalLine.properties

const TemplateLine = shape('JournalTemplateLine', {
  ledger_id,
  amount_kind,
  amount: nullable(JournalLine.properties.amount),
  currency: nullable(currency),
  percent: nullable(percent),
  of_ledger_id: nullable(id()),
  memo, customer_id, vendor_id, project_id, dimension_value_ids, tax_code_id,
})
export type TemplateLine = Static<typeof TemplateLine>

const fields = {
  name: text(1, 120, { pattern: '\\S' }),
  memo: nullable(text(1, 500)),
  currency,
  is_adjusting: boolean(),
  frequency: nullable(oneOf(FREQUENCIES, { description: 'null: it is only run by hand.' })),
  start_date: nullable(date({ description: 'The first occurrence is the first matching day from here on; needed with a frequency.' })),
  end_date: nullable(date({ description: 'The last day on which it can occur.' })),
  day_of_month: nullable(integer(1, 31, { description: 'For monthly, quarterly and annually; the last day of a month that has no such day.' })),
  max_occurrences: nullable(integer(1, 100_000)),
  auto_post: boolean({ description: 'Post what it makes, where that is possible; otherwise, and unless set, it makes drafts.' }),
}

export const Template = shape('JournalTemplate', {
  ...record,
  ...fields,
  lines: list(TemplateLine),
  occurrences: integer(0, undefined, { description: 'How many scheduled ones have come.' }),
  last_date: nullable(date()),
  next_date: nullable(date({ description: 'When it is due next; null where it is not.' })),
  created_by: nullable(id()),
})
export type Template = Static<typeof Template>

const lines = list(TemplateLineInput, { minItems: 2, maxItems: MOST_LINES })

export const TemplateInput = shape('JournalTemplateInput', { ...partial('JournalTemplateFields', fields).properties, name: fields.name, lines })
export const TemplateUpdate = partial('JournalTemplateUpdate', { ...fields, lines })
export type TemplateInput = Static<typeof TemplateInput>
export type TemplateUpdate = Static<typeof TemplateUpdate>

export const templateResource = resource({
  type: 'journal_template', group: 'journal-entries', shape: Template, table: 'journal_templates', label: 'name',
  events: ['journal_template.created', 'journal_template.updated', 'journal_template.deleted', 'journal_template.run', 'journal_template.held'],
})

const endpoint = endpointsOf('journal-entries', 'business')
const params = shape('JournalTemplateParams', { template_id: id() })

const refusals = [
  'A line has not exactly one of amount, debit and credit, or a share without percent and of_ledger_id.',
  'A frequency without start_date, an end_date before it, or a day_of_month with a frequency that has none.',
  'A ledger that takes no lines by hand.',
]

export const listTemplates = endpoint({
  id: 'list_journal_templates', method: 'GET', path: '/templates', summary: 'List templates of entries',
  query: listQuery(['name', 'next_date', 'created_at']),
  reply: pageOf(Template),
})

export const createTemplate = endpoint({
  id: 'create_journal_template', method: 'POST', path: '/templates', summary: 'Create a template of entries',
  description: 'Occurrences from a start_date in the past are made up for within the hour.',
  body: TemplateInput,
  reply: Template,
  refusals,
})

export const getTemplate = endpoint({
  id: 'get_journal_template', method: 'GET', path: '/templates/{template_id}', summary: 'Get a template of entries',
  params,
  reply: Template,
})

export const updateTemplate = endpoint({
  id: 'update_journal_template', method: 'PUT', path: '/templates/{template_id}', summary: 'Change a template of entries',
  description: 'What it has made stays; occurrences that have come do not come again.',
  params,
  body: TemplateUpdate,
  reply: Template,
  refusals,
  example: { memo: 'Monthly rent' },
})

export const deleteTemplate = endpoint({
  id: 'delete_journal_template', method: 'DELETE', path: '/templates/{template_id}', summary: 'Delete a template of entries',
  description: 'What it has made stays.',
  params,
  reply: Template,
})

export const runTemplate = endpoint({
  id: 'run_journal_template', method: 'POST', path: '/templates/{template_id}/run', summary: 'Make the entry of a template now',
  description: 'For today unless another date is given. A scheduled occurrence of that date is then done. What cannot be posted becomes a draft.',
  params,
  body: shape('JournalTemplateRun', { date: optional(date()) }),
  reply: Entry,
  refusals: ['It was run for this date already.', 'There is nothing to enter, because the ledgers it shares out have not moved.'],
})
