// Profit and loss: what was earned and spent in a period.
import { Type } from 'typebox'
import { endpointsOf } from '../../foundation/endpoint.ts'
import { Report, statementQuery } from '../report-shape/contract.ts'

const endpoint = endpointsOf('reports', 'business')

export const getProfitAndLoss = endpoint({
  id: 'get_profit_and_loss', method: 'GET', path: '/profit-and-loss', summary: 'Profit and loss',
  description: [
    'Revenue, discounts, cost of goods sold, gross profit, operating expense, operating income, other income and expense, interest, income tax, net income:',
    'ledgers stand under the section of their subtype. Without dates it covers the fiscal year to date, without a basis it takes the',
    'default_basis of the business.',
    'Income and expenses are positive; discounts and losses among income are negative.',
  ].join(' '),
  query: Type.Object(statementQuery),
  reply: Report,
  refusals: ['The dates contradict each other.', 'There would be more than 60 columns.', 'A budget is compared with columns of an axis.'],
})
