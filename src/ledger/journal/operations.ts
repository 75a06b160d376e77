// Reading the journal, and the one place that writes it: the posting function, which knows what may enter, is the only caller.
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { firstDayOfMonth } from '../../foundation/calendar.ts'
import { newId } from '../../foundation/ids.ts'
import { notFound } from '../../foundation/refusal.ts'
import type { Head } from '../books/contract.ts'
import type { CashLine } from '../cash-basis/contract.ts'
import { writeCashLines } from '../cash-basis/operations.ts'
import type { WrittenLine } from '../cash-basis/rules.ts'
import type { EntryHeader, JournalEntry, PostedEntry } from './contract.ts'
import { sealedText, sealOf, totalOf } from './rules.ts'
import * as store from './store.ts'

export type DraftLine = WrittenLine & { rate: string; memo: string | null; tax_code_id: string | null }

/** An entry that may be written: everything but its number and its seal. */
export type Draft = Pick<
  EntryHeader,
  'id' | 'date' | 'memo' | 'source_type' | 'source_id' | 'currency' | 'is_adjusting' | 'auto_reverse_on' | 'reversal_of_id' | 'mirror_of_id' | 'template_id'
  | 'prepared_by' | 'approved_by' | 'superseded'
> & { rate: string; lines: DraftLine[]; cash_lines: CashLine[] }

/** Numbers, seals and writes entries; the journal is locked. Nothing is waited for: it travels with the commit. */
export function writeEntries(tx: BusinessTx, head: Head, drafts: readonly Draft[]): PostedEntry[] {
  if (drafts.length === 0) return []
  // The database comes to the same values: nobody else can post in between.
  const recorded_at = head.recorded_at !== null && head.recorded_at > tx.now ? head.recorded_at : tx.now
  let previous = head.hash
  const entries = drafts.map((draft, index): PostedEntry => {
    const number = head.number + index + 1
    const hash = sealOf(previous, { ...draft, business_id: tx.business_id, number, recorded_at }, sealedLines(draft))
    const entry = shown(tx, draft, number, recorded_at, previous.toString('hex'), hash.toString('hex'))
    previous = hash
    return entry
  })
  tx.queue(store.postEntries, { ...written(tx, entries, drafts), stamp: null })
  const cash = drafts.flatMap((draft, index) => draft.cash_lines.map((line) => (
    { ...line, id: newId(), entry_id: draft.id, entry_number: head.number + index + 1, date: draft.date, is_adjusting: draft.is_adjusting })))
  writeCashLines(tx, cash)
  writeAnalysis(tx, linesOf(entries), cash)
  return entries
}

/**
 * The same without having locked the journal, so that nobody waits while rules are looked at: the lock is taken as it is written, and only
 * if the books are still those that were looked at. Numbers and seals are in the entries once the transaction has ended, not before. For
 * entries that open or settle nothing.
 */
export function writeEntriesLate(tx: BusinessTx, stamp: string, drafts: readonly Draft[]): PostedEntry[] {
  const entries = drafts.map((draft) => shown(tx, draft, NaN, tx.now, '', ''))
  tx.late(store.postEntries, { ...written(tx, entries, drafts), stamp }, (rows) => {
    for (const [index, { number, recorded_at, previous_hash, hash }] of rows.entries()) {
      Object.assign(entries[index] ?? {}, { number, previous_hash, hash, posted_at: recorded_at, created_at: recorded_at, updated_at: recorded_at })
    }
  })
  writeAnalysis(tx, linesOf(entries), [])
  return entries
}

/** What history says of an entry that has no number yet: the database puts it in. */
export function withLateValues(entry: EntryHeader): EntryHeader {
  const late = (name: string) => `@${name} ${entry.id}`
  const values = { number: late('number'), previous_hash: late('previous_hash'), hash: late('hash'), posted_at: late('recorded_at'), created_at: late('recorded_at'), updated_at: late('recorded_at') }
  return { ...entry, ...values } as unknown as EntryHeader
}

/** The parameters of the statement; `place` tells which entry a line belongs to. */
function written(tx: BusinessTx, entries: readonly PostedEntry[], drafts: readonly Draft[]) {
  const placed = entries.map(({ lines, ...entry }, index) => ({ ...entry, place: index + 1, line_count: lines.length }))
  const lines = entries.flatMap((entry, index) => linesOf([entry]).map((line) => ({ ...line, place: index + 1 })))
  return {
    entries: JSON.stringify(placed),
    lines: JSON.stringify(lines),
    sealed: drafts.map((draft) => sealedText({ ...draft, business_id: tx.business_id }, sealedLines(draft))),
  }
}

function sealedLines(draft: Draft) {
  return draft.lines.map((line) => ({ ...line, ledger_id: line.ledger.id }))
}

function linesOf(entries: readonly PostedEntry[]) {
  return entries.flatMap(({ lines, date, is_adjusting }) => lines.map(({ debit: _debit, credit: _credit, ...line }) => ({ ...line, date, is_adjusting })))
}

