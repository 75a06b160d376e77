// The SQL of preferences.
import { Type, type Static } from 'typebox'
import { columns, command, statement } from '../../foundation/database/statement.ts'
import { date, id, integer, nullable, oneOf, timestamp } from '../../foundation/shapes.ts'
import { severity } from '../notification-kinds/contract.ts'

const flag = nullable(Type.Boolean())
const Chosen = Type.Object({ topic: Type.String(), business_id: nullable(id()), in_app: flag, email: flag, digest: flag, min_severity: nullable(severity) })

/** Those of businesses that the person has left are nobody's concern any more. */
export const chosen = statement(Chosen,
  `select ${columns(Chosen, 't')} from notification_preferences t
   where t.user_id = :user_id and (t.business_id is null or exists (select from memberships m where m.business_id = t.business_id and m.user_id = t.user_id and m.status = 'active'))
   order by t.business_id nulls first, t.topic`)

/** What these people have chosen for a topic, in general and in this business. */
export const chosenBy = statement(Type.Object({ user_id: id(), ...Chosen.properties }),
  `select t.user_id, ${columns(Chosen, 't')} from notification_preferences t
   where t.user_id = any(:user_ids::uuid[]) and t.topic = :topic and (t.business_id is null or t.business_id = :business::uuid)`)

export const savePreferences = command(
  `insert into notification_preferences as p (user_id, topic, business_id, in_app, email, digest, min_severity, updated_at)
   select :user_id, r.topic, r.business_id, r.in_app, r.email, r.digest, r.min_severity, :now from jsonb_populate_recordset(null::notification_preferences, :rows::jsonb) r
   on conflict on constraint notification_preferences_one do update
     set in_app = excluded.in_app, email = excluded.email, digest = excluded.digest, min_severity = excluded.min_severity, updated_at = excluded.updated_at`)

export const deletePreferences = command(
  'delete from notification_preferences where user_id = :user_id and (:business::uuid is null or business_id = :business::uuid)')

/** Mail of a topic off, in general and wherever it was turned on; of billing only what is critical stays. */
export const stopMail = command(
  `with general as (
     insert into notification_preferences as p (user_id, topic, business_id, email, min_severity, updated_at)
     values (:user_id, :topic, null, case when :topic <> 'billing' then false end, case when :topic = 'billing' then 'critical' end, :now)
     on conflict on constraint notification_preferences_one do update
       set email = coalesce(excluded.email, p.email), min_severity = coalesce(excluded.min_severity, p.min_severity), updated_at = excluded.updated_at
   ) update notification_preferences set email = case when :topic <> 'billing' then false else email end,
       min_severity = case when :topic = 'billing' then 'critical' else min_severity end, updated_at = :now
     where user_id = :user_id and topic = :topic and business_id is not null`)

const Settings = Type.Object({
  user_id: id(), frequency: oneOf(['off', 'daily', 'weekly']), hour: integer(), weekday: integer(),
  quiet_from: nullable(Type.String()), quiet_to: nullable(Type.String()),
  timezone: nullable(Type.String()), digest_at: nullable(timestamp()), last_digest_on: nullable(date()),
  tested_at: nullable(timestamp()), updated_at: timestamp(), version: integer(),
})
export type SettingsRow = Static<typeof Settings>

export const findSettings = statement(Settings, `select ${columns(Settings)} from notification_settings where user_id = :user_id`)
export const lockSettings = statement(Settings,
  `insert into notification_settings as s (user_id, frequency, hour, weekday, updated_at, version) values (:user_id, 'daily', 8, 0, :now, 0)
   on conflict (user_id) do update set version = s.version returning ${columns(Settings)}`)
export const saveSettings = command(
  `update notification_settings set frequency = :frequency, hour = :hour, weekday = :weekday, quiet_from = :quiet_from, quiet_to = :quiet_to, timezone = :timezone,
     digest_at = :digest_at, last_digest_on = :last_digest_on, tested_at = :tested_at, updated_at = :updated_at, version = :version where user_id = :user_id`)

export const settingsOf = statement(
  Type.Object({ ...Settings.properties, profile_timezone: nullable(Type.String()) }),
  `select ${Object.keys(Settings.properties).filter((name) => !['user_id', 'frequency', 'hour', 'weekday', 'updated_at', 'version', 'timezone'].includes(name)).map((name) => `s.${name}`).join(', ')},
     u.id as user_id, coalesce(s.frequency, 'daily') as frequency, coalesce(s.hour, 8) as hour, coalesce(s.weekday, 0) as weekday, s.timezone,
     coalesce(s.updated_at, u.created_at) as updated_at, coalesce(s.version, 0) as version, u.timezone as profile_timezone
   from users u left join notification_settings s on s.user_id = u.id where u.id = any(:user_ids::uuid[])`)

/** A digest that is planned already stays where it is. */
export const planDigests = command(
  `insert into notification_settings as s (user_id, frequency, hour, weekday, digest_at, updated_at, version)
   select r.user_id, 'daily', 8, 0, r.digest_at, :now, 0 from jsonb_populate_recordset(null::notification_settings, :rows::jsonb) r order by r.user_id
   on conflict (user_id) do update set digest_at = coalesce(s.digest_at, excluded.digest_at)`)

/** One person whose digest is due, held by one worker. */
export const takeDueDigest = statement(Settings,
  `select ${columns(Settings)} from notification_settings where digest_at <= :now::timestamptz order by digest_at, user_id limit 1 for update skip locked`)
