// What can be done with preferences, and what they mean for a notification that is about to be told.
import type { Tx, UserTx, PublicTx } from '../../foundation/database/transaction.ts'
import { sendMail } from '../../foundation/jobs/mail.ts'
import { forbidden, notFound, tooMany } from '../../foundation/refusal.ts'
import { openFeed } from '../notification-access/operations.ts'
import type { Severity, Topic } from '../notification-kinds/contract.ts'
import type { DigestInput, NotificationPreferences, PreferenceInput } from './contract.ts'
import * as rules from './rules.ts'
import * as store from './store.ts'

export async function getPreferences(tx: UserTx, business_id: string | null = null): Promise<NotificationPreferences> {
  if (business_id !== null) await requireBusinesses(tx, [business_id])
  const [chosen, [found]] = await Promise.all([tx.many(store.chosen, { user_id: tx.user_id }), tx.many(store.settingsOf, { user_ids: [tx.user_id] })])
  if (!found) throw notFound('User')
  const { frequency, hour, weekday, quiet_from, quiet_to, timezone, profile_timezone, updated_at, version } = found
  return {
    preferences: rules.matrix(chosen, business_id),
    digest: { frequency, hour, weekday },
    quiet_hours: quiet_from !== null && quiet_to !== null ? { from: quiet_from, to: quiet_to } : null,
    timezone: { value: timezone ?? profile_timezone ?? 'UTC', source: timezone !== null ? 'set' : profile_timezone !== null ? 'profile' : 'default' },
    updated_at: version === 0 ? null : updated_at,
    version,
  }
}

export async function savePreferences(tx: UserTx, inputs: readonly PreferenceInput[]): Promise<NotificationPreferences> {
  await requireBusinesses(tx, inputs.flatMap(({ business_id }) => business_id ?? []))
  rules.requireAllowed(inputs)
  // Held, so that two who save at once do not lose each other's values.
  const settings = await lockSettings(tx)
  const before = await tx.many(store.chosen, { user_id: tx.user_id })
  const rows = inputs.map(({ topic, business_id = null, ...values }) => {
    const known = before.find((row) => row.topic === topic && row.business_id === business_id)
    return { in_app: null, email: null, digest: null, min_severity: null, ...known, topic, business_id, ...values }
  })
  tx.queue(store.savePreferences, { user_id: tx.user_id, rows: JSON.stringify(rows) })
  save(tx, settings, {})
  return getPreferences(tx)
}

export async function resetPreferences(tx: UserTx, business_id: string | null = null): Promise<NotificationPreferences> {
  if (business_id !== null) await requireBusinesses(tx, [business_id])
  const settings = await lockSettings(tx)
  tx.queue(store.deletePreferences, { user_id: tx.user_id, business: business_id })
  await saveSettings(tx, settings, business_id === null ? rules.DEFAULT_SETTINGS : {})
  return getPreferences(tx, business_id)
}

export async function saveDigest(tx: UserTx, { digest, quiet_hours, timezone }: DigestInput): Promise<NotificationPreferences> {
  const settings = await lockSettings(tx)
  await saveSettings(tx, settings, {
    ...digest,
    ...(quiet_hours === undefined ? {} : { quiet_from: quiet_hours?.from ?? null, quiet_to: quiet_hours?.to ?? null }),
    ...(timezone === undefined ? {} : { timezone }),
  })
  return getPreferences(tx)
}

const TEST_EVERY_MS = 60_000

export async function testPreferences(tx: UserTx): Promise<{ email: string; sent: boolean }> {
  if (!tx.actor.email_verified) throw forbidden('Verify your e-mail address first: mail goes to addresses that are known to be yours.')
  const settings = await lockSettings(tx)
  const waited = settings.tested_at === null ? TEST_EVERY_MS : Date.parse(tx.now) - Date.parse(settings.tested_at)
  if (waited < TEST_EVERY_MS) throw tooMany('A sample was sent less than a minute ago. Try again in a moment.', Math.ceil((TEST_EVERY_MS - waited) / 1000))
  const email = tx.actor.email ?? ''
  sendMail(tx, { to: email, subject: 'A sample notification', text: 'This is how Daybook will tell you when something needs your attention.\n\nNothing needs to be done.' })
  save(tx, settings, { tested_at: tx.now })
  return { email, sent: true }
}