function shown(tx: BusinessTx, draft: Draft, number: number, recorded_at: string, previous_hash: string, hash: string): PostedEntry {
  return {
    id: draft.id,
    business_id: tx.business_id,
    number,
    date: draft.date,
    memo: draft.memo,
    status: 'posted',
    source_type: draft.source_type,
    source_id: draft.source_id,
    currency: draft.currency,
    rate: draft.rate,
    is_adjusting: draft.is_adjusting,
    auto_reverse_on: draft.auto_reverse_on,
    reversal_of_id: draft.reversal_of_id,
    reversed_by_id: null,
    mirror_of_id: draft.mirror_of_id,
    superseded: draft.superseded,
    template_id: draft.template_id,
    prepared_by: draft.prepared_by,
    approved_by: draft.approved_by,
    posted_at: recorded_at,
    total: totalOf(draft.lines),
    previous_hash,
    hash,
    created_at: recorded_at,
    updated_at: recorded_at,
    version: 1,
    lines: draft.lines.map((line, index) => ({
      id: line.id,
      entry_id: draft.id,
      position: index + 1,
      ledger_id: line.ledger.id,
      currency: line.currency,
      amount: line.amount,
      debit: Math.max(line.amount, 0),
      credit: Math.max(-line.amount, 0),
      base_amount: line.base_amount,
      rate: line.rate,
      memo: line.memo,
      customer_id: line.customer_id,
      vendor_id: line.vendor_id,
      project_id: line.project_id,
      dimension_value_ids: line.dimension_value_ids,
      tax_code_id: line.tax_code_id,
      settles_line_id: line.settles_line_id,
    })),
  }
}

type Tagged = { id: string; ledger_id: string; date: string; base_amount: number } & Pick<WrittenLine, 'customer_id' | 'vendor_id' | 'project_id' | 'dimension_value_ids'>

/** Balances by tag, for lines that carry one. */
function writeAnalysis(tx: BusinessTx, lines: readonly Tagged[], cash: readonly Tagged[]): void {
  const dimensions = lines.flatMap((line) => line.dimension_value_ids.map((value_id) => ({ value_id, date: line.date, line_id: line.id })))
  if (dimensions.length > 0) tx.queue(store.insertLineDimensions, { rows: JSON.stringify(dimensions) })
  const rows = [...lines.flatMap((line) => movements(line, false)), ...cash.flatMap((line) => movements(line, true))]
  if (rows.length > 0) tx.queue(store.addToAnalysis, { rows: JSON.stringify(rows) })
}

function movements(line: Tagged, cash: boolean) {
  const { customer_id, vendor_id, project_id, dimension_value_ids, ledger_id, base_amount } = line
  if (!customer_id && !vendor_id && !project_id && dimension_value_ids.length === 0) return []
  const values: [string, string | null][] = [['customer', customer_id], ['vendor', vendor_id], ['project', project_id], ...dimension_value_ids.map((id): [string, string] => ['dimension', id])]
  const debit = Math.max(base_amount, 0)
  const credit = Math.max(-base_amount, 0)
  const amounts = cash ? { debit: 0, credit: 0, cash_debit: debit, cash_credit: credit } : { debit, credit, cash_debit: 0, cash_credit: 0 }
  return values.flatMap(([axis, value_id]) => (value_id ? [{ axis, value_id, ledger_id, month: firstDayOfMonth(line.date), ...amounts }] : []))
}

/** 404 where there is none. */
export async function getEntry(tx: BusinessTx, entry_id: string): Promise<PostedEntry> {
  const header = await tx.get(store.findEntry, { id: entry_id }, 'Journal entry')
  const [entry] = await withLines(tx, [header])
  return entry as PostedEntry
}

/** Entries by their ids, in the order of their numbers; 404 where one is missing. */
export async function getEntries(tx: BusinessTx, entry_ids: readonly string[]): Promise<PostedEntry[]> {
  const headers = await tx.many(store.entriesByIds, { ids: entry_ids })
  if (headers.length < new Set(entry_ids).size) throw notFound('Journal entry')
  return (await withLines(tx, headers)) as PostedEntry[]
}

/** The standing entries that settle items of this one. */
export async function settlersOf(tx: BusinessTx, entry: PostedEntry): Promise<PostedEntry[]> {
  return (await withLines(tx, await tx.many(store.settlingEntries, { number: entry.number }))) as PostedEntry[]
}

/** Headers with their lines, in the same order. */
export async function withLines(tx: BusinessTx, headers: readonly EntryHeader[]): Promise<JournalEntry[]> {
  if (headers.length === 0) return []
  const lines = await tx.many(store.linesOfEntries, { numbers: headers.map(({ number }) => number) })
  const byEntry = Map.groupBy(lines, ({ entry_id }) => entry_id)
  return headers.map((header) => ({ ...header, lines: (byEntry.get(header.id) ?? []).map(({ entry_number: _number, ...line }) => line) }))
}

/** The entries of a document, in the order of their numbers. */
export function entriesOf(tx: BusinessTx, source_type: string, source_id: string): Promise<EntryHeader[]> {
  return tx.many(store.entriesOfSource, { source_type, source_id })
}

/** History tells of the entry; its lines are in the journal, which never changes. */
export function headerOf({ lines: _lines, ...header }: JournalEntry): EntryHeader {
  return header
}

/** The entry that is the opposite of this one by plan: its mirror, or the one whose mirror it is. */
export async function findMirror(tx: BusinessTx, entry: EntryHeader): Promise<PostedEntry | null> {
  const header = entry.mirror_of_id ? await tx.find(store.findEntry, { id: entry.mirror_of_id }) : await tx.find(store.mirrorOf, { id: entry.id })
  const [mirror] = header ? await withLines(tx, [header]) : []
  return (mirror as PostedEntry | undefined) ?? null
}

/** Remarks on an entry that another now reverses, or also replaces. */
export function markReversed(tx: BusinessTx, entry_id: string, reversed_by_id: string, superseded: boolean): void {
  tx.queue(store.markReversed, { id: entry_id, reversed_by_id, superseded })
}

/** Another remark beside the facts of an entry. */
export function writeMemo(tx: BusinessTx, entry_id: string, memo: string | null): void {
  tx.queue(store.changeMemo, { id: entry_id, memo })
}

/** What settles an item of these entries, apart from themselves; null where nothing does. */
export function findSettler(tx: BusinessTx, numbers: readonly number[]): Promise<{ entry_number: number; position: number; settled_by: number } | null> {
  return tx.find(store.settlersOf, { numbers })
}
