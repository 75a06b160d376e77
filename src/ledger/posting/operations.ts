// The one door into the journal: every entry of every room comes through here, in the transaction of what it belongs to.
import { addDays } from '../../foundation/calendar.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import type { Currency } from '../../foundation/money.ts'
import { invalid } from '../../foundation/refusal.ts'
import { extendPeriods, ledgerOfRole, lockJournal, readBooks } from '../books/operations.ts'
import type { Area, Books, Head } from '../books/contract.ts'
import type { CashLine } from '../cash-basis/contract.ts'
import { cashLinesOfEntries, itemsSettledBy, type Settling } from '../cash-basis/operations.ts'
import { isItem, isReceivableOrPayable, oppositeLines, openingLines, revaluationLines, settlementLines, type WrittenLine } from '../cash-basis/rules.ts'
import { applyDimensionRules } from '../dimension-rules/rules.ts'
import { ratesFor } from '../fx-rates/operations.ts'
import { entryResource, OWN_SOURCES, type EntryHeader, type JournalEntry, type PostedEntry } from '../journal/contract.ts'
import { findMirror, findSettler, getEntries, getEntry, headerOf, markReversed, settlersOf, withLateValues, writeEntries, writeEntriesLate, writeMemo, type Draft } from '../journal/operations.ts'
import type { Posting } from './contract.ts'
import { carried, periodOf, priceLines, requireLedgers, requireOpenDate, type Override, type PricedLine, type RateOf } from './rules.ts'

export async function postEntry(tx: BusinessTx, posting: Posting): Promise<PostedEntry> {
  const [entry] = await postEntries(tx, [posting])
  return entry as PostedEntry
}

/**
 * Posts entries, in this order and numbered without a gap; where one has `auto_reverse_on` its mirror follows it in the answer.
 * Refuses what does not balance, ledgers that take no lines, dates that are not open and currencies without a rate.
 */
export async function postEntries(tx: BusinessTx, postings: readonly Posting[], { recorded = true, locked }: { recorded?: boolean; locked?: Locked } = {}): Promise<PostedEntry[]> {
  const { weigh, write } = await openDoor(tx, postings, { locked })
  return write(postings.flatMap(weigh), recorded)
}

/** What `lockJournal` gave. */
export type Locked = { head: Head; books: Books }

type Opening = { ahead?: boolean; late?: boolean; locked?: Locked | undefined }

export type Door = {
  books: Books
  /** The entries that a posting makes: it and its mirror. Refuses by throwing, and writes no entry. */
  weigh: (posting: Posting) => Draft[]
  /** Writes what was weighed; once, for another call would number from the same place. */
  write: (drafts: readonly Draft[], recorded?: boolean) => PostedEntry[]
}

/**
 * The door held open, for whoever wants to know of each posting by itself whether it may enter: the journal is locked and
 * whatever these postings are held against is read. With `ahead` nothing is locked and no period is made: it is only looked. With `late`
 * the journal is locked as the entries are written and not before, where they and a first attempt allow it; their numbers come with the end of the transaction.
 * Whoever has locked it already and posted nothing since hands in what `lockJournal` gave.
 */
export async function openDoor(tx: BusinessTx, postings: readonly Posting[], { ahead = false, late = false, locked }: Opening = {}): Promise<Door> {
  const seen = ahead || (late && !tx.request.keyed && !tx.again) ? await readBooks(tx) : null
  const can_be_late = seen !== null && !ahead && postings.every((posting) => standsAlone(seen.books, posting))
  const { head, books: known } = seen !== null && (ahead || can_be_late) ? seen : locked ?? await lockJournal(tx)
  let books = ahead ? withPeriodsAhead(known) : known
  const base = tx.business.base_currency as Currency
  const [rateOf, settling] = await Promise.all([neededRates(tx, postings, base), itemsSettledBy(tx, postings)])
  const override = overrideOf(tx)
  return {
    books,
    weigh(posting) {
      const { date, auto_reverse_on } = posting
      if (!ahead) books = extendPeriods(tx, books, auto_reverse_on && auto_reverse_on > date ? auto_reverse_on : date)
      return draftsOf(books, posting, base, rateOf, settling, override)
    },
    write: (drafts, recorded = true) => (can_be_late ? writeLate(tx, head.stamp, books, drafts) : write(tx, head, books, drafts, recorded)),
  }
}

