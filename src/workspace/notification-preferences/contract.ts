// How a person wants to be told: per topic and channel, with another choice per business, a digest and quiet hours.
import { Type, type Static } from 'typebox'
import { endpoint as anyEndpoint, endpointsOf } from '../../foundation/endpoint.ts'
import { boolean, id, integer, list, nullable, oneOf, optional, partial, shape, text, timestamp } from '../../foundation/shapes.ts'
import { severity, topic } from '../notification-kinds/contract.ts'

export const CHANNELS = ['in_app', 'email', 'digest', 'min_severity'] as const
export type Channel = (typeof CHANNELS)[number]

const values = {
  in_app: boolean({ description: 'In the feed.' }),
  email: boolean({ description: 'By mail, at once.' }),
  digest: boolean({ description: 'In the digest.' }),
  min_severity: { ...severity, description: 'Mailed from this severity on.' } as typeof severity,
}
const business_id = nullable(id({ description: 'Null: in every business that has no choice of its own.' }))
const source = oneOf(['default', 'topic', 'business', 'fixed'], { description: 'business beats topic beats default; fixed cannot be changed.' })

export const NotificationPreference = shape('NotificationPreference', {
  topic,
  business_id,
  ...values,
  sources: shape('NotificationPreferenceSources', { in_app: source, email: source, digest: source, min_severity: source }),
})
export type NotificationPreference = Static<typeof NotificationPreference>

const hour_minute = text(5, 5, { pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$', description: 'HH:MM.' })
const Digest = shape('NotificationDigest', {
  frequency: oneOf(['off', 'daily', 'weekly']),
  hour: integer(0, 23),
  weekday: integer(0, 6, { description: '0 is Monday. For weekly.' }),
})
const QuietHours = shape('NotificationQuietHours', { from: hour_minute, to: hour_minute })
const timezone = text(1, 64, { description: 'An IANA time zone.' })

export const NotificationPreferences = shape('NotificationPreferences', {
  preferences: list(NotificationPreference),
  digest: Digest,
  quiet_hours: nullable(QuietHours),
  timezone: shape('NotificationTimezone', { value: timezone, source: oneOf(['set', 'profile', 'default']) }),
  updated_at: nullable(timestamp()),
  version: integer(0, 2147483647, { description: 'Counts the changes of digest and quiet hours.' }),
})
export type NotificationPreferences = Static<typeof NotificationPreferences>

export const PreferenceInput = shape('NotificationPreferenceInput', {
  topic,
  business_id: optional(business_id),
  ...Object.fromEntries(Object.entries(values).map(([name, schema]) => [name, optional(nullable(schema))])) as {
    [Name in keyof typeof values]: ReturnType<typeof optional<ReturnType<typeof nullable<(typeof values)[Name]>>>>
  },
})
export type PreferenceInput = Static<typeof PreferenceInput>

export const DigestInput = shape('NotificationDigestInput', {
  digest: optional(partial('NotificationDigestUpdate', Digest.properties)),
  quiet_hours: optional(nullable(QuietHours)),
  timezone: optional(nullable(timezone)),
})
export type DigestInput = Static<typeof DigestInput>

const endpoint = endpointsOf('notification-preferences', 'user')
const businessQuery = shape('NotificationPreferencesQuery', { business_id: optional(id({ description: 'One business only.' })) })

export const getPreferences = endpoint({
  id: 'get_notification_preferences', method: 'GET', path: '', summary: 'Get notification preferences', live: true,
  description: 'What counts for every topic, with the source of each value; then what differs in single businesses. With business_id: every topic there.',
  query: businessQuery,
  reply: NotificationPreferences,
})

export const savePreferences = endpoint({
  id: 'save_notification_preferences', method: 'PUT', path: '', summary: 'Save notification preferences',
  description: 'Many at once, all or nothing. An absent value is left alone; null goes back to the next wider choice.',
  body: shape('NotificationPreferencesInput', { preferences: list(PreferenceInput, { minItems: 1, maxItems: 1000 }) }),
  reply: NotificationPreferences,
  refusals: ['Mail about security, and critical mail about billing, stays on.', 'A topic comes twice for the same business.'],
  example: { preferences: [{ topic: 'task', email: false }] },
})

export const resetPreferences = endpoint({
  id: 'reset_notification_preferences', method: 'DELETE', path: '', summary: 'Go back to the defaults',
  description: 'Also digest and quiet hours. With business_id only what was chosen for that business.',
  query: businessQuery,
  reply: NotificationPreferences,
})

export const saveDigest = endpoint({
  id: 'save_notification_digest', method: 'PUT', path: '/digest', summary: 'Set digest and quiet hours',
  body: DigestInput,
  reply: NotificationPreferences,
  refusals: ['The time zone is not known.', 'Quiet hours end when they begin.'],
  example: { digest: { frequency: 'weekly', weekday: 4, hour: 7 }, quiet_hours: { from: '22:00', to: '06:30' } },
})

export const testPreferences = endpoint({
  id: 'test_notification_preferences', method: 'POST', path: '/test', summary: 'Send a sample to oneself', description: 'By mail. One a minute: else 429.',
  reply: shape('NotificationTest', { email: Type.String(), sent: boolean() }),
})

export const unsubscribe = anyEndpoint({
  id: 'unsubscribe_notifications', method: 'POST', path: '/notification-preferences/unsubscribe', summary: 'Stop mail by the token of a mail',
  scope: 'public', permission: null,
  description: 'One click, as in RFC 8058: the address in List-Unsubscribe carries the token; the body is not looked at. Turns off mail of that topic, or the '
    + 'digest; of billing what is critical stays.',
  limit_per_minute: 60,
  query: shape('UnsubscribeQuery', { token: text(1, 1000) }),
  reply: shape('Unsubscribed', { unsubscribed: oneOf(['topic', 'digest']), topic: nullable(topic) }),
  refusals: ['The token is not one of ours.'],
})
