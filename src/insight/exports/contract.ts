// Exports: what the caller may read, taken away as a file that a job makes.
import { Type, type Static } from 'typebox'
import { endpointsOf, listQuery, pageOf } from '../../foundation/endpoint.ts'
import { resource } from '../../foundation/resource.ts'
import { anyObject, boolean, id, integer, list, nullable, oneOf, optional, record, shape, text, timestamp } from '../../foundation/shapes.ts'
import { EXPORT_FORMATS } from '../export-kinds/contract.ts'

export const EXPORT_STATUSES = ['queued', 'running', 'ready', 'failed', 'canceled', 'expired'] as const
export type ExportStatus = (typeof EXPORT_STATUSES)[number]

export const Export = shape('Export', {
  ...record,
  kind: text(1, 100),
  title: text(1, 200),
  format: oneOf(EXPORT_FORMATS),
  filters: anyObject({ description: 'What narrows the rows, as the kind says.' }),
  columns: nullable(list(text(1, 100), { description: 'Those that were chosen; null: all there are.' })),
  status: oneOf(EXPORT_STATUSES),
  job_id: nullable(id({ description: 'The job that makes the file; follow it with GET /jobs/{id}/events.' })),
  rows: nullable(integer(0, undefined, { description: 'Null until it is ready, and where the kind is no list.' })),
  as_of: nullable(timestamp({ description: 'Everything in the file is as it was at this moment.' })),
  document_id: nullable(id()),
  file_name: nullable(text(1, 255)),
  size: nullable(integer(0, undefined, { description: 'In bytes.' })),
  error: nullable(text(1, 2000)),
  expires_at: nullable(timestamp({ description: 'The file is dropped then: seven days after it was made.' })),
  created_by: nullable(id()),
})
export type Export = Static<typeof Export>

export const ExportInput = shape('ExportInput', {
  kind: text(1, 100, { description: 'One of GET /exports/kinds.' }),
  format: optional(oneOf(EXPORT_FORMATS, { default: 'csv' })),
  filters: optional(anyObject({ description: 'As the kind says.' })),
  columns: optional(nullable(list(text(1, 100), {
    minItems: 1, maxItems: 200, uniqueItems: true, description: 'Which columns, in this order; without it all.',
  }))),
})
export type ExportInput = Static<typeof ExportInput>

export const KindDescription = shape('ExportKind', {
  kind: text(1, 100),
  title: text(1, 200),
  permission: Type.String({ description: 'What it needs beside the permission for exports.' }),
  formats: list(oneOf(EXPORT_FORMATS)),
  filters: list(shape('ExportFilter', {
    name: Type.String(),
    description: nullable(Type.String()),
    type: oneOf(['text', 'id', 'date', 'timestamp', 'integer', 'boolean', 'choice']),
    many: boolean({ description: 'Several values can be given.' }),
    required: boolean(),
    values: nullable(list(Type.String(), { description: 'Those that it takes, where they are few.' })),
  })),
  columns: nullable(list(shape('ExportColumn', {
    key: Type.String(),
    label: Type.String(),
    kind: oneOf(['text', 'money', 'date', 'integer', 'decimal']),
  }), { description: 'Null where there are none to choose from, as with a report.' })),
})
export type KindDescription = Static<typeof KindDescription>

export const exportResource = resource({
  type: 'export', group: 'exports', shape: Export, table: null, label: 'title',
  events: ['export.created', 'export.ready', 'export.failed', 'export.canceled', 'export.expired', 'export.deleted'],
})

const endpoint = endpointsOf('exports', 'business')
const params = shape('ExportParams', { export_id: id() })

export const listExportKinds = endpoint({
  id: 'list_export_kinds', method: 'GET', path: '/kinds', summary: 'What can be exported',
  description: 'The lists and reports that the caller may read: with their filters, formats and columns.',
  reply: list(KindDescription),
})

export const listExports = endpoint({
  id: 'list_exports', method: 'GET', path: '', summary: 'List exports',
  description: 'Those of kinds that the caller may read.',
  query: listQuery(['created_at'], { kind: optional(text(1, 100)), status: optional(oneOf(EXPORT_STATUSES)), created_by: optional(id()) }),
  reply: pageOf(Export),
})

export const createExport = endpoint({
  id: 'create_export', method: 'POST', path: '', summary: 'Export a list or a report',
  description: 'A job makes the file, which shows one state of the business from its first row to its last. Amounts are decimals with their currency '
    + 'beside them, in JSON and JSONL with the cents too; a report as JSON is what GET /reports/{report} answers. Text that a spreadsheet would take '
    + 'for a formula is made plain.',
  // Whoever wants to leave can take everything along.
  allow_read_only: true,
  body: ExportInput,
  reply: Export,
  refusals: ['The kind does not come in this format.', 'The kind has no such filter or column.'],
  example: { kind: 'ledgers', format: 'jsonl', filters: { archived: 'all' } },
})

export const getExport = endpoint({
  id: 'get_export', method: 'GET', path: '/{export_id}', summary: 'Get an export', params, reply: Export,
})

export const deleteExport = endpoint({
  id: 'delete_export', method: 'DELETE', path: '/{export_id}', summary: 'Drop an export and its file',
  description: 'The file goes into the bin of documents.',
  allow_read_only: true,
  params,
  reply: Export,
  refusals: ['It is still being made: cancel its job first.', 'Its file is attached to a posted record.'],
})

export const downloadExport = endpoint({
  id: 'download_export', method: 'GET', path: '/{export_id}/download', summary: 'The file of an export',
  description: '404 once it has expired or was dropped. Needs the permission to read what is in it, also now.',
  params,
  reply: Type.Unsafe<never>({ type: 'string', contentMediaType: 'application/octet-stream' }),
  refusals: ['The file is not ready, or could not be made.'],
})