/** Needs nothing but the books as they are: no period to be made, no item opened or settled. */
function standsAlone(books: Books, { date, auto_reverse_on, lines }: Posting): boolean {
  const last = books.periods.at(-1)?.end_date ?? ''
  return date <= last && (auto_reverse_on ?? '') <= last && lines.every(({ ledger_id, settles_line_id }) => {
    const ledger = books.ledgers.get(ledger_id)
    return !settles_line_id && ledger !== undefined && !isReceivableOrPayable(ledger)
  })
}

/** Beyond the last period the years go on by themselves. */
function withPeriodsAhead(books: Books): Books {
  const last = books.periods.at(-1)
  return last ? { ...books, periods: [...books.periods, { ...last, status: 'open', locks: [], start_date: addDays(last.end_date, 1), end_date: '9999-12-31' }] } : books
}

/** The opposite of an entry, and of its mirror where it has one. The answer is the entry as it stands now. */
export async function reverseEntry(tx: BusinessTx, entry_id: string, input: ReversalInput = {}): Promise<JournalEntry> {
  const { head, books: known } = await lockJournal(tx)
  const before = await getEntry(tx, entry_id)
  tx.checkMatch(before.version)
  if (before.status === 'reversed') return before
  const books = extendPeriods(tx, known, input.reversal_date ?? before.date)
  await reverse(tx, head, books, await withMirror(tx, before), input, false)
  return getEntry(tx, entry_id)
}

/** The opposites of several entries of documents, each on its own date or all on one; in the order of the entries' numbers. */
export async function reverseEntries(tx: BusinessTx, entry_ids: readonly string[], input: ReversalInput): Promise<PostedEntry[]> {
  if (entry_ids.length === 0) return []
  const { head, books: known } = await lockJournal(tx)
  const before = await getEntries(tx, entry_ids)
  const books = input.reversal_date ? extendPeriods(tx, known, input.reversal_date) : known
  return (await reverse(tx, head, books, before, input, false)).entries
}

/** Puts an entry on another date: its reversal on the old one and the same entry anew on the other. The answer is the new entry. */
export async function redateEntry(tx: BusinessTx, entry_id: string, date: string): Promise<PostedEntry> {
  const before = await getEntry(tx, entry_id)
  tx.checkMatch(before.version)
  if (before.date === date && before.status === 'posted') return before
  return (await repostEntry(tx, entry_id, { date })).entry
}

/** What `repostEntry` made: the entry anew, and for whatever was replaced along with it the new ids. */
export type Reposted = { entry: PostedEntry; entry_ids: Map<string, string>; line_ids: Map<string, string> }

/**
 * The same entry on another date or of another customer: its reversal and the entry anew. What settles it goes along, each on its own
 * date, so that it settles the new lines.
 */
export async function repostEntry(tx: BusinessTx, entry_id: string, change: { date?: string; customer_id?: string }, area: Area = 'journal'): Promise<Reposted> {
  const { head, books: known } = await lockJournal(tx)
  const before = await getEntry(tx, entry_id)
  if (before.auto_reverse_on || before.mirror_of_id) throw invalid(`Entry ${before.number} has a mirror: reverse it and post it anew with the other dates.`)
  if (before.status === 'reversed') throw invalid(`Entry ${before.number} is reversed: post a new one instead.`)
  const books = change.date ? extendPeriods(tx, known, change.date) : known
  requireOpenDate(books.periods, change.date ?? before.date, area, overrideOf(tx))
  const entries = [before, ...(await settlersOf(tx, before))]
  const memo = change.date ? `Re-dated to ${change.date}` : 'Replaced'
  const reversed = await reverse(tx, head, books, entries, { memo, area }, true)
  const line_ids = new Map(entries.flatMap(({ lines }) => lines.map(({ id }) => [id, newId()])))
  const drafts = entries.map((entry) => (entry === before ? anew : settlingAnew)(books, entry, change, line_ids, reversed.cash.get(entry.id) ?? []))
  const written = write(tx, reversed.head, books, drafts, false)
  for (const [index, entry] of entries.entries()) {
    tx.record(entryResource, 'journal_entry.redated', { before: headerOf(entry), after: headerOf(written[index] as PostedEntry) })
  }
  return { entry: written[0] as PostedEntry, entry_ids: new Map(entries.map(({ id }, index) => [id, written[index]?.id ?? ''])), line_ids }
}

