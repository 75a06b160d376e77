// What people are told of the books: periods that close and open again, and templates that could not be posted.
import type { NotificationRule, Resolution } from '../../workspace/notification-rules/contract.ts'
import { textOf } from '../../workspace/notification-rules/rules.ts'

export const periodRules: (NotificationRule | Resolution)[] = [
  {
    event: 'accounting_period.closed', rule: 'accounting_period.closed', topic: 'period', severity: 'info', audience: 'business',
    resolves: ['accounting_period.reopened'],
    title: (event) => `${textOf(event, 'name')} is closed`, action_url: ({ resource_id }) => `/accounting-periods/${resource_id}`,
  },
  {
    event: 'accounting_period.reopened', rule: 'accounting_period.reopened', topic: 'period', severity: 'warning', audience: 'business',
    resolves: ['accounting_period.closed'],
    title: (event) => `${textOf(event, 'name')} was reopened`, body: (event) => textOf(event, 'reopen_reason'),
    action_url: ({ resource_id }) => `/accounting-periods/${resource_id}`,
  },
  {
    event: 'journal_template.held', rule: 'journal_template.held', topic: 'period', severity: 'warning', audience: 'business', once: true,
    title: (event) => `A recurring entry waits: ${textOf(event, 'name')}`, action_url: ({ resource_id }) => `/journal-entries/templates/${resource_id}`,
  },
  { event: 'journal_template.run', resolves: ['journal_template.held'] },
  { event: 'journal_template.deleted', resolves: ['journal_template.held'] },
]
