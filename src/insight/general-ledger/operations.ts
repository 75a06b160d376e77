// Makes the general ledger, and walks along lines for other reports of them.
//
//   getGeneralLedger(tx, query)      a page of it
//   exportGeneralLedger(tx, query)   all lines as a file
//   selectionOf(tx, asked, range)    which lines count, as the statements over lines take it
//   walkLines(tx, ...)               the next lines of some ledgers
//   sumOfLines(tx, ...)              what lines come to, and how many they are; documentsOf(tx, ...) by document
//   entryNumbers(tx, ...)            the entries that have such lines
//   everyLine(read, ...)             all lines, page by page; fileOf(tx, ...) makes a file of rows
import { addDays } from '../../foundation/calendar.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { Download, type Channel } from '../../foundation/endpoint.ts'
import { addCents, type Currency } from '../../foundation/money.ts'
import { invalid, notFound } from '../../foundation/refusal.ts'
import { csvStream, downloadOf, type Column, type Format, type TableRow } from '../../foundation/sheets.ts'
import { isProfitAndLoss } from '../../ledger/posting/rules.ts'
import { askedOf, type Asked } from '../report-columns/operations.ts'
import { fiscalYearAt, rangeOf, type Range } from '../report-columns/rules.ts'
import { figures, readDimensions } from '../report-figures/operations.ts'
import { amountsOf, arrangeDimensions, balanceOf, planOf, targetsOf, type LineQuery } from '../report-figures/rules.ts'
import { DEFAULT_LIMIT, MOST_FILE_LINES, type GeneralLedger, type GeneralLedgerQuery, type LedgerLine } from './contract.ts'
import {
  balanceAfter, balancesBefore, between, carriedBalance, decodeCursor, encodeCursor, headerOf, keyOf, LAST_ID, LEDGER_COLUMNS, ledgerRows, lineOf, positionOf, runningLines, scopeOf,
  sectionsOf, shownLedgers, stateOf, stretchesOf,
  type Position, type Shown, type Standing, type Stretch,
} from './rules.ts'
import * as store from './store.ts'

const REPORT = { report: 'general-ledger', title: 'General ledger' }

export async function getGeneralLedger(tx: BusinessTx, query: GeneralLedgerQuery): Promise<GeneralLedger> {
  const { limit = DEFAULT_LIMIT, cursor, direction = 'next', include_total_count = false } = query
  const backwards = direction === 'prev'
  const { asked, range, shown, selection } = await prepare(tx, query)
  const scope = scopeOf(tx.business_id, REPORT.report, query, range)
  const key = cursor === undefined ? null : decodeCursor(cursor, scope)
  const position = key && positionOf(key)
  const state = stateOf(asked.head)
  const [standings, cut, found, total] = await Promise.all([
    standingsOf(tx, asked, range, shown),
    key === null || position === null ? null : carriedBalance(key, state, backwards) ?? balanceAt(tx, asked, range, shown, selection, position, !backwards),
    walkLines(tx, selection, stretchesOf(shown, range, position, backwards), limit + 1, backwards),
    include_total_count ? sumOfLines(tx, selection, shown.flatMap(({ member_ids }) => member_ids)) : null,
  ])
  const more = found.length > limit
  const lines = found.slice(0, limit)
  if (backwards) lines.reverse()
  const before = balancesBefore(standings, lines, cut, backwards)
  const [first, last] = [lines[0], lines.at(-1)]
  const has_next = lines.length > 0 && (backwards ? position !== null : more)
  const has_prev = lines.length > 0 && (backwards ? more : position !== null)
  const [start, end] = backwards ? [has_prev ? first : null, position] : [position, has_next ? last : null]
  return {
    ...headerOf(tx, { ...REPORT, query, asked, dates: range }),
    ledgers: sectionsOf(between(shown, start?.ledger_id, end?.ledger_id), standings, before, lines),
    items: runningLines(lines, asked.books.ledgers, before),
    next_cursor: has_next && last ? encodeCursor([...keyOf(last), 'after', state, String(balanceAfter(lines, before, last.ledger_id))], scope) : null,
    prev_cursor: has_prev && first ? encodeCursor([...keyOf(first), 'before', state, String(before.get(first.ledger_id) ?? 0)], scope) : null,
    has_next,
    has_prev,
    limit,
    total: total?.count ?? null,
  }
}

