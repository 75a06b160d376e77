// Cash flow: where the money of a period came from and where it went.
import { Type, type Static } from 'typebox'
import { endpointsOf } from '../../foundation/endpoint.ts'
import { oneOf, optional } from '../../foundation/shapes.ts'
import { columnQuery } from '../report-columns/contract.ts'
import { figureQuery, format, Report, rowQuery } from '../report-shape/contract.ts'

export const METHODS = ['indirect', 'direct'] as const

/** The direct method reads the entries themselves, so that its cost follows their number. */
export const MOST_DAYS = 400

const { basis, known_at, adjusting } = figureQuery

export const cashFlowQuery = Type.Object({
  ...columnQuery,
  method: optional(oneOf(METHODS, {
    default: 'indirect', description: `direct: receipts and payments by the ledgers on the other side of the cash, over at most ${MOST_DAYS} days.`,
  })),
  basis,
  known_at,
  adjusting,
  ...rowQuery,
  format,
})
export type CashFlowQuery = Static<typeof cashFlowQuery>

const endpoint = endpointsOf('reports', 'business')

export const getCashFlow = endpoint({
  id: 'get_cash_flow', method: 'GET', path: '/cash-flow', summary: 'Cash flow',
  description: [
    'Amounts are positive where they bring cash in. Cash are bank ledgers, undeposited funds, processor clearing and ledgers of the cash_flow_class cash.',
    'Indirect: net income, with depreciation and the changes of ledgers of the class non_cash added back, then the changes of all other',
    'ledgers in their class.',
    'What income and expenses of the class investing or financing made, such as the gain of a disposal, moves there; accumulated depreciation',
    'stands under investing, less the depreciation of the period, so that a disposal shows what it brought. The revaluation of cash in other',
    'currencies stands apart.',
    'Columns are over time only. Without dates it covers the fiscal year to date.',
  ].join(' '),
  query: cashFlowQuery,
  reply: Report,
  refusals: [
    'The dates contradict each other.', 'There would be more than 60 columns.', 'Columns of an axis, or a budget, are asked for.',
    `The direct method is asked for over more than ${MOST_DAYS} days.`,
  ],
})
