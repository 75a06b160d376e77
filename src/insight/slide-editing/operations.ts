// What can be done with the slides of a deck. Each takes the deck first, so that places have no gap whoever comes at the same time.
import { changed } from '../../foundation/database/rows.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import type { Surroundings } from '../../foundation/database/context.ts'
import { canonicalJson } from '../../foundation/canonical.ts'
import { invalid, notFound, unprocessable } from '../../foundation/refusal.ts'
import { documentsByIds } from '../../workspace/documents/operations.ts'
import { countModelRuns, modelRunsLeft } from '../../workspace/model-runs/operations.ts'
import { checkBindings, requireReadable, resolveBindings } from '../bindings/operations.ts'
import { booksNow, booksStart } from '../deck-making/operations.ts'
import {
  bindingsOf, draftOf, heldAgainst, sameQuestions, settingOf, textsWanted, toldOf, withFigures, withTexts, type Draft, type Told, type Voice,
} from '../deck-making/rules.ts'
import { topicFor, TOPICS } from '../deck-templates/rules.ts'
import { deckResource, type Deck, type DeckRow } from '../decks/contract.ts'
import { getDeck, lockDeck, lockReadyDeck, readReadyDeck, shownDeck, touchDeck } from '../decks/operations.ts'
import { requireReady } from '../decks/rules.ts'
import { narrate } from '../narrative/operations.ts'
import type { Block, Slide, SlideRow } from '../slides/contract.ts'
import { arrange, holdSlide, insertSlides, makeRoom, readSlide, readSlides, saveSlides, shownSlide } from '../slides/operations.ts'
import { slideResource, type SlideChange, type SlideInput } from './contract.ts'
import {
  asksAnew, blockProblems, changedBlocks, copyOf, figureProblems, newBlock, requireOrder, requirePlace, requireRoom, withoutFigures,
} from './rules.ts'

/** A slide with its figures, on the way to its words; `runs_left` says how often a model may be asked for them. */
export type Plan = { slide: Draft; voice: Voice; data_as_of: string; runs_left: number }
export type Said = { told: Told; runs: number }

export async function planSlide(tx: BusinessTx, deck_id: string, input: SlideInput): Promise<Plan> {
  const blocks = await givenBlocks(tx, input)
  const deck = await readReadyDeck(tx, deck_id)
  return drawn(tx, deck, await draftFor(tx, deck, input, blocks), deck.data_as_of ?? tx.now)
}

/** The words are looked for between transactions: a model may take its time. */
export async function say({ model }: Pick<Surroundings, 'model'>, { slide, voice, runs_left }: Plan): Promise<Said> {
  const wanted = textsWanted([slide], voice, false)
  const spoken = await narrate({ model, runs_left }, wanted.map(({ narration }) => narration))
  return { told: toldOf(wanted, spoken), runs: spoken.runs }
}

export async function addSlide(tx: BusinessTx, deck_id: string, input: SlideInput, plan: Plan, said: Said | null): Promise<Slide> {
  countModelRuns(tx, said?.runs ?? 0)
  const deck = await lockDeck(tx, deck_id)
  requireReady(deck)
  const slides = await readSlides(tx, deck_id)
  requireRoom(slides.length)
  const position = input.position ?? slides.length + 1
  requirePlace(position, slides.length)
  // The deck may have been refreshed since; then the figures are drawn again.
  const now = plan.data_as_of === deck.data_as_of ? plan : await drawn(tx, deck, plan.slide, deck.data_as_of ?? tx.now)
  const slide = withTexts(now.slide, byRules(now, said?.told))
  return insert(tx, deck, { ...slide, deck_id, position, hidden: false, speaker_notes: input.speaker_notes ?? null, data_as_of: now.data_as_of, version: 1 })
}

export async function duplicateSlide(tx: BusinessTx, deck_id: string, slide_id: string): Promise<Slide> {
  const { deck, slide } = await heldSlide(tx, deck_id, slide_id)
  requireRoom((await readSlides(tx, deck_id)).length)
  return insert(tx, deck, copyOf(shownSlide(slide)))
}

export async function reorderSlides(tx: BusinessTx, deck_id: string, slide_ids: readonly string[]): Promise<Deck> {
  const deck = await lockDeck(tx, deck_id)
  requireReady(deck)
  const before = (await readSlides(tx, deck_id)).map(({ id }) => id)
  requireOrder(slide_ids, before)
  if (canonicalJson(before) !== canonicalJson(slide_ids)) {
    arrange(tx, deck_id, slide_ids)
    const after = touchDeck(tx, deck)
    tx.record(deckResource, 'deck.updated', { before: { ...shownDeck(deck), slide_ids: before }, after: { ...shownDeck(after), slide_ids } })
  }
  return getDeck(tx, deck_id)
}

