// Reading and changing the settings of a business.
import type { Static } from 'typebox'
import { changed } from '../../foundation/database/rows.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { settingsResource, type BusinessSettings, type SettingsChanges } from './contract.ts'
import { merged, requireApprovalRight, requireKnownSections, requireOwnTwoFactor, requireSecurityRight, withDefaults, type StoredSettings } from './rules.ts'
import * as store from './store.ts'

type Settings = Static<typeof BusinessSettings>
type Row = NonNullable<(typeof store.findSettings)['result']>

/** Also for other rooms: what holds in this business. */
export async function getSettings(tx: BusinessTx): Promise<Settings> {
  return shown(await tx.get(store.findSettings, {}, 'Business'))
}

export async function updateSettings(tx: BusinessTx, changes: SettingsChanges): Promise<Settings> {
  requireSecurityRight(changes, tx.actor.permissions)
  requireApprovalRight(changes, tx.actor.permissions)
  requireKnownSections(changes)
  const row = await tx.lock(store.lockSettings, {}, 'Business')
  if (changes.security?.require_two_factor) requireOwnTwoFactor((await tx.get(store.usesTwoFactor, {}, 'User')).two_factor_enabled)
  const settings = merged(stored(row), changes)
  const { default_basis: basis, ...accounting } = settings['accounting'] ?? {}
  const default_basis = (basis ?? 'accrual') as Row['default_basis']
  const before = shown(row)
  const unchanged = JSON.stringify(withDefaults(settings)) === JSON.stringify(withDefaults(stored(row)))
  if (unchanged) return before
  const after = changed(row, { settings: { ...settings, accounting }, default_basis }, tx.now)
  tx.queue(store.updateSettings, after)
  tx.record(settingsResource, 'business_settings.updated', { before, after: shown(after) })
  return shown(after)
}

function shown(row: Row): Settings {
  return { id: row.id, ...withDefaults(stored(row)), updated_at: row.updated_at, version: row.version } as Settings
}

/** The basis is a field of the business; it is a setting by its other name. */
function stored(row: Row): StoredSettings {
  const settings = row.settings as StoredSettings
  return { ...settings, accounting: { ...settings['accounting'], default_basis: row.default_basis } }
}
