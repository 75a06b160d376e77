// The journal as a report: entries in the order of their numbers, with their lines.
import { Type, type Static } from 'typebox'
import { endpointsOf, pageOf } from '../../foundation/endpoint.ts'
import { boolean, cents, date, id, integer, list, nullable, oneOf, optional, shape, text, timestamp } from '../../foundation/shapes.ts'
import { analysis } from '../../ledger/journal/contract.ts'
import { currency } from '../../ledger/ledgers/contract.ts'
import { ledgerFilter, lineRefusals, pagingQuery, reportHeader } from '../general-ledger/contract.ts'
import { periodQuery } from '../report-columns/contract.ts'
import { figureQuery, format } from '../report-shape/contract.ts'

/** An entry without its lines. */
export const JournalReportFacts = Type.Object({
  id: id(),
  number: integer(1),
  date: date(),
  posted_at: timestamp(),
  memo: nullable(Type.String()),
  source_type: text(1, 40),
  source_id: nullable(id()),
  is_adjusting: boolean(),
  reversal_of_id: nullable(id()),
  reversed_by_id: nullable(id()),
  superseded: boolean({ description: 'Replaced by an entry of another date, or the reversal that belongs to it.' }),
  total: cents({ description: 'The sum of its debits in the base currency.' }),
})
export type JournalReportFacts = Static<typeof JournalReportFacts>

export const JournalReportLine = shape('JournalReportLine', {
  id: id(),
  cash_basis: boolean({ description: 'Not in the journal: what the cash basis counts otherwise.' }),
  ledger_id: id(),
  ledger_number: nullable(Type.String()),
  ledger_name: Type.String(),
  memo: nullable(Type.String()),
  debit: cents({ description: 'Integer cents in the base currency.' }),
  credit: cents({ description: 'Integer cents in the base currency.' }),
  currency,
  amount: cents({ description: 'Integer cents in the currency of the line; debit positive.' }),
  ...analysis,
})
export type JournalReportLine = Static<typeof JournalReportLine>

export const JournalReportEntry = shape('JournalReportEntry', {
  ...JournalReportFacts.properties,
  href: text(1, 200, { description: 'Leads to the entry.' }),
  lines: list(JournalReportLine, { description: 'All of them, those too that do not match the filters.' }),
})
export type JournalReportEntry = Static<typeof JournalReportEntry>

export const JournalReport = shape('JournalReport', { ...reportHeader, ...pageOf(JournalReportEntry).properties })
export type JournalReport = Static<typeof JournalReport>

export const journalReportQuery = Type.Object({
  ...periodQuery,
  ...figureQuery,
  ledger_id: optional(ledgerFilter('Only entries with a line of one of these ledgers.')),
  ...pagingQuery,
  sort_by: optional(oneOf(['number'], { default: 'number', description: 'Upwards.' })),
  format,
})
export type JournalReportQuery = Static<typeof journalReportQuery>

const endpoint = endpointsOf('reports', 'business')

export const getJournalReport = endpoint({
  id: 'get_journal_report', method: 'GET', path: '/journal', summary: 'Journal',
  description: 'The entries of a period by number, with their lines; with filters, those that have a matching line. '
    + 'Reversed and replaced entries are there with what reversed them. '
    + 'On the cash basis what it counts otherwise stands in lines of their own. A file has all entries, a row per line.',
  query: journalReportQuery,
  reply: JournalReport,
  refusals: lineRefusals,
})
