// What can be done with journal entries. What is posted goes through the one door; what is not is a draft.
import { listAuditTrail } from '../../foundation/audit-trail/operations.ts'
import { attemptEach, type BulkResult } from '../../foundation/bulk.ts'
import type { Page, PageQuery } from '../../foundation/database/list.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import { addCents } from '../../foundation/money.ts'
import { invalid, notFound, Refusal } from '../../foundation/refusal.ts'
import { getSettings } from '../../access/business-settings/operations.ts'
import { readBooks } from '../books/operations.ts'
import { entryResource, type EntryHeader, type PostedEntry } from '../journal/contract.ts'
import * as journal from '../journal/operations.ts'
import { totalOf } from '../journal/rules.ts'
import type { Entry, EntryDraft, EntryInput, EntryUpdate } from '../journal-drafts/contract.ts'
import * as drafts from '../journal-drafts/operations.ts'
import { lineOf, postingOf, requireSound, shownDraft } from '../journal-drafts/rules.ts'
import * as posting from '../posting/operations.ts'
import { priceLines, requireLedgers } from '../posting/rules.ts'
import type { EntryBulk, EntryFilters, EntryPreview, NewEntry } from './contract.ts'
import * as rules from './rules.ts'
import * as store from './store.ts'

export async function listEntries(
  tx: BusinessTx, { is_adjusting, include_superseded, status, ...query }: PageQuery & EntryFilters,
): Promise<Page<EntryHeader>> {
  const asked = {
    ...query,
    status,
    unposted: status?.every((one) => one === 'draft' || one === 'pending_approval') || undefined,
    reversed: status?.every((one) => one === 'reversed') || undefined,
    adjusting: is_adjusting || undefined,
    unadjusting: is_adjusting === false || undefined,
    standing: !include_superseded || undefined,
  }
  return tx.page((await findsFew(tx, query)) ? store.entriesPicked : store.entriesAlong, asked)
}

/** Whether one of the filters leaves so few entries that they are best looked up first. */
async function findsFew(tx: BusinessTx, query: EntryFilters): Promise<boolean> {
  const given = (Object.keys(store.counts) as (keyof typeof store.counts)[]).filter((name) => query[name] !== undefined)
  const found = await Promise.all(given.map((name) => tx.get(store.counts[name], { [name]: query[name] }, 'Count')))
  return found.some(({ count }) => count <= store.FEW)
}

export async function getEntry(tx: BusinessTx, entry_id: string): Promise<Entry> {
  const [draft, posted] = await Promise.all([drafts.findDraft(tx, entry_id), tx.find(store.findPosted, { id: entry_id })])
  if (draft) return shownDraft(draft)
  const [entry] = posted ? await journal.withLines(tx, [posted]) : []
  if (!entry) throw notFound('Journal entry')
  return entry
}

export async function createEntry(tx: BusinessTx, { post = false, ...input }: NewEntry): Promise<Entry> {
  const given = drafts.drawn(tx, input)
  const [draft] = post ? [given] : await drafts.withValues(tx, [given]) as [EntryDraft]
  const desk = await openDesk(tx, [draft], post ? [draft] : [], { late: true })
  desk.take(draft, post)
  return desk.finish()[0] ?? shownDraft(draft)
}

export async function bulkCreateEntries(tx: BusinessTx, { entries, post = false, atomic = true }: EntryBulk): Promise<BulkResult> {
  const attempts = entries.map(({ post: own = post, ...input }) => ({ post: own, ...attempt(() => drawnForBulk(tx, input, atomic)) }))
  const sound = attempts.flatMap(({ done, post: own }) => (done ? [{ draft: done, post: own }] : []))
  const all = sound.map(({ draft }) => draft)
  const [value, desk] = await Promise.all([drafts.valuing(tx, all), openDesk(tx, all, sound.flatMap((each) => (each.post ? [each.draft] : [])))])
  const result = attemptEach(attempts, atomic, ({ post: own, done, refusal }) => {
    if (!done) throw refusal
    desk.take(own ? done : value(done), own)
    return done.id
  })
  desk.finish()
  return result
}

