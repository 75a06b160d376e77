// How values of a dimension stand below each other, and what a file of them says.
import { isDate } from '../../foundation/calendar.ts'
import { invalid, Refusal } from '../../foundation/refusal.ts'
import type { Sheet, SheetRow } from '../../foundation/sheets.ts'
import { DEEPEST, MOST_IMPORTED, type DimensionValue } from './contract.ts'

export const nameOf = ({ code, name }: Pick<DimensionValue, 'code' | 'name'>): string => `${code} ${name}`

export function requireOrder({ code, valid_from, valid_to }: Pick<DimensionValue, 'code' | 'valid_from' | 'valid_to'>): void {
  if (valid_from !== null && valid_to !== null && valid_to < valid_from) throw invalid(`${code}: valid_to ${valid_to} lies before valid_from ${valid_from}.`)
}

export function requireOwn(value: DimensionValue): void {
  if (value.merged_into_id !== null) throw invalid(`${nameOf(value)} is merged into another value and cannot be changed any more.`)
}

type Node = Pick<DimensionValue, 'id' | 'code' | 'name' | 'parent_id' | 'archived'>
type Tree = ReadonlyMap<string, Node>

/** Refuses a tree with a circle, one that is too deep, and a value in use below one that is archived. */
export function requireTree(values: Tree): void {
  for (const value of values.values()) {
    const problem = problemOf(values, value)
    if (problem) throw invalid(problem)
  }
}

function problemOf(values: Tree, value: Node): string | null {
  const name = nameOf(value)
  const [parent, ...further] = ancestorsOf(values, value)
  if (!parent) return null
  if ([parent, ...further].some(({ id }) => id === value.id)) return `${name} cannot lie below itself: choose a parent that does not lie below it.`
  const depth = further.length + 2
  if (depth > DEEPEST) return `${name} would lie more than ${DEEPEST} deep: choose a parent further up.`
  return parent.archived && !value.archived ? `${nameOf(parent)}, the parent of ${name}, is archived: restore it first, or choose another parent.` : null
}

/** From the parent upward, as far as it takes to see that it is too far. */
function ancestorsOf(values: Tree, value: Node): Node[] {
  const found: Node[] = []
  for (let at = parentOf(values, value); at && found.length < DEEPEST; at = parentOf(values, at)) found.push(at)
  return found
}

export function liesBelow(values: Tree, value: Node, other: Node): boolean {
  return ancestorsOf(values, value).some(({ id }) => id === other.id)
}

function parentOf(values: Tree, value: Node): Node | undefined {
  return value.parent_id === null ? undefined : values.get(value.parent_id)
}

/** Where a value may be merged: into one in use that does not lie below it. */
export function requireTarget(value: DimensionValue, into: DimensionValue): void {
  if (value.id === into.id) throw invalid(`${nameOf(value)} cannot be merged into itself.`)
  if (value.merged_into_id !== null) throw invalid(`${nameOf(value)} is merged into another value already.`)
  if (into.merged_into_id !== null) throw invalid(`${nameOf(into)} is merged into another value itself: merge into that one.`)
  if (into.archived) throw invalid(`${nameOf(into)} is archived: restore it first, or choose another value.`)
}

export type Uses = { lines: boolean; children: boolean; merged: boolean; rules: boolean }

export function requireUnused(value: DimensionValue, uses: Uses): void {
  const name = nameOf(value)
  if (uses.lines) throw invalid(`Posted lines carry ${name}: archive it instead.`)
  if (uses.children) throw invalid(`Other values lie below ${name}: move or delete them first.`)
  if (uses.merged) throw invalid(`Other values are merged into ${name}: it stays, archive it instead.`)
  requireNoDefault(value, uses)
}

export function requireNoDefault(value: DimensionValue, { rules }: Pick<Uses, 'rules'>): void {
  if (rules) throw invalid(`A rule has ${nameOf(value)} as its default: change the rule first.`)
}

const COLUMNS = ['code', 'name', 'parent_code', 'valid_from', 'valid_to']

export function requireColumns({ columns, rows }: Sheet): void {
  const missing = ['code', 'name'].find((column) => !columns.includes(column))
  if (missing) throw invalid(`The file has no column ${missing}; its columns are ${columns.join(', ')}.`)
  const unknown = columns.find((column) => !COLUMNS.includes(column))
  if (unknown) throw invalid(`The file has a column ${unknown.slice(0, 60)}, which is none of ${COLUMNS.join(', ')}.`)
  if (rows.length > MOST_IMPORTED) throw invalid(`The file has ${rows.length} rows, and ${MOST_IMPORTED} is the most: split it.`)
}

