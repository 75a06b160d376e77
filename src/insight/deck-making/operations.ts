// Decks are begun here, and made: planned, filled with figures of one moment, and written all at once.
//
//   createDeck, refreshDeck            begin the job; its steps follow
//   planDeck                           the moment of the figures and, where there are no slides yet, those of the template
//   drawSlides                         the slides with their figures, in a transaction that only reads
//   writeSlides                        puts them in place; null where what they were drawn from has changed meanwhile
//   markFailed                         what a job that failed leaves behind
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import { requireRecords } from '../../foundation/records.ts'
import { invalid } from '../../foundation/refusal.ts'
import { readBooks } from '../../ledger/books/operations.ts'
import type { Job } from '../../workspace/jobs/contract.ts'
import { startJob } from '../../workspace/jobs/operations.ts'
import { requireReadable, resolveBindings } from '../bindings/operations.ts'
import type { Filters } from '../bindings/contract.ts'
import type { Deck, DeckInput, DeckRefresh, DeckRow, DeckSummary } from '../decks/contract.ts'
import { holdDeck, holdIfThere, insertDeck, lockDeck, readDeck, saveDeck, shownDeck } from '../decks/operations.ts'
import { requirePeriod, titleFor } from '../decks/rules.ts'
import type { SlideRow } from '../slides/contract.ts'
import { holdSlides, insertSlides, readSlides, saveSlides } from '../slides/operations.ts'
import { bindingsOf, draftSlides, movedTo, sameQuestions, settingOf, withFigures, withTexts, isGenerated, writtenBy, type Draft, type Told } from './rules.ts'
import * as store from './store.ts'

export const GENERATE = 'decks.generate'
export const REFRESH = 'decks.refresh'

/** What a job is told. Dates left out are those of the deck. */
export type Making = { deck_id: string; period_start?: string; period_end?: string; overwrite_edits: boolean }

export async function createDeck(tx: BusinessTx, input: DeckInput): Promise<Deck> {
  const filters = input.filters ?? {}
  await requireFilters(tx, filters)
  requirePeriod(input)
  // The figures of every statement would be missing.
  if (input.comparison === 'budget') throw invalid('There are no budgets yet that it could be compared with: choose prior_period or prior_year.')
  const { period_start, period_end, template } = input
  const { default_basis, books_start_date } = await tx.get(store.setUp, {}, 'Business')
  const id = newId()
  const job = await startJob(tx, { kind: GENERATE, subject: id, input: { deck_id: id, overwrite_edits: false } satisfies Making, total: 4 })
  const deck: DeckRow = {
    id, business_id: tx.business_id, title: input.title ?? titleFor(template, input), template, period_start, period_end,
    comparison: input.comparison ?? 'prior_period', basis: input.basis ?? default_basis, audience: input.audience ?? null,
    instructions: input.instructions ?? null, filters,
    status: 'generating', stale: false, data_as_of: null, journal_number: null, job_id: job.id, generated_by: null, error: null, created_by: tx.actor.user_id,
    created_at: tx.now, updated_at: tx.now, version: 1,
  }
  requireReadable(tx, bindingsOf(draftSlides(deck, books_start_date)))
  insertDeck(tx, deck)
  return { ...shownDeck(deck), slides: [] }
}

async function requireFilters(tx: BusinessTx, { customer_id, vendor_id, project_id, dimension_value_id = [] }: Filters): Promise<void> {
  if (customer_id) await requireRecords(tx, 'customer', [customer_id])
  if (vendor_id) await requireRecords(tx, 'vendor', [vendor_id])
  if (project_id) await requireRecords(tx, 'project', [project_id])
  if (dimension_value_id.length > 0) await requireRecords(tx, 'dimension_value', dimension_value_id)
}

/** The job is taken before the deck, as it is where a job ends: two who come from either side do not wait for each other in a circle. */
export async function refreshDeck(tx: BusinessTx, deck_id: string, input: DeckRefresh): Promise<Job> {
  const { period_start, period_end, overwrite_edits = false } = input
  const found = await readDeck(tx, deck_id)
  requirePeriod({ period_start: period_start ?? found.period_start, period_end: period_end ?? found.period_end })
  // The job reads as the service, for everybody who may look at the deck.
  const slides = found.data_as_of === null ? draftSlides(found, await booksStart(tx)) : await readSlides(tx, deck_id)
  requireReadable(tx, bindingsOf(slides))
  const making: Making = { deck_id, ...(period_start ? { period_start } : {}), ...(period_end ? { period_end } : {}), overwrite_edits }
  const job = await startJob(tx, { kind: found.data_as_of === null ? GENERATE : REFRESH, subject: deck_id, input: making, total: 4 })
  const deck = await lockDeck(tx, deck_id)
  if (deck.job_id !== job.id) saveDeck(tx, deck, begun(deck, job.id), 'deck.updated')
  return job
}

/** A deck that has slides stays as it is until the new ones are there. */
function begun({ data_as_of }: DeckRow, job_id: string): Partial<DeckRow> {
  return data_as_of === null ? { job_id, status: 'generating', error: null } : { job_id }
}

export type Plan = { data_as_of: string; drafts: Draft[] | null }

/** `known` is what this job had planned before its worker died. The retry of a job that failed plans anew: the books have gone on. */
export async function planDeck(tx: BusinessTx, making: Making, job_id: string, known: Plan | null): Promise<Plan> {
  const deck = await holdDeck(tx, making.deck_id)
  if (deck.job_id === job_id && known) return known
  if (deck.job_id !== job_id) saveDeck(tx, deck, begun(deck, job_id), 'deck.updated')
  const after = withPeriod(deck, making)
  requirePeriod(after)
  const drafts = deck.data_as_of === null ? draftSlides(after, await booksStart(tx)) : null
  return { data_as_of: await booksNow(tx), drafts }
}

