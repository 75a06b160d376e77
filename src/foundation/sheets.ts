// Tables in and out: files of rows that people send, and reports that they take away as CSV, XLSX or PDF.
import { Readable } from 'node:stream'
import writeXlsx, { type Cell, type CellObject } from 'write-excel-file/node'
import { Download } from './endpoint.ts'
import { toCents } from './money.ts'
import { printTable } from './pdf.ts'
import { invalid } from './refusal.ts'
import { text } from './shapes.ts'
import { MOST_COLUMNS, readRows, tooManyColumns } from './sheet-reading.ts'

export const MOST_FILE_BYTES = 25 * 1_048_576

/** The members of a body that carries a file. */
export const FileInput = {
  file_name: text(1, 255, { description: 'The name of the file, for messages; what it holds decides how it is read.' }),
  content_base64: text(1, Math.ceil(MOST_FILE_BYTES / 3) * 4, {
    description: 'The content in base64, up to 25 MiB: CSV in UTF-8 (comma, semicolon or tab) or XLSX (its first sheet).',
  }),
}

export type SheetRow = { row: number; cells: Record<string, string> }
export type Sheet = { columns: string[]; rows: SheetRow[] }

/** The rows of a file under the names of its first row; `row` counts as a spreadsheet does, so the first after the header is 2. */
export async function readSheet(file: { file_name: string; content_base64: string }): Promise<Sheet> {
  const { columns, rows } = await openSheet(file)
  return { columns, rows: (await Array.fromAsync(rows)).flat() }
}

/** The same some rows at a time, for files of which not all shall be held at once. */
export async function openSheet(file: { file_name: string; content_base64: string }): Promise<{ columns: string[]; rows: AsyncGenerator<SheetRow[]> }> {
  const source = readRows(file.file_name, contentOf(file.file_name, file.content_base64))
  const { value: [header = [], ...first] = [] } = await source.next() as { value: string[][] | undefined }
  const columns = columnsOf(file.file_name, header)
  return { columns, rows: rowsBelow(file.file_name, columns, first, source) }
}

async function* rowsBelow(name: string, columns: readonly string[], first: readonly string[][], source: AsyncGenerator<string[][]>): AsyncGenerator<SheetRow[]> {
  let row = 1
  let any = false
  const named = (some: readonly string[][]): SheetRow[] => some.flatMap((values) => {
    row += 1
    const extra = values.findIndex((value, position) => position >= columns.length && value.trim() !== '')
    if (extra >= 0) throw invalid(`Row ${row} of ${name} has ${extra + 1} cells, but its header has ${columns.length}.`)
    if (values.every((value) => value.trim() === '')) return []
    const cells: Record<string, string> = {}
    for (const [position, column] of columns.entries()) cells[column] = values[position]?.trim() ?? ''
    any = true
    return [{ row, cells }]
  })
  yield named(first)
  for await (const some of source) yield named(some)
  if (!any) throw invalid(`${name} has no rows below row 1, its header.`)
}

function contentOf(name: string, content_base64: string): Buffer {
  const packed = /\s/.test(content_base64) ? content_base64.replace(/\s+/g, '') : content_base64
  if (packed.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(packed)) throw invalid(`The content of ${name} is not base64.`)
  return Buffer.from(packed, 'base64')
}

function columnsOf(name: string, header: string[]): string[] {
  const columns = header.map((label) => label.trim().toLowerCase().replace(/\s+/g, '_'))
  if (columns.length > MOST_COLUMNS) throw tooManyColumns(name)
  const empty = columns.indexOf('')
  if (empty >= 0) throw invalid(`Row 1 of ${name} has no name for column ${empty + 1}; its first row must name every column.`)
  const twice = columns.find((column, index) => columns.indexOf(column) !== index)
  if (twice) throw invalid(`Row 1 of ${name} names the column ${twice} twice.`)
  // As a key of an object it would be lost in silence.
  if (columns.includes('__proto__')) throw invalid(`Row 1 of ${name} names a column __proto__, which cannot be used.`)
  return columns
}

const MONEY = /^([-−]?)(\d+|\d{1,3}(?:,\d{3})+)?(?:\.(\d*))?$/

