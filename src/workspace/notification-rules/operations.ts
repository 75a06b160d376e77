// Telling people what happened, and settling it when the matter is gone.
import { ROLES } from '../../access/permissions.ts'
import type { BusinessTx, Tx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import type { Event } from '../../foundation/jobs/job.ts'
import { readFor } from '../notification-access/operations.ts'
import { rolesTold } from '../notification-access/rules.ts'
import { notificationResource } from '../notification-kinds/contract.ts'
import { holdMail, mailNotification } from '../notification-mail/operations.ts'
import { planChannels, type Channels } from '../notification-preferences/operations.ts'
import type { NotificationRule, Resolution, SecurityRule, Told } from './contract.ts'
import * as store from './store.ts'

/** One event of the business: first what it settles, then what it makes. */
export async function hear(tx: BusinessTx, event: Event, rules: readonly (NotificationRule | Resolution)[]): Promise<void> {
  const told: Told = { ...event, business_id: tx.business_id }
  for (const rule of rules.filter((one) => one.event === event.type && (one.when?.(told) ?? true))) {
    const about = rule.about?.(told) ?? { type: event.resource_type, id: event.resource_id }
    if (rule.resolves && about.id !== null) await settle(tx, rule.resolves, about.id)
    if ('rule' in rule) await tell(tx, event.seq, told, rule, about)
  }
}

/** What happened before yesterday is still shown, but nobody is mailed about it. */
const MAILED_FOR_MS = 24 * 3_600_000

async function tell(tx: BusinessTx, seq: number, event: Told, rule: NotificationRule, about: { type: string; id: string | null }): Promise<void> {
  const { occurred_at, told } = await tx.get(store.circumstances, { seq, rule: rule.rule }, 'Event')
  if (told || (rule.once && about.id !== null && (await tx.get(store.isOpen, { rule: rule.rule, resource_id: about.id }, 'Matter')).open)) return
  const person = typeof rule.audience === 'function' ? rule.audience(event) : null
  if (rule.audience !== 'business' && person === null) return
  const roles = person === null ? rolesTold(ROLES, rule.topic) : [...ROLES]
  const recipients = await tx.many(store.recipients, { roles, user: person })
  if (recipients.length === 0) return

  const severity = typeof rule.severity === 'function' ? rule.severity(event) : rule.severity
  const shared = {
    id: newId(), business_id: tx.business_id, firm_id: null, scope: person === null ? 'business' : 'me', scope_id: person ?? tx.business_id,
    topic: rule.topic, severity,
    ...wordsOf(rule, event), resource_type: about.id === null ? null : about.type, resource_id: about.id,
  } as const
  const user_ids = recipients.map(({ user_id }) => user_id)
  tx.queue(store.lockFeeds)
  const channels = await planChannels(tx, user_ids, { topic: rule.topic, severity, business_id: tx.business_id })
  const recent = Date.parse(tx.now) - Date.parse(occurred_at) < MAILED_FOR_MS
  const rows = recipients.map((recipient) => ({ recipient, channel: channels.get(recipient.user_id), mailing: recent && recipient.mailable }))
  tx.queue(store.insertInBusiness, {
    user_ids, rows: JSON.stringify(rows.map(({ recipient, channel, mailing }) => rowOf(tx, recipient.user_id, { ...shared, rule: rule.rule, event_seq: seq }, channel, mailing))),
  })
  for (const { recipient, channel, mailing } of rows) {
    if (mailing && channel?.email === 'now') mailNotification(tx, recipient, { ...shared, business_name: recipient.business_name })
  }
  holdMail(tx, rows.flatMap(({ recipient, channel, mailing }) => (mailing ? heldOf(recipient.user_id, shared.id, channel) : [])))
  const { body: _body, action_url: _action, firm_id: _firm, ...recorded } = shared
  tx.record(notificationResource, 'notification.created', { before: null, after: { ...recorded, resolved_at: null, created_at: tx.now } })
}

const MOST_TITLE = 300
const MOST_BODY = 2000

function wordsOf(rule: NotificationRule, event: Told) {
  return { title: rule.title(event).slice(0, MOST_TITLE), body: rule.body?.(event).slice(0, MOST_BODY) || null, action_url: rule.action_url?.(event) ?? null }
}

function rowOf(tx: Tx, user_id: string, shared: object, channel: Channels | undefined, mailing: boolean) {
  const mailed_at = mailing && channel?.email === 'now' ? tx.now : null
  return { ...shared, user_id, in_app: channel?.in_app ?? true, in_digest: (channel?.digest ?? false) && mailed_at === null, mailed_at, created_at: tx.now, updated_at: tx.now, version: 1 }
}

function heldOf(user_id: string, notification_id: string, channel: Channels | undefined) {
  const email = channel?.email
  return email !== null && typeof email === 'object' ? [{ user_id, notification_id, due_at: email.held_until }] : []
}

/** For everybody who was told, whatever they have done with it. */
async function settle(tx: BusinessTx, rules: readonly string[], resource_id: string): Promise<void> {
  const matters = await tx.many(store.openMatters, { rules, resource_id })
  if (matters.length === 0) return
  const ids = matters.map(({ id }) => id)
  tx.queue(store.lockFeeds)
  tx.queue(store.lockFeedsOf, { ids })
  tx.queue(store.resolve, { ids })
  for (const before of matters) tx.record(notificationResource, 'notification.resolved', { before, after: { ...before, resolved_at: tx.now } })
}

export async function forgetMember(tx: BusinessTx, user_id: string): Promise<void> {
  await tx.run(store.forget, { user_id })
}

/** One event of somebody's security log; false where none waits. */
export async function tellOfSecurity(tx: Tx, rules: readonly SecurityRule[]): Promise<boolean> {
  const event = await tx.find(store.takeUserEvent, { types: rules.map((rule) => rule.event) })
  if (!event) return false
  const { user_id, detail } = event
  for (const rule of rules.filter((one) => one.event === event.type && (one.when?.(detail) ?? true))) {
    readFor(tx, user_id)
    await tx.get(store.lockFeed, { user_id }, 'Feed')
    const channel = (await planChannels(tx, [user_id], { topic: 'security', severity: rule.severity, business_id: null })).get(user_id)
    const mailing = rule.mail && event.mailable
    const shared = {
      id: newId(), business_id: null, firm_id: null, scope: 'me', scope_id: user_id, topic: 'security', severity: rule.severity,
      title: rule.title, body: rule.body(detail), action_url: '/settings/security', resource_type: null, resource_id: null,
    } as const
    tx.queue(store.insertForPerson, { user_id, user_ids: [user_id], rows: JSON.stringify([rowOf(tx, user_id, { ...shared, rule: rule.rule, event_id: event.id }, channel, mailing)]) })
    if (mailing && channel?.email === 'now') mailNotification(tx, event, { ...shared, business_name: null })
    if (mailing) holdMail(tx, heldOf(user_id, shared.id, channel))
  }
  return true
}

export function forgetUserEvents(tx: Tx): void {
  tx.queue(store.forgetUserEvents)
}