export async function previewEntry(tx: BusinessTx, input: EntryInput): Promise<EntryPreview> {
  const [draft] = await drafts.withValues(tx, [drafts.drawn(tx, input)]) as [EntryDraft]
  const { lines, total } = shownDraft(draft)
  const changes = rules.changesByLedger(lines)
  const [{ books }, balances, refusals] = await Promise.all([
    readBooks(tx),
    tx.many(store.balances, { ledger_ids: [...changes.keys()] }),
    refusalsAhead(tx, draft, true),
  ])
  const before = new Map(balances.map(({ ledger_id, balance }) => [ledger_id, balance]))
  const difference = addCents(...lines.map(({ base_amount }) => base_amount ?? 0))
  return {
    balanced: difference === 0 && lines.every(({ base_amount }) => base_amount !== null),
    difference,
    total,
    lines: lines.map(({ id: _id, entry_id: _entry, ...line }) => line),
    balances: [...changes].map(([ledger_id, change]) => {
      const now = before.get(ledger_id) ?? 0
      return { ledger_id, name: books.ledgers.get(ledger_id)?.name ?? '', before: now, change, after: addCents(now, change) }
    }),
    refusals,
  }
}

export async function updateEntry(tx: BusinessTx, entry_id: string, input: EntryUpdate): Promise<Entry> {
  const found = await lockEither(tx, entry_id)
  const { draft, entry } = found
  if (!draft) {
    posting.requireOwnSource(entry)
    rules.requireMemoOnly(entry, input)
    return input.memo === undefined ? unchanged(tx, found) : posting.changeMemo(tx, entry_id, input.memo)
  }
  rules.requireMove('change', entry)
  if (Object.keys(input).length === 0) return unchanged(tx, found)
  tx.checkMatch(draft.version)
  const [after] = await drafts.withValues(tx, [edited(tx, draft, input)]) as [EntryDraft]
  const desk = await openDesk(tx, [after], [])
  desk.look(after)
  const { id: _id, version: _version, created_at: _created, ...changes } = after
  // Whoever wrote it last prepared it: they cannot approve their own words in somebody else's entry.
  return shownDraft(drafts.saveDraft(tx, 'journal_entry.updated', draft, { ...changes, prepared_by: tx.actor.user_id }))
}

export async function deleteEntry(tx: BusinessTx, entry_id: string): Promise<Entry> {
  const { draft, entry } = await lockEither(tx, entry_id)
  if (!draft) posting.requireOwnSource(entry)
  if (!rules.requireMove('delete', entry) || !draft) return unchanged(tx, { draft, entry })
  tx.checkMatch(draft.version)
  drafts.deleteDraft(tx, draft)
  return shownDraft(draft)
}

export async function postDraft(tx: BusinessTx, entry_id: string): Promise<Entry> {
  const { draft, entry } = await lockEither(tx, entry_id)
  if (!rules.requireMove('post', entry) || !draft) return unchanged(tx, { draft, entry })
  tx.checkMatch(draft.version)
  const desk = await openDesk(tx, [draft], [draft])
  return desk.promote(draft, null)
}

export async function submitEntry(tx: BusinessTx, entry_id: string): Promise<Entry> {
  const { draft, entry } = await lockEither(tx, entry_id)
  if (!rules.requireMove('submit', entry) || !draft) return unchanged(tx, { draft, entry })
  tx.checkMatch(draft.version)
  const { books } = await readBooks(tx)
  rules.requireNone(await refusalsAhead(tx, rules.withinReach(draft, books), false))
  return shownDraft(drafts.saveDraft(tx, 'journal_entry.submitted', draft, { status: 'pending_approval' }))
}

export async function approveEntry(tx: BusinessTx, entry_id: string): Promise<Entry> {
  const { draft, entry } = await lockEither(tx, entry_id)
  if (!rules.requireMove('approve', entry) || !draft) return unchanged(tx, { draft, entry })
  tx.checkMatch(draft.version)
  rules.requireApprover(draft, tx.actor.user_id)
  const desk = await openDesk(tx, [draft], [draft])
  return desk.promote(draft, tx.actor.user_id)
}

export async function rejectEntry(tx: BusinessTx, entry_id: string, reason: string): Promise<Entry> {
  const { draft, entry } = await lockEither(tx, entry_id)
  if (!rules.requireMove('reject', entry) || !draft) return unchanged(tx, { draft, entry })
  tx.checkMatch(draft.version)
  return shownDraft(drafts.saveDraft(tx, 'journal_entry.rejected', draft, { status: 'draft' }, reason))
}

