// What can be done with imports before they run: begun from a file, mapped, looked at and thrown away.
import type { PageQuery } from '../../foundation/database/list.ts'
import { changed } from '../../foundation/database/rows.ts'
import type { Surroundings } from '../../foundation/database/context.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import { forbidden, invalid, notFound } from '../../foundation/refusal.ts'
import { readRows } from '../../foundation/sheet-reading.ts'
import { readWhole } from '../../foundation/storage/storage.ts'
import { documentsByIds } from '../../workspace/documents/operations.ts'
import { columnNames, tidyText } from '../import-cells/rules.ts'
import { writing, type ImportKindName } from '../import-kinds/contract.ts'
import { keyColumn, KINDS, requireMapping, shown, suggestedMapping } from '../import-kinds/rules.ts'
import { ambiguousDate, dropRows, joinUnits, keepRows, type ReadRow } from '../import-rows/operations.ts'
import { importResource, MOST_IMPORT_ROWS, type Import, type ImportColumn, type ImportInput, type MappingInput } from './contract.ts'
import { defaultOptions, LONGEST_EXAMPLE, positionsOf, requireOptions, requireStatus } from './rules.ts'
import * as store from './store.ts'

type ImportEvent = (typeof importResource.events)[number]

export function listImports(tx: BusinessTx, query: PageQuery) {
  return tx.page(store.imports, query)
}

export function getImport(tx: BusinessTx, import_id: string): Promise<Import> {
  return tx.get(store.findImport, { id: import_id }, 'Import')
}

/** For this request to change it; only for those who may change records of its kind. */
export async function lockImport(tx: BusinessTx, import_id: string): Promise<Import> {
  const found = await tx.lock(store.lockImport, { id: import_id }, 'Import')
  requireWriter(tx, found.kind)
  return found
}

/** Besides imports:write: the permission of the group whose records come in. */
export function requireWriter(tx: BusinessTx, kind: ImportKindName): void {
  const permission = writing(KINDS[kind])
  if (!tx.actor.permissions.has(permission)) throw forbidden(`This needs the permission ${permission}.`)
}

export type FilePlan = { business_id: string; name: string; sha256: string }

/** The file to read; refused where it was brought in before, as that is known without reading it. */
export async function planImport(tx: BusinessTx, { kind, document_id, confirm_duplicate = false }: ImportInput): Promise<FilePlan> {
  requireWriter(tx, kind)
  const document = tx.actor.permissions.has('documents:read') ? (await documentsByIds(tx, [document_id])).get(document_id) : undefined
  if (!document) throw notFound(`Document ${document_id}`)
  if (!confirm_duplicate) await requireFirst(tx, { id: newId(), kind, sha256: document.sha256, file_name: document.name })
  return { business_id: tx.business_id, name: document.name, sha256: document.sha256 }
}

export type ReadFile = { columns: ImportColumn[]; rows: ReadRow[] }

/** The whole file as rows of text, each with as many cells as there are columns; what stands beyond is kept, so that the row can be refused for it. */
export async function readFile({ storage }: Pick<Surroundings, 'storage'>, { business_id, name, sha256 }: FilePlan): Promise<ReadFile> {
  const content = await readWhole(storage, { business_id, sha256 })
  let names: string[] | null = null
  let row_number = 0
  const rows: ReadRow[] = []
  for await (const some of readRows(name, content)) {
    for (const values of some) {
      row_number += 1
      const cells = values.map((value) => tidyText(value).trim())
      if (names === null) names = columnNames(trimmed(cells))
      else if (cells.some((cell) => cell !== '')) rows.push({ row_number, cells: filledUp(trimmed(cells), names.length) })
      if (rows.length > MOST_IMPORT_ROWS) throw invalid(`${name} has more than ${MOST_IMPORT_ROWS} rows: split it into several files.`)
    }
  }
  if (names === null || names.length === 0) throw invalid(`Row 1 of ${name} is empty; it must name the columns.`)
  if (names.length > 200) throw invalid(`Row 1 of ${name} has more than 200 columns; leave out those that are not needed.`)
  if (rows.length === 0) throw invalid(`${name} has no rows below row 1, which names the columns.`)
  return { columns: names.map((column, position) => ({ name: column, example: exampleIn(rows, position) })), rows }
}

/** Spreadsheets leave empty cells at the end of rows. */
function trimmed(cells: readonly string[]): string[] {
  return cells.slice(0, cells.findLastIndex((cell) => cell !== '') + 1)
}

