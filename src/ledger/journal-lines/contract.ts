// The lines of all entries as one list, and entries with their lines as a file.
import { Type, type Static } from 'typebox'
import { endpointsOf, listQuery, pageOf } from '../../foundation/endpoint.ts'
import { boolean, date, id, integer, nullable, oneOf, optional, shape } from '../../foundation/shapes.ts'
import { EntryHeader, JournalLine } from '../journal/contract.ts'
import { entryFilters } from '../journal-entries/contract.ts'

const { memo, source_type, source_id, is_adjusting } = EntryHeader.properties

/** A posted line with what it needs to be read by itself. */
export const ListedLine = shape('ListedJournalLine', {
  ...JournalLine.properties,
  entry_number: integer(1),
  date: date(),
  entry_memo: memo,
  source_type,
  source_id,
  is_adjusting,
  ledger_number: nullable(Type.String()),
  ledger_name: Type.String(),
})
export type ListedLine = Static<typeof ListedLine>

const { customer_id, vendor_id, project_id, dimension_value_id, start_date, end_date, include_superseded } = entryFilters

const lineFilters = {
  ledger_id: optional(id()),
  customer_id, vendor_id, project_id, dimension_value_id, start_date, end_date,
  is_adjusting: optional(boolean()),
  include_superseded,
}
const LineFilters = Type.Object(lineFilters)
export type LineFilters = Static<typeof LineFilters>

const endpoint = endpointsOf('journal-entries', 'business')

export const listLines = endpoint({
  id: 'list_journal_lines', method: 'GET', path: '/lines', summary: 'List the lines of all posted entries',
  query: listQuery(['date'], lineFilters),
  reply: pageOf(ListedLine),
})

/** More than this and a sheet takes too much memory to be made at once. */
export const MOST_SHEET_LINES = 50_000

export const exportEntries = endpoint({
  id: 'export_journal_entries', method: 'GET', path: '/export', summary: 'Take journal entries away as a file',
  description: [
    'What the list shows with the same filters, by date, one row per line. A CSV file is made while it is sent, however large it is;',
    `an XLSX file has at most ${MOST_SHEET_LINES.toLocaleString('en')} lines. The file can be brought in again.`,
  ].join(' '),
  query: shape('JournalExportQuery', {
    format: optional(oneOf(['csv', 'xlsx'], { default: 'csv' })),
    descending: optional(boolean({ default: false })),
    ...entryFilters,
  }),
  reply: Type.Unsafe<never>({ type: 'string', contentMediaType: 'text/csv' }),
  refusals: [`There are more than ${MOST_SHEET_LINES.toLocaleString('en')} lines, and XLSX is asked for.`],
})