export async function reverseEntry(tx: BusinessTx, entry_id: string, input: { reversal_date?: string; memo?: string | null }): Promise<Entry> {
  const { entry } = await lockEither(tx, entry_id)
  rules.requirePosted(entry)
  posting.requireOwnSource(entry)
  return posting.reverseEntry(tx, entry_id, input)
}

export async function redateEntry(tx: BusinessTx, entry_id: string, date: string): Promise<Entry> {
  const { entry } = await lockEither(tx, entry_id)
  rules.requirePosted(entry)
  posting.requireOwnSource(entry)
  return posting.redateEntry(tx, entry_id, date)
}

export async function duplicateEntry(tx: BusinessTx, entry_id: string): Promise<Entry> {
  const { memo, currency, rate, is_adjusting, lines } = await getEntry(tx, entry_id)
  const copy = drafts.drawn(tx, {
    date: tx.today, memo, currency, rate: currency === drafts.baseOf(tx) ? null : rate, is_adjusting,
    lines: lines.map((line) => ({
      ledger_id: line.ledger_id, amount: line.amount, currency: line.currency, memo: line.memo, customer_id: line.customer_id, vendor_id: line.vendor_id,
      project_id: line.project_id, dimension_value_ids: line.dimension_value_ids, tax_code_id: line.tax_code_id,
      ...(line.base_amount !== null && line.currency !== drafts.baseOf(tx) && { base_amount: line.base_amount }),
    })),
  })
  const [draft] = await drafts.withValues(tx, [copy]) as [EntryDraft]
  const desk = await openDesk(tx, [draft], [])
  desk.take(draft, false)
  desk.finish()
  return shownDraft(draft)
}

export async function listEntryHistory(tx: BusinessTx, entry_id: string, query: PageQuery) {
  const page = await listAuditTrail(tx, { ...query, resource_type: entryResource.type, resource_id: entry_id } as PageQuery)
  if (page.items.length === 0) await getEntry(tx, entry_id)
  return page
}

/** Where entries by hand are taken in: each is looked at by itself, and all that were taken are written together. */
type Desk = {
  /** Refuses what could not even be a draft. */
  look: (draft: EntryDraft) => void
  take: (draft: EntryDraft, post: boolean) => void
  /** Writes what was taken; the entries that were posted, each followed by its mirror. */
  finish: () => PostedEntry[]
  /** Posts what has been a draft; approved by somebody, or by nobody where that is not needed. */
  promote: (draft: EntryDraft, approved_by: string | null) => PostedEntry
}

/**
 * `posted` are those among the drafts that are to be posted: where there are any, the journal is locked. With `ahead` it is not:
 * then it can only be seen what would be refused. With `late` the entry that is returned has its number only when the transaction has ended.
 */
export async function openDesk(
  tx: BusinessTx, all: readonly EntryDraft[], posted: readonly EntryDraft[], { recorded = true, ahead = false, late = false }: { recorded?: boolean; ahead?: boolean; late?: boolean } = {},
): Promise<Desk> {
  const [requireKnown, door, limit] = await Promise.all([
    drafts.referencesOf(tx, all),
    posted.length > 0 ? posting.openDoor(tx, posted.map(postingOf), { ahead, late }) : readBooks(tx),
    posted.length > 0 ? readLimit(tx) : null,
  ])
  const kept: EntryDraft[] = []
  const weighed: ReturnType<posting.Door['weigh']> = []
  const look = (draft: EntryDraft): void => {
    requireKnown(draft, door.books)
    rules.requireNone(rules.handProblems(draft, door.books))
  }
  const weigh = (draft: EntryDraft, approved_by: string | null): void => {
    if (!('weigh' in door)) throw new Error('The desk was opened for drafts only.')
    look(draft)
    rules.requireNone(rules.partyProblems(draft, door.books))
    const made = door.weigh({ ...postingOf(draft), approved_by })
    if (approved_by === null) rules.requireNone(rules.approvalProblems(totalOf(made[0]?.lines ?? []), limit, drafts.baseOf(tx)))
    weighed.push(...made)
  }
  const finish = (): PostedEntry[] => {
    drafts.insertDrafts(tx, kept, { recorded })
    return 'write' in door ? door.write(weighed, recorded) : []
  }
  return {
    look,
    take(draft, post) {
      if (post) return weigh(draft, null)
      look(draft)
      kept.push(draft)
    },
    finish,
    promote(draft, approved_by) {
      weigh(draft, approved_by)
      drafts.dropDraft(tx, draft)
      return finish()[0] as PostedEntry
    },
  }
}

