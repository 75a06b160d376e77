// Entries from a file: rows with the same reference are the lines of one entry.
import { Type, type Static } from 'typebox'
import { endpointsOf } from '../../foundation/endpoint.ts'
import { boolean, id, integer, list, nullable, optional, shape, timestamp } from '../../foundation/shapes.ts'
import { FileInput } from '../../foundation/sheets.ts'

export const MOST_ERRORS = 100

export const ImportInput = shape('JournalImportInput', {
  ...FileInput,
  preview: optional(boolean({ default: false, description: 'Only say what the file would do.' })),
  post: optional(boolean({ default: false, description: 'Post the entries; otherwise they become drafts.' })),
  force: optional(boolean({ default: false, description: 'Also a file that was brought in before.' })),
})
export type ImportInput = Static<typeof ImportInput>

/** A row of the table. */
export const ImportRow = Type.Object({
  id: id(),
  business_id: id(),
  file_name: Type.String(),
  content_hash: Type.String(),
  posted: boolean(),
  entry_count: integer(0),
  line_count: integer(0),
  first_number: nullable(integer(1)),
  last_number: nullable(integer(1)),
  created_by: nullable(id()),
  created_at: timestamp(),
})
export type ImportRow = Static<typeof ImportRow>

const RowError = shape('JournalImportError', {
  row: integer(1, undefined, { description: 'As a spreadsheet counts: the header is row 1.' }),
  detail: Type.String(),
})
export type RowError = Static<typeof RowError>

const { business_id: _business, created_by: _by, created_at: _at, id: import_id, ...told } = ImportRow.properties

export const ImportResult = shape('JournalImportResult', {
  id: nullable({ ...import_id, description: 'null for a preview.' }),
  preview: boolean(),
  ...told,
  errors: list(RowError, { description: `What is wrong with the file, the first ${MOST_ERRORS} of it; never anything but in a preview.` }),
})
export type ImportResult = Static<typeof ImportResult>

const endpoint = endpointsOf('journal-entries', 'business')

export const importEntries = endpoint({
  id: 'import_journal_entries', method: 'POST', path: '/import', summary: 'Bring in entries from a file',
  description: [
    'CSV or XLSX. Columns: entry_ref (rows with the same one are one entry), date, memo, ledger (its number or name), debit and credit, or amount (debit',
    'positive), and as wanted currency, base_amount, line_memo, and dimension:<key> with the code of a value; others are passed over.',
    'Date and memo are needed in the first row of an entry only. All or nothing; one event tells of all of them.',
  ].join(' '),
  large_body: true,
  body: ImportInput,
  reply: ImportResult,
  refusals: [
    'The file cannot be read, or a column is missing.',
    'A row or an entry is wrong, and it is no preview: the answer names the first.',
    'The same file was brought in before.',
  ],
  example: {
    file_name: 'entries.csv',
    content_base64: Buffer.from('entry_ref,date,memo,ledger,debit,credit\n1,2026-03-10,March rent,Rent,1500.00,\n1,,,Checking,,1500.00\n').toString('base64'),
    post: true,
  },
})
