// Rows of imports, kept and read in stretches.
import type { Page, PageQuery } from '../../foundation/database/list.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import type { Cells, ImportRow, RowResult } from './contract.ts'
import * as store from './store.ts'

/** So many characters of cells travel at once. */
const MOST_CHARACTERS = 2_000_000

export type ReadRow = { row_number: number; cells: string[] }

export async function keepRows(tx: BusinessTx, import_id: string, rows: readonly ReadRow[]): Promise<void> {
  let [some, characters]: [ImportRow[], number] = [[], 0]
  const send = async () => {
    await tx.run(store.insertRows, { rows: JSON.stringify(some) })
    some = []
    characters = 0
  }
  for (const { row_number, cells } of rows) {
    some.push({ id: newId(), business_id: tx.business_id, import_id, row_number, unit: row_number, cells, status: 'pending', record_id: null, problems: [] })
    characters += cells.reduce((sum, cell) => sum + cell.length + 4, 120)
    if (characters > MOST_CHARACTERS) await send()
  }
  if (some.length > 0) await send()
}

/** `position`: of the column whose text makes rows one record; null where each is its own. */
export async function joinUnits(tx: BusinessTx, import_id: string, position: number | null, folded: boolean): Promise<void> {
  const repeated = position === null ? [] : await tx.many(store.repeatedKeys, { import_id, position, folded })
  const units = Array<number>(repeated.reduce((last, { row_number }) => Math.max(last, row_number), 1)).fill(0)
  for (const { row_number, unit } of repeated) units[row_number - 1] = unit
  tx.queue(store.joinUnits, { import_id, units })
}

export function ambiguousDate(tx: BusinessTx, import_id: string, positions: readonly number[]) {
  return positions.length === 0 ? Promise.resolve(null) : tx.find(store.ambiguousDate, { import_id, positions: [...positions] })
}

/** The rows of the next units, whole, in their order. */
export async function nextUnits(tx: BusinessTx, import_id: string, after: number, limit: number): Promise<Cells[]> {
  const units = await tx.many(store.nextUnits, { import_id, after, limit })
  return units.length === 0 ? [] : tx.many(store.rowsOfUnits, { import_id, units: units.map(({ unit }) => unit) })
}

export function saveResults(tx: BusinessTx, import_id: string, results: readonly RowResult[]): void {
  if (results.length === 0) return
  const byNumber = Object.fromEntries(results.map(({ row_number, ...result }) => [row_number, result]))
  tx.queue(store.saveResults, { import_id, row_numbers: results.map(({ row_number }) => row_number), results: JSON.stringify(byNumber) })
}

export function renewRefused(tx: BusinessTx, import_id: string): void {
  tx.queue(store.renew, { import_id })
}

export async function createdRecords(tx: BusinessTx, import_id: string): Promise<string[]> {
  return (await tx.many(store.createdRecords, { import_id })).map(({ record_id }) => record_id)
}

export function dropRows(tx: BusinessTx, import_id: string): void {
  tx.queue(store.deleteRows, { import_id })
}

export function refusedRows(tx: BusinessTx, import_id: string, query: PageQuery): Promise<Page<ImportRow>> {
  return tx.page(store.refused, { ...query, import_id } as PageQuery)
}
