// Trial balance: opening, movement and closing of every ledger.
import { Type, type Static } from 'typebox'
import { endpointsOf } from '../../foundation/endpoint.ts'
import { oneOf, optional } from '../../foundation/shapes.ts'
import { columnQuery, periodQuery } from '../report-columns/contract.ts'
import { figureQuery, format, Report, rowQuery } from '../report-shape/contract.ts'

export const MODES = ['adjusted', 'unadjusted', 'worksheet', 'post_closing'] as const
export type Mode = (typeof MODES)[number]

export const trialBalanceQuery = Type.Object({
  ...periodQuery,
  columns: columnQuery.columns,
  ...figureQuery,
  mode: optional(oneOf(MODES, {
    default: 'adjusted',
    description: 'unadjusted: without the adjusting entries of the period. worksheet: both side by side, carried on to profit and loss and balance sheet. '
      + 'post_closing: with income and expenses closed into earnings.',
  })),
  ...rowQuery,
  format,
})
export type TrialBalanceQuery = Static<typeof trialBalanceQuery>

const endpoint = endpointsOf('reports', 'business')

export const getTrialBalance = endpoint({
  id: 'get_trial_balance', method: 'GET', path: '/trial-balance', summary: 'Trial balance',
  description: [
    'Four columns (opening, debit, credit, closing) for the period, or for each part of it that columns asks for. Opening and closing have natural signs;',
    'in the row of totals they are the sum of the debit side, which equals that of the credit side. Income and expenses open with the fiscal year of the',
    'first day, the profit of years before is in a row of its own. On the cash basis debit and credit are what a ledger moved on balance.',
    'Without dates it covers the fiscal year to date, without a basis it takes the default_basis of the business. Checks are left out of a filtered report.',
  ].join(' '),
  query: trialBalanceQuery,
  reply: Report,
  refusals: ['The dates contradict each other.', 'There would be more than 60 columns.', 'A worksheet is asked for with columns.'],
})
