// How a list becomes rows and rows become text. Pure.
import { Type, type TObject, type TSchema } from 'typebox'
import { csvHeader, csvRow, units, type TableRow } from '../../foundation/sheets.ts'
import type { Permission } from '../../foundation/permission.ts'
import type { Amounts, Cells, ExportColumn, ListEndpoint, ListNotes, ListOperation, RowsKind } from './contract.ts'

type Schema = {
  type?: string | string[]; format?: string; properties?: Record<string, Schema>; items?: Schema; anyOf?: Schema[]
  description?: string; enum?: string[]; required?: string[]
}

const PAGING = ['limit', 'cursor', 'direction', 'sort_by', 'descending', 'include_total_count', 'include', 'format']
const UNTOLD = ['business_id', 'version']
const ROW_FORMATS = ['csv', 'xlsx', 'pdf', 'json', 'jsonl'] as const

/** What narrows a list or a report: its query without the paging. */
export function filtersOf(query: TSchema): TObject {
  const kept = Object.entries((query as unknown as TObject).properties ?? {}).filter(([name]) => !PAGING.includes(name))
  const required = ((query as Schema).required ?? []).filter((name) => !PAGING.includes(name))
  return { ...Type.Object({}), properties: Object.fromEntries(kept), ...(required.length > 0 ? { required } : {}) } as unknown as TObject
}

/** A kind from the endpoint of a list and the operation behind it. */
export function listKind(endpoint: ListEndpoint, operation: ListOperation, notes: ListNotes): RowsKind {
  const item = (endpoint.reply as Schema).properties?.['items']?.items?.properties ?? {}
  const { kind, title, each, more } = notes
  const own = columnsOf(item, { leave_out: [], ...notes })
  const below = each ? columnsOf(item[each.list]?.items?.properties ?? {}, { leave_out: [], ...each }) : []
  const named = (key: string) => (each && key !== 'currency' && !key.startsWith(each.prefix) ? `${each.prefix}${key}` : key)
  const facts = each ? own.filter(({ key }) => each.facts.includes(key)) : own
  const columns = [...facts.map((fact) => ({ ...fact, key: named(fact.key), label: labelOf(named(fact.key)) })), ...below, ...(more?.columns ?? [])]
  const all = columns.some(({ currency }) => currency === 'base_currency') && !columns.some(({ key }) => key === 'base_currency')
    ? [...columns, { key: 'base_currency', label: 'Base currency', kind: 'text' as const }] : columns
  const page: RowsKind['page'] = (tx, query) => operation(tx, { descending: false, ...query, ...each?.query } as never)
  const rows: RowsKind['rows'] = (given, tx) => {
    const base = { base_currency: tx.business.base_currency }
    const cells = { ...base, ...cellsOf(facts, given, named), ...more?.cells(given as never) }
    if (!each) return [cells]
    const items = ((given as Record<string, unknown>)[each.list] ?? []) as object[]
    return items.map((one) => ({ ...cells, ...cellsOf(below, one) }))
  }
  return { kind, title, permission: endpoint.permission as Permission, formats: ROW_FORMATS, filters: filtersOf(endpoint.query), columns: all, page, rows }
}

type Reading = { money?: Amounts; decimals?: readonly string[]; leave_out: readonly string[] }

