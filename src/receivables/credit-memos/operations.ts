// Reading credit memos, and what every change of one has in common.
import type { Page, PageQuery } from '../../foundation/database/list.ts'
import { changed } from '../../foundation/database/rows.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import type { Download } from '../../foundation/endpoint.ts'
import { fileOfList } from '../../foundation/list-file.ts'
import { notFound } from '../../foundation/refusal.ts'
import { CUSTOM } from '../sales-lines/contract.ts'
import { memoResource, type CreditMemo, type MemoEvent, type MemoLineRow, type MemoRow } from './contract.ts'
import { FILE_COLUMNS, fileRow, remainingOf } from './rules.ts'
import * as store from './store.ts'

/** A memo with its lines. */
export type LoadedMemo = { memo: MemoRow; lines: MemoLineRow[] }

type MemoQuery = PageQuery & { has_remaining?: boolean }

export async function listMemos(tx: BusinessTx, { has_remaining, ...query }: MemoQuery): Promise<Page<CreditMemo>> {
  const asked = { ...query, ...(has_remaining === undefined ? {} : has_remaining ? { with_remaining: true } : { without_remaining: true }) }
  const page = await tx.page(store.memos, asked)
  return { ...page, items: page.items.map(({ customer_name, invoice_number, ...memo }) => shown(memo, { customer_name, invoice_number })) }
}

export function exportMemos(tx: BusinessTx, { format, ...filters }: MemoQuery & { format?: 'csv' | 'xlsx' }): Promise<Download> {
  const page = (by: BusinessTx, paging: PageQuery) => listMemos(by, { ...filters, ...paging, descending: false })
  return fileOfList(tx, { title: 'Credit memos', file_name: 'credit-memos', columns: FILE_COLUMNS, page, row: fileRow }, format)
}

/** As it stands in this transaction. */
export async function getMemo(tx: BusinessTx, id: string): Promise<CreditMemo> {
  const [[memo], names, lines, entries] = await Promise.all([
    tx.many(store.memosByIds, { ids: [id] }), tx.find(store.namesOf, { id }), tx.many(store.linesOf, { ids: [id] }), tx.many(store.entriesOf, { id }),
  ])
  if (!memo) throw notFound('Credit memo')
  return {
    ...shown(memo, names ?? { customer_name: null, invoice_number: null }),
    line_items: lines.map(({ credit_memo_id: _memo, ...line }) => ({ ...line, variant_id: line.variant_id ?? (line.catalog_item_id ? null : CUSTOM) })),
    journal_entries: entries,
  }
}

function shown({ receivable_line_id: _line, ...memo }: MemoRow, names: Pick<CreditMemo, 'customer_name' | 'invoice_number'>): CreditMemo {
  return { ...memo, ...names, remaining: remainingOf(memo), line_items: null, journal_entries: null }
}

/** Memos are locked before the invoices that they settle, in the order of their ids; 404 where one is missing. */
export async function lockMemos(tx: BusinessTx, ids: readonly string[]): Promise<Map<string, MemoRow>> {
  const wanted = [...new Set(ids)]
  const rows = wanted.length > 0 ? await tx.many(store.lockMemos, { ids: wanted }) : []
  const found = new Map(rows.map((memo) => [memo.id, memo]))
  const missing = wanted.find((id) => !found.has(id))
  if (missing) throw notFound(wanted.length === 1 ? 'Credit memo' : `Credit memo ${missing}`)
  return found
}

/** The one that this request changes: If-Match is held against it. */
export async function lockMemo(tx: BusinessTx, id: string): Promise<LoadedMemo> {
  const [memos, lines] = await Promise.all([lockMemos(tx, [id]), tx.many(store.linesOf, { ids: [id] })])
  const memo = memos.get(id) as MemoRow
  tx.checkMatch(memo.version)
  return { memo, lines }
}

/** What this customer's open credits are, by id. */
export async function openMemoIds(tx: BusinessTx, customer_ids: readonly string[], applied_on: string): Promise<string[]> {
  return (await tx.many(store.openOf, { customer_ids, applied_on })).map(({ id }) => id)
}

export function insertMemo(tx: BusinessTx, { memo, lines }: LoadedMemo): void {
  tx.queue(store.insertMemos, { rows: JSON.stringify([memo]) })
  writeLines(tx, lines)
  tx.record(memoResource, 'credit_memo.created', { before: null, after: memo })
}

export function replaceLines(tx: BusinessTx, memo_id: string, lines: readonly MemoLineRow[]): void {
  tx.queue(store.deleteLines, { id: memo_id })
  writeLines(tx, lines)
}

function writeLines(tx: BusinessTx, lines: readonly MemoLineRow[]): void {
  if (lines.length > 0) tx.queue(store.insertLines, { rows: JSON.stringify(lines) })
}

export function writeReturned(tx: BusinessTx, lines: readonly MemoLineRow[]): void {
  if (lines.length > 0) tx.queue(store.updateReturned, { rows: JSON.stringify(lines) })
}

/** Changed memos: written with the commit, and their history with them. */
export function saveMemos(tx: BusinessTx, all: readonly { before: MemoRow; changes: Partial<MemoRow>; event: MemoEvent }[]): MemoRow[] {
  const saved = all.map(({ before, changes, event }) => {
    const after = changed(before, changes, tx.now)
    tx.record(memoResource, event, { before, after })
    return after
  })
  if (saved.length > 0) tx.queue(store.updateMemos, { rows: JSON.stringify(saved) })
  return saved
}

export function saveMemo(tx: BusinessTx, before: MemoRow, changes: Partial<MemoRow>, event: MemoEvent): MemoRow {
  const [after] = saveMemos(tx, [{ before, changes, event }])
  return after as MemoRow
}

export function removeMemo(tx: BusinessTx, memo: MemoRow): void {
  tx.queue(store.deleteMemo, memo)
  tx.record(memoResource, 'credit_memo.deleted', { before: memo, after: null })
}

/** What the credit notes of an invoice take back so far, those that are still drafts too; `besides` leaves one out. The invoice is locked. */
export async function creditedOf(tx: BusinessTx, invoice_id: string, besides: string | null = null) {
  const [lines, totals] = await Promise.all([tx.many(store.creditedLines, { invoice_ids: [invoice_id] }), tx.many(store.creditedTotals, { invoice_ids: [invoice_id] })])
  return {
    lines: lines.filter(({ credit_memo_id }) => credit_memo_id !== besides),
    total: totals.filter(({ credit_memo_id }) => credit_memo_id !== besides).reduce((sum, { total }) => sum + total, 0),
  }
}
export type CreditedLine = Awaited<ReturnType<typeof creditedOf>>['lines'][number]

/** The card charge whose surplus this memo is; null where it is none. */
export async function chargeOf(tx: BusinessTx, memo_id: string): Promise<string | null> {
  return (await tx.find(store.chargeOf, { id: memo_id }))?.processor_charge_id ?? null
}
