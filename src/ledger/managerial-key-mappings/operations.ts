// What can be done with managerial keys and the values that ledgers have of them.
import type { Download } from '../../foundation/endpoint.ts'
import { changed } from '../../foundation/database/rows.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import { downloadOf } from '../../foundation/sheets.ts'
import type { Books } from '../books/contract.ts'
import { readBooks } from '../books/operations.ts'
import {
  keyTypeResource, mappingResource, type AllowedValue, type KeyType, type KeyTypeInput, type KeyTypeRow, type KeyTypeUpdate, type MappingFilters,
  type MappingInput, type MappingTable,
} from './contract.ts'
import {
  allowedValuesOf, arranged, requireDeletable, requireMappings, requireReplaced, requireRoom, requireSound, resolved, sheetOf, SYSTEM_KEY_TYPES,
  tableOf, type OwnValue,
} from './rules.ts'
import * as store from './store.ts'

export async function getMappings(tx: BusinessTx, filters: MappingFilters): Promise<MappingTable> {
  const [{ books }, key_types, own] = await Promise.all([readBooks(tx), tx.many(store.keyTypes), tx.many(store.mappings)])
  return { key_types, ...tableOf(key_types, books.ledgers, own, filters) }
}

export async function exportMappings(tx: BusinessTx, filters: MappingFilters): Promise<Download> {
  const { key_types, rows } = await getMappings(tx, filters)
  return downloadOf(sheetOf(key_types, rows), 'csv', 'managerial-key-mappings')
}

export async function saveMappings(tx: BusinessTx, mappings: readonly MappingInput[]): Promise<MappingTable> {
  await oneAtATime(tx)
  const [{ books }, key_types, own] = await Promise.all([readBooks(tx), tx.many(store.keyTypes), tx.many(store.mappings)])
  const byKey = new Map(key_types.map((key_type) => [key_type.key, key_type]))
  requireMappings(mappings, byKey, books.ledgers)
  const wanted = mappings.map(({ ledger_id, key, value }) => ({ ledger_id, key_type_id: byKey.get(key)?.id ?? '', value }))
  const before = new Map(own.map((each) => [placeOf(each), each]))
  const edited = wanted.filter((each) => (before.get(placeOf(each))?.value ?? null) !== each.value)
  const after = new Map(before)
  for (const { value, ...place } of edited) {
    if (value === null) after.delete(placeOf(place))
    else after.set(placeOf(place), { ...place, value })
  }
  write(tx, edited)
  recordMappings(tx, books, key_types, new Set(edited.map(({ ledger_id }) => ledger_id)), own, [...after.values()])
  const byType = Map.groupBy(after.values(), ({ key_type_id }) => key_type_id)
  const counted = key_types.map((key_type) => ({ ...key_type, mapped_count: byType.get(key_type.id)?.length ?? 0 }))
  return { key_types: counted, ...tableOf(counted, books.ledgers, [...after.values()], {}) }
}

/** For reports: each ledger with the value that counts for it. */
export async function valuesByLedger(tx: BusinessTx, key: string): Promise<Map<string, string | null>> {
  const key_type = await getKeyType(tx, key)
  const [{ books }, own] = await Promise.all([readBooks(tx), tx.many(store.mappingsOf, { key_type_id: key_type.id })])
  const counting = resolved(books.ledgers, new Map(own.map(({ ledger_id, value }) => [ledger_id, value])))
  return new Map([...counting].map(([ledger_id, { value }]) => [ledger_id, value]))
}

/** For reports: the values of a key in their order; of free text those that are in use, by the alphabet. */
export async function valuesOfKey(tx: BusinessTx, key: string): Promise<AllowedValue[]> {
  const { id, value_kind, allowed_values } = await getKeyType(tx, key)
  if (value_kind === 'list') return allowed_values
  const in_use = new Set((await tx.many(store.mappingsOf, { key_type_id: id })).map(({ value }) => value))
  return [...in_use].toSorted().map((value, index) => ({ value, label: value, position: index + 1 }))
}

export function listKeyTypes(tx: BusinessTx): Promise<KeyType[]> {
  return tx.many(store.keyTypes)
}

export async function createKeyType(tx: BusinessTx, input: KeyTypeInput): Promise<KeyType> {
  await oneAtATime(tx)
  const others = await tx.many(store.keyTypes)
  requireRoom(others, input.key)
  const key_type = newKeyType(tx, {
    key: input.key,
    name: input.name.trim(),
    description: input.description ?? null,
    value_kind: input.value_kind ?? 'list',
    allowed_values: arranged(input.allowed_values ?? []),
    required: input.required ?? false,
    system: false,
    position: (others.at(-1)?.position ?? 0) + 1,
  })
  requireSound(key_type)
  tx.queue(store.insertKeyType, { ...key_type, allowed_values: JSON.stringify(key_type.allowed_values) })
  tx.record(keyTypeResource, 'managerial_key_type.changed', { before: null, after: key_type })
  return { ...key_type, mapped_count: 0 }
}

