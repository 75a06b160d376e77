// Imports: files of records, with a mapping of their columns, tried before they count and undone where they were wrong.
import { Type, type Static } from 'typebox'
import { endpointsOf, listQuery, pageOf } from '../../foundation/endpoint.ts'
import { CURRENCIES } from '../../foundation/money.ts'
import { resource } from '../../foundation/resource.ts'
import { boolean, id, integer, list, nullable, oneOf, optional, partial, record, shape, timestamp } from '../../foundation/shapes.ts'
import { DATE_FORMATS } from '../import-cells/rules.ts'
import { DUPLICATES, IMPORT_KINDS, mappingShape } from '../import-kinds/contract.ts'

export const IMPORT_STATUSES = ['uploaded', 'mapped', 'running', 'completed', 'completed_with_errors', 'failed', 'canceled', 'rolled_back'] as const
export type ImportStatus = (typeof IMPORT_STATUSES)[number]

/** More than this is split into several files. */
export const MOST_IMPORT_ROWS = 100_000
/** So many rows are brought in all or none; more come in piece by piece. */
export const MOST_WHOLE_ROWS = 10_000

const options = {
  date_format: nullable(oneOf(DATE_FORMATS,
    { description: 'How dates are written, with . - or / between their parts. Needed where one could be two days, as 03/04/2026.' })),
  decimal_separator: oneOf(['.', ','], { description: '. unless said.' }),
  currency: nullable(oneOf(CURRENCIES, { description: 'Of rows that say none.' })),
  duplicate: oneOf(DUPLICATES, { description: 'What becomes of a row whose record is there already; skip unless said.' }),
  on_error: oneOf(['abort', 'skip'], {
    description: `abort: all rows or none, up to ${MOST_WHOLE_ROWS.toLocaleString('en')} rows. `
      + 'skip: rows that are refused are left out. abort unless said or there are more rows.',
  }),
}
export const ImportOptions = shape('ImportOptions', options)
export type ImportOptions = Static<typeof ImportOptions>

const ImportColumn = shape('ImportColumn', { name: Type.String(), example: nullable(Type.String({ description: 'The first value in it.' })) })
export type ImportColumn = Static<typeof ImportColumn>

export const ImportCounts = shape('ImportCounts', {
  rows: integer(0, undefined, { description: 'Of the file, without its header and empty ones.' }),
  valid: integer(0, undefined, { description: 'Rows that were taken.' }),
  invalid: integer(0, undefined, { description: 'Rows that were refused.' }),
  created: integer(0, undefined, { description: 'Records, where several rows can be one.' }),
  updated: integer(0),
  skipped: integer(0),
})
export type ImportCounts = Static<typeof ImportCounts>

/** Also a row of the table. */
export const Import = shape('Import', {
  ...record,
  kind: oneOf(IMPORT_KINDS),
  document_id: id(),
  file_name: Type.String(),
  sha256: Type.String({ description: 'Of the bytes that were read.' }),
  status: oneOf(IMPORT_STATUSES),
  columns: list(ImportColumn),
  suggested_mapping: mappingShape('The field that each column seems to be; columns that seem to be none are left out.'),
  mapping: mappingShape('The field that each column is; columns that are left out are not read.'),
  options: ImportOptions,
  counts: ImportCounts,
  confirm_duplicate: boolean(),
  error: nullable(Type.String({ description: 'Why it failed.' })),
  job_id: nullable(id({ description: 'Of the last job that worked on it: GET /jobs/{job_id} tells how far it is.' })),
  created_by: nullable(id()),
  started_at: nullable(timestamp()),
  finished_at: nullable(timestamp()),
  rolled_back_at: nullable(timestamp()),
})
export type Import = Static<typeof Import>

export const importResource = resource({
  type: 'import', group: 'imports', shape: Import, table: 'imports', label: 'file_name',
  events: [
    'import.created', 'import.mapped', 'import.started', 'import.completed', 'import.failed', 'import.canceled', 'import.rollback_started',
      'import.rolled_back', 'import.deleted',
  ],
})

export const endpoint = endpointsOf('imports', 'business')
export const params = shape('ImportParams', { import_id: id() })

export const listImports = endpoint({
  id: 'list_imports', method: 'GET', path: '', summary: 'List imports',
  query: listQuery(['created_at'], { kind: optional(oneOf(IMPORT_KINDS)), status: optional(oneOf(IMPORT_STATUSES)) }),
  reply: pageOf(Import),
})

export const ImportInput = shape('ImportInput', {
  kind: oneOf(IMPORT_KINDS),
  document_id: id({ description: 'An uploaded CSV (UTF-8; comma, semicolon or tab) or XLSX file (its first sheet), whose first row names the columns.' }),
  options: optional(partial('ImportOptionsInput', options)),
  confirm_duplicate: optional(boolean({ default: false, description: 'Also a file that was brought in before as this kind.' })),
})
export type ImportInput = Static<typeof ImportInput>

export const createImport = endpoint({
  id: 'create_import', method: 'POST', path: '', summary: 'Begin an import',
  description: `Reads the file, up to ${MOST_IMPORT_ROWS.toLocaleString('en')} rows, and suggests a mapping. Nothing is brought in yet. `
    + 'Besides imports:write this needs the permission to change records of the kind.',
  body: ImportInput,
  reply: Import,
  refusals: ['The file cannot be read, or has no rows below its header.', 'The same file was brought in before as this kind.'],
})

export const getImport = endpoint({ id: 'get_import', method: 'GET', path: '/{import_id}', summary: 'Get an import', live: true, params, reply: Import })

export const deleteImport = endpoint({
  id: 'delete_import', method: 'DELETE', path: '/{import_id}', summary: 'Delete an import that never ran',
  description: 'Its document stays.',
  params, reply: Import,
  refusals: ['It has run.'],
})

export const MappingInput = shape('ImportMappingInput', {
  mapping: mappingShape('The field that each column is; columns that are left out are not read.'),
  options: optional(partial('ImportOptionsUpdate', options)),
})
export type MappingInput = Static<typeof MappingInput>

export const mapImport = endpoint({
  id: 'map_import', method: 'PUT', path: '/{import_id}/mapping', summary: 'Say which column is what',
  description: 'Replaces the mapping; options that are absent stay.',
  params, body: MappingInput, reply: Import,
  refusals: [
    'A needed field is not mapped, or a field is mapped twice.', 'A column or a field is unknown.', 'A date could be two days, and no date_format says which.',
    'The kind does not know what `duplicate` asks for.', `on_error is abort, and there are more than ${MOST_WHOLE_ROWS.toLocaleString('en')} rows.`,
      'It has run.',
  ],
})
