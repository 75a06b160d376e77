// Templates of document requests: what is asked for again and again.
import { Type, type Static } from 'typebox'
import { listQuery, pageOf } from '../../foundation/endpoint.ts'
import { resource } from '../../foundation/resource.ts'
import { boolean, id, integer, list, nullable, oneOf, optional, record, shape, text, timestamp } from '../../foundation/shapes.ts'
import { KINDS } from '../documents/contract.ts'
import { asked, endpoint, MOST_ITEMS, said } from '../document-requests/contract.ts'

export const AskedItem = shape('DocumentRequestAskedItem', { label: asked.label, kind: asked.kind, required: asked.required, note: asked.note })
export const AskedItemInput = shape('DocumentRequestAskedItemInput', {
  label: asked.label,
  kind: optional(oneOf(KINDS, { default: 'other' })),
  required: optional(boolean({ default: true })),
  note: optional(asked.note),
})

const fields = {
  name: text(1, 200, { pattern: '\\S', description: 'What the template is called inside.' }),
  title: said.title,
  message: said.message,
  due_in_days: nullable(integer(0, 365, { description: 'A request is due so many days after it is made.' })),
  reminder_days: said.reminder_days,
}

export const RequestTemplate = shape('DocumentRequestTemplate', { ...record, ...fields, items: list(AskedItem), archived_at: nullable(timestamp()) })
export type RequestTemplate = Static<typeof RequestTemplate>

const items = list(AskedItemInput, { minItems: 1, maxItems: MOST_ITEMS })
const optionals = { message: optional(fields.message), due_in_days: optional(fields.due_in_days), reminder_days: optional(fields.reminder_days) }
export const RequestTemplateInput = shape('DocumentRequestTemplateInput', { name: fields.name, title: fields.title, ...optionals, items })
export const RequestTemplateUpdate = shape('DocumentRequestTemplateUpdate', {
  name: optional(fields.name), title: optional(fields.title), ...optionals, items: optional(items),
})

export const templateResource = resource({
  type: 'document_request_template', group: 'document-requests', shape: RequestTemplate, table: 'document_request_templates', present: 'archived_at is null',
  label: 'name', events: ['document_request_template.created', 'document_request_template.updated', 'document_request_template.archived'],
})

const params = shape('DocumentRequestTemplateParams', { template_id: id() })

export const listTemplates = endpoint({
  id: 'list_document_request_templates', method: 'GET', path: '/templates', summary: 'List templates of document requests',
  query: listQuery(['name', 'created_at']),
  reply: pageOf(RequestTemplate),
})

export const createTemplate = endpoint({
  id: 'create_document_request_template', method: 'POST', path: '/templates', summary: 'Create a template of document requests',
  body: RequestTemplateInput,
  reply: RequestTemplate,
  example: {
    name: 'Month end', title: 'Papers of the month', due_in_days: 10, reminder_days: [-2, 3],
    items: [{ label: 'Bank statement', kind: 'statement' }, { label: 'Receipts paid in cash', kind: 'receipt', required: false }],
  },
})

export const getTemplate = endpoint({
  id: 'get_document_request_template', method: 'GET', path: '/templates/{template_id}', summary: 'Get a template of document requests',
  description: 'Also one that was deleted.',
  params,
  reply: RequestTemplate,
})

export const updateTemplate = endpoint({
  id: 'update_document_request_template', method: 'PUT', path: '/templates/{template_id}', summary: 'Update a template of document requests',
  description: 'Requests that were made from it stay as they are.',
  params,
  body: RequestTemplateUpdate,
  reply: RequestTemplate,
  refusals: ['It was deleted.'],
  example: { due_in_days: 14 },
})

export const deleteTemplate = endpoint({
  id: 'delete_document_request_template', method: 'DELETE', path: '/templates/{template_id}', summary: 'Delete a template of document requests',
  description: 'Requests that were made from it stay as they are.',
  params,
  reply: RequestTemplate,
})

export const TemplateRow = Type.Object(RequestTemplate.properties)
