// What counts for one notification: channels by preference, the end of quiet hours, and the moment of the next digest.
import { addDays, isTimezone, toTimestamp, weekday as weekdayOf } from '../../foundation/calendar.ts'
import { invalid } from '../../foundation/refusal.ts'
import { open, seal } from '../../foundation/secrets.ts'
import { TOPICS, type Severity, type Topic } from '../notification-kinds/contract.ts'
import { isAtLeast } from '../notification-kinds/rules.ts'
import type { NotificationPreference, PreferenceInput } from './contract.ts'

export type Chosen = { topic: string; business_id: string | null; in_app: boolean | null; email: boolean | null; digest: boolean | null; min_severity: Severity | null }
export type Settings = { frequency: 'off' | 'daily' | 'weekly'; hour: number; weekday: number; quiet_from: string | null; quiet_to: string | null; timezone: string | null }

export const DEFAULT_SETTINGS: Settings = { frequency: 'daily', hour: 8, weekday: 0, quiet_from: null, quiet_to: null, timezone: null }
const DEFAULTS = { in_app: true, email: true, digest: true, min_severity: 'warning' } as const

/** Business and topic beats topic beats default, value by value. Mail about security goes out whatever its severity. */
export function effective(topic: Topic, business_id: string | null, chosen: readonly Chosen[]): NotificationPreference {
  const of = (business: string | null) => chosen.find((row) => row.topic === topic && row.business_id === business)
  const [in_business, in_general] = [business_id === null ? undefined : of(business_id), of(null)]
  const pick = <Name extends keyof typeof DEFAULTS>(name: Name) => {
    if (topic === 'security' && (name === 'email' || name === 'min_severity')) return { value: name === 'email' ? true : 'info', source: 'fixed' as const }
    if (in_business && in_business[name] !== null) return { value: in_business[name], source: 'business' as const }
    if (in_general && in_general[name] !== null) return { value: in_general[name], source: 'topic' as const }
    return { value: DEFAULTS[name], source: 'default' as const }
  }
  const [in_app, email, digest, min_severity] = [pick('in_app'), pick('email'), pick('digest'), pick('min_severity')]
  return {
    topic, business_id, in_app: in_app.value as boolean, email: email.value as boolean, digest: digest.value as boolean,
    min_severity: min_severity.value as Severity,
    sources: { in_app: in_app.source, email: email.source, digest: digest.source, min_severity: min_severity.source },
  }
}

/** Every topic in general, then what somebody has chosen otherwise for a business; or every topic of one business. */
export function matrix(chosen: readonly Chosen[], business_id: string | null): NotificationPreference[] {
  if (business_id !== null) return TOPICS.map((topic) => effective(topic, business_id, chosen))
  const apart = chosen.filter((row) => row.business_id !== null).map((row) => effective(row.topic as Topic, row.business_id, chosen))
  return [...TOPICS.map((topic) => effective(topic, null, chosen)), ...apart]
}

/** Security always, billing where it is critical, the rest as wanted. */
export function isMailed({ topic, email, min_severity }: Pick<NotificationPreference, 'topic' | 'email' | 'min_severity'>, severity: Severity): boolean {
  if (topic === 'security' || (topic === 'billing' && severity === 'critical')) return true
  return email && isAtLeast(severity, min_severity)
}

export function requireAllowed(inputs: readonly PreferenceInput[]): void {
  const places = new Set<string>()
  for (const { topic, business_id = null, email, min_severity } of inputs) {
    if (topic === 'security' && email === false) throw invalid('Mail about security stays on: leave email of the topic security out.')
    if (topic === 'security' && min_severity && min_severity !== 'info') throw invalid('Mail about security is sent whatever its severity: leave min_severity of it out.')
    if (topic === 'billing' && email === false) throw invalid('Critical mail about billing stays on: set min_severity of the topic billing to critical instead.')
    const place = `${topic} ${business_id}`
    if (places.has(place)) throw invalid(`The topic ${topic} comes twice for the same business: send it once.`)
    places.add(place)
  }
}

