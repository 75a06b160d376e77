// How settings are put together from defaults and what was set, and who may set what.
import { forbidden, invalid, unprocessable } from '../../foundation/refusal.ts'
import { mapValues, sections, type SettingsChanges } from './contract.ts'

/** Section by section, only the keys that somebody has set. */
export type StoredSettings = Record<string, Record<string, unknown>>

/** Every section with every key. */
export function withDefaults(stored: StoredSettings): StoredSettings {
  return mapValues(sections, (keys, section) => mapValues(keys, (schema, key) => stored[section]?.[key] ?? (schema as { default?: unknown }).default))
}

/** Known keys only; a key set to null goes back to its default. */
export function merged(stored: StoredSettings, changes: SettingsChanges): StoredSettings {
  const result: StoredSettings = { ...stored }
  for (const [section, given] of Object.entries(changes)) {
    const keys = sections[section] ?? {}
    const known = Object.entries(given ?? {}).filter(([key]) => Object.hasOwn(keys, key))
    const after = Object.entries({ ...stored[section], ...Object.fromEntries(known) })
    result[section] = Object.fromEntries(after.filter(([, value]) => value !== null))
  }
  return result
}

export function requireKnownSections(changes: object): void {
  const unknown = Object.keys(changes).filter((name) => !Object.hasOwn(sections, name))
  if (unknown.length === 0) return
  const allowed = Object.keys(sections)
  throw unprocessable(unknown.map((name) => ({ loc: ['body', name], msg: `Must be one of: ${allowed.join(', ')}.`, type: 'value_error', ctx: { allowed } })))
}

export function requireSecurityRight(changes: SettingsChanges, permissions: ReadonlySet<string>): void {
  if (changes.security && !permissions.has('members:manage')) throw forbidden('The section security needs the permission members:manage.')
}

/** Whoever writes entries must not be the one who says that nobody needs to look at them. */
export function requireApprovalRight({ accounting }: SettingsChanges, permissions: ReadonlySet<string>): void {
  const asked = accounting?.approval_required !== undefined || accounting?.approval_threshold !== undefined
  if (asked && !permissions.has('members:manage')) throw forbidden('approval_required and approval_threshold need the permission members:manage.')
}

/** Whoever makes it a duty must fulfil it, or they would lock themselves out. */
export function requireOwnTwoFactor(two_factor_enabled: boolean): void {
  if (!two_factor_enabled) throw invalid('Turn on two-factor sign-in for yourself first, then require it of everybody.')
}
