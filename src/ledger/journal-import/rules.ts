// What the rows of a file say: which lines belong to one entry, and what each cell means.
import { isDate } from '../../foundation/calendar.ts'
import { CURRENCIES, type Currency } from '../../foundation/money.ts'
import { invalid, Refusal } from '../../foundation/refusal.ts'
import { readMoney, type Sheet, type SheetRow } from '../../foundation/sheets.ts'
import type { Books } from '../books/contract.ts'
import { MOST_LINES, type EntryInput, type LineInput } from '../journal-drafts/contract.ts'
import type { RowError } from './contract.ts'

const NEEDED = ['entry_ref', 'date', 'ledger']
const AMOUNTS = ['amount', 'debit', 'credit']
const DIMENSION = 'dimension:'

export function requireColumns({ columns }: Pick<Sheet, 'columns'>, file_name: string, { dimensions }: Books): void {
  const missing = NEEDED.find((column) => !columns.includes(column))
  if (missing) throw invalid(`${file_name} has no column ${missing}; its columns are ${columns.slice(0, 30).join(', ').slice(0, 300)}.`)
  if (!AMOUNTS.some((column) => columns.includes(column))) throw invalid(`${file_name} has no amounts: it needs a column amount, or debit and credit.`)
  const keys = new Set([...dimensions.dimensions.values()].map(({ key }) => key))
  const unknown = columns.find((column) => column.startsWith(DIMENSION) && !keys.has(column.slice(DIMENSION.length)))
  if (unknown) throw invalid(`${file_name} has a column ${unknown.slice(0, 60)}, but there is no such dimension.`)
}

/** How a file names things: made once, asked for every row. */
export type Names = { ledger: (text: string) => string; dimensions: { column: string; valueOf: (code: string) => string }[] }

export function namesIn(books: Books, columns: readonly string[]): Names {
  const byNumber = new Map<string, string>()
  const byName = new Map<string, { id: string; usable: boolean }[]>()
  for (const { id, number, name, archived, posting } of books.ledgers.values()) {
    if (number !== null) byNumber.set(number, id)
    const key = name.toLowerCase()
    byName.set(key, [...(byName.get(key) ?? []), { id, usable: !archived && posting }])
  }
  return {
    ledger(text) {
      if (text === '') throw invalid('It has no ledger: give its number or its name.')
      const numbered = byNumber.get(text)
      if (numbered !== undefined) return numbered
      const named = byName.get(text.toLowerCase()) ?? []
      const usable = named.filter((one) => one.usable)
      const [found, ...others] = usable.length > 0 ? usable : named
      if (!found) throw invalid(`No ledger has the number or name ${shown(text)}.`)
      if (others.length > 0) throw invalid(`${others.length + 1} ledgers are called ${shown(text)}: give the number.`)
      return found.id
    },
    dimensions: columns.filter((column) => column.startsWith(DIMENSION))
      .map((column) => ({ column, valueOf: valuesOf(books, column.slice(DIMENSION.length)) })),
  }
}

function valuesOf({ dimensions }: Books, key: string): (code: string) => string {
  const dimension = [...dimensions.dimensions.values()].find((one) => one.key === key)
  const codes = new Map([...dimensions.values.values()].filter(({ dimension_id }) => dimension_id === dimension?.id).map(({ code, id }) => [code, id]))
  return (code) => {
    const id = codes.get(code)
    if (id === undefined) throw invalid(`The dimension ${key} has no value with the code ${shown(code)}.`)
    return id
  }
}

/** How many rows each reference has. */
export async function countRows(rows: AsyncIterable<SheetRow[]>): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for await (const some of rows) {
    for (const { cells } of some) counts.set(cell(cells, 'entry_ref'), (counts.get(cell(cells, 'entry_ref')) ?? 0) + 1)
  }
  return counts
}

/** Rows by their reference, wherever they stand: each group as soon as its last row has come, so that little is held of a file in order. */
export async function* groupRows(rows: AsyncIterable<SheetRow[]>, counts: ReadonlyMap<string, number>): AsyncGenerator<SheetRow[][]> {
  const waiting = new Map<string, SheetRow[]>()
  for await (const some of rows) {
    const whole: SheetRow[][] = []
    for (const row of some) {
      const reference = cell(row.cells, 'entry_ref')
      const group = waiting.get(reference) ?? []
      waiting.set(reference, group)
      if (group.push(row) < (counts.get(reference) ?? 0)) continue
      waiting.delete(reference)
      whole.push(group)
    }
    yield whole
  }
}

export type ReadEntry = { row: number; input: EntryInput | null; errors: RowError[] }