export function requireSettings({ quiet_from, quiet_to, timezone }: Settings): void {
  if (timezone !== null && !isTimezone(timezone)) throw invalid(`The time zone ${timezone} is not known: use a name such as Europe/Vienna.`)
  if (quiet_from !== null && quiet_from === quiet_to) throw invalid('Quiet hours end when they begin: choose another end, or null for none.')
}

type Local = { date: string; minute: number }
const formatters = new Map<string, Intl.DateTimeFormat>()

/** Date and minute of the day on a clock of that zone. */
function localOf(moment: number, timezone: string): Local {
  let formatter = formatters.get(timezone)
  if (!formatter) {
    const parts = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
    formatters.set(timezone, (formatter = new Intl.DateTimeFormat('en-u-ca-iso8601-nu-latn', { timeZone: timezone, ...parts })))
  }
  const found: Record<string, string> = {}
  for (const { type, value } of formatter.formatToParts(moment)) found[type] = value
  return { date: `${String(found['year']).padStart(4, '0')}-${found['month']}-${found['day']}`, minute: Number(found['hour']) * 60 + Number(found['minute']) }
}

/** The moment at which that clock shows this; where it is set forward over it, the moment just after. */
export function momentOf(date: string, minute: number, timezone: string): number {
  const wanted = Date.parse(`${date}T00:00:00Z`) + minute * 60_000
  let moment = wanted
  for (let round = 0; round < 3; round++) {
    const local = localOf(moment, timezone)
    moment += wanted - (Date.parse(`${local.date}T00:00:00Z`) + local.minute * 60_000)
  }
  return moment
}

/** When quiet hours that are running now end; null where it is not quiet. They may go over midnight. */
export function quietUntil({ quiet_from, quiet_to }: Settings, timezone: string, now: string): string | null {
  if (quiet_from === null || quiet_to === null) return null
  const [from, to] = [minutesOf(quiet_from), minutesOf(quiet_to)]
  const { date, minute } = localOf(Date.parse(now), timezone)
  const quiet = from < to ? minute >= from && minute < to : minute >= from || minute < to
  if (!quiet) return null
  return toTimestamp(new Date(momentOf(minute < to ? date : addDays(date, 1), to, timezone)))
}

/** The next moment for a digest after now, on a later day than the last one; null where there is none. */
export function nextDigest({ frequency, hour, weekday }: Settings, timezone: string, now: string, last_digest_on: string | null): string | null {
  if (frequency === 'off') return null
  const today = localOf(Date.parse(now), timezone).date
  for (let day = 0; day <= 8; day++) {
    const date = addDays(today, day)
    if (frequency === 'weekly' && weekdayOf(date) !== weekday) continue
    if (last_digest_on !== null && date <= last_digest_on) continue
    const moment = momentOf(date, hour * 60, timezone)
    if (moment > Date.parse(now)) return toTimestamp(new Date(moment))
  }
  return null
}

export function localDate(now: string, timezone: string): string {
  return localOf(Date.parse(now), timezone).date
}

function minutesOf(text: string): number {
  return Number(text.slice(0, 2)) * 60 + Number(text.slice(3))
}

export type Unsubscription = { user_id: string; topic: Topic | null }
const CONTEXT = 'notification-preferences unsubscribe'

/** Sealed, so that nobody can make one or read whose it is. It does not expire: mail is kept for years. A null topic means the digest. */
export function unsubscribeToken(key: Uint8Array, { user_id, topic }: Unsubscription): string {
  return seal(key, JSON.stringify([user_id, topic]), CONTEXT).toString('base64url')
}

export function readUnsubscribeToken(key: Uint8Array, token: string): Unsubscription {
  try {
    const [user_id, topic] = JSON.parse(open(key, Buffer.from(token, 'base64url'), CONTEXT)) as [string, Topic | null]
    return { user_id, topic }
  } catch {
    throw invalid('This link is not valid. Use the one in the mail as it is, or change your preferences.')
  }
}
