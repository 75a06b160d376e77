// Balance sheet: what the business owns and owes on a day.
import { Type } from 'typebox'
import { endpointsOf } from '../../foundation/endpoint.ts'
import { Report, statementQuery } from '../report-shape/contract.ts'

const endpoint = endpointsOf('reports', 'business')

export const getBalanceSheet = endpoint({
  id: 'get_balance_sheet', method: 'GET', path: '/balance-sheet', summary: 'Balance sheet',
  description: [
    'Assets, liabilities and equity at as_of (today without it), by subtype, current ones apart from the others.',
    'No closing entry is posted: retained_earnings shows its ledgers with the profit of prior fiscal years, current_year_earnings that of the year of the day.',
    'With columns by month, quarter or year each shows the end of its period, from start_date (the fiscal year\'s first day) on;',
    'previous_period is a month, quarter or year earlier; of one column for which start_date is given, the day before that.',
    'Without a basis it takes the default_basis of the business.',
    'The check that both sides are equal is left out of a filtered report, since parts of entries need not balance.',
  ].join(' '),
  query: Type.Object(statementQuery),
  reply: Report,
  refusals: ['The dates contradict each other.', 'There would be more than 60 columns.', 'A budget is compared with: it plans income and expenses.'],
})
