// Profit and loss as management looks at it: regrouped by a managerial key.
import { Type, type Static } from 'typebox'
import { endpointsOf } from '../../foundation/endpoint.ts'
import { statementQuery, Report } from '../report-shape/contract.ts'

export const managerialQuery = Type.Object({
  key: Type.String({ pattern: '^[a-z][a-z0-9_-]{1,39}$', maxLength: 40, description: 'The key type, such as function or board_line.' }),
  ...statementQuery,
})
export type ManagerialQuery = Static<typeof managerialQuery>

const endpoint = endpointsOf('reports', 'business')

export const getManagerial = endpoint({
  id: 'get_managerial_report', method: 'GET', path: '/managerial', summary: 'Profit and loss by a managerial key',
  description: [
    'A section per value of the key with the income and expense ledgers that have it, or inherit it; those without one in a section of their own.',
    'Income is positive and expenses are negative, so that the sections add up to net income. Without dates it covers the fiscal year to date.',
  ].join(' '),
  query: managerialQuery,
  reply: Report,
  refusals: ['The dates contradict each other.', 'There would be more than 60 columns.', 'A budget is compared with columns of an axis.'],
})
