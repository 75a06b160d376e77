// What may be asked of an export, what its states allow, and what its file is called. Pure.
import { compileCheck, type Check } from '../../foundation/http/validate.ts'
import { forbidden, invalid, notFound, unprocessable } from '../../foundation/refusal.ts'
import type { Format as DocumentFormat } from '../../workspace/document-files/rules.ts'
import { hasRows, type ExportFormat, type ExportKind } from '../export-kinds/contract.ts'
import type { Export, ExportInput, KindDescription } from './contract.ts'

export const KEPT_MS = 7 * 86_400_000
/** More than this is put together in memory by nobody. */
export const MOST_BYTES = 256 * 1_048_576
export const MOST_PDF_ROWS = 5_000

type Permissions = ReadonlySet<string>

export function visibleKinds(kinds: readonly ExportKind[], permissions: Permissions): ExportKind[] {
  return kinds.filter(({ permission }) => permissions.has(permission))
}

/** The kind behind a name that the caller gave. */
export function requireKind(kinds: readonly ExportKind[], name: string, permissions: Permissions): ExportKind {
  const kind = kinds.find((one) => one.kind === name)
  if (!kind) throw notFound(`Export kind ${name}`)
  if (!permissions.has(kind.permission)) throw forbidden(`To export ${kind.title.toLowerCase()}, the permission ${kind.permission} is needed too.`)
  return kind
}

export function requireFormat(kind: ExportKind, format: ExportFormat): void {
  if (!kind.formats.includes(format)) throw invalid(`${kind.title} cannot be exported as ${format}: choose ${wordsOf(kind.formats)}.`)
}

export function requireColumns(kind: ExportKind, columns: ExportInput['columns']): void {
  if (!columns) return
  if (!hasRows(kind)) throw invalid(`${kind.title} has no columns to choose from: leave them out.`)
  const unknown = columns.find((key) => !kind.columns.some((column) => column.key === key))
  if (unknown !== undefined) throw invalid(`${kind.title} has no column ${unknown}: GET /exports/kinds names those that it has.`)
}

/** The filters as the list or report takes them. One that it does not know would be left out in silence, and more exported than was meant. */
export function checkedFilters(kind: ExportKind, given: Record<string, unknown>): Record<string, unknown> {
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(kind.filters.properties, name))
  if (unknown !== undefined) throw invalid(`${kind.title} has no filter ${unknown}: GET /exports/kinds names those that it has.`)
  const { value, problems } = checkFor(kind)(given)
  if (problems.length > 0) throw unprocessable(problems.map(({ loc, ...problem }) => ({ ...problem, loc: ['body', 'filters', ...loc.slice(1)] })))
  return value as Record<string, unknown>
}

const checks = new WeakMap<ExportKind, Check>()

function checkFor(kind: ExportKind): Check {
  const known = checks.get(kind) ?? compileCheck('query', kind.filters)
  checks.set(kind, known)
  return known
}

export function requireReady({ status, error, title }: Export): void {
  if (status === 'queued' || status === 'running') throw invalid(`The file of ${title} is not ready yet: follow its job.`)
  if (status === 'failed') throw invalid(`The file of ${title} could not be made: ${error}`)
  if (status === 'canceled') throw invalid(`The export of ${title} was canceled: ask for a new one.`)
}

export function requireEnded({ status, title }: Export): void {
  if (status === 'queued' || status === 'running') throw invalid(`The export of ${title} is still ${status}: cancel its job first.`)
}

type Schema = { type?: string | string[]; format?: string; description?: string; enum?: string[]; items?: Schema }

export function described(kind: ExportKind): KindDescription {
  const { properties, required = [] } = kind.filters as unknown as { properties: Record<string, Schema>; required?: string[] }
  const filters = Object.entries(properties).map(([name, schema]) => {
    const many = schema.type === 'array'
    const one = many ? schema.items ?? {} : schema
    return { name, description: schema.description ?? null, type: typeOf(one), many, required: required.includes(name), values: one.enum ?? null }
  })
  const columns = hasRows(kind) ? kind.columns.map(({ key, label, kind: of }) => ({ key, label, kind: of })) : null
  return { kind: kind.kind, title: kind.title, permission: kind.permission, formats: [...kind.formats], filters, columns }
}

const BY_FORMAT: Record<string, KindDescription['filters'][number]['type']> = { uuid: 'id', date: 'date', 'date-time': 'timestamp' }

function typeOf(schema: Schema): KindDescription['filters'][number]['type'] {
  if (schema.enum) return 'choice'
  const types = [schema.type].flat()
  if (types.includes('integer')) return 'integer'
  if (types.includes('boolean')) return 'boolean'
  return BY_FORMAT[schema.format ?? ''] ?? 'text'
}

type FileFacts = { ending: string; content_type: string; document: DocumentFormat }

const FILES: Record<ExportFormat, FileFacts> = {
  csv: { ending: 'csv', content_type: 'text/csv; charset=utf-8', document: 'csv' },
  xlsx: { ending: 'xlsx', content_type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', document: 'xlsx' },
  pdf: { ending: 'pdf', content_type: 'application/pdf', document: 'pdf' },
  json: { ending: 'json', content_type: 'application/json', document: 'txt' },
  jsonl: { ending: 'jsonl', content_type: 'application/x-ndjson', document: 'txt' },
  hledger: { ending: 'journal', content_type: 'text/plain; charset=utf-8', document: 'txt' },
  beancount: { ending: 'beancount', content_type: 'text/plain; charset=utf-8', document: 'txt' },
}

/** What the file is called, here and among the documents, which know only some kinds of files. */
export function namesOf({ kind, format }: Pick<Export, 'kind' | 'format'>, today: string) {
  const { ending, content_type, document } = FILES[format]
  const stem = `${kind.replaceAll('_', '-')}-${today}`
  return { file_name: `${stem}.${ending}`, content_type, document, document_name: document === 'txt' ? `${stem} (${format}).txt` : `${stem}.${ending}` }
}

function wordsOf(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
}