/** Whoever holds the mail may stop it; nothing else can be done with its token. */
export async function unsubscribe(tx: PublicTx, token: string): Promise<{ unsubscribed: 'topic' | 'digest'; topic: Topic | null }> {
  const { user_id, topic } = rules.readUnsubscribeToken(tx.surroundings.encryption_key, token)
  const settings = await tx.get(store.lockSettings, { user_id }, 'Person')
  if (topic === null) save(tx, settings, { frequency: 'off', digest_at: null })
  else tx.queue(store.stopMail, { user_id, topic })
  return { unsubscribed: topic === null ? 'digest' : 'topic', topic }
}

export type Channels = { in_app: boolean; digest: boolean; email: 'now' | { held_until: string } | null }

/** How these people are told of this, and, where it goes into a digest, the plan for that. */
export async function planChannels(tx: Tx, user_ids: readonly string[], about: { topic: Topic; severity: Severity; business_id: string | null }): Promise<Map<string, Channels>> {
  const { topic, severity, business_id } = about
  const [chosen, settings] = await Promise.all([
    tx.many(store.chosenBy, { user_ids, topic, business: business_id }), tx.many(store.settingsOf, { user_ids }),
  ])
  const digests: { user_id: string; digest_at: string }[] = []
  const channels = settings.map((row): [string, Channels] => {
    const timezone = row.timezone ?? row.profile_timezone ?? 'UTC'
    const wanted = rules.effective(topic, business_id, chosen.filter(({ user_id }) => user_id === row.user_id))
    const quiet = severity === 'critical' ? null : rules.quietUntil(row, timezone, tx.now)
    const digest_at = wanted.digest ? rules.nextDigest(row, timezone, tx.now, row.last_digest_on) : null
    if (digest_at !== null) digests.push({ user_id: row.user_id, digest_at })
    const email = !rules.isMailed(wanted, severity) ? null : quiet === null ? 'now' : { held_until: quiet }
    return [row.user_id, { in_app: wanted.in_app, digest: digest_at !== null, email }]
  })
  if (digests.length > 0) tx.queue(store.planDigests, { rows: JSON.stringify(digests) })
  return new Map(channels)
}

/** Takes one digest that is due: `send` says whether there was anything to tell. One person's is never sent twice in a day of theirs. */
export async function takeDigest(tx: Tx, send: (user_id: string) => Promise<boolean>): Promise<boolean> {
  const settings = await tx.find(store.takeDueDigest)
  if (!settings) return false
  const timezone = await timezoneOf(tx, settings)
  const today = rules.localDate(tx.now, timezone)
  const told_today = settings.last_digest_on !== null && settings.last_digest_on >= today
  const sent = !told_today && settings.frequency !== 'off' && (await send(settings.user_id))
  const last_digest_on = sent ? today : settings.last_digest_on
  const digest_at = told_today ? rules.nextDigest(settings, timezone, tx.now, settings.last_digest_on) : null
  tx.queue(store.saveSettings, { ...settings, last_digest_on, digest_at })
  return true
}

async function timezoneOf(tx: Tx, settings: store.SettingsRow): Promise<string> {
  const [found] = settings.timezone === null ? await tx.many(store.settingsOf, { user_ids: [settings.user_id] }) : []
  return settings.timezone ?? found?.profile_timezone ?? 'UTC'
}

async function lockSettings(tx: UserTx): Promise<store.SettingsRow> {
  const settings = await tx.get(store.lockSettings, { user_id: tx.user_id }, 'Person')
  tx.checkMatch(settings.version)
  return settings
}

/** A digest that is planned goes by the new hour. */
async function saveSettings(tx: UserTx, settings: store.SettingsRow, changes: Partial<rules.Settings>): Promise<void> {
  const after = { ...settings, ...changes }
  rules.requireSettings(after)
  const timezone = await timezoneOf(tx, after)
  save(tx, settings, { ...changes, ...(settings.digest_at === null ? {} : { digest_at: rules.nextDigest(after, timezone, tx.now, settings.last_digest_on) }) })
}

function save(tx: Tx, settings: store.SettingsRow, changes: Partial<store.SettingsRow>): void {
  tx.queue(store.saveSettings, { ...settings, ...changes, updated_at: tx.now, version: settings.version + 1 })
}

async function requireBusinesses(tx: UserTx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const { businesses } = await openFeed(tx)
  if (ids.some((id) => !businesses.includes(id))) throw notFound('Business')
}
