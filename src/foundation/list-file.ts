// A whole list as a file to take away: read page by page, so that it may be of any length.
import { Type } from 'typebox'
import type { Page, PageQuery } from './database/list.ts'
import type { BusinessTx } from './database/transaction.ts'
import { Download } from './endpoint.ts'
import { invalid } from './refusal.ts'
import { oneOf, optional } from './shapes.ts'
import { csvStream, downloadOf, type Column, type TableRow } from './sheets.ts'

/** More than this and a sheet takes too much memory to be made at once. */
export const MOST_SHEET_ROWS = 50_000

export const listFileFormat = optional(oneOf(['csv', 'xlsx'], { default: 'csv' }))
export const listFileReply = Type.Unsafe<never>({ type: 'string', contentMediaType: 'text/csv' })
export const LIST_FILE_WORDS = `What the list shows with the same filters. A CSV file is made while it is sent, however large it is; an XLSX file has at most ${MOST_SHEET_ROWS.toLocaleString('en')} rows.`
export const LIST_FILE_REFUSALS = [`There are more than ${MOST_SHEET_ROWS.toLocaleString('en')} rows, and XLSX is asked for.`]

export type ListFile<Item> = {
  title: string
  /** Without its ending. */
  file_name: string
  columns: Column[]
  /** Reads a page of the list; the transaction is not the same for every page. */
  page(tx: BusinessTx, paging: PageQuery): Promise<Page<Item>>
  row(item: Item): TableRow
}

/** The first page is read at once, so that a refusal is still an answer; of a CSV file the others are read while it is sent. */
export async function fileOfList<Item>(tx: BusinessTx, file: ListFile<Item>, format: 'csv' | 'xlsx' = 'csv'): Promise<Download> {
  const first = await file.page(tx, { limit: PIECE })
  const next = (by: BusinessTx, cursor: string) => file.page(by, { limit: PIECE, cursor })
  if (format === 'csv') {
    return new Download('text/csv; charset=utf-8', `${file.file_name}.csv`, (read) =>
      csvStream(file.columns, rowsFrom(file, first, (cursor) => read((later) => next(later, cursor)))))
  }
  const rows: TableRow[] = []
  for await (const row of rowsFrom(file, first, (cursor) => next(tx, cursor))) {
    if (rows.push(row) > MOST_SHEET_ROWS) throw invalid(`There are more than ${MOST_SHEET_ROWS} rows: ask for CSV, or narrow the filters.`)
  }
  return downloadOf({ title: file.title, columns: file.columns, rows }, 'xlsx', file.file_name)
}

const PIECE = 500

async function* rowsFrom<Item>(file: ListFile<Item>, first: Page<Item>, next: (cursor: string) => Promise<Page<Item>>): AsyncGenerator<TableRow> {
  for (let page = first; ; page = await next(page.next_cursor)) {
    yield* page.items.map(file.row)
    if (page.next_cursor === null) return
  }
}
