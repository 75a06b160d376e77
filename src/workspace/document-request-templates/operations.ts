// What can be done with templates of document requests.
import type { Static } from 'typebox'
import type { PageQuery } from '../../foundation/database/list.ts'
import { changed } from '../../foundation/database/rows.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import { invalid } from '../../foundation/refusal.ts'
import { tidyDays } from '../document-requests/rules.ts'
import { templateResource, type AskedItemInput, type RequestTemplate, type RequestTemplateInput, type RequestTemplateUpdate } from './contract.ts'
import * as store from './store.ts'

export function listTemplates(tx: BusinessTx, query: PageQuery) {
  // By name from A on, unless asked otherwise.
  const descending = query.descending ?? query.sort_by === 'created_at'
  return tx.page(store.templates, { ...query, descending })
}

export function getTemplate(tx: BusinessTx, template_id: string): Promise<RequestTemplate> {
  return tx.get(store.findTemplate, { id: template_id }, 'Template')
}

/** For a request that is to be made from it. */
export async function usableTemplate(tx: BusinessTx, template_id: string): Promise<RequestTemplate> {
  const template = await getTemplate(tx, template_id)
  requirePresent(template)
  return template
}

export async function createTemplate(tx: BusinessTx, input: Static<typeof RequestTemplateInput>): Promise<RequestTemplate> {
  const template: RequestTemplate = {
    id: newId(), business_id: tx.business_id, name: input.name, title: input.title, message: input.message ?? null, items: input.items.map(complete),
    due_in_days: input.due_in_days ?? null, reminder_days: tidyDays(input.reminder_days ?? []), archived_at: null,
    created_at: tx.now, updated_at: tx.now, version: 1,
  }
  tx.queue(store.insertTemplate, { rows: JSON.stringify([template]) })
  tx.record(templateResource, 'document_request_template.created', { before: null, after: template })
  return template
}

export async function updateTemplate(tx: BusinessTx, template_id: string, input: Static<typeof RequestTemplateUpdate>): Promise<RequestTemplate> {
  const template = await tx.lock(store.lockTemplate, { id: template_id }, 'Template')
  requirePresent(template)
  const { items, reminder_days, ...plain } = input
  const given = { ...plain, ...(items && { items: items.map(complete) }), ...(reminder_days && { reminder_days: tidyDays(reminder_days) }) }
  const after = changed(template, given, tx.now)
  return save(tx, template, after, 'document_request_template.updated')
}

export async function deleteTemplate(tx: BusinessTx, template_id: string): Promise<RequestTemplate> {
  const template = await tx.lock(store.lockTemplate, { id: template_id }, 'Template')
  if (template.archived_at !== null) return template
  return save(tx, template, changed(template, { archived_at: tx.now }, tx.now), 'document_request_template.archived')
}

function save(tx: BusinessTx, before: RequestTemplate, after: RequestTemplate, event: (typeof templateResource.events)[number]): RequestTemplate {
  tx.queue(store.updateTemplate, { rows: JSON.stringify([after]) })
  tx.record(templateResource, event, { before, after })
  return after
}

function complete({ label, kind = 'other', required = true, note = null }: Static<typeof AskedItemInput>) {
  return { label, kind, required, note }
}

function requirePresent({ name, archived_at }: RequestTemplate): void {
  if (archived_at !== null) throw invalid(`The template “${name}” was deleted: use another one.`)
}