/** The memo is a remark beside the facts of an entry, and no part of its seal. */
export async function changeMemo(tx: BusinessTx, entry_id: string, memo: string | null): Promise<PostedEntry> {
  await lockJournal(tx)
  const before = await getEntry(tx, entry_id)
  tx.checkMatch(before.version)
  if (before.memo === memo) return before
  const after = { ...before, memo, updated_at: tx.now, version: before.version + 1 }
  writeMemo(tx, entry_id, memo)
  tx.record(entryResource, 'journal_entry.updated', { before: headerOf(before), after: headerOf(after) })
  return after
}

function draftsOf(books: Books, posting: Posting, base: Currency, rateOf: RateOf, settling: Settling, override: Override): Draft[] {
  const area = posting.area ?? 'journal'
  requireOpenDate(books.periods, posting.date, area, override)
  requireLedgers(books, posting.lines, posting.currency ?? base)
  const carrying = carried(posting, base, settling.items, () => ledgerOfRole(books, 'realized_fx').id)
  const lines = priceLines(carrying, base, rateOf).map((line, index): PricedLine => {
    const dimension_value_ids = applyDimensionRules(books.dimensions, requireLedger(books, line.ledger_id), line, posting.date, posting.automatic === true, index + 1)
    return { ...line, dimension_value_ids }
  })
  const draft = draftOf(books, { ...posting, currency: posting.currency ?? base }, lines)
  draft.cash_lines = cashLinesFor(posting.source_type, draft.lines, settling)
  if (!posting.auto_reverse_on) return [draft]
  if (posting.auto_reverse_on <= posting.date) throw invalid(`auto_reverse_on must come after ${posting.date}.`)
  requireOpenDate(books.periods, posting.auto_reverse_on, area, override)
  const mirror = oppositeOf(draft, posting.auto_reverse_on, posting.memo ?? null)
  return [draft, { ...mirror, mirror_of_id: draft.id, cash_lines: oppositeLines(draft.cash_lines) }]
}

function draftOf(books: Books, posting: Posting, lines: readonly PricedLine[]): Draft {
  const { currency = 'USD' } = posting
  return {
    id: posting.id ?? newId(),
    date: posting.date,
    memo: posting.memo ?? null,
    source_type: posting.source_type,
    source_id: posting.source_id ?? null,
    currency,
    rate: lines.find((line) => line.currency === currency)?.rate ?? '1',
    is_adjusting: posting.is_adjusting ?? false,
    auto_reverse_on: posting.auto_reverse_on ?? null,
    reversal_of_id: null,
    mirror_of_id: null,
    template_id: posting.template_id ?? null,
    prepared_by: posting.prepared_by ?? null,
    approved_by: posting.approved_by ?? null,
    superseded: false,
    cash_lines: [],
    lines: lines.map((line) => ({
      id: newId(),
      ledger: requireLedger(books, line.ledger_id),
      currency: line.currency,
      amount: line.amount,
      base_amount: line.base_amount,
      rate: line.rate,
      memo: line.memo ?? null,
      customer_id: line.customer_id ?? null,
      vendor_id: line.vendor_id ?? null,
      project_id: line.project_id ?? null,
      dimension_value_ids: [...(line.dimension_value_ids ?? [])],
      tax_code_id: line.tax_code_id ?? null,
      settles_line_id: line.settles_line_id ?? null,
    })),
  }
}

