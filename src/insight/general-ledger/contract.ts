// The general ledger: every line of every ledger with the balance it leads to, and the page that carries them.
//
//   pagingQuery, LinePaging       paging over lines, as reports of lines have it
//   reportHeader                  what every report says of itself before its figures
//   LedgerLine                    a line as reports show it (general ledger, explanation)
import { Type, type Static } from 'typebox'
import { endpointsOf, pageOf } from '../../foundation/endpoint.ts'
import { boolean, cents, date, id, integer, list, nullable, oneOf, optional, shape, text } from '../../foundation/shapes.ts'
import { analysis } from '../../ledger/journal/contract.ts'
import { currency, LEDGER_TYPES } from '../../ledger/ledgers/contract.ts'
import { periodQuery } from '../report-columns/contract.ts'
import { figureQuery, format, Report } from '../report-shape/contract.ts'

const { report, title, basis, currency: report_currency, parameters, generated_at, journal_version } = Report.properties
export const reportHeader = { report, title, basis, currency: report_currency, parameters, generated_at, journal_version }

export const DEFAULT_LIMIT = 100

export const pagingQuery = {
  limit: optional(integer(1, 1000, { default: DEFAULT_LIMIT, description: 'Items per page.' })),
  cursor: optional(Type.String({ maxLength: 2000, description: 'next_cursor or prev_cursor of a page before.' })),
  direction: optional(oneOf(['next', 'prev'], { default: 'next' })),
  include_total_count: optional(boolean({ default: false, description: 'Also count all matches (expensive).' })),
}
export type PagingQuery = Static<ReturnType<typeof Type.Object<typeof pagingQuery>>>

/** One parameter of one meaning in all reports of lines. */
export const ledgerFilter = (description: string) => list(id(), { maxItems: 200, description })

export const LedgerLine = shape('LedgerLine', {
  id: id(),
  cash_basis: boolean({ description: 'Not in the journal: what the cash basis counts otherwise.' }),
  entry_id: id(),
  entry_number: integer(1),
  date: date(),
  ledger_id: id({ description: 'The ledger it is shown under; for one that is merged, the other one.' }),
  memo: nullable(Type.String({ description: 'Of the line, or else of the entry.' })),
  source_type: Type.String(),
  source_id: nullable(id()),
  debit: cents({ description: 'Integer cents in the base currency.' }),
  credit: cents({ description: 'Integer cents in the base currency.' }),
  currency,
  amount: cents({ description: 'Integer cents in the currency of the line; debit positive.' }),
  ...analysis,
  href: text(1, 200, { description: 'Leads to the entry.' }),
})
export type LedgerLine = Static<typeof LedgerLine>

export const GeneralLedgerLine = shape('GeneralLedgerLine', {
  ...LedgerLine.properties,
  balance: cents({ description: 'Of the ledger after this line, in natural signs.' }),
})
export type GeneralLedgerLine = Static<typeof GeneralLedgerLine>

const natural = 'Integer cents in the base currency; positive on the side of its type.'

export const GeneralLedgerSection = shape('GeneralLedgerSection', {
  ledger_id: id(),
  number: nullable(Type.String()),
  name: Type.String(),
  type: oneOf(LEDGER_TYPES),
  opening: cents({ description: `Before start_date. ${natural}` }),
  debit: cents({ description: 'Of the whole range.' }),
  credit: cents({ description: 'Of the whole range.' }),
  closing: cents({ description: `At end_date. ${natural}` }),
  balance_before: cents({ description: `Before the first of its lines on this page. ${natural}` }),
})
export type GeneralLedgerSection = Static<typeof GeneralLedgerSection>

const page = pageOf(GeneralLedgerLine).properties

export const GeneralLedger = shape('GeneralLedger', {
  ...reportHeader,
  ledgers: list(GeneralLedgerSection, { description: 'The ledgers of this page in their order, those without lines too where they have a balance.' }),
  ...page,
})
export type GeneralLedger = Static<typeof GeneralLedger>

export const generalLedgerQuery = Type.Object({
  ...periodQuery,
  ...figureQuery,
  ledger_id: optional(ledgerFilter('Only these ledgers; without it all of them, in the order of the chart.')),
  ...pagingQuery,
  sort_by: optional(oneOf(['date'], { default: 'date', description: 'By ledger, date and id, upwards.' })),
  format,
})
export type GeneralLedgerQuery = Static<typeof generalLedgerQuery>

/** Beyond this a spreadsheet or a printed page is of no use to anybody. */
export const MOST_FILE_LINES = 50_000

export const lineRefusals = [
  'start_date lies after the last day, or a period is given together with dates.',
  `An XLSX or PDF file would have more than ${MOST_FILE_LINES.toLocaleString('en')} lines: ask for CSV.`,
]

const endpoint = endpointsOf('reports', 'business')

export const getGeneralLedger = endpoint({
  id: 'get_general_ledger', method: 'GET', path: '/general-ledger', summary: 'General ledger',
  description: 'Per ledger the opening balance, every line with the balance after it, and the closing balance. '
    + 'The pages go over the lines; a file has all of them. On the cash basis what it counts otherwise stands in lines of their own.',
  query: generalLedgerQuery,
  reply: GeneralLedger,
  refusals: lineRefusals,
})