export async function updateKeyType(tx: BusinessTx, key: string, input: KeyTypeUpdate): Promise<KeyType> {
  await oneAtATime(tx)
  const { mapped_count, ...before } = await lockKeyType(tx, key)
  const { replace_with, allowed_values, name, ...rest } = input
  if (Object.keys(input).length === 0) return { ...before, mapped_count }
  // Without a list of its own, what becomes free text has none any more.
  const values = allowed_values ? arranged(allowed_values) : rest.value_kind === 'text' ? [] : before.allowed_values
  const changes = { ...rest, allowed_values: values, ...(name !== undefined && { name: name.trim() }) }
  const after = changed(before, changes as Partial<KeyTypeRow>, tx.now)
  requireSound(after)
  await replaceValues(tx, after, replace_with)
  tx.queue(store.updateKeyType, { ...after, allowed_values: JSON.stringify(after.allowed_values) })
  tx.record(keyTypeResource, 'managerial_key_type.changed', { before, after })
  return { ...after, mapped_count }
}

export async function deleteKeyType(tx: BusinessTx, key: string, { force }: { force?: boolean }): Promise<KeyType> {
  await oneAtATime(tx)
  const key_type = await lockKeyType(tx, key)
  requireDeletable(key_type, force ?? false)
  const { mapped_count: _count, ...before } = key_type
  if (key_type.mapped_count > 0) {
    const [{ books }, own] = await Promise.all([readBooks(tx), tx.many(store.mappingsOf, { key_type_id: key_type.id })])
    recordMappings(tx, books, [key_type], new Set(own.map(({ ledger_id }) => ledger_id)), own, [])
  }
  tx.queue(store.deleteKeyType, key_type)
  tx.record(keyTypeResource, 'managerial_key_type.changed', { before, after: null })
  return key_type
}

/** What every new business starts with. */
export async function foundKeyTypes(tx: BusinessTx): Promise<void> {
  const rows = SYSTEM_KEY_TYPES.map(({ key, name, description, values }, index) => newKeyType(tx, {
    key, name, description, value_kind: 'list', allowed_values: allowedValuesOf(values), required: false, system: true, position: index + 1,
  }))
  tx.queue(store.insertKeyTypes, { rows: JSON.stringify(rows) })
}

function newKeyType(tx: BusinessTx, fields: Omit<KeyTypeRow, 'id' | 'business_id' | 'created_at' | 'updated_at' | 'version'>): KeyTypeRow {
  return { id: newId(), business_id: tx.business_id, ...fields, created_at: tx.now, updated_at: tx.now, version: 1 }
}

/** Values that are not allowed any more give way to the one that takes their place. */
async function replaceValues(tx: BusinessTx, key_type: KeyTypeRow, replace_with: string | undefined): Promise<void> {
  const own = await tx.many(store.mappingsOf, { key_type_id: key_type.id })
  const removed = requireReplaced(key_type, [...new Set(own.map(({ value }) => value))], replace_with)
  if (removed.length === 0 || replace_with === undefined) return
  tx.queue(store.replaceValues, { key_type_id: key_type.id, values: removed, replace_with })
  const after = own.map((each) => (removed.includes(each.value) ? { ...each, value: replace_with } : each))
  const touched = new Set(own.filter(({ value }) => removed.includes(value)).map(({ ledger_id }) => ledger_id))
  const { books } = await readBooks(tx)
  recordMappings(tx, books, [key_type], touched, own, after)
}

function write(tx: BusinessTx, edited: readonly { ledger_id: string; key_type_id: string; value: string | null }[]): void {
  const [set, unset] = [edited.filter(({ value }) => value !== null), edited.filter(({ value }) => value === null)]
  const places = (rows: typeof edited) => ({ ledger_ids: rows.map(({ ledger_id }) => ledger_id), key_type_ids: rows.map(({ key_type_id }) => key_type_id) })
  if (set.length > 0) tx.queue(store.saveMappings, { ...places(set), values: set.map(({ value }) => value) })
  if (unset.length > 0) tx.queue(store.deleteMappings, places(unset))
}

/** One event per ledger, with its own values of these keys before and after. */
function recordMappings(
  tx: BusinessTx, books: Books, key_types: readonly { id: string; key: string }[], ledger_ids: ReadonlySet<string>, before: readonly OwnValue[],
  after: readonly OwnValue[],
): void {
  const keyOf = new Map(key_types.map(({ id, key }) => [id, key]))
  const [was, is] = [before, after].map((own) => Map.groupBy(own.filter(({ key_type_id }) => keyOf.has(key_type_id)), ({ ledger_id }) => ledger_id))
  for (const id of ledger_ids) {
    const name = books.ledgers.get(id)?.name ?? ''
    const valuesIn = (own: OwnValue[] = []) => Object.fromEntries(own.map(({ key_type_id, value }) => [keyOf.get(key_type_id) ?? '', value]))
    const recorded = (own: OwnValue[] | undefined) => ({ id, name, values: valuesIn(own) })
    tx.record(mappingResource, 'managerial_mapping.changed', { before: recorded(was?.get(id)), after: recorded(is?.get(id)) })
  }
}

/** A business has few of these changes, and each may touch many keys and ledgers: they wait for each other. */
function oneAtATime(tx: BusinessTx): Promise<void> {
  return tx.exclusive(`managerial keys of ${tx.business_id}`)
}

function getKeyType(tx: BusinessTx, key: string): Promise<KeyType> {
  return tx.get(store.findKeyType, { key }, `Key ${key}`)
}

function lockKeyType(tx: BusinessTx, key: string): Promise<KeyType> {
  return tx.lock(store.findKeyType, { key }, `Key ${key}`)
}

function placeOf({ ledger_id, key_type_id }: { ledger_id: string; key_type_id: string }): string {
  return `${ledger_id} ${key_type_id}`
}
