// What this room and the one below tell people of: tasks, long work, webhooks, connected apps, the plan, and their own accounts.
import { moneyText } from '../../foundation/wording.ts'
import type { NotificationRule, Resolution, SecurityRule, Told } from './contract.ts'

/** A text of the record, or nothing. */
export function textOf({ data }: Told, name: string): string {
  const value = data[name]
  return typeof value === 'string' ? value : ''
}

/** An amount of the record, in words; empty where there is none. */
export function amountOf({ data }: Told, name: string, currency = data['currency']): string {
  const value = data[name]
  return typeof value === 'number' && typeof currency === 'string' ? moneyText(value, currency) : ''
}

/** A record that another one names by its id. */
export function idOf({ data }: Told, name: string): string | null {
  const value = data[name]
  return typeof value === 'string' ? value : null
}

const ofBusiness = ({ business_id }: Told) => ({ type: 'business', id: business_id })
const isDisabledByItself = ({ data }: Told) => data['disabled_reason'] !== 'by_hand'

const taskRules: (NotificationRule | Resolution)[] = [
  {
    event: 'todo.assigned', rule: 'todo.assigned', topic: 'task', severity: 'info', audience: (event) => idOf(event, 'assignee_id'),
    resolves: ['todo.assigned', 'todo.overdue'],
    title: (event) => `You were given a task: ${textOf(event, 'title')}`,
    body: (event) => (textOf(event, 'due_date') ? `It is due on ${textOf(event, 'due_date')}.` : ''),
    action_url: ({ resource_id }) => `/todos/${resource_id}`,
  },
  {
    event: 'todo.created', rule: 'todo.assigned', topic: 'task', severity: 'info', audience: (event) => idOf(event, 'assignee_id'),
    when: (event) => idOf(event, 'assignee_id') !== null,
    title: (event) => `You were given a task: ${textOf(event, 'title')}`,
    body: (event) => (textOf(event, 'due_date') ? `It is due on ${textOf(event, 'due_date')}.` : ''),
    action_url: ({ resource_id }) => `/todos/${resource_id}`,
  },
  {
    event: 'todo.overdue', rule: 'todo.overdue', topic: 'task', severity: 'warning', audience: (event) => idOf(event, 'assignee_id'), once: true,
    title: (event) => `A task is overdue: ${textOf(event, 'title')}`, body: (event) => `It was due on ${textOf(event, 'due_date')}.`,
    action_url: ({ resource_id }) => `/todos/${resource_id}`,
  },
  ...['todo.completed', 'todo.canceled', 'todo.deleted', 'todo.unassigned'].map((event) => ({ event, resolves: ['todo.assigned', 'todo.overdue'] })),
]

const openRequest = ({ resource_id }: Told) => `/papers/${resource_id}`

const requestRules: (NotificationRule | Resolution)[] = [
  {
    event: 'document_request.file_received', rule: 'document_request.file_received', topic: 'document_request', severity: 'info', once: true,
    audience: (event) => idOf(event, 'sent_by'),
    title: (event) => `Papers came in: ${textOf(event, 'title')}`, body: () => 'Look at them, then accept or reject each.', action_url: openRequest,
  },
  {
    event: 'document_request.received', rule: 'document_request.received', topic: 'document_request', severity: 'info', audience: 'business', once: true,
    resolves: ['document_request.overdue', 'document_request.file_received'],
    title: (event) => `Everything was received: ${textOf(event, 'title')}`, body: () => 'Look at the papers, then complete the request.', action_url: openRequest,
  },
  {
    event: 'document_request.submitted', rule: 'document_request.submitted', topic: 'document_request', severity: 'info', once: true,
    audience: (event) => idOf(event, 'sent_by'),
    title: (event) => `Somebody is done: ${textOf(event, 'title')}`, body: () => 'What they sent was handed over.', action_url: openRequest,
  },
  {
    event: 'document_request.overdue', rule: 'document_request.overdue', topic: 'document_request', severity: 'warning', audience: 'business', once: true,
    title: (event) => `Papers are overdue: ${textOf(event, 'title')}`, body: (event) => `They were due on ${textOf(event, 'due_date')}.`, action_url: openRequest,
  },
  { event: 'document_request.item_rejected', resolves: ['document_request.received', 'document_request.file_received', 'document_request.submitted'] },
  ...['document_request.completed', 'document_request.canceled'].map((event) => ({
    event, resolves: ['document_request.file_received', 'document_request.received', 'document_request.submitted', 'document_request.overdue'],
  })),
]

