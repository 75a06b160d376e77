// Any ledgers crossed by two axes.
import { Type, type Static } from 'typebox'
import { endpointsOf } from '../../foundation/endpoint.ts'
import { list, oneOf, optional } from '../../foundation/shapes.ts'
import { LEDGER_TYPES } from '../../ledger/ledgers/contract.ts'
import { ledgerFilter } from '../general-ledger/contract.ts'
import { MOST_COLUMNS, periodQuery } from '../report-columns/contract.ts'
import { figureQuery, format, Report } from '../report-shape/contract.ts'

export const MOST_ROWS = 5_000

const axis = (initial: string, description: string) => optional(Type.String({
  pattern: '^(ledger|month|customer|vendor|project|dimension:[a-z][a-z0-9_-]{1,39})$', maxLength: 60, default: initial, description,
}))

export const byDimensionQuery = Type.Object({
  ...periodQuery,
  rows: axis('ledger', 'ledger, month, customer, vendor, project or dimension:<key>.'),
  columns: axis('month', `As rows, but another one. At most ${MOST_COLUMNS} columns with that of the totals.`),
  type: optional(list(oneOf(LEDGER_TYPES), { maxItems: LEDGER_TYPES.length, description: 'Ledgers of these types; without it income and expense.' })),
  ledger_id: optional(ledgerFilter('Only these ledgers.')),
  ...figureQuery,
  format,
})
export type ByDimensionQuery = Static<typeof byDimensionQuery>

const endpoint = endpointsOf('reports', 'business')

export const getByDimension = endpoint({
  id: 'get_by_dimension', method: 'GET', path: '/by-dimension', summary: 'Ledgers crossed by two axes',
  description: [
    'What moved in the period, by two axes. Lines that carry no value of an axis are in "unassigned", so that the totals are those of the statements.',
    'Where ledgers of both sides are taken together, as income and expense, amounts are credit less debit: the total is the net income. Ledgers of one side',
    'only, such as expense alone, have natural signs. Without dates it covers the fiscal year to date.',
  ].join(' '),
  query: byDimensionQuery,
  reply: Report,
  refusals: [
    'rows and columns are the same axis.', 'The dates contradict each other.', `There would be more than ${MOST_COLUMNS} columns.`,
    `There would be more than ${MOST_ROWS.toLocaleString('en')} rows.`,
  ],
})
