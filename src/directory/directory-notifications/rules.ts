// What people are told of templates that fail and of defaults that stopped by themselves.
import type { NotificationRule, Resolution } from '../../workspace/notification-rules/contract.ts'
import { textOf } from '../../workspace/notification-rules/rules.ts'

export const directoryRules: (NotificationRule | Resolution)[] = [
  {
    event: 'recurring.failed', rule: 'recurring.failed', topic: 'invoice', severity: 'warning', audience: 'business', once: true,
    title: (event) => `A recurring document was not made: ${textOf(event, 'name')}`, body: (event) => textOf(event, 'last_error'),
    action_url: ({ resource_id }) => `/recurring/${resource_id}`,
  },
  ...['recurring.generated', 'recurring.deleted', 'recurring.ended', 'recurring.paused'].map((event) => ({ event, resolves: ['recurring.failed'] })),
  {
    event: 'counterparty_default.updated', rule: 'counterparty_default.stopped', topic: 'bank', severity: 'info', audience: 'business', once: true,
    when: ({ data }) => data['auto_apply'] === false && Number(data['corrected_count'] ?? 0) > 0,
    title: (event) => `${textOf(event, 'counterparty')} is no longer categorized by itself`,
    body: () => 'What it did was corrected several times. Look at its default and turn it on again.',
    action_url: ({ resource_id }) => `/counterparty-defaults/${resource_id}`,
  },
  { event: 'counterparty_default.updated', resolves: ['counterparty_default.stopped'], when: ({ data }) => data['auto_apply'] === true },
  { event: 'counterparty_default.deleted', resolves: ['counterparty_default.stopped'] },
]
