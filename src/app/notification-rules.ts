// What each room tells people of.
import { directoryRules } from '../directory/directory-notifications/rules.ts'
import { periodRules } from '../ledger/period-notifications/rules.ts'
import { receivableRules } from '../receivables/receivable-notifications/rules.ts'
import type { NotificationRule, Resolution } from '../workspace/notification-rules/contract.ts'
import { platformRules } from '../workspace/notification-rules/rules.ts'

export const notificationRules: (NotificationRule | Resolution)[] = [...platformRules, ...periodRules, ...directoryRules, ...receivableRules]