export async function updateSlide(tx: BusinessTx, deck_id: string, slide_id: string, input: SlideChange): Promise<Slide> {
  // A wrong binding is told before anything is looked for.
  await checkGiven(tx, input.blocks ?? [])
  const { deck, slide } = await heldSlide(tx, deck_id, slide_id)
  const wanted = changedBlocks(slide, input)
  await requirePictures(tx, wanted, slide.blocks)
  const blocks = await answered(tx, deck, slide, wanted)
  const { title = slide.title, speaker_notes = slide.speaker_notes } = input
  const changes = { title, speaker_notes, blocks }
  const same = canonicalJson(changes) === canonicalJson({ title: slide.title, speaker_notes: slide.speaker_notes, blocks: slide.blocks })
  return same ? shownSlide(slide) : save(tx, slide, changes, 'deck_slide.updated')
}

export async function toggleSlide(tx: BusinessTx, deck_id: string, slide_id: string): Promise<Slide> {
  const { slide } = await heldSlide(tx, deck_id, slide_id)
  return save(tx, slide, { hidden: !slide.hidden }, 'deck_slide.updated')
}

export async function planRefresh(tx: BusinessTx, deck_id: string, slide_id: string): Promise<Plan> {
  const deck = await readReadyDeck(tx, deck_id)
  const slide = await readSlide(tx, deck_id, slide_id)
  return drawn(tx, deck, slide, await booksNow(tx))
}

export async function refreshSlide(tx: BusinessTx, deck_id: string, slide_id: string, plan: Plan, said: Said | null): Promise<Slide> {
  countModelRuns(tx, said?.runs ?? 0)
  const { deck, slide } = await heldSlide(tx, deck_id, slide_id)
  const now = sameQuestions([slide], [plan.slide]) ? plan : await drawn(tx, deck, slide, plan.data_as_of)
  const answers = new Map(now.slide.blocks.map(({ id, figures, problem }) => [id, { figures, problem }]))
  const current = { ...slide, blocks: slide.blocks.map((block) => (block.binding ? { ...block, ...answers.get(block.id) } : block)) }
  // What somebody has written since is theirs: only texts of the service itself are said again.
  const { blocks } = withTexts(current, byRules({ slide: current, voice: now.voice }, said?.told))
  return save(tx, slide, { blocks, data_as_of: now.data_as_of }, 'deck_slide.refreshed')
}

async function drawn(tx: BusinessTx, deck: DeckRow, slide: Draft, data_as_of: string): Promise<Plan> {
  const { id, kind, title, blocks } = slide
  requireReadable(tx, bindingsOf([slide]))
  const [filled = slide] = withFigures([{ id, kind, title, blocks }], await resolveBindings(tx, bindingsOf([slide]), settingOf(deck, data_as_of)))
  const voice = { audience: deck.audience, instructions: deck.instructions }
  return { slide: filled, voice, data_as_of, runs_left: await modelRunsLeft(tx) }
}

/** What the rules say, and whatever else was said that fits. */
function byRules({ slide, voice }: Pick<Plan, 'slide' | 'voice'>, told: Told = {}): Told {
  return heldAgainst(textsWanted([slide], voice, false), told)
}

/** New questions get their answers of the slide's own moment; then the texts that speak of them are said again. */
async function answered(tx: BusinessTx, deck: DeckRow, slide: SlideRow, wanted: Block[]): Promise<Block[]> {
  const asking = new Set(asksAnew(wanted, slide.blocks).map(({ id }) => id))
  requireReadable(tx, wanted.flatMap(({ id, binding }) => (asking.has(id) && binding ? [binding] : [])))
  const emptied = wanted.map((block) => (block.binding === null && block.kind !== 'text' ? { ...block, figures: [], problem: null } : block))
  const [filled = { blocks: [] }] = withFigures([{ blocks: emptied.filter(({ id }) => asking.has(id)) }],
    await resolveBindings(tx, emptied.flatMap(({ id, binding }) => (asking.has(id) && binding ? [binding] : [])), settingOf(deck, slide.data_as_of)))
  const found = new Map(filled.blocks.map((block) => [block.id, block]))
  const current = { id: slide.id, kind: slide.kind, title: slide.title, blocks: emptied.map((block) => found.get(block.id) ?? block) }
  const sources = (blocks: readonly Block[]) => blocks.map(({ id, binding }) => [id, binding])
  const moved = canonicalJson(sources(wanted)) !== canonicalJson(sources(slide.blocks))
  const all = byRules({ slide: current, voice: deck })
  const unsaid = current.blocks.filter((block) => block.kind === 'text' && (moved || block.text === null)).map(({ id }) => id)
  return withTexts(current, Object.fromEntries(unsaid.flatMap((id) => (all[id] ? [[id, all[id]]] : [])))).blocks
}