/** Every line with the balance after it, and each ledger's balance before and after them. */
export async function exportGeneralLedger(tx: BusinessTx, query: GeneralLedgerQuery, format: Format): Promise<Download> {
  const { asked, range, shown, selection } = await prepare(tx, query)
  const standings = await standingsOf(tx, asked, range, shown)
  const sheet = { file_name: `${REPORT.report}-${range.end_date}`, title: REPORT.title, columns: LEDGER_COLUMNS }
  return fileOf(tx, format, sheet, (read) => ledgerRows(shown, standings, everyLine(read, selection, shown, range)))
}

async function prepare(tx: BusinessTx, query: GeneralLedgerQuery): Promise<{ asked: Asked; range: Range; shown: Shown[]; selection: Selection }> {
  const asked = await askedOf(tx, query)
  const range = rangeOf(query, tx.today, asked.books.periods)
  const selection = await selectionOf(tx, asked, range)
  return { asked, range, selection, shown: isNamed(query.ledger_id) ? shownOf(asked, query.ledger_id) : shownLedgers(asked.books.ledgers) }
}

/** Whether some ledgers are named; an empty list names none. */
export function isNamed(ids: readonly string[] | undefined): ids is readonly string[] {
  return ids !== undefined && ids.length > 0
}

/** The ledgers of these ids as they are shown; 404 where there is none. */
export function shownOf({ books }: Asked, ids: readonly string[]): Shown[] {
  const targets = targetsOf(books.ledgers)
  const wanted = new Set(ids.map((id) => targets.get(id) ?? missing(id)))
  return shownLedgers(books.ledgers).filter(({ ledger }) => wanted.has(ledger.id))
}

function missing(id: string): never {
  throw notFound(`Ledger ${id}`)
}

/** Which lines count: the parameters that all statements over lines share, and the statements themselves. */
export type Selection = {
  parameters: LineQuery & Range & { last_number: number; adjusting: boolean }
  driver: store.Driver
  basis: 'accrual' | 'cash'
  currency: Currency
  targets: ReadonlyMap<string, string>
}

export async function selectionOf(tx: BusinessTx, asked: Asked, { start_date, end_date }: Range): Promise<Selection> {
  const { figures: { basis, known_at, adjusting, filters }, books, head } = asked
  const { customer_id, vendor_id, project_id, dimension_value_ids = [] } = filters ?? {}
  const [dimensions, known] = await Promise.all([
    dimension_value_ids.length > 0 ? readDimensions(tx) : arrangeDimensions([], []),
    known_at ? tx.find(store.lastNumberAt, { known_at }) : head,
  ])
  const { query } = planOf({ filters }, dimensions)
  return {
    parameters: { ...query, start_date, end_date, last_number: known?.number ?? 0, adjusting: adjusting !== 'exclude' },
    driver: customer_id ? 'customer' : vendor_id ? 'vendor' : project_id ? 'project' : dimension_value_ids.length > 0 ? 'dimension' : 'ledger',
    basis,
    currency: tx.business.base_currency as Currency,
    targets: targetsOf(books.ledgers),
  }
}

/**
 * The next lines along some stretches, in their order. Most often the first ledger has enough of them, so few ledgers are asked at
 * first and more each time.
 */
export async function walkLines(
  tx: BusinessTx, { parameters, driver, basis, currency, targets }: Selection, stretches: readonly Stretch[], limit: number, backwards: boolean,
): Promise<LedgerLine[]> {
  const found: LedgerLine[] = []
  for (let from = 0, size = 1; from < stretches.length && found.length < limit; from += size, size *= 8) {
    const asked = stretches.slice(from, from + size).flatMap(({ ledger_ids, ...at }) => ledger_ids.map((id) => ({ id, ...at })))
    const rows = await tx.many(store.lines[basis][backwards ? 'prev' : 'next'][driver], {
      ...parameters,
      ledger_ids: asked.map(({ id }) => id),
      places: asked.map(({ place }) => place),
      dates: asked.map(({ date }) => date),
      line_ids: asked.map(({ line_id }) => line_id),
      limit: limit - found.length,
    })
    found.push(...rows.map((row) => lineOf(row, targets, currency)))
  }
  return found
}

/** What lines come to in debit less credit, and how many they are: all that are selected, or those up to one of them. */
export function sumOfLines(
  tx: BusinessTx, { parameters, driver, basis }: Selection, ledger_ids: readonly string[], until: Until | null = null,
): Promise<{ amount: number; count: number }> {
  const { date, id, inclusive } = until ?? { date: parameters.end_date, id: LAST_ID, inclusive: true }
  return tx.get(store.sums[basis][driver], { ...parameters, ledger_ids, date, line_id: id, inclusive }, 'Sum')
}