/** Every line the other way round; an item that the entry had opened is settled by it. */
function oppositeOf(draft: Draft, date: string, memo: string | null): Draft {
  const lines = draft.lines.map((line) => ({
    ...line, id: newId(), amount: 0 - line.amount, base_amount: 0 - line.base_amount, settles_line_id: isItem(line) ? line.id : line.settles_line_id,
  }))
  return { ...draft, id: newId(), date, memo, auto_reverse_on: null, lines }
}

/** A posted entry as a draft again, with ledgers that must still take lines. */
function draftFrom(books: Books, entry: PostedEntry): Draft {
  requireLedgers(books, entry.lines, entry.currency)
  const lines = entry.lines.map((line) => ({ ...line, ledger: requireLedger(books, line.ledger_id) }))
  return { ...entry, lines, cash_lines: [] }
}

/** The same with new lines, perhaps on another date or of another customer. What the cash basis made of it stays the same too. */
function anew(books: Books, entry: PostedEntry, change: { date?: string; customer_id?: string }, line_ids: ReadonlyMap<string, string>, cash: readonly CashLine[]): Draft {
  const draft = draftFrom(books, entry)
  const renamed = (id: string | null) => line_ids.get(id ?? '') ?? id
  const customer = (id: string | null) => (id === null ? null : change.customer_id ?? id)
  const lines = draft.lines.map((line) => ({ ...line, id: renamed(line.id) ?? line.id, settles_line_id: renamed(line.settles_line_id), customer_id: customer(line.customer_id) }))
  const cash_lines = cash.map((line) => ({
    ...line, item_line_id: renamed(line.item_line_id) ?? line.item_line_id, document_line_id: renamed(line.document_line_id), customer_id: customer(line.customer_id),
  }))
  return { ...draft, id: newId(), date: change.date ?? entry.date, lines, cash_lines }
}

/** Of what settles an entry only the lines that do so follow it to another customer. */
function settlingAnew(books: Books, entry: PostedEntry, { customer_id }: { customer_id?: string }, line_ids: ReadonlyMap<string, string>, cash: readonly CashLine[]): Draft {
  const draft = anew(books, entry, {}, line_ids, cash)
  if (!customer_id) return draft
  const settling = new Set(entry.lines.filter(({ settles_line_id }) => line_ids.has(settles_line_id ?? '')).map(({ id }) => line_ids.get(id)))
  const items = new Set(line_ids.values())
  return {
    ...draft,
    lines: draft.lines.map((line) => (settling.has(line.id) ? { ...line, customer_id } : line)),
    cash_lines: draft.cash_lines.map((line) => (items.has(line.item_line_id) && line.customer_id !== null ? { ...line, customer_id } : line)),
  }
}

export type ReversalInput = { reversal_date?: string | undefined; memo?: string | null | undefined; area?: Area | undefined }

type Reversal = { head: Head; cash: Map<string, CashLine[]>; entries: PostedEntry[] }