/** Decimal text as people and banks write it ('-1,234.56', '1234.5', '(12.00)') as cents. */
export function readMoney(given: string): number {
  const trimmed = given.trim()
  const inside = /^\((.*)\)$/.exec(trimmed)?.[1]
  const [, sign = '', whole = '', fraction = ''] = MONEY.exec(inside?.trim() ?? trimmed) ?? []
  const decimals = fraction.replace(/0+$/, '')
  if (!/\d/.test(whole + fraction) || whole.length + fraction.length > 60 || decimals.length > 2 || (inside !== undefined && sign)) {
    const shown = trimmed.length > 40 ? `${trimmed.slice(0, 40)}…` : trimmed
    throw invalid(`'${shown}' is not an amount; write it like -1,234.56, with at most 2 decimals.`)
  }
  const cents = BigInt(whole.replaceAll(',', '') + decimals.padEnd(2, '0'))
  return toCents(sign || inside !== undefined ? -cents : cents) + 0
}

export type Column = { key: string; label: string; kind: 'text' | 'money' | 'date' | 'integer' | 'decimal' }
export type RowStyle = { bold?: boolean; indent?: number }
/** Money is integer cents. `style` is no cell: it says how the row looks where looks exist. */
export type TableRow = { style?: RowStyle; [key: string]: string | number | null | RowStyle | undefined }
export type Table = { title: string; columns: Column[]; rows: TableRow[] }

export const FORMATS = ['csv', 'xlsx', 'pdf'] as const
export type Format = (typeof FORMATS)[number]

/** The table as a file to take away; `file_name` comes without its ending. */
export async function downloadOf(table: Table, format: Format, file_name: string): Promise<Download> {
  const name = `${file_name}.${format}`
  if (format === 'csv') return new Download('text/csv; charset=utf-8', name, Buffer.from(csvOf(table)))
  if (format === 'xlsx') return new Download('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', name, await xlsxOf(table))
  return new Download('application/pdf', name, await pdfOf(table))
}

/** RFC 4180. Text that a spreadsheet would take for a formula is made plain by a leading apostrophe. */
export function csvOf(table: Pick<Table, 'columns' | 'rows'>): string {
  return [csvHeader(table.columns), ...table.rows.map((row) => csvRow(table.columns, row))].join('')
}

const LINES_PER_CHUNK = 500

/** The same, row by row, for what is too large to be held at once. */
export function csvStream(columns: Column[], rows: AsyncIterable<TableRow> | Iterable<TableRow>): Readable {
  return Readable.from((async function* () {
    let lines = [csvHeader(columns)]
    for await (const row of rows) {
      if (lines.push(csvRow(columns, row)) < LINES_PER_CHUNK) continue
      yield lines.join('')
      lines = []
    }
    yield lines.join('')
  })(), { objectMode: false })
}

export function csvHeader(columns: Column[]): string {
  return `${columns.map(({ label }) => csvText(label)).join(',')}\r\n`
}

export function csvRow(columns: Column[], row: TableRow): string {
  const cells = columns.map(({ key, kind }) => {
    const value = cellOf(row, key)
    if (value === null) return ''
    if (kind === 'money' && typeof value === 'number') return units(value)
    return kind === 'text' ? csvText(String(value)) : csvCell(String(value))
  })
  return `${cells.join(',')}\r\n`
}

function csvText(value: string): string {
  return csvCell(/^[=+\-@\t\r]/.test(value) ? `'${value}` : value)
}

