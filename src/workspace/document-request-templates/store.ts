// The SQL of templates of document requests.
import { list } from '../../foundation/database/list.ts'
import { insertions, selectionById, updatings } from '../../foundation/database/rows.ts'
import { TemplateRow } from './contract.ts'

export const insertTemplate = insertions('document_request_templates', TemplateRow)
export const updateTemplate = updatings('document_request_templates', [
  'name', 'title', 'message', 'items', 'due_in_days', 'reminder_days', 'archived_at', 'updated_at', 'version',
])
export const findTemplate = selectionById('document_request_templates', TemplateRow)
export const lockTemplate = selectionById('document_request_templates', TemplateRow, true)

export const templates = list({
  item: TemplateRow,
  from: 'document_request_templates t',
  where: 't.business_id = :business_id and t.archived_at is null',
  sorts: { name: { column: 't.name', type: 'text' }, created_at: { column: 't.created_at', type: 'timestamptz' } },
})
