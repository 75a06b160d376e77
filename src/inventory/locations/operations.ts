// What can be done with locations.
import type { Founder } from '../../access/businesses/operations.ts'
import type { Page, PageQuery } from '../../foundation/database/list.ts'
import { changed } from '../../foundation/database/rows.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import type { Download } from '../../foundation/endpoint.ts'
import { newId } from '../../foundation/ids.ts'
import { invalid } from '../../foundation/refusal.ts'
import { downloadOf } from '../../foundation/sheets.ts'
import { lockJournal } from '../../ledger/books/operations.ts'
import { foundStock } from '../stock-pools/operations.ts'
import { locationResource, type Location, type LocationInput, type LocationRow, type LocationUpdate } from './contract.ts'
import { requireArchivable, requireDeletable, requireEmptyForLedger, requireLedger } from './rules.ts'
import * as store from './store.ts'

/** For other rooms: locations as they are stored. */
export async function locationsByIds(tx: BusinessTx, ids: readonly string[]): Promise<Map<string, LocationRow>> {
  if (ids.length === 0) return new Map()
  return new Map((await tx.many(store.byIds, { ids: [...new Set(ids)] })).map((location) => [location.id, location]))
}

/** Where lines that name no location are at home. */
export function findDefaultLocation(tx: BusinessTx): Promise<LocationRow | null> {
  return tx.find(store.findDefault)
}

/** A new business keeps its stock in one place. */
export const foundLocations: Founder = async (tx) => {
  foundStock(tx)
  insert(tx, { ...newLocation(tx, { name: 'Main', code: 'MAIN' }), is_default: true })
}

export async function listLocations(tx: BusinessTx, query: PageQuery): Promise<Page<Location>> {
  const page = await tx.page(store.locations, query)
  const values = new Map((await tx.many(store.values, { ids: page.items.map(({ id }) => id) })).map(({ location_id, value }) => [location_id, value]))
  return { ...page, items: page.items.map((location) => ({ ...location, value: values.get(location.id) ?? 0 })) }
}

export async function getLocation(tx: BusinessTx, id: string): Promise<Location> {
  return shown(tx, await tx.get(store.findLocation, { id }, 'Location'))
}

export async function createLocation(tx: BusinessTx, input: LocationInput): Promise<Location> {
  const location = newLocation(tx, input)
  await requireLedgers(tx, location)
  insert(tx, location)
  return { ...location, value: 0 }
}

export async function updateLocation(tx: BusinessTx, id: string, input: LocationUpdate): Promise<Location> {
  const location = await tx.lock(store.lockLocation, { id }, 'Location')
  const after = changed(location, input as Partial<LocationRow>, tx.now)
  if (after.inventory_ledger_id !== location.inventory_ledger_id) {
    await requireLedgers(tx, after)
    requireEmptyForLedger(location, (await tx.get(store.useOfLocation, { id }, 'Location')).filled)
  }
  return shown(tx, save(tx, location, after))
}

export async function deleteLocation(tx: BusinessTx, id: string): Promise<Location> {
  const location = await tx.lock(store.lockLocation, { id }, 'Location')
  requireDeletable(location, await tx.get(store.useOfLocation, { id }, 'Location'))
  tx.queue(store.dropEmptyPools, { id })
  tx.queue(store.deleteLocation, location)
  tx.record(locationResource, 'location.deleted', { before: location, after: null })
  return { ...location, value: 0 }
}

/** The old default is locked first, so that of two who choose at once the second takes the flag from the first. */
export async function setDefaultLocation(tx: BusinessTx, id: string): Promise<Location> {
  await tx.exclusive('default location')
  const before = await tx.find(store.lockDefault)
  const location = before?.id === id ? await tx.lock(store.findLocation, { id }, 'Location') : await tx.lock(store.lockLocation, { id }, 'Location')
  if (location.is_default) return shown(tx, location)
  if (location.status === 'archived') throw invalid(`${location.name} is archived: take it out of the archive first.`)
  if (before) save(tx, before, changed(before, { is_default: false }, tx.now))
  return shown(tx, save(tx, location, changed(location, { is_default: true }, tx.now)))
}

export async function archiveLocation(tx: BusinessTx, id: string): Promise<Location> {
  const location = await tx.lock(store.lockLocation, { id }, 'Location')
  if (location.status === 'archived') return shown(tx, location)
  requireArchivable(location, await tx.get(store.useOfLocation, { id }, 'Location'))
  return shown(tx, save(tx, location, changed(location, { status: 'archived' }, tx.now), 'location.archived'))
}

export async function unarchiveLocation(tx: BusinessTx, id: string): Promise<Location> {
  const location = await tx.lock(store.lockLocation, { id }, 'Location')
  if (location.status === 'active') return shown(tx, location)
  return shown(tx, save(tx, location, changed(location, { status: 'active' }, tx.now), 'location.unarchived'))
}

export async function exportLocations(tx: BusinessTx, filters: object): Promise<Download> {
  const { items } = await listLocations(tx, { ...filters, sort_by: 'name', descending: false, limit: MOST_EXPORTED })
  const columns = (['name', 'code', 'type', 'is_default', 'sells', 'receives', 'status'] as const).map((key) => ({ key, label: key, kind: 'text' as const }))
  const rows = items.map((item) => ({ ...Object.fromEntries(columns.map(({ key }) => [key, String(item[key])])), value: item.value }))
  return downloadOf({ title: 'Locations', columns: [...columns, { key: 'value', label: 'value', kind: 'money' }], rows }, 'csv', 'locations')
}

/** All of them. */
const MOST_EXPORTED = 1_000_000

function newLocation(tx: BusinessTx, input: LocationInput): LocationRow {
  return {
    id: newId(),
    business_id: tx.business_id,
    name: input.name,
    code: input.code,
    type: input.type ?? 'warehouse',
    address: input.address ?? null,
    is_default: false,
    negative_stock: input.negative_stock ?? null,
    inventory_ledger_id: input.inventory_ledger_id ?? null,
    sells: input.sells ?? true,
    receives: input.receives ?? true,
    status: 'active',
    created_at: tx.now,
    updated_at: tx.now,
    version: 1,
  }
}

function insert(tx: BusinessTx, location: LocationRow): void {
  tx.queue(store.insertLocation, location)
  tx.record(locationResource, 'location.created', { before: null, after: location })
}

function save(
  tx: BusinessTx, before: LocationRow, after: LocationRow, event: 'location.updated' | 'location.archived' | 'location.unarchived' = 'location.updated',
): LocationRow {
  tx.queue(store.updateLocation, after)
  tx.record(locationResource, event, { before, after })
  return after
}

async function requireLedgers(tx: BusinessTx, { inventory_ledger_id }: LocationRow): Promise<void> {
  if (inventory_ledger_id) requireLedger((await lockJournal(tx)).books, inventory_ledger_id, 'asset', 'inventory_ledger_id')
}

async function shown(tx: BusinessTx, location: LocationRow): Promise<Location> {
  const row = await tx.find(store.values, { ids: [location.id] })
  return { ...location, value: row?.value ?? 0 }
}