function csvCell(value: string): string {
  return /[",;\t\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value
}

function cellOf(row: TableRow, key: string): string | number | null {
  const value = row[key]
  return typeof value === 'string' || typeof value === 'number' ? value : null
}

/** Cents as decimal units: -123456 is -1234.56. */
export function units(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0')
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

const MOST_XLSX_ROWS = 1_048_575
const LONGEST_XLSX_TEXT = 32_767
const XLSX_FORMATS: Record<Column['kind'], string | null> = { text: null, money: '#,##0.00;-#,##0.00', date: 'yyyy-mm-dd', integer: '#,##0', decimal: null }
const XLSX_WIDTHS: Record<Column['kind'], number> = { text: 32, money: 16, date: 12, integer: 12, decimal: 14 }

/** A sheet with real numbers and dates; the header is bold and stays in sight. */
export function xlsxOf(table: Table): Promise<Buffer> {
  return workbookOf([table])
}

/** The same with a sheet for each table. */
export async function workbookOf(tables: readonly Table[]): Promise<Buffer> {
  const large = tables.find(({ rows }) => rows.length > MOST_XLSX_ROWS)
  if (large) throw invalid(`An XLSX file takes at most ${MOST_XLSX_ROWS} rows; ask for CSV or for fewer.`)
  return writeXlsx(tables.map((table) => ({
    data: sheetRows(table), sheet: sheetName(table), stickyRowsCount: 1, columns: table.columns.map(({ kind }) => ({ width: XLSX_WIDTHS[kind] })),
  }))).toBuffer()
}

function sheetRows(table: Table): Cell[][] {
  const header = table.columns.map(({ label, kind }): CellObject => (
    { value: xlsxText(label), type: String, fontWeight: 'bold', align: isRight(kind) ? 'right' : 'left' }))
  return [header, ...table.rows.map((row) => table.columns.map((column, index) => xlsxCell(column, cellOf(row, column.key), row.style ?? {}, index === 0)))]
}

const sheetName = ({ title }: Table): string => title.replace(/[[\]/\\:*?']+/g, ' ').trim().slice(0, 31).trim() || 'Sheet'

function xlsxCell({ kind }: Column, value: string | number | null, style: RowStyle, first: boolean): Cell {
  if (value === null) return null
  const looks = { ...(style.bold ? { fontWeight: 'bold' as const } : {}), ...(style.indent && first ? { indent: style.indent } : {}) }
  const format = XLSX_FORMATS[kind] === null ? {} : { format: XLSX_FORMATS[kind] }
  // A spreadsheet knows no day before 1900; such a date stays text.
  if (kind === 'date' && String(value) >= '1900-03-01') return { value: new Date(String(value)), type: Date, ...format, ...looks }
  if (kind === 'money' && typeof value === 'number') {
    // Beyond some ten trillion a spreadsheet's numbers have no room for cents; such an amount stays text.
    const exact = (value / 100).toFixed(2) === units(value)
    return exact ? { value: value / 100, type: Number, ...format, ...looks } : { value: units(value), type: String, align: 'right', ...looks }
  }
  const exact = typeof value === 'number' || /^-?(?=[\d.]{1,16}$)\d+(?:\.\d+)?$/.test(value)
  if ((kind === 'integer' || kind === 'decimal') && exact) return { value: Number(value), type: Number, ...format, ...looks }
  return { value: xlsxText(String(value)), type: String, ...looks }
}

/** The writer looks texts up in a plain object and takes those that every object has, such as `constructor`, for known: a space makes them others. */
function xlsxText(value: string): string {
  return value in Object.prototype ? `${value} ` : value.slice(0, LONGEST_XLSX_TEXT)
}

/** Pages to print: the header on each, amounts to the right with their thousands apart. */
export function pdfOf(table: Table): Promise<Buffer> {
  const rows = table.rows.map((row) => ({
    cells: table.columns.map(({ key, kind }) => printed(kind, cellOf(row, key))),
    bold: row.style?.bold ?? false,
    indent: row.style?.indent ?? 0,
  }))
  return printTable({ title: table.title, columns: table.columns.map(({ label, kind }) => ({ label, right: isRight(kind) })), rows })
}

function printed(kind: Column['kind'], value: string | number | null): string {
  if (value === null) return ''
  if (kind === 'money' && typeof value === 'number') return grouped(units(value))
  return kind === 'integer' ? grouped(String(value)) : String(value)
}

function grouped(number: string): string {
  return number.replace(/\B(?<!\.\d*)(?=(\d{3})+(?!\d))/g, ',')
}

function isRight(kind: Column['kind']): boolean {
  return kind === 'money' || kind === 'integer' || kind === 'decimal'
}