async function givenBlocks(tx: BusinessTx, { kind, blocks, prompt }: SlideInput): Promise<Block[] | null> {
  if (blocks === undefined || blocks.length === 0) {
    if (!prompt && kind !== 'title') throw unprocessable([{ loc: ['body', 'blocks'], msg: 'Blocks or a prompt are needed.', type: 'missing' }])
    return prompt ? null : []
  }
  if (prompt) throw unprocessable([{ loc: ['body', 'prompt'], msg: 'Give blocks or a prompt, not both.', type: 'value_error' }])
  const made = blocks.map((block) => newBlock(block))
  const problems = made.flatMap((block, index) => [
    ...figureProblems(blocks[index]?.figures, [], ['body', 'blocks', index]), ...blockProblems(block, ['body', 'blocks', index])])
  if (problems.length > 0) throw unprocessable(problems)
  await checkGiven(tx, blocks)
  await requirePictures(tx, made, [])
  return made
}

async function draftFor(tx: BusinessTx, deck: DeckRow, { kind, title, prompt }: SlideInput, blocks: Block[] | null): Promise<Draft> {
  const topic = blocks === null ? topicFor(prompt ?? '') : null
  if (blocks === null && !topic) {
    throw invalid('The prompt names nothing that the catalogue has: name a report or a metric, such as cash, revenue or receivables.')
  }
  const draft = draftOf(topic ? TOPICS[topic] : { kind, title, blocks: [], words: [] }, deck, await booksStart(tx))
  return { ...draft, kind, title, blocks: blocks ?? draft.blocks }
}

/** Each binding is told of by its place in the body. */
async function checkGiven(tx: BusinessTx, blocks: readonly Pick<SlideInput & { binding?: Block['binding'] }, 'binding'>[]): Promise<void> {
  const given = blocks.flatMap(({ binding }, index) => (binding ? [{ binding, index }] : []))
  if (given.length > 0) await checkBindings(tx, given.map(({ binding }) => binding), (at) => ['body', 'blocks', given[at]?.index ?? at, 'binding'])
}

const PICTURES = ['image/png', 'image/jpeg']

async function requirePictures(tx: BusinessTx, blocks: readonly Block[], known: readonly Block[]): Promise<void> {
  const had = new Set(known.map(({ document_id }) => document_id))
  const ids = blocks.flatMap(({ document_id }) => (document_id && !had.has(document_id) ? [document_id] : []))
  if (ids.length === 0) return
  const documents = tx.actor.permissions.has('documents:read') ? await documentsByIds(tx, ids) : new Map<string, never>()
  for (const id of ids) {
    const document = documents.get(id)
    if (!document) throw notFound(`Document ${id}`)
    if (!PICTURES.includes(document.content_type)) throw invalid(`${document.name} is no PNG or JPEG: only these can stand on a slide.`)
  }
}

/** The deck first, then the slide, whose version If-Match is held against. */
async function heldSlide(tx: BusinessTx, deck_id: string, slide_id: string): Promise<{ deck: DeckRow; slide: SlideRow }> {
  const deck = await lockReadyDeck(tx, deck_id)
  return { deck, slide: await holdSlide(tx, deck_id, slide_id) }
}

function insert(tx: BusinessTx, deck: DeckRow, slide: Slide): Slide {
  makeRoom(tx, deck.id, slide.position)
  insertSlides(tx, [{ ...slide, business_id: tx.business_id, created_at: tx.now, updated_at: tx.now }])
  touchDeck(tx, deck)
  tx.record(slideResource, 'deck_slide.created', { before: null, after: withoutFigures(slide) })
  return slide
}

function save(tx: BusinessTx, slide: SlideRow, changes: Partial<SlideRow>, event: (typeof slideResource)['events'][number]): Slide {
  const after = changed(slide, changes, tx.now)
  saveSlides(tx, [after])
  tx.record(slideResource, event, { before: withoutFigures(shownSlide(slide)), after: withoutFigures(shownSlide(after)) })
  return shownSlide(after)
}