export type ImportedRow = { row: number; code: string; before: DimensionValue | null; after: DimensionValue | null; detail: string | null }

/** What a row says of a new or known value; the value comes back as it was where nothing differs. */
type Make = (code: string, before: DimensionValue | null, fields: Partial<DimensionValue>) => DimensionValue

/**
 * Each row with the value it makes or changes, or with what is wrong with it. Parents are found by code among the values
 * there are and those that the file makes, in whatever order they stand.
 */
export function readImport({ rows, columns }: Sheet, known: readonly DimensionValue[], make: Make): ImportedRow[] {
  const byCode = new Map(known.map((value) => [value.code, value]))
  const seen = new Map<string, number>()
  const read = rows.map((row): ImportedRow => {
    const code = row.cells['code'] ?? ''
    const before = byCode.get(code) ?? null
    return attempt(row, code, before, () => {
      requireCode(code)
      const twice = seen.get(code)
      if (twice !== undefined) throw invalid(`The code ${code} stands in row ${twice} already.`)
      seen.set(code, row.row)
      if (before) requireOwn(before)
      const after = make(code, before, plainFields(row, columns))
      requireOrder(after)
      return after
    })
  })
  for (const { code, after } of read) if (after) byCode.set(code, after)
  const parented = columns.includes('parent_code') ? read.map((imported, index) => withParent(imported, rows[index] as SheetRow, byCode, make)) : read
  return withTreeChecked(parented, known)
}

function withParent(imported: ImportedRow, row: SheetRow, byCode: ReadonlyMap<string, DimensionValue>, make: Make): ImportedRow {
  const { before, after, code } = imported
  if (!after) return imported
  return attempt(row, code, before, () => {
    const parent_code = row.cells['parent_code'] ?? ''
    const parent = byCode.get(parent_code)
    if (parent_code !== '' && !parent) throw invalid(`There is no value with the code ${parent_code.slice(0, 60)} to be its parent.`)
    const { name, valid_from, valid_to } = after
    const parent_id = parent?.id ?? null
    // Made anew from what was there before, under the id that other rows may point at by now.
    return { ...make(code, before, { name, valid_from, valid_to, parent_id }), id: after.id }
  })
}

/** Where a value would break the tree, the row is named that says so: its own, or that of the nearest value above it. */
function withTreeChecked(read: readonly ImportedRow[], known: readonly DimensionValue[]): ImportedRow[] {
  const tree = new Map<string, Node>(known.map((value) => [value.id, value]))
  const rowOf = new Map<string, ImportedRow>()
  for (const imported of read) {
    if (!imported.after) continue
    tree.set(imported.after.id, imported.after)
    rowOf.set(imported.after.id, imported)
  }
  const blamed = new Map<ImportedRow, string>()
  for (const value of tree.values()) {
    const problem = problemOf(tree, value)
    const row = problem === null ? undefined : [value, ...ancestorsOf(tree, value)].map(({ id }) => rowOf.get(id)).find((found) => found !== undefined)
    if (row && problem !== null && !blamed.has(row)) blamed.set(row, problem)
  }
  return read.map((imported) => (blamed.has(imported) ? { ...imported, after: null, detail: blamed.get(imported) ?? null } : imported))
}

function attempt({ row }: SheetRow, code: string, before: DimensionValue | null, read: () => DimensionValue): ImportedRow {
  try {
    return { row, code, before, after: read(), detail: null }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { row, code, before, after: null, detail: error.detail }
  }
}

function requireCode(code: string): void {
  if (code === '') throw invalid('The code is missing.')
  if (code.length > 30) throw invalid(`The code ${code.slice(0, 30)}… is longer than 30 characters.`)
  if (/[\r\n]/.test(code)) throw invalid('The code holds a line break.')
}

function plainFields({ cells }: SheetRow, columns: readonly string[]): Partial<DimensionValue> {
  const name = cells['name'] ?? ''
  if (name === '') throw invalid('The name is missing.')
  if (name.length > 120) throw invalid('The name is longer than 120 characters.')
  const dates = ['valid_from', 'valid_to'].filter((column) => columns.includes(column))
  return { name, ...Object.fromEntries(dates.map((column) => [column, dateIn(cells[column] ?? '', column)])) }
}

function dateIn(cell: string, column: string): string | null {
  if (cell === '') return null
  if (!isDate(cell)) throw invalid(`${column} '${cell.slice(0, 40)}' is not a date; write it like 2026-03-31.`)
  return cell
}
