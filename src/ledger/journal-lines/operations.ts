// Lines by themselves, and entries on their way into a file.
import type { Page, PageQuery } from '../../foundation/database/list.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { Download } from '../../foundation/endpoint.ts'
import { invalid } from '../../foundation/refusal.ts'
import { csvStream, downloadOf, type TableRow } from '../../foundation/sheets.ts'
import { readBooks } from '../books/operations.ts'
import type { EntryHeader } from '../journal/contract.ts'
import { withLines } from '../journal/operations.ts'
import type { Entry } from '../journal-drafts/contract.ts'
import { draftsByIds } from '../journal-drafts/operations.ts'
import { shownDraft } from '../journal-drafts/rules.ts'
import type { EntryFilters } from '../journal-entries/contract.ts'
import { listEntries } from '../journal-entries/operations.ts'
import { MOST_SHEET_LINES, type LineFilters, type ListedLine } from './contract.ts'
import { columnsOf, rowsOf } from './rules.ts'
import * as store from './store.ts'

export function listLines(tx: BusinessTx, { is_adjusting, include_superseded, ...query }: PageQuery & LineFilters): Promise<Page<ListedLine>> {
  const asked = { ...query, adjusting: is_adjusting || undefined, unadjusting: is_adjusting === false || undefined, standing: !include_superseded || undefined }
  return tx.page(store.lines, asked)
}

type ExportQuery = EntryFilters & { format?: 'csv' | 'xlsx'; descending?: boolean }
type Piece = { rows: TableRow[]; next_cursor: string | null }

/** The first piece is read at once, so that a refusal is still an answer; of a CSV file the others are read while it is sent. */
export async function exportEntries(tx: BusinessTx, { format = 'csv', ...query }: ExportQuery): Promise<Download> {
  const [{ books }, first] = await Promise.all([readBooks(tx), readPiece(tx, query, undefined)])
  const columns = columnsOf(books)
  if (format === 'csv') {
    return new Download('text/csv; charset=utf-8', 'journal-entries.csv', (read) =>
      csvStream(columns, rowsFrom(first, (cursor) => read((later) => readPiece(later, query, cursor)))))
  }
  const rows: TableRow[] = []
  for await (const row of rowsFrom(first, (cursor) => readPiece(tx, query, cursor))) {
    if (rows.push(row) > MOST_SHEET_LINES) throw invalid(`There are more than ${MOST_SHEET_LINES} lines: ask for CSV, or narrow the filters.`)
  }
  return downloadOf({ title: 'Journal entries', columns, rows }, 'xlsx', 'journal-entries')
}

const PIECE = 500

async function readPiece(tx: BusinessTx, query: EntryFilters & { descending?: boolean }, cursor: string | undefined): Promise<Piece> {
  const [{ books }, page] = await Promise.all([
    readBooks(tx), listEntries(tx, { descending: false, ...query, limit: PIECE, ...(cursor !== undefined && { cursor }) }),
  ])
  const entries = await withTheirLines(tx, page.items)
  return { rows: entries.flatMap((entry) => rowsOf(entry, books)), next_cursor: page.next_cursor }
}

async function withTheirLines(tx: BusinessTx, headers: readonly EntryHeader[]): Promise<Entry[]> {
  const ids = headers.filter(({ number }) => number === null).map(({ id }) => id)
  const [posted, drafts] = await Promise.all([withLines(tx, headers.filter(({ number }) => number !== null)), ids.length > 0 ? draftsByIds(tx, ids) : []])
  const byId = new Map<string, Entry>([...posted, ...drafts.map(shownDraft)].map((entry) => [entry.id, entry]))
  return headers.flatMap(({ id }) => byId.get(id) ?? [])
}

async function* rowsFrom(first: Piece, next: (cursor: string) => Promise<Piece>): AsyncGenerator<TableRow> {
  for (let piece = first; ; piece = await next(piece.next_cursor)) {
    yield* piece.rows
    if (piece.next_cursor === null) return
  }
}
