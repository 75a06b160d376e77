// What an import may be asked for in each of its states, and what its options must be.
import { invalid } from '../../foundation/refusal.ts'
import type { Kind, Mapping } from '../import-kinds/contract.ts'
import { MOST_WHOLE_ROWS, type Import, type ImportOptions, type ImportStatus } from './contract.ts'

const WORDS: Record<ImportStatus, string> = {
  uploaded: 'is uploaded, and its columns are not mapped yet', mapped: 'is mapped and has not run yet', running: 'is running', completed: 'is completed',
  completed_with_errors: 'is completed with errors', failed: 'has failed', canceled: 'was canceled', rolled_back: 'was rolled back',
}

export function requireStatus({ file_name, status }: Pick<Import, 'file_name' | 'status'>, allowed: readonly ImportStatus[], instead: string): void {
  if (!allowed.includes(status)) throw invalid(`The import of ${file_name} ${WORDS[status]}: ${instead}.`)
}

export function defaultOptions(rows: number): ImportOptions {
  return { date_format: null, decimal_separator: '.', currency: null, duplicate: 'skip', on_error: rows > MOST_WHOLE_ROWS ? 'skip' : 'abort' }
}

export function requireOptions(kind: Kind, { duplicate, on_error }: ImportOptions, rows: number): void {
  if (!kind.duplicates.includes(duplicate)) {
    throw invalid(`An import does not change ${kind.title.toLowerCase()} that are there already: choose ${kind.duplicates.join(' or ')} for duplicate.`)
  }
  if (on_error === 'abort' && rows > MOST_WHOLE_ROWS) {
    throw invalid(`The file has ${rows} rows, and at most ${MOST_WHOLE_ROWS} are brought in all or none: choose skip for on_error, or split the file.`)
  }
}

/** Where the columns of a field of this type stand. */
export function positionsOf(kind: Kind, columns: Import['columns'], mapping: Mapping, type: string): number[] {
  const fields = new Set(kind.fields.filter((field) => field.type === type).map(({ name }) => name))
  return columns.flatMap(({ name }, position) => (fields.has(mapping[name] ?? '') ? [position] : []))
}

export const LONGEST_EXAMPLE = 100
const ROLLBACK_DAYS = 30

export function requireRecent({ file_name, finished_at }: Pick<Import, 'file_name' | 'finished_at'>, now: string): void {
  if (finished_at !== null && Date.parse(now) - Date.parse(finished_at) > ROLLBACK_DAYS * 86_400_000) {
    throw invalid(`${file_name} was brought in on ${finished_at.slice(0, 10)}, more than ${ROLLBACK_DAYS} days ago: correct its records one by one.`)
  }
}
