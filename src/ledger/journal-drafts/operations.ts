// Drafts of entries: drawn up, kept, found again, and in the way of closing a period.
import { changed } from '../../foundation/database/rows.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import type { Currency } from '../../foundation/money.ts'
import { knownRecords } from '../../foundation/records.ts'
import { notFound } from '../../foundation/refusal.ts'
import type { CloseCheck } from '../accounting-periods/operations.ts'
import type { Books } from '../books/contract.ts'
import { ratesFor } from '../fx-rates/operations.ts'
import { entryResource } from '../journal/contract.ts'
import { FIRST_VERSION, type EntryDraft, type EntryInput } from './contract.ts'
import { lineOf, ratesNeeded, requireSound, shownDraft, valued } from './rules.ts'
import * as store from './store.ts'

type EntryEvent = (typeof entryResource.events)[number]

/** A draft from what was handed in, without its worth in the base currency; refuses by throwing. */
export function drawn(tx: BusinessTx, input: EntryInput, template_id: string | null = null, prepared_by: string | null = tx.actor.user_id): EntryDraft {
  const currency = input.currency ?? baseOf(tx)
  const draft: EntryDraft = {
    id: newId(),
    business_id: tx.business_id,
    date: input.date,
    memo: input.memo ?? null,
    status: 'draft',
    currency,
    rate: input.rate ?? null,
    is_adjusting: input.is_adjusting ?? false,
    auto_reverse_on: input.auto_reverse_on ?? null,
    template_id,
    prepared_by,
    total: 0,
    lines: input.lines.map((line, index) => lineOf(line, index + 1, currency, newId())),
    created_at: tx.now,
    updated_at: tx.now,
    version: FIRST_VERSION,
  }
  requireSound(draft, baseOf(tx))
  return draft
}

/** Reads the rates of their days, and gives what makes each draft worth what it is; it refuses by throwing. */
export async function valuing(tx: BusinessTx, drafts: readonly EntryDraft[]): Promise<(draft: EntryDraft) => EntryDraft> {
  const base = baseOf(tx)
  const needed = drafts.flatMap((draft) => ratesNeeded(draft, base))
  const rateOf = needed.length === 0 ? () => null : await ratesFor(tx, needed)
  return (draft) => valued(draft, base, rateOf)
}

export async function withValues(tx: BusinessTx, drafts: readonly EntryDraft[]): Promise<EntryDraft[]> {
  return drafts.map(await valuing(tx, drafts))
}

/** Drafts that nobody has seen yet; recorded one by one unless another record tells of all of them. */
export function insertDrafts(tx: BusinessTx, drafts: readonly EntryDraft[], { recorded = true }: { recorded?: boolean } = {}): void {
  if (drafts.length === 0) return
  tx.queue(store.insertDrafts, { drafts: JSON.stringify(drafts) })
  if (recorded) for (const draft of drafts) tx.record(entryResource, 'journal_entry.created', { before: null, after: shownDraft(draft) })
}

export function saveDraft(tx: BusinessTx, event: EntryEvent, before: EntryDraft, changes: Partial<EntryDraft>, reason?: string): EntryDraft {
  const after = changed(before, changes, tx.now)
  tx.queue(store.updateDraft, { ...after, lines: JSON.stringify(after.lines) })
  tx.record(entryResource, event, { before: shownDraft(before), after: shownDraft(after), ...(reason !== undefined && { reason }) })
  return after
}

/** After it was posted, which is recorded there. */
export function dropDraft(tx: BusinessTx, draft: EntryDraft): void {
  tx.queue(store.deleteDraft, draft)
}

export function deleteDraft(tx: BusinessTx, draft: EntryDraft): void {
  dropDraft(tx, draft)
  tx.record(entryResource, 'journal_entry.deleted', { before: shownDraft(draft), after: null })
}

export function findDraft(tx: BusinessTx, id: string): Promise<EntryDraft | null> {
  return tx.find(store.findDraft, { id })
}

export function lockDraft(tx: BusinessTx, id: string): Promise<EntryDraft | null> {
  return tx.find(store.lockDraft, { id })
}

export function draftsByIds(tx: BusinessTx, ids: readonly string[]): Promise<EntryDraft[]> {
  return tx.many(store.draftsByIds, { ids })
}

const TAGS = [['customer_id', 'customer'], ['vendor_id', 'vendor'], ['project_id', 'project'], ['tax_code_id', 'tax_code']] as const

/** Looks up everything that the lines name, and gives what refuses a draft that names what is not there. */
export async function referencesOf(tx: BusinessTx, drafts: readonly EntryDraft[]): Promise<(draft: EntryDraft, books: Books) => void> {
  const lines = drafts.flatMap((draft) => draft.lines)
  const [settled, ...tagged] = await Promise.all([
    knownLines(tx, lines.flatMap(({ settles_line_id }) => settles_line_id ?? [])),
    ...TAGS.map(([field, type]) => knownRecords(tx, type, lines.flatMap((line) => line[field] ?? []))),
  ])
  return (draft, books) => {
    for (const [index, line] of draft.lines.entries()) {
      const place = `of line ${index + 1}`
      if (!books.ledgers.has(line.ledger_id)) throw notFound(`Ledger ${line.ledger_id} ${place}`)
      for (const [order, [field, type]] of TAGS.entries()) {
        const value = line[field]
        if (value && !tagged[order]?.has(value)) throw notFound(`${type.replace('_', ' ').replace(/^./, (letter) => letter.toUpperCase())} ${value} ${place}`)
      }
      const unknown = line.dimension_value_ids.find((value) => !books.dimensions.values.has(value))
      if (unknown) throw notFound(`Dimension value ${unknown} ${place}`)
      if (line.settles_line_id && !settled.has(line.settles_line_id)) throw notFound(`Line ${line.settles_line_id}, which line ${index + 1} settles,`)
    }
  }
}

async function knownLines(tx: BusinessTx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  return new Set(ids.length === 0 ? [] : (await tx.many(store.linesThatExist, { ids })).map(({ id }) => id))
}

/** What is not posted yet would be missing from a period that is closed. */
export const draftsCheck: CloseCheck = async (tx, { start_date, end_date, name }) => {
  const drafts = await tx.many(store.draftsBetween, { start_date, end_date })
  const count = drafts[0]?.count ?? 0
  const named = drafts.map(({ id, date, memo }) => `${memo === null ? id : `“${memo}”`} of ${date}`).join(', ')
  const more = count > drafts.length ? ` and ${count - drafts.length} more` : ''
  const [these, them] = count === 1 ? ['An entry is', 'it'] : [`${count} entries are`, 'them']
  const detail = count === 0 ? `No entry of ${name} waits to be posted.` : `${these} not posted: ${named}${more}. Post or delete ${them}.`
  const href = `/journal-entries?status=draft,pending_approval&start_date=${start_date}&end_date=${end_date}`
  return [{ key: 'journal_drafts', severity: 'blocker', ok: count === 0, count, detail, href }]
}

export function baseOf(tx: BusinessTx): Currency {
  return tx.business.base_currency as Currency
}