/** Everything that stands against posting a draft, without locking or writing anything. */
async function refusalsAhead(tx: BusinessTx, draft: EntryDraft, with_approval: boolean): Promise<string[]> {
  const base = drafts.baseOf(tx)
  const asked = postingOf(draft)
  const [{ books }, requireKnown, limit, door] = await Promise.all([
    readBooks(tx), drafts.referencesOf(tx, [draft]), with_approval ? readLimit(tx) : null, posting.openDoor(tx, [asked], { ahead: true }).catch(refusalOnly),
  ])
  const settles = draft.lines.some(({ settles_line_id }) => settles_line_id !== null)
  const problems = [...rules.handProblems(draft, books), ...rules.partyProblems(draft, books), ...rules.approvalProblems(draft.total, limit, base)]
  return rules.refusalsOf(
    () => requireKnown(draft, books),
    ...problems.map((problem) => () => rules.requireNone([problem])),
    () => { if (door instanceof Refusal) throw door },
    () => door instanceof Refusal || door.weigh(asked),
    // Again by themselves: a closed date must not hide that it does not balance either.
    () => requireLedgers(books, asked.lines, draft.currency),
    () => settles || priceLines({ ...asked, lines: draft.lines.map((line) => ({ ...line, base_amount: line.base_amount ?? undefined })) }, base, () => null),
  )
}

function refusalOnly(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  throw error
}

/** Whether an entry by hand of this total may not be posted before somebody has approved it. */
export async function needsApproval(tx: BusinessTx, total: number): Promise<boolean> {
  return rules.approvalProblems(total, await readLimit(tx), drafts.baseOf(tx)).length > 0
}

async function readLimit(tx: BusinessTx): Promise<number | null> {
  return rules.approvalLimit((await getSettings(tx)).accounting)
}

type Found = { draft: EntryDraft | null; entry: EntryHeader }

/** The draft, locked, or the posted entry: of two who post a draft the second waits for the first and then finds the entry. */
async function lockEither(tx: BusinessTx, id: string): Promise<Found> {
  const [draft, posted] = await Promise.all([drafts.lockDraft(tx, id), tx.find(store.findPosted, { id })])
  const entry = draft ? shownDraft(draft) : posted
  if (!entry) throw notFound('Journal entry')
  return { draft, entry }
}

/** Nothing to do, which also has a version to be held against. */
async function unchanged(tx: BusinessTx, { draft, entry }: Found): Promise<Entry> {
  tx.checkMatch(entry.version)
  return draft ? shownDraft(draft) : journal.getEntry(tx, entry.id)
}

function edited(tx: BusinessTx, draft: EntryDraft, { lines, ...changes }: EntryUpdate): EntryDraft {
  const currency = changes.currency ?? draft.currency
  // Lines in the currency of the entry follow it.
  const kept = () => draft.lines.map((line) => (line.currency === draft.currency ? { ...line, currency } : line))
  const after: EntryDraft = { ...draft, ...changes, lines: lines?.map((line, index) => lineOf(line, index + 1, currency, newId())) ?? kept() }
  requireSound(after, drafts.baseOf(tx))
  return after
}

/** What an entry settles depends on those before it, of which some may be left out. */
function drawnForBulk(tx: BusinessTx, input: EntryInput, atomic: boolean): EntryDraft {
  const settles = input.lines.some(({ settles_line_id }) => settles_line_id)
  if (settles && !atomic) throw invalid('An entry that settles lines needs atomic: true, or a call of its own.')
  return drafts.drawn(tx, input)
}

function attempt<T>(work: () => T): { done?: T; refusal?: Refusal } {
  try {
    return { done: work() }
  } catch (error) {
    return { refusal: refusalOnly(error) }
  }
}