/** Plain members are columns, those of an object each its own; lists of text are one. What lies deeper is left out. */
function columnsOf(properties: Record<string, Schema>, { money = {}, decimals = [], leave_out }: Reading): ExportColumn[] {
  const currency_of = new Map(Object.entries(money).flatMap(([currency, names]) => names.map((name) => [name, currency] as const)))
  const single = (key: string, schema: Schema): ExportColumn[] => {
    const label = labelOf(key)
    const types = [schema.type].flat()
    const currency = currency_of.get(key)
    if (currency) return [{ key, label, kind: 'money', currency }]
    if (decimals.includes(key)) return [{ key, label, kind: 'decimal' }]
    if (types.includes('boolean')) return [{ key, label, kind: 'text', boolean: true }]
    if (types.includes('integer')) return [{ key, label, kind: 'integer' }]
    if (types.includes('string')) return [{ key, label, kind: schema.format === 'date' ? 'date' : 'text' }]
    return types.includes('array') && schema.items?.type === 'string' ? [{ key, label, kind: 'text' }] : []
  }
  return Object.entries(properties).filter(([name]) => !UNTOLD.includes(name) && !leave_out.includes(name)).flatMap(([name, schema]) => {
    const inside = schema.properties ?? schema.anyOf?.find(({ properties: found }) => found)?.properties
    return inside ? Object.entries(inside).flatMap(([part, member]) => single(`${name}_${part}`, member)) : single(name, schema)
  })
}

const labelOf = (key: string): string => key.replaceAll('_', ' ').replace(/^./, (first) => first.toUpperCase())

function cellsOf(columns: readonly ExportColumn[], item: object, named = (key: string) => key): Cells {
  const members = item as Record<string, unknown>
  return Object.fromEntries(columns.map(({ key }) => [named(key), cellOf(members, key)]))
}

function cellOf(members: Record<string, unknown>, key: string): Cells[string] {
  if (key in members) {
    const value = members[key]
    if (Array.isArray(value)) return value.join(', ')
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null
  }
  const [name, inside] = Object.entries(members).find(([member, value]) => value !== null && typeof value === 'object' && key.startsWith(`${member}_`)) ?? []
  return name ? cellOf(inside as Record<string, unknown>, key.slice(name.length + 1)) : null
}

/** Those that were asked for, in that order, and the currencies of the amounts among them; all where none was named. */
export function chosenColumns(columns: readonly ExportColumn[], keys: readonly string[] | null): ExportColumn[] {
  if (keys === null || keys.length === 0) return [...columns]
  const wanted = keys.flatMap((key) => columns.filter((column) => column.key === key))
  const currencies = new Set(wanted.map(({ currency }) => currency))
  return [...wanted, ...columns.filter(({ key }) => currencies.has(key) && !keys.includes(key))]
}

export type Writing = { columns: readonly ExportColumn[]; format: 'csv' | 'xlsx' | 'pdf' | 'json' | 'jsonl' }

/** What stands before the rows, between them and behind them. Of XLSX and PDF the rows wait as lines until all are there. */
export function beginning({ columns, format }: Writing, head: object): string {
  if (format === 'csv') return csvHeader([...columns])
  return format === 'json' ? `{${JSON.stringify(head).slice(1, -1)},"rows":[` : ''
}

export function rowsText({ columns, format }: Writing, rows: readonly Cells[], first: boolean): string {
  if (rows.length === 0) return ''
  if (format === 'csv') return rows.map((row) => csvRow([...columns], tableRow(columns, row))).join('')
  if (format === 'xlsx' || format === 'pdf') return rows.map((row) => `${JSON.stringify(tableRow(columns, row))}\n`).join('')
  const lines = rows.map((row) => JSON.stringify(jsonRow(columns, row)))
  return format === 'jsonl' ? lines.map((line) => `${line}\n`).join('') : `${first ? '' : ','}\n${lines.join(',\n')}`
}

export function ending({ format }: Writing): string {
  return format === 'json' ? '\n]}\n' : ''
}

function tableRow(columns: readonly ExportColumn[], cells: Cells): TableRow {
  return Object.fromEntries(columns.map(({ key }) => [key, typeof cells[key] === 'boolean' ? String(cells[key]) : cells[key] ?? null]))
}

/** Amounts as decimals, for people and for programs that know no cents, with the cents beside them. */
function jsonRow(columns: readonly ExportColumn[], cells: Cells): Cells {
  return Object.fromEntries(columns.flatMap(({ key, kind }): [string, Cells[string]][] => {
    const value = cells[key] ?? null
    return kind === 'money' ? [[key, typeof value === 'number' ? units(value) : null], [`${key}_cents`, value]] : [[key, value]]
  }))
}