/** The deck with the period that it is to have; a title that only names the period follows it. */
function withPeriod(deck: DeckRow, { period_start = deck.period_start, period_end = deck.period_end }: Making): DeckRow {
  const after = { ...deck, period_start, period_end }
  return deck.title === titleFor(deck.template, deck) ? { ...after, title: titleFor(deck.template, after) } : after
}

export type Drawn = { slides: Draft[]; journal_number: number; deck: DeckSummary }

export async function drawSlides(tx: BusinessTx, making: Making, { data_as_of, drafts }: Plan): Promise<Drawn> {
  const deck = await readDeck(tx, making.deck_id)
  const after = withPeriod(deck, making)
  const slides = drafts ?? await movedSlides(tx, await readSlides(tx, deck.id), deck, after)
  const bound = await resolveBindings(tx, bindingsOf(slides), settingOf(after, data_as_of))
  return { slides: withFigures(slides, bound), journal_number: await numberAt(tx, data_as_of), deck: shownDeck(after) }
}

async function movedSlides(tx: BusinessTx, slides: readonly SlideRow[], before: DeckRow, after: DeckRow): Promise<SlideRow[]> {
  const books_start = await booksStart(tx)
  return slides.map((slide) => {
    const moved = movedTo(slide, before, after, books_start)
    return slide.kind === 'title' && slide.title === before.title ? { ...moved, title: after.title } : moved
  })
}

/** What is to be written: figures of a moment, and what was said about them. */
export type Made = Omit<Drawn, 'deck'> & { data_as_of: string; told: Told }

/** All at once. What people changed meanwhile is kept where it is no question of figures; where it is, null: the figures are those of other questions. */
export async function writeSlides(tx: BusinessTx, making: Making, made: Made): Promise<DeckRow | null> {
  const deck = await holdDeck(tx, making.deck_id)
  const { data_as_of, journal_number } = made
  // An entry that was on its way at that moment has come in since.
  if ((await numberAt(tx, data_as_of)) !== journal_number) return null
  const after = withPeriod(deck, making)
  const now = await movedSlides(tx, await holdSlides(tx, deck.id), deck, after)
  const written = deck.data_as_of === null ? firstSlides(tx, deck.id, made) : nextSlides(tx, now, made, making.overwrite_edits)
  if (!written) return null
  if (deck.data_as_of === null) insertSlides(tx, written)
  else saveSlides(tx, written)
  const { title, period_start, period_end } = after
  const changes: Partial<DeckRow> = {
    title, period_start, period_end, status: 'ready', data_as_of, journal_number, stale: false, generated_by: writtenBy(written), error: null,
  }
  return saveDeck(tx, deck, changes, deck.data_as_of === null ? 'deck.ready' : 'deck.refreshed')
}

function firstSlides(tx: BusinessTx, deck_id: string, { slides, data_as_of, told }: Made): SlideRow[] {
  return slides.map((draft, index): SlideRow => ({
    ...withTexts(draft, told), deck_id, position: index + 1, hidden: false, speaker_notes: null, data_as_of,
    business_id: tx.business_id, created_at: tx.now, updated_at: tx.now, version: 1,
  }))
}

function nextSlides(tx: BusinessTx, now: readonly SlideRow[], { slides, data_as_of, told }: Made, overwrite_edits: boolean): SlideRow[] | null {
  if (!sameQuestions(now, slides)) return null
  const answers = new Map(slides.flatMap(({ blocks }) => blocks.map(({ id, figures, problem }) => [id, { figures, problem }] as const)))
  return now.map((slide): SlideRow => {
    const blocks = slide.blocks.map((block) => (block.binding ? { ...block, ...answers.get(block.id) } : block))
    // A text that somebody has edited since it was asked for is theirs.
    const own = Object.fromEntries(slide.blocks.filter((block) => isGenerated(block, overwrite_edits)).flatMap(({ id }) => (told[id] ? [[id, told[id]]] : [])))
    return { ...withTexts({ ...slide, blocks }, own), data_as_of, updated_at: tx.now, version: slide.version + 1 }
  })
}

/** The first generation leaves a deck that failed, a refresh the deck as it was; both say why. */
export async function markFailed(tx: BusinessTx, deck_id: string, job: Pick<Job, 'id' | 'status' | 'error'>): Promise<void> {
  const deck = await holdIfThere(tx, deck_id)
  if (!deck || deck.job_id !== job.id || job.status === 'succeeded') return
  const error = job.error ?? 'It was canceled: refresh the deck to begin again.'
  saveDeck(tx, deck, { error, ...(deck.status === 'generating' ? { status: 'failed' } : {}) }, 'deck.failed')
}

async function numberAt(tx: BusinessTx, known_at: string): Promise<number> {
  return (await tx.find(store.lastNumberAt, { known_at }))?.number ?? 0
}

/** Now, or when the last entry was recorded where the clock of whoever recorded it is ahead: every entry that is there is known by then. */
export async function booksNow(tx: BusinessTx): Promise<string> {
  const { head } = await readBooks(tx)
  return head.recorded_at !== null && head.recorded_at > tx.now ? head.recorded_at : tx.now
}

export async function booksStart(tx: BusinessTx): Promise<string> {
  return (await tx.get(store.setUp, {}, 'Business')).books_start_date
}
