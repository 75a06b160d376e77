// From the cells of rows to what a group takes: each cell read by its field, put in its place, and held against the group's own shape.
import { Refusal, type Problem } from '../../foundation/refusal.ts'
import { cellText, readCell } from '../import-cells/rules.ts'
import type { Field, Kind, Mapping, Reference } from '../import-kinds/contract.ts'
import type { References } from '../import-references/operations.ts'
import type { Cells, ImportProblem } from '../import-rows/contract.ts'
import type { Import } from '../imports/contract.ts'
import type { Draft } from '../import-handlers/contract.ts'

/** A column that is read. */
export type Reader = { position: number; column: string; field: Field }

export function readersOf(kind: Kind, columns: Import['columns'], mapping: Mapping): Reader[] {
  const fields = new Map(kind.fields.map((field) => [field.name, field]))
  return columns.flatMap(({ name }, position) => {
    const field = fields.get(mapping[name] ?? '')
    return field ? [{ position, column: name, field }] : []
  })
}

/** The texts that lead to other records, by what they lead to. */
export function referencesIn(readers: readonly Reader[], rows: readonly Cells[]): Map<Reference, Set<string>> {
  const wanted = new Map<Reference, Set<string>>()
  for (const { position, field } of readers) {
    if (!field.reference) continue
    const texts = wanted.get(field.reference) ?? new Set()
    wanted.set(field.reference, texts)
    for (const { cells } of rows) {
      const text = cellText(cells[position])
      if (text !== '') texts.add(text)
    }
  }
  return wanted
}

export type ReadUnit = { draft: Draft; problems: ImportProblem[] }

/** What the rows of one unit say. Of a kind without lines only the first row counts; the others are told that it was there before. */
export function readUnit(readers: readonly Reader[], rows: readonly Cells[], references: References, options: Import['options'], width: number): ReadUnit {
  const [first] = rows as [Cells, ...Cells[]]
  const problems: ImportProblem[] = []
  const input: Record<string, unknown> = {}
  for (const [index, row] of rows.entries()) {
    const extra = row.cells.findIndex((cell, position) => position >= width && cell !== '')
    if (extra >= 0) problems.push({ loc: [row.row_number], msg: `The row has ${extra + 1} cells, but row 1 names ${width} columns.` })
    for (const reader of readers) {
      const text = cellText(row.cells[reader.position])
      const { field, column } = reader
      const ofLine = field.path.includes('*')
      if (index > 0 && !ofLine) {
        if (text !== '' && text !== cellText(first.cells[reader.position])) {
          problems.push({ loc: [row.row_number, column], msg: `It is not that of row ${first.row_number}, which belongs to the same record.` })
        }
        continue
      }
      if (text === '') continue
      try {
        const value = readCell(field, text, options)
        put(input, placeIn(field, index), field.reference ? references.find(field.reference, text) : value)
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        problems.push({ loc: [row.row_number, column], msg: error.detail })
      }
    }
  }
  return { draft: { unit: first.unit, rows: rows.map(({ row_number }) => row_number), input }, problems }
}

function placeIn({ path }: Field, line: number): string[] {
  return path.replace('*', String(line)).split('.')
}

/** Puts a value into its place; a step that is a number stands in a list. */
function put(target: Record<string, unknown>, steps: readonly string[], value: unknown): void {
  const [step = '', ...rest] = steps
  if (rest.length === 0) return void (target[step] = value)
  target[step] ??= /^\d+$/.test(rest[0] ?? '') ? [] : {}
  put(target[step] as Record<string, unknown>, rest, value)
}

/** What the group's shape says of an input, told by the row and the column that the value came from. */
export function problemsAt(readers: readonly Reader[], { rows, input }: Draft, problems: readonly Problem[]): ImportProblem[] {
  // A row that says nothing of a line has none, so lines may be fewer than rows.
  const withLine = Array.from((input['line_items'] ?? []) as unknown[]).flatMap((line, index) => (line === undefined ? [] : [rows[index]]))
  return problems.map(({ loc, msg }) => {
    const path = loc.slice(1).map(String)
    const lines = path[0] === 'line_items'
    const row_number = (lines ? withLine[Number(path[1])] : rows[0]) ?? rows[0] ?? 0
    const place = (lines ? [path[0], '*', ...path.slice(2)] : path).join('.')
    const reader = readers.find(({ field }) => field.path === place)
    return reader ? { loc: [row_number, reader.column], msg } : { loc: [row_number], msg: `${path.at(-1) ?? 'The row'}: ${msg}` }
  })
}

/** Whether a row beyond the first of its unit is one too many. */
export function twins(kind: Kind, rows: readonly Cells[]): { rows: readonly Cells[]; problems: ImportProblem[] } {
  if (kind.grouped || rows.length < 2) return { rows, problems: [] }
  const [first, ...others] = rows as [Cells, ...Cells[]]
  const msg = `It is about the same record as row ${first.row_number}: leave one of them.`
  return { rows: [first], problems: others.map(({ row_number }) => ({ loc: [row_number], msg })) }
}