/** Reverses entries on their own dates, or all on one; refuses those that cannot be. */
async function reverse(
  tx: BusinessTx, head: Head, books: Books, entries: readonly PostedEntry[], input: ReversalInput, superseded: boolean,
): Promise<Reversal> {
  for (const entry of entries) {
    if (entry.reversal_of_id) throw invalid(`Entry ${entry.number} is a reversal: post the entry anew instead of reversing it.`)
    if (input.reversal_date && input.reversal_date < entry.date) throw invalid(`reversal_date cannot be before ${entry.date}, the date of entry ${entry.number}.`)
    requireOpenDate(books.periods, input.reversal_date ?? entry.date, input.area ?? 'journal', overrideOf(tx))
  }
  const numbers = entries.map(({ number }) => number)
  const [settler, cash] = await Promise.all([findSettler(tx, numbers), cashLinesOfEntries(tx, numbers)])
  if (settler) throw invalid(`Line ${settler.position} of entry ${settler.entry_number} is settled by entry ${settler.settled_by}: reverse that one first.`)
  const drafts = entries.map((entry): Draft => {
    const opposite = oppositeOf(draftFrom(books, entry), input.reversal_date ?? entry.date, input.memo ?? `Reversal of entry ${entry.number}`)
    return { ...opposite, reversal_of_id: entry.id, mirror_of_id: null, template_id: null, superseded, cash_lines: oppositeLines(cash.get(entry.id) ?? []) }
  })
  const written = write(tx, head, books, drafts, !superseded)
  for (const [index, entry] of entries.entries()) {
    const reversed_by_id = written[index]?.id ?? ''
    markReversed(tx, entry.id, reversed_by_id, superseded)
    const after = { ...entry, status: 'reversed' as const, reversed_by_id, superseded, updated_at: tx.now, version: entry.version + 1 }
    if (!superseded) tx.record(entryResource, 'journal_entry.reversed', { before: headerOf(entry), after: headerOf(after) })
  }
  const last = written.at(-1)
  return { head: last ? { ...head, number: last.number, hash: Buffer.from(last.hash, 'hex') } : head, cash, entries: written }
}

async function withMirror(tx: BusinessTx, entry: PostedEntry): Promise<PostedEntry[]> {
  const mirror = await findMirror(tx, entry)
  return mirror?.status === 'posted' ? [entry, mirror] : [entry]
}

function cashLinesFor(source_type: string, lines: readonly WrittenLine[], { items, parts }: Settling): CashLine[] {
  if (source_type === 'fx_revaluation') return revaluationLines(lines)
  const settles = lines.some((line) => line.settles_line_id !== null)
  return [...(lines.some(isItem) ? openingLines(lines) : []), ...(settles ? settlementLines(lines, items, parts) : [])]
}

function write(tx: BusinessTx, head: Head, books: Books, drafts: readonly Draft[], recorded: boolean): PostedEntry[] {
  const entries = writeEntries(tx, head, drafts)
  if (recorded) for (const entry of entries) recordPosted(tx, books, headerOf(entry))
  return entries
}

function writeLate(tx: BusinessTx, stamp: string, books: Books, drafts: readonly Draft[]): PostedEntry[] {
  const entries = writeEntriesLate(tx, stamp, drafts)
  for (const entry of entries) recordPosted(tx, books, withLateValues(headerOf(entry)))
  return entries
}

function recordPosted(tx: BusinessTx, books: Books, after: EntryHeader): void {
  const overridden = periodOf(books.periods, after.date)?.status === 'soft_closed' ? tx.request.override_reason : null
  tx.record(entryResource, 'journal_entry.posted', { before: null, after, ...(overridden === null ? {} : { reason: overridden }) })
}

function overrideOf(tx: BusinessTx): Override {
  return { allowed: tx.actor.permissions.has('periods:override'), reason: tx.request.override_reason }
}

function neededRates(tx: BusinessTx, postings: readonly Posting[], base: Currency): Promise<RateOf> | RateOf {
  const wanted = postings.flatMap((posting) => posting.lines.flatMap((line) => {
    const currency = line.currency ?? posting.currency ?? base
    const known = currency === base || line.base_amount !== undefined || (currency === posting.currency && posting.rate)
    return known ? [] : [{ currency, date: posting.date }]
  }))
  return wanted.length === 0 ? () => null : ratesFor(tx, wanted)
}

function requireLedger(books: Books, id: string) {
  const ledger = books.ledgers.get(id)
  if (!ledger) throw new Error(`Ledger ${id} is not in the books.`)
  return ledger
}

/** Entries that are corrected in the journal itself; the others belong to a document, which is to be voided or changed. */
export function requireOwnSource(entry: EntryHeader): void {
  if ((OWN_SOURCES as readonly string[]).includes(entry.source_type)) return
  throw invalid(`Entry ${entry.number} belongs to ${entry.source_type.replaceAll('_', ' ')} ${entry.source_id}: change or void that instead.`)
}