/** The documents behind all lines of these ledgers, the largest first. */
export function documentsOf(tx: BusinessTx, { parameters, driver, basis }: Selection, ledger_ids: readonly string[], limit: number) {
  return tx.many(store.documentsOf[basis][driver], { ...parameters, ledger_ids, limit })
}

/** The numbers of the entries that have such lines, beyond this one; `ledger_ids` null is all ledgers. */
export async function entryNumbers(
  tx: BusinessTx, { parameters, driver, basis }: Selection, ledger_ids: readonly string[] | null, number: number, limit: number, backwards: boolean,
): Promise<number[]> {
  const asked = { ...parameters, ledger_ids: ledger_ids ?? [], every_ledger: ledger_ids === null, number, limit }
  const rows = await tx.many(store.entryNumbers[basis][backwards ? 'prev' : 'next'][driver], asked)
  return rows.map((row) => row.number)
}

type Until = { date: string; id: string; inclusive: boolean }

const LINES_AT_A_TIME = 1_000

/** Reads in a transaction: that of the request, or one for each part of a file. */
export type Read = Channel<BusinessTx>['read']

/** All lines of the ledgers in their order, page by page. What is recorded meanwhile has higher numbers and does not count. */
export async function* everyLine(read: Read, selection: Selection, shown: readonly Shown[], range: Range): AsyncGenerator<LedgerLine[]> {
  for (let position: Position | null = null; ;) {
    const stretches = stretchesOf(shown, range, position, false)
    const lines: LedgerLine[] = await read((tx) => walkLines(tx, selection, stretches, LINES_AT_A_TIME, false))
    if (lines.length > 0) yield lines
    if (lines.length < LINES_AT_A_TIME) return
    position = lines.at(-1) ?? null
  }
}

/** Opening and movement of each ledger. Income and expenses open with the fiscal year, as in a trial balance. */
async function standingsOf(tx: BusinessTx, asked: Asked, range: Range, shown: readonly Shown[]): Promise<Map<string, Standing>> {
  const year = fiscalYearAt(asked.books.periods, range.start_date)
  const found = await figures(tx, { ...asked.figures, ranges: [range, dayBefore(range.start_date), dayBefore(year.start_date)] })
  const [group] = found.groups
  return new Map(shown.map(({ ledger }) => {
    const earlier = isProfitAndLoss(ledger) ? balanceOf(group, ledger.id, 2) : 0
    return [ledger.id, { opening: balanceOf(group, ledger.id, 1) - earlier, moved: amountsOf(group, ledger.id, 0) }]
  }))
}

/** The balance of the cursor's ledger at its line: the days before it from the balances, the lines of its day one by one. */
async function balanceAt(
  tx: BusinessTx, asked: Asked, range: Range, shown: readonly Shown[], selection: Selection, { ledger_id, date, id }: Position, inclusive: boolean,
): Promise<{ ledger_id: string; balance: number } | null> {
  const at = shown.find(({ ledger }) => ledger.id === ledger_id)
  if (!at) return null
  const day = { ...selection, parameters: { ...selection.parameters, start_date: date, end_date: date } }
  const [found, lines] = await Promise.all([
    figures(tx, { ...asked.figures, ranges: [dayBefore(date), dayBefore(fiscalYearAt(asked.books.periods, range.start_date).start_date)] }),
    sumOfLines(tx, day, at.member_ids, { date, id, inclusive }),
  ])
  const [group] = found.groups
  const earlier = isProfitAndLoss(at.ledger) ? balanceOf(group, ledger_id, 1) : 0
  return { ledger_id, balance: addCents(balanceOf(group, ledger_id, 0), -earlier, lines.amount) }
}

function dayBefore(date: string): { start_date: null; end_date: string } {
  return { start_date: null, end_date: addDays(date, -1) }
}

type Sheet = { file_name: string; title: string; columns: Column[] }

/** Rows as a file. CSV takes whatever comes, in parts as they are read; what a spreadsheet or a printer could not hold is refused. */
export async function fileOf(
  tx: BusinessTx, format: Format, { file_name, title, columns }: Sheet, rowsFrom: (read: Read) => AsyncIterable<TableRow>,
): Promise<Download> {
  if (format === 'csv') return new Download('text/csv; charset=utf-8', `${file_name}.csv`, (read) => csvStream(columns, rowsFrom(read)).setEncoding('utf8'))
  const rows: TableRow[] = []
  for await (const row of rowsFrom((work) => work(tx))) {
    if (rows.push(row) > MOST_FILE_LINES) throw invalid(`There are more than ${MOST_FILE_LINES.toLocaleString('en')} lines: ask for format=csv, or for fewer.`)
  }
  return downloadOf({ title, columns, rows }, format, file_name)
}
