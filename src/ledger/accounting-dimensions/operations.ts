// What can be done with dimensions. Postings are held against them, so whatever changes them locks the journal first.
import type { PageQuery } from '../../foundation/database/list.ts'
import { changed } from '../../foundation/database/rows.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import { lockJournal } from '../books/operations.ts'
import { dropRulesOf } from '../dimension-rule-set/operations.ts'
import { dropValuesOf } from '../dimension-values/operations.ts'
import { dimensionResource, type Dimension, type DimensionInput, type DimensionUpdate } from './contract.ts'
import { reordered, requireNewKey, requireRoom, requireUnused } from './rules.ts'
import * as store from './store.ts'

export function listDimensions(tx: BusinessTx, query: PageQuery) {
  const asked = { archived: 'false', ...query }
  return tx.page(store.dimensions, asked)
}

export function getDimension(tx: BusinessTx, dimension_id: string): Promise<Dimension> {
  return tx.get(store.findDimension, { id: dimension_id }, 'Dimension')
}

export async function createDimension(tx: BusinessTx, input: DimensionInput): Promise<Dimension> {
  await lockJournal(tx)
  const others = await tx.many(store.allDimensions)
  requireNewKey(others, input.key)
  requireRoom(others)
  const dimension: Dimension = {
    id: newId(),
    business_id: tx.business_id,
    key: input.key,
    name: input.name.trim(),
    description: input.description ?? null,
    position: (others.at(-1)?.position ?? 0) + 1,
    archived: false,
    created_at: tx.now,
    updated_at: tx.now,
    version: 1,
  }
  const placed = input.position === undefined ? dimension : place(tx, dimension, others, input.position)
  tx.queue(store.insertDimension, placed)
  tx.record(dimensionResource, 'dimension.created', { before: null, after: placed })
  return placed
}

export async function updateDimension(tx: BusinessTx, dimension_id: string, input: DimensionUpdate): Promise<Dimension> {
  await lockJournal(tx)
  const dimension = await tx.lock(store.lockDimension, { id: dimension_id }, 'Dimension')
  if (Object.keys(input).length === 0) return dimension
  const { position, name, ...rest } = input
  const moved = position === undefined ? dimension : place(tx, dimension, await tx.many(store.allDimensions), position)
  return save(tx, 'dimension.updated', dimension, { ...rest, position: moved.position, ...(name !== undefined && { name: name.trim() }) })
}

export async function deleteDimension(tx: BusinessTx, dimension_id: string): Promise<Dimension> {
  await lockJournal(tx)
  const dimension = await tx.lock(store.lockDimension, { id: dimension_id }, 'Dimension')
  const { used } = await tx.get(store.isUsed, dimension, 'Dimension')
  requireUnused(dimension, used)
  // Rules name values, and values the dimension: the last made goes first.
  await dropRulesOf(tx, dimension_id)
  await dropValuesOf(tx, dimension_id)
  tx.queue(store.deleteDimension, dimension)
  tx.record(dimensionResource, 'dimension.deleted', { before: dimension, after: null })
  return dimension
}

export async function archiveDimension(tx: BusinessTx, dimension_id: string): Promise<Dimension> {
  await lockJournal(tx)
  const dimension = await tx.lock(store.lockDimension, { id: dimension_id }, 'Dimension')
  return dimension.archived ? dimension : save(tx, 'dimension.archived', dimension, { archived: true })
}

export async function restoreDimension(tx: BusinessTx, dimension_id: string): Promise<Dimension> {
  await lockJournal(tx)
  const dimension = await tx.lock(store.lockDimension, { id: dimension_id }, 'Dimension')
  if (!dimension.archived) return dimension
  requireRoom(await tx.many(store.allDimensions))
  return save(tx, 'dimension.restored', dimension, { archived: false })
}

/** The dimension with its new place; those that make room are moved and recorded. */
function place(tx: BusinessTx, dimension: Dimension, all: readonly Dimension[], position: number): Dimension {
  const places = reordered([...all.filter(({ id }) => id !== dimension.id), dimension], dimension.id, position)
  const displaced = all.filter(({ id, position: before }) => id !== dimension.id && places.get(id) !== before)
  if (displaced.length > 0) tx.queue(store.setPositions, { ids: displaced.map(({ id }) => id), positions: displaced.map(({ id }) => places.get(id) ?? 1) })
  for (const other of displaced) {
    const after = changed(other, { position: places.get(other.id) ?? 1 }, tx.now)
    tx.record(dimensionResource, 'dimension.updated', { before: other, after })
  }
  return { ...dimension, position: places.get(dimension.id) ?? 1 }
}

function save(tx: BusinessTx, event: (typeof dimensionResource.events)[number], dimension: Dimension, changes: Partial<Dimension>): Dimension {
  const after = changed(dimension, changes, tx.now)
  tx.queue(store.updateDimension, after)
  tx.record(dimensionResource, event, { before: dimension, after })
  return after
}