/** With at least so many cells. */
function filledUp(cells: readonly string[], width: number): string[] {
  return [...cells, ...Array<string>(Math.max(0, width - cells.length)).fill('')]
}

function exampleIn(rows: readonly ReadRow[], position: number): string | null {
  return rows.find(({ cells }) => cells[position])?.cells[position]?.slice(0, LONGEST_EXAMPLE).toWellFormed() ?? null
}

export async function createImport(tx: BusinessTx, input: ImportInput, plan: FilePlan, file: ReadFile): Promise<Import> {
  const kind = KINDS[input.kind]
  const suggested_mapping = suggestedMapping(kind, file.columns.map(({ name }) => name))
  const after: Import = {
    id: newId(), business_id: tx.business_id, kind: input.kind, document_id: input.document_id, file_name: plan.name, sha256: plan.sha256, status: 'uploaded',
    columns: file.columns, suggested_mapping, mapping: {}, options: { ...defaultOptions(file.rows.length), ...given(input.options) },
    counts: { rows: file.rows.length, valid: 0, invalid: 0, created: 0, updated: 0, skipped: 0 },
    confirm_duplicate: input.confirm_duplicate ?? false, error: null, job_id: null,
    created_by: tx.actor.user_id, started_at: null, finished_at: null, rolled_back_at: null, created_at: tx.now, updated_at: tx.now, version: 1,
  }
  requireOptions(kind, after.options, file.rows.length)
  if (!after.confirm_duplicate) await requireFirst(tx, after)
  await tx.waitAsLongAsItTakes()
  tx.queue(store.insertImport, stored(after))
  await keepRows(tx, after.id, file.rows)
  tx.record(importResource, 'import.created', { before: null, after })
  return after
}

/** Refuses a file that was brought in before as the same kind and is still there. */
export async function requireFirst(tx: BusinessTx, { id, kind, sha256, file_name }: Pick<Import, 'id' | 'kind' | 'sha256' | 'file_name'>): Promise<void> {
  const twin = await tx.find(store.twin, { id, kind, sha256 })
  if (!twin) return
  const name = twin.file_name === file_name ? file_name : `${file_name}, as ${twin.file_name},`
  throw invalid(`${name} was brought in on ${twin.created_at.slice(0, 10)} already: send confirm_duplicate to bring it in again, or roll that import back.`)
}

export async function mapImport(tx: BusinessTx, import_id: string, { mapping, options }: MappingInput): Promise<Import> {
  const before = await lockImport(tx, import_id)
  requireStatus(before, ['uploaded', 'mapped'], 'begin a new import to map its columns in another way')
  await tx.waitAsLongAsItTakes()
  const kind = KINDS[before.kind]
  const columns = before.columns.map(({ name }) => name)
  requireMapping(kind, columns, mapping)
  const after = changed(before, { status: 'mapped', mapping, options: { ...before.options, ...given(options) } }, tx.now)
  requireOptions(kind, after.options, before.counts.rows)
  if (after.options.date_format === null) {
    const found = await ambiguousDate(tx, import_id, positionsOf(kind, before.columns, mapping, 'date'))
    if (found) {
      const column = shown(columns[found.position] ?? '')
      const where = `Row ${found.row_number}, column “${column}”`
      throw invalid(`${where}: ${found.text} could be two different days. Say in options.date_format how dates are written.`)
    }
  }
  const key = keyColumn(kind, mapping)
  await joinUnits(tx, import_id, key === null ? null : columns.indexOf(key), kind.folded)
  return saveImport(tx, 'import.mapped', before, after)
}

/** What was given, without what is absent. */
function given<Options extends object>(options: Options | undefined): Options {
  return Object.fromEntries(Object.entries(options ?? {}).filter(([, value]) => value !== undefined)) as Options
}

export async function deleteImport(tx: BusinessTx, import_id: string): Promise<Import> {
  const before = await lockImport(tx, import_id)
  requireStatus(before, ['uploaded', 'mapped'], 'only imports that never ran are deleted; roll it back instead')
  dropRows(tx, import_id)
  tx.queue(store.deleteImport, before)
  tx.record(importResource, 'import.deleted', { before, after: null })
  return before
}

/** Writes a change of an import; without an event it is only how far it has come. */
export function saveImport(tx: BusinessTx, event: ImportEvent | null, before: Import, after: Import): Import {
  tx.queue(store.saveImport, stored(after))
  if (event) tx.record(importResource, event, { before, after })
  return after
}

function stored({ columns, ...rest }: Import) {
  return { ...rest, columns: JSON.stringify(columns) }
}
