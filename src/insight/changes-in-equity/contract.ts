// Changes in equity: what the owners had, what made it more or less, and what they have.
import { Type, type Static } from 'typebox'
import { endpointsOf } from '../../foundation/endpoint.ts'
import { periodQuery } from '../report-columns/contract.ts'
import { figureQuery, format, Report, rowQuery } from '../report-shape/contract.ts'

const { basis, known_at, adjusting } = figureQuery

export const changesInEquityQuery = Type.Object({ ...periodQuery, basis, known_at, adjusting, ...rowQuery, format })
export type ChangesInEquityQuery = Static<typeof changesInEquityQuery>

const endpoint = endpointsOf('reports', 'business')

export const getChangesInEquity = endpoint({
  id: 'get_changes_in_equity', method: 'GET', path: '/changes-in-equity', summary: 'Changes in equity',
  description: [
    'Per equity ledger: opening, capital, distributions, net income, other, closing. No closing entry is posted: beside the ledgers of retained earnings a row',
    'shows all profit so far, that of earlier years and of this one. Distributions are negative. Opening and closing are the equity of the balance sheets of',
    'those days. Without dates it covers the fiscal year to date.',
  ].join(' '),
  query: changesInEquityQuery,
  reply: Report,
  refusals: ['The dates contradict each other.'],
})