const systemRules: (NotificationRule | Resolution)[] = [
  {
    event: 'job.failed', rule: 'job.failed', topic: 'system', severity: 'warning', audience: (event) => idOf(event, 'created_by'),
    title: (event) => `${textOf(event, 'title') || 'A long task'} did not finish`, body: (event) => textOf(event, 'error'),
    action_url: ({ resource_id }) => `/jobs/${resource_id}`,
  },
  {
    event: 'webhook.disabled', rule: 'webhook.disabled', topic: 'integration', severity: 'critical', audience: 'business', when: isDisabledByItself, once: true,
    title: () => 'A webhook was switched off',
    body: (event) => `${textOf(event, 'url')} did not take its messages. Look at its deliveries, then enable it again.`,
    action_url: ({ resource_id }) => `/webhooks/${resource_id}`,
  },
  { event: 'webhook.updated', resolves: ['webhook.disabled'], when: ({ data }) => data['enabled'] === true },
  { event: 'webhook.deleted', resolves: ['webhook.disabled'] },
  {
    event: 'oauth_grant.reuse_detected', rule: 'oauth_grant.reuse_detected', topic: 'security', severity: 'critical', audience: 'business',
    title: (event) => `A connected app was cut off: ${textOf(event, 'client_name')}`,
    body: () => 'A token that had been replaced was used again, as happens when it was stolen. The app has no access any more.',
    action_url: () => '/settings/connected-apps',
  },
]

const billingRules: (NotificationRule | Resolution)[] = [
  {
    event: 'billing.payment_failed', rule: 'billing.payment_failed', topic: 'billing', severity: 'critical', audience: 'business', about: ofBusiness,
    once: true,
    title: () => 'A payment for Daybook failed',
    body: () => 'Update the payment method: without a payment the business becomes read-only 14 days later.', action_url: () => '/settings/billing',
  },
  {
    event: 'billing.trial_ending', rule: 'billing.trial_ending', topic: 'billing', severity: 'warning', audience: 'business', about: ofBusiness, once: true,
    title: (event) => `The trial ends on ${textOf(event, 'trial_ends_on')}`,
    body: () => 'Choose a plan to go on. Nothing is ever deleted for lack of one.', action_url: () => '/settings/billing',
  },
  {
    event: 'billing.access_changed', rule: 'billing.read_only', topic: 'billing', severity: 'critical', audience: 'business', about: ofBusiness, once: true,
    when: ({ data }) => data['access'] === 'read_only',
    title: () => 'The business is read-only', body: () => 'Everything can be read and exported. Choose or pay a plan to make changes again.',
    action_url: () => '/settings/billing',
  },
  { event: 'billing.access_changed', resolves: ['billing.read_only'], about: ofBusiness, when: ({ data }) => data['access'] === 'full' },
  {
    event: 'billing.plan_changed', rule: 'billing.plan_changed', topic: 'billing', severity: 'info', audience: 'business', about: ofBusiness,
    resolves: ['billing.trial_ending'],
    title: (event) => `The plan is now ${textOf(event, 'plan_tier').replaceAll('_', ' ')}`, action_url: () => '/settings/billing',
  },
  {
    event: 'billing.second_payment_refunded', rule: 'billing.second_payment_refunded', topic: 'billing', severity: 'critical', audience: 'business',
    about: ofBusiness,
    title: () => 'A second payment for the plan was given back',
    body: (event) => `Two checkouts were paid. The first one counts; ${amountOf(event, 'amount', event.data['refund_currency']) || 'the second'} is on its way back.`,
    action_url: () => '/settings/billing',
  },
  { event: 'billing.payment_succeeded', resolves: ['billing.payment_failed'], about: ofBusiness },
]

export const platformRules: (NotificationRule | Resolution)[] = [...taskRules, ...requestRules, ...systemRules, ...billingRules]

/** Of most of these the person is told by mail at the very moment. */
export const securityRules: SecurityRule[] = [
  {
    event: 'user.password_changed', rule: 'user.password_changed', severity: 'warning',
    title: 'Your password was changed', body: () => 'If it was not you, reset it at once.', mail: false,
  },
  {
    event: 'user.two_factor_enabled', rule: 'user.two_factor_enabled', severity: 'info',
    title: 'Two-factor sign-in is on', body: () => 'Keep your recovery codes in a safe place.', mail: false,
  },
  {
    event: 'user.two_factor_disabled', rule: 'user.two_factor_disabled', severity: 'warning',
    title: 'Two-factor sign-in is off', body: () => 'If it was not you, change your password at once.', mail: false,
  },
  {
    event: 'user.email_changed', rule: 'user.email_changed', severity: 'warning',
    title: 'Your e-mail address was changed', body: ({ to }) => `It is now ${String(to)}.`, mail: false,
  },
  {
    event: 'user.signed_in', rule: 'user.new_device', severity: 'warning', title: 'A sign-in from a new device',
    body: () => 'If it was not you, end that session and change your password.', mail: false,
    when: ({ new_device }) => new_device === true,
  },
  {
    event: 'oauth_grant.reuse_detected', rule: 'oauth_grant.reuse_detected', severity: 'critical', title: 'An app of yours was cut off', mail: true,
    body: ({ client_name }) => `A token of ${String(client_name)} that had been replaced was used again, as happens when it was stolen. Connect the app anew if you trust it.`,
  },
]
