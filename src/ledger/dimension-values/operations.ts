// What can be done with the values of a dimension. Postings are held against them, so whatever changes them locks the journal first.
import type { PageQuery } from '../../foundation/database/list.ts'
import { changed } from '../../foundation/database/rows.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import { invalid, notFound } from '../../foundation/refusal.ts'
import { readSheet } from '../../foundation/sheets.ts'
import { lockJournal } from '../books/operations.ts'
import { redirectDefaults } from '../dimension-rule-set/operations.ts'
import {
  dimensionValueResource, type DimensionValue, type DimensionValueImport, type DimensionValueImportResult, type DimensionValueInput, type DimensionValueUpdate,
} from './contract.ts'
import {
  liesBelow, nameOf, readImport, requireColumns, requireNoDefault, requireOrder, requireOwn, requireTarget, requireTree, requireUnused, type ImportedRow,
} from './rules.ts'
import * as store from './store.ts'

type ValueEvent = (typeof dimensionValueResource.events)[number]
type ValueChange = { event: ValueEvent; before: DimensionValue; after: DimensionValue }

export async function listValues(tx: BusinessTx, dimension_id: string, query: PageQuery) {
  const asked = { archived: 'false', ...query, dimension_id }
  const [, page] = await Promise.all([requireDimension(tx, dimension_id), tx.page(store.values, asked)])
  return page
}

export function getValue(tx: BusinessTx, dimension_id: string, value_id: string): Promise<DimensionValue> {
  return tx.get(store.findValue, { dimension_id, id: value_id }, 'Dimension value')
}

export async function createValue(tx: BusinessTx, dimension_id: string, input: DimensionValueInput): Promise<DimensionValue> {
  await lockJournal(tx)
  await requireActiveDimension(tx, dimension_id)
  const value = newValue(tx, dimension_id, { ...input, name: input.name.trim() })
  await requireFit(tx, value, null)
  tx.queue(store.insertValue, value)
  tx.record(dimensionValueResource, 'dimension_value.created', { before: null, after: value })
  return value
}

export async function updateValue(tx: BusinessTx, dimension_id: string, value_id: string, input: DimensionValueUpdate): Promise<DimensionValue> {
  await lockJournal(tx)
  const value = await lockValue(tx, dimension_id, value_id)
  if (Object.keys(input).length === 0) return value
  const after = changed(value, { ...input, ...(input.name !== undefined && { name: input.name.trim() }) }, tx.now)
  await requireFit(tx, after, value)
  return save(tx, 'dimension_value.updated', value, after)
}

export async function deleteValue(tx: BusinessTx, dimension_id: string, value_id: string): Promise<DimensionValue> {
  await lockJournal(tx)
  const value = await lockValue(tx, dimension_id, value_id)
  requireUnused(value, await tx.get(store.usesOf, value, 'Dimension value'))
  tx.queue(store.deleteValue, value)
  tx.record(dimensionValueResource, 'dimension_value.deleted', { before: value, after: null })
  return value
}

export async function archiveValue(tx: BusinessTx, dimension_id: string, value_id: string): Promise<DimensionValue> {
  await lockJournal(tx)
  const value = await lockValue(tx, dimension_id, value_id)
  if (value.archived) return value
  const uses = await tx.get(store.usesOf, value, 'Dimension value')
  requireNoDefault(value, uses)
  if (uses.active_children) throw invalid(`Values below ${nameOf(value)} are in use: archive or move them first.`)
  return save(tx, 'dimension_value.archived', value, changed(value, { archived: true }, tx.now))
}

export async function restoreValue(tx: BusinessTx, dimension_id: string, value_id: string): Promise<DimensionValue> {
  await lockJournal(tx)
  const value = await lockValue(tx, dimension_id, value_id)
  if (!value.archived) return value
  if (value.merged_into_id !== null) throw invalid(`${nameOf(value)} is merged into another value and stays archived.`)
  const parent = value.parent_id === null ? null : await tx.find(store.findValue, { dimension_id, id: value.parent_id })
  if (parent?.archived) throw invalid(`${nameOf(parent)}, the parent of ${nameOf(value)}, is archived: restore it first.`)
  return save(tx, 'dimension_value.restored', value, changed(value, { archived: false }, tx.now))
}

/** The value keeps its lines; whoever reads counts them with the other one. What pointed at it points there from now on. */
export async function mergeValue(tx: BusinessTx, dimension_id: string, value_id: string, into_id: string): Promise<DimensionValue> {
  await lockJournal(tx)
  const value = await lockValue(tx, dimension_id, value_id)
  const values = new Map((await tx.many(store.valuesOf, { dimension_id })).map((each) => [each.id, each]))
  const into = values.get(into_id)
  if (!into) throw notFound(`Dimension value ${into_id} of into_id`)
  if (value.merged_into_id === into_id) return value
  requireTarget(value, into)
  if (liesBelow(values, into, value)) throw invalid(`${nameOf(into)} lies below ${nameOf(value)}: move it elsewhere first, or merge the other way round.`)
  const merged = changed(value, { archived: true, merged_into_id: into_id }, tx.now)
  const followers = [...values.values()].flatMap((before): ValueChange[] => {
    if (before.parent_id === value_id) return [{ event: 'dimension_value.updated', before, after: changed(before, { parent_id: into_id }, tx.now) }]
    return before.merged_into_id === value_id ? [{ event: 'dimension_value.merged', before, after: changed(before, { merged_into_id: into_id }, tx.now) }] : []
  })
  const changes: ValueChange[] = [{ event: 'dimension_value.merged', before: value, after: merged }, ...followers]
  for (const { after } of changes) values.set(after.id, after)
  requireTree(values)
  tx.queue(store.updateValues, { rows: JSON.stringify(changes.map(({ after }) => after)) })
  for (const { event, before, after } of changes) tx.record(dimensionValueResource, event, { before, after })
  await redirectDefaults(tx, value_id, into_id)
  return merged
}