/** The entry that rows make, or what is wrong with them, row by row. */
export function readEntry(rows: readonly SheetRow[], names: Names, base: Currency): ReadEntry {
  const errors: RowError[] = []
  const attempt = <T>(row: number, read: () => T): T | null => {
    try {
      return read()
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      errors.push({ row, detail: error.detail })
      return null
    }
  }
  const [first] = rows as [SheetRow, ...SheetRow[]]
  const date = attempt(first.row, () => readDate(first.cells))
  const memo = attempt(first.row, () => readText(first.cells, 'memo'))
  attempt(first.row, () => requireSize(first.cells, rows.length))
  const lines = rows.map(({ row, cells }) => {
    if (row !== first.row) attempt(row, () => requireSame(cells, first))
    return attempt(row, () => readLine(cells, names, base))
  })
  const usable = lines.filter((line) => line !== null)
  if (errors.length > 0 || date === null) return { row: first.row, input: null, errors }
  const [currency] = usable.map((line) => line.currency)
  const one = usable.every((line) => line.currency === currency)
  return { row: first.row, input: { date, memo, currency: one && currency ? currency : base, lines: usable }, errors }
}

function requireSize(cells: SheetRow['cells'], lines: number): void {
  if (cell(cells, 'entry_ref') === '') throw invalid('It has no entry_ref, which says to which entry it belongs.')
  if (lines < 2) throw invalid(`Entry ${shown(cell(cells, 'entry_ref'))} has only this line: an entry needs at least two.`)
  if (lines > MOST_LINES) throw invalid(`Entry ${shown(cell(cells, 'entry_ref'))} has ${lines} lines, and ${MOST_LINES} is the most.`)
}

/** What is said of the entry again must be the same. */
function requireSame(cells: SheetRow['cells'], first: SheetRow): void {
  for (const column of ['date', 'memo']) {
    const again = cell(cells, column)
    if (again !== '' && again !== cell(first.cells, column)) throw invalid(`Its ${column} is not that of row ${first.row}, which belongs to the same entry.`)
  }
}

function readLine(cells: SheetRow['cells'], names: Names, base: Currency): LineInput & { currency: Currency } {
  const ledger_id = names.ledger(cell(cells, 'ledger'))
  const currency = readCurrency(cell(cells, 'currency')) ?? base
  const base_amount = cell(cells, 'base_amount')
  const dimension_value_ids = names.dimensions.flatMap(({ column, valueOf }) => (cell(cells, column) === '' ? [] : [valueOf(cell(cells, column))]))
  return {
    ledger_id,
    currency,
    amount: readAmount(cells),
    ...(base_amount !== '' && { base_amount: readMoney(base_amount) }),
    memo: readText(cells, 'line_memo'),
    dimension_value_ids,
  }
}

/** One of the three columns; a zero beside it counts as empty, as programs write it. */
function readAmount(cells: SheetRow['cells']): number {
  const [amount = 0, debit = 0, credit = 0] = AMOUNTS.map((column) => (cell(cells, column) === '' ? 0 : readMoney(cell(cells, column))))
  if (AMOUNTS.every((column) => cell(cells, column) === '')) throw invalid('It has no amount: give one of amount, debit and credit.')
  if ([amount, debit, credit].filter((value) => value !== 0).length > 1) throw invalid('It has more than one of amount, debit and credit: leave one.')
  if (debit < 0 || credit < 0) throw invalid('A debit or credit cannot be negative: put it on the other side.')
  return amount + debit - credit
}

function readDate(cells: SheetRow['cells']): string {
  const date = cell(cells, 'date')
  if (!isDate(date)) throw invalid(date === '' ? 'It has no date.' : `${shown(date)} is not a date; write it like 2026-01-31.`)
  return date
}

function readCurrency(text: string): Currency | null {
  const code = text.toUpperCase()
  if (code === '') return null
  if (!(CURRENCIES as readonly string[]).includes(code)) throw invalid(`${shown(text)} is not a currency; use one of ${CURRENCIES.join(', ')}.`)
  return code as Currency
}

const LONGEST_MEMO = 500

function readText(cells: SheetRow['cells'], column: string): string | null {
  const text = cell(cells, column)
  if (text.length > LONGEST_MEMO) throw invalid(`Its ${column} has ${text.length} characters, and ${LONGEST_MEMO} is the most.`)
  return text === '' ? null : text
}

/** Without the apostrophe that keeps a spreadsheet from taking text for a formula. */
function cell(cells: SheetRow['cells'], column: string): string {
  const text = cells[column] ?? ''
  return text.startsWith('\'') ? text.replace(/^'(?=[=+\-@\t\r])/, '') : text
}

function shown(text: string): string {
  return `'${text.length > 40 ? `${text.slice(0, 40)}…` : text}'`
}
