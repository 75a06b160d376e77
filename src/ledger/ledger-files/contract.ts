// The chart of accounts as a file: taken away as CSV or XLSX, and brought in again.
import { Type, type Static } from 'typebox'
import { endpointsOf } from '../../foundation/endpoint.ts'
import { boolean, id, integer, list, nullable, oneOf, optional, shape } from '../../foundation/shapes.ts'
import { FileInput } from '../../foundation/sheets.ts'
import { fields, ledgerFilters } from '../ledgers/contract.ts'

export const MOST_IMPORT_ROWS = 5000

export const LedgerImport = shape('LedgerImport', { ...FileInput, preview: optional(boolean({ description: 'Only say what the file would do, row by row.' })) })
export type LedgerImport = Static<typeof LedgerImport>

export const ROW_ACTIONS = ['create', 'change', 'none', 'error'] as const

const ImportRow = shape('LedgerImportRow', {
  row: integer(2, undefined, { description: 'As a spreadsheet counts: the header is row 1.' }),
  action: oneOf(ROW_ACTIONS, { description: 'none: the ledger is so already.' }),
  ledger_id: nullable(id({ description: 'null for errors, and for new ledgers in a preview.' })),
  number: fields.number,
  name: nullable(Type.String()),
  changes: list(Type.String(), { description: 'The fields that differ.' }),
  detail: nullable(Type.String({ description: 'What is wrong with an error.' })),
})
export type ImportRow = Static<typeof ImportRow>

export const LedgerImportResult = shape('LedgerImportResult', {
  preview: boolean(),
  created: integer(0),
  changed: integer(0),
  unchanged: integer(0),
  errors: integer(0),
  rows: list(ImportRow),
})
export type LedgerImportResult = Static<typeof LedgerImportResult>

const endpoint = endpointsOf('ledgers', 'business')

export const importLedgers = endpoint({
  id: 'import_ledgers', method: 'POST', path: '/import', summary: 'Bring in a chart of accounts',
  description: [
    'CSV or XLSX with the columns number, name, type, subtype, and as wanted currency, parent_number, is_bank, posting, description,',
    'cash_flow_class, bank_name, bank_account_last4; others are passed over, so that an export can be brought in again. A row changes the',
    'ledger with its number (without a number, the one without a number that has its name), or makes a new one. An empty cell leaves a',
    'field alone. All or nothing.',
  ].join(' '),
  large_body: true,
  body: LedgerImport,
  reply: LedgerImportResult,
  refusals: ['The file cannot be read.', 'A row breaks a rule, and it is no preview: the answer names the first.'],
  example: {
    file_name: 'chart.csv',
    content_base64: Buffer.from('Number,Name,Type,Subtype\n6207,Coffee,expense,operating\n').toString('base64'),
  },
})

export const EXPORT_FORMATS = ['csv', 'xlsx'] as const

export const exportLedgers = endpoint({
  id: 'export_ledgers', method: 'GET', path: '/export', summary: 'Take the chart of accounts away',
  description: 'The filtered list as CSV or XLSX, in the order of numbers.',
  query: shape('LedgerExportQuery', { format: optional(oneOf(EXPORT_FORMATS, { default: 'csv' })), ...ledgerFilters }),
  reply: Type.Unsafe<never>({ type: 'string', contentMediaType: 'text/csv' }),
})
