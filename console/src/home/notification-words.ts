// What notifications are called here, and their colours.
import type { Schemas } from '../api.ts'

export type Notification = Schemas['Notification']

export const SEVERITY_COLOURS: Record<Notification['severity'], string> = { info: 'blue', warning: 'orange', critical: 'red' }
export const SEVERITY_WORDS: Record<Notification['severity'], string> = { info: 'Note', warning: 'Warning', critical: 'Urgent' }

export const TOPICS: Notification['topic'][] = [
  'invoice', 'bill', 'payment', 'bank', 'reconciliation', 'period', 'approval', 'inventory', 'document_request', 'client_message',
  'task', 'report', 'anomaly', 'cash', 'billing', 'security', 'integration', 'system',
]