export async function importValues(tx: BusinessTx, dimension_id: string, input: DimensionValueImport): Promise<DimensionValueImportResult> {
  await requireDimension(tx, dimension_id)
  const sheet = await readSheet(input)
  requireColumns(sheet)
  await lockJournal(tx)
  await requireActiveDimension(tx, dimension_id)
  const known = await tx.many(store.valuesOf, { dimension_id })
  const read = readImport(sheet, known, (code, before, fields) => {
    if (!before) return newValue(tx, dimension_id, { code, name: '', ...fields })
    return differs(before, fields) ? changed(before, fields, tx.now) : before
  })
  const wrong = read.find(({ after }) => after === null)
  if (wrong && !input.preview) throw invalid(`Row ${wrong.row} of ${input.file_name}: ${wrong.detail}`)
  if (!input.preview) saveImport(tx, read)
  return resultOf(read)
}

/** With the dimension go all its values; none was ever used. */
export async function dropValuesOf(tx: BusinessTx, dimension_id: string): Promise<void> {
  const values = await tx.many(store.deleteValuesOf, { dimension_id })
  for (const value of values) tx.record(dimensionValueResource, 'dimension_value.deleted', { before: value, after: null })
}

function saveImport(tx: BusinessTx, read: readonly ImportedRow[]): void {
  const made = read.flatMap(({ before, after }) => (after && !before ? [after] : []))
  const edited = read.flatMap(({ before, after }) => (after && before && after.version !== before.version ? [{ before, after }] : []))
  if (made.length > 0) tx.queue(store.insertValues, { rows: JSON.stringify(made) })
  if (edited.length > 0) tx.queue(store.updateValues, { rows: JSON.stringify(edited.map(({ after }) => after)) })
  for (const after of made) tx.record(dimensionValueResource, 'dimension_value.created', { before: null, after })
  for (const { before, after } of edited) tx.record(dimensionValueResource, 'dimension_value.updated', { before, after })
}

function resultOf(read: readonly ImportedRow[]): DimensionValueImportResult {
  const rows = read.map(({ row, code, before, after, detail }) => {
    const action = !after ? 'error' as const : !before ? 'create' as const : after.version === before.version ? 'unchanged' as const : 'update' as const
    return { row, action, code, id: before?.id ?? after?.id ?? null, detail }
  })
  const count = (action: string) => rows.filter((row) => row.action === action).length
  return { created: count('create'), updated: count('update'), unchanged: count('unchanged'), failed: count('error'), rows }
}

function newValue(tx: BusinessTx, dimension_id: string, fields: Partial<DimensionValue> & Pick<DimensionValue, 'code' | 'name'>): DimensionValue {
  return {
    id: newId(),
    business_id: tx.business_id,
    dimension_id,
    code: fields.code,
    name: fields.name,
    parent_id: fields.parent_id ?? null,
    valid_from: fields.valid_from ?? null,
    valid_to: fields.valid_to ?? null,
    archived: false,
    merged_into_id: null,
    created_at: tx.now,
    updated_at: tx.now,
    version: 1,
  }
}

/** What a value must keep to beside the others: a code of its own, a sensible validity, a place in the tree. */
async function requireFit(tx: BusinessTx, after: DimensionValue, before: DimensionValue | null): Promise<void> {
  const { dimension_id, code } = after
  const moved = after.parent_id !== (before?.parent_id ?? null)
  if (moved && after.parent_id !== null) await tx.get(store.findValue, { dimension_id, id: after.parent_id }, `Dimension value ${after.parent_id} of parent_id`)
  if (before) requireOwn(before)
  if (code !== before?.code && (await tx.find(store.valueWithCode, { dimension_id, code }))) {
    throw invalid(`The dimension has a value with the code ${code} already: use it, or choose another code.`)
  }
  requireOrder(after)
  if (moved) requireTree(new Map([...(await tx.many(store.valuesOf, { dimension_id })), after].map((value) => [value.id, value])))
}

function lockValue(tx: BusinessTx, dimension_id: string, value_id: string): Promise<DimensionValue> {
  return tx.lock(store.lockValue, { dimension_id, id: value_id }, 'Dimension value')
}

async function requireDimension(tx: BusinessTx, dimension_id: string) {
  return tx.get(store.findDimension, { dimension_id }, 'Dimension')
}

async function requireActiveDimension(tx: BusinessTx, dimension_id: string): Promise<void> {
  const dimension = await requireDimension(tx, dimension_id)
  if (dimension.archived) throw invalid(`The dimension ${dimension.name} is archived: restore it first.`)
}

function differs(value: DimensionValue, fields: Partial<DimensionValue>): boolean {
  return Object.entries(fields).some(([name, given]) => value[name as keyof DimensionValue] !== given)
}

function save(tx: BusinessTx, event: ValueEvent, before: DimensionValue, after: DimensionValue): DimensionValue {
  tx.queue(store.updateValue, after)
  tx.record(dimensionValueResource, event, { before, after })
  return after
}
