// Makes the journal as a report.
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import type { Download } from '../../foundation/endpoint.ts'
import type { Currency } from '../../foundation/money.ts'
import type { Format, TableRow } from '../../foundation/sheets.ts'
import { DEFAULT_LIMIT } from '../general-ledger/contract.ts'
import { entryNumbers, fileOf, isNamed, selectionOf, shownOf, type Read, type Selection } from '../general-ledger/operations.ts'
import { decodeCursor, encodeCursor, headerOf, scopeOf } from '../general-ledger/rules.ts'
import { askedOf, type Asked } from '../report-columns/operations.ts'
import { rangeOf, type Range } from '../report-columns/rules.ts'
import { targetsOf } from '../report-figures/rules.ts'
import type { JournalReport, JournalReportEntry, JournalReportFacts, JournalReportLine, JournalReportQuery } from './contract.ts'
import { ENTRY_COLUMNS, entryRows } from './rules.ts'
import * as store from './store.ts'

const REPORT = { report: 'journal', title: 'Journal' }

export async function getJournalReport(tx: BusinessTx, query: JournalReportQuery): Promise<JournalReport> {
  const { limit = DEFAULT_LIMIT, cursor, direction = 'next', include_total_count = false } = query
  const backwards = direction === 'prev'
  const asking = await prepare(tx, query)
  const scope = scopeOf(tx.business_id, REPORT.report, query, asking.range)
  const key = cursor === undefined ? null : decodeCursor(cursor, scope).map(Number)
  // A cursor also knows where the entries of these dates begin and end.
  const bounds = key ? { first: key[1] ?? 0, last: key[2] ?? 0 } : await boundsOf(tx, asking)
  const [found, total] = await Promise.all([
    facts(tx, asking, bounds, key?.[0] ?? null, limit + 1, backwards),
    include_total_count ? countOf(tx, asking) : null,
  ])
  const more = found.length > limit
  const shown = found.slice(0, limit)
  if (backwards) shown.reverse()
  const cursorAt = (entry: JournalReportFacts | undefined) => (entry ? encodeCursor([entry.number, bounds.first, bounds.last].map(String), scope) : null)
  const has_next = shown.length > 0 && (backwards ? key !== null : more)
  const has_prev = shown.length > 0 && (backwards ? more : key !== null)
  return {
    ...headerOf(tx, { ...REPORT, query, asked: asking.asked, dates: asking.range }),
    items: await withLines(tx, asking.asked, shown),
    next_cursor: has_next ? cursorAt(shown.at(-1)) : null,
    prev_cursor: has_prev ? cursorAt(shown[0]) : null,
    has_next,
    has_prev,
    limit,
    total,
  }
}

const ENTRIES_AT_A_TIME = 200

/** A row per line. */
export async function exportJournal(tx: BusinessTx, query: JournalReportQuery, format: Format): Promise<Download> {
  const asking = await prepare(tx, query)
  const bounds = await boundsOf(tx, asking)
  const rows = async function* (read: Read): AsyncGenerator<TableRow> {
    for (let number: number | null = null; ;) {
      const next = async (own: BusinessTx) => withLines(own, asking.asked, await facts(own, asking, bounds, number, ENTRIES_AT_A_TIME, false))
      const entries: JournalReportEntry[] = await read(next)
      yield* entries.flatMap(entryRows)
      if (entries.length < ENTRIES_AT_A_TIME) return
      number = entries.at(-1)?.number ?? null
    }
  }
  return fileOf(tx, format, { file_name: `${REPORT.report}-${asking.range.end_date}`, title: REPORT.title, columns: ENTRY_COLUMNS }, rows)
}

type Asking = {
  asked: Asked
  range: Range
  selection: Selection
  /** Entries with a line of these; null: of any. */
  ledger_ids: string[] | null
  /** Whether lines decide which entries are shown. */
  by_lines: boolean
}

async function prepare(tx: BusinessTx, query: JournalReportQuery): Promise<Asking> {
  const asked = await askedOf(tx, query)
  const range = rangeOf(query, tx.today, asked.books.periods)
  const ledger_ids = isNamed(query.ledger_id) ? shownOf(asked, query.ledger_id).flatMap(({ member_ids }) => member_ids) : null
  return { asked, range, selection: await selectionOf(tx, asked, range), ledger_ids, by_lines: asked.is_filtered || ledger_ids !== null }
}

type Bounds = { first: number; last: number }

async function boundsOf(tx: BusinessTx, { selection: { parameters }, by_lines }: Asking): Promise<Bounds> {
  if (by_lines) return { first: 1, last: parameters.last_number }
  const { first, last } = await tx.get(store.numbersOfRange, parameters, 'Numbers')
  return { first: first ?? 1, last: last ?? 0 }
}

async function facts(
  tx: BusinessTx, { selection, ledger_ids, by_lines }: Asking, { first, last }: Bounds, number: number | null, limit: number, backwards: boolean,
): Promise<JournalReportFacts[]> {
  const from = number ?? (backwards ? last + 1 : first - 1)
  if (!by_lines) return tx.many(backwards ? store.entriesBefore : store.entriesAfter, { ...selection.parameters, first, last, number: from, limit })
  const numbers = await entryNumbers(tx, selection, ledger_ids, from, limit, backwards)
  const found = await tx.many(store.entriesByNumber, { numbers })
  return backwards ? found.reverse() : found
}

async function countOf(tx: BusinessTx, { selection, ledger_ids, by_lines }: Asking): Promise<number> {
  if (!by_lines) return (await tx.get(store.numbersOfRange, selection.parameters, 'Numbers')).count
  return (await entryNumbers(tx, selection, ledger_ids, 0, Number.MAX_SAFE_INTEGER, false)).length
}

async function withLines(tx: BusinessTx, { books, figures: { basis } }: Asked, found: readonly JournalReportFacts[]): Promise<JournalReportEntry[]> {
  const targets = targetsOf(books.ledgers)
  const lines = found.length === 0 ? [] : await tx.many(store.linesOfEntries, { numbers: found.map(({ number }) => number), cash: basis === 'cash' })
  const byEntry = Map.groupBy(lines, ({ entry_id }) => entry_id)
  const shown = ({ entry_id: _entry, base_amount, ...line }: (typeof lines)[number]): JournalReportLine => {
    const ledger = books.ledgers.get(targets.get(line.ledger_id) ?? line.ledger_id)
    return {
      ...line,
      ledger_id: ledger?.id ?? line.ledger_id,
      ledger_number: ledger?.number ?? null,
      ledger_name: ledger?.name ?? '',
      debit: Math.max(base_amount, 0),
      credit: Math.max(-base_amount, 0),
      currency: line.cash_basis ? (tx.business.base_currency as Currency) : line.currency,
    }
  }
  return found.map((entry) => ({ ...entry, href: `/journal-entries/${entry.id}`, lines: (byEntry.get(entry.id) ?? []).map(shown) }))
}
