// How slides come to their figures and words: pure steps between a template, the answers of its bindings and what was said about them.
//
//   draftSlides(...)        slides of a template, without figures
//   bindingsOf(slides)      everything that is to be asked, in one list
//   withFigures(...)        the slides with its answers
//   textsWanted(...)        what is to be said anew: texts of people stay, unless they may be overwritten
//   heldAgainst(...)        what was said, as far as it fits the figures
//   withTexts(...)          the slides with what was said
//   sameQuestions(...)      whether slides still ask what was answered
import { addMonths, firstDayOfMonth } from '../../foundation/calendar.ts'
import { newId } from '../../foundation/ids.ts'
import type { Binding, Bound, Figure, FigureSetting } from '../bindings/contract.ts'
import type { DeckSummary } from '../decks/contract.ts'
import type { Narrated, Narration, Spoken } from '../narrative/contract.ts'
import { sentencesOf, unfit } from '../narrative/rules.ts'
import type { Block, Slide } from '../slides/contract.ts'
import { TEMPLATES, TOPICS, type BlockPlan, type SlidePlan } from '../deck-templates/rules.ts'

type Period = Pick<DeckSummary, 'period_start' | 'period_end'>

/** A slide before it has a place in a table. */
export type Draft = Pick<Slide, 'id' | 'kind' | 'title' | 'blocks'>

export function draftSlides({ template, title, ...period }: Pick<DeckSummary, 'template' | 'title'> & Period, books_start: string): Draft[] {
  const cover: Draft = { id: newId(), kind: 'title', title, blocks: [] }
  return [cover, ...TEMPLATES[template].map((topic) => draftOf(TOPICS[topic], period, books_start))]
}

export function draftOf({ kind, title, blocks }: SlidePlan, period: Period, books_start: string): Draft {
  return { id: newId(), kind, title, blocks: blocks.map((block) => plannedBlock(block, period, books_start)) }
}

function plannedBlock({ trend = false, ...plan }: BlockPlan, period: Period, books_start: string): Block {
  const range = trend ? trendOf(period, books_start) : null
  const { binding } = plan
  return blockOf({ ...plan, ...(binding && range ? { binding: { ...binding, params: { ...binding.params, ...range } } } : {}) })
}

/** A block with nothing in it but what is given. */
export function blockOf(given: Partial<Block> & Pick<Block, 'kind'>): Block {
  return {
    id: newId(), chart: null, binding: null, figures: [], problem: null, text: null, edited: false, generated_by: null, model: null, document_id: null,
    ...given,
  }
}

const FEW_MONTHS = 3
const TREND_MONTHS = 12

type Dates = { start_date: string; end_date: string }

/** A short period alone shows no trend: then it is the year that ends with it, as far back as the books go. Null: the period itself. */
export function trendOf({ period_start, period_end }: Period, books_start: string): Dates | null {
  if (addMonths(firstDayOfMonth(period_start), FEW_MONTHS - 1) <= period_end) return null
  const year = addMonths(firstDayOfMonth(period_end), 1 - TREND_MONTHS)
  const start = year < books_start ? firstDayOfMonth(books_start) : year
  return { start_date: start < period_start ? start : period_start, end_date: period_end }
}

/** With another period the dates of trends move along; dates that people chose stay. */
export function movedTo<S extends Pick<Slide, 'blocks'>>(slide: S, before: Period, after: Period, books_start: string): S {
  const [old, now] = [trendOf(before, books_start), trendOf(after, books_start)]
  if (!old) return slide
  const moved = (binding: Binding): Binding => {
    const { start_date, end_date, ...params } = binding.params ?? {}
    return start_date === old.start_date && end_date === old.end_date ? { ...binding, params: { ...params, ...now } } : binding
  }
  return { ...slide, blocks: slide.blocks.map((block) => (block.binding ? { ...block, binding: moved(block.binding) } : block)) }
}

export function settingOf(deck: Pick<DeckSummary, 'basis' | 'comparison' | 'filters'> & Period, known_at: string): FigureSetting {
  const { basis, comparison, filters, period_start, period_end } = deck
  return { known_at, start_date: period_start, end_date: period_end, basis, comparison, filters }
}

type WithBlocks = Pick<Slide, 'blocks'>

export function bindingsOf(slides: readonly WithBlocks[]): Binding[] {
  return slides.flatMap(({ blocks }) => blocks.flatMap(({ binding }) => binding ?? []))
}

/** More would be a report and no slide. */
export const MOST_FIGURES = 3_000

/** `bound` answers the list that bindingsOf gives for these slides. */
export function withFigures<S extends WithBlocks>(slides: readonly S[], bound: readonly Bound[]): S[] {
  let next = 0
  const answered = (block: Block): Block => {
    if (!block.binding) return block
    const { figures, problem } = bound[next++] ?? { figures: [], problem: 'Nothing was found.' }
    const too_many = figures.length > MOST_FIGURES ? `These are ${figures.length} figures, more than a slide can hold: choose rows.` : null
    return { ...block, figures: too_many ? [] : figures, problem: too_many ?? problem }
  }
  return slides.map((slide) => ({ ...slide, blocks: slide.blocks.map(answered) }))
}

/** What stands on a slide in figures; a text without a binding only speaks of it. */
export function figuresOn({ blocks }: WithBlocks): Figure[] {
  return blocks.filter(isSource).flatMap(({ figures }) => figures)
}

const isSource = ({ kind, binding }: Block): boolean => kind !== 'text' || binding !== null

export type Wanted = { block_id: string; narration: Narration }

/** Who reads the words, and what they should dwell on. */
export type Voice = Pick<DeckSummary, 'audience' | 'instructions'>

export function textsWanted(
  slides: readonly Pick<Slide, 'kind' | 'title' | 'blocks'>[], { audience, instructions }: Voice, overwrite_edits: boolean,
): Wanted[] {
  return slides.flatMap(({ kind, title, blocks }) => blocks.filter((block) => isGenerated(block, overwrite_edits)).map((block) => ({
    block_id: block.id,
    narration: { slide: { kind, title }, figures: block.binding ? block.figures : figuresOn({ blocks }), audience, instructions },
  })))
}

/** A text that was never the service's own is not overwritten at all. */
export function isGenerated({ kind, generated_by, edited }: Pick<Block, 'kind' | 'generated_by' | 'edited'>, overwrite_edits: boolean): boolean {
  return kind === 'text' && (generated_by !== 'person' || (edited && overwrite_edits))
}

export type Told = Record<string, Narrated>

export function toldOf(wanted: readonly Wanted[], { told }: Spoken): Told {
  return Object.fromEntries(wanted.flatMap(({ block_id }, index) => (told[index] ? [[block_id, told[index]]] : [])))
}

/** What is said about exactly these figures: words of a model that were kept from before are taken only as far as they still fit, else the rules speak. */
export function heldAgainst(wanted: readonly Wanted[], told: Told): Told {
  return Object.fromEntries(wanted.map(({ block_id, narration }) => {
    const said = told[block_id]
    const fits = said?.generated_by === 'model' && unfit(said.text, narration) === null
    return [block_id, fits ? said : { text: sentencesOf(narration), generated_by: 'rules', model: null }]
  }))
}

/** By block. Each text comes with the figures that it speaks of. */
export function withTexts<S extends WithBlocks>(slide: S, told: Told): S {
  const blocks = slide.blocks.map((block): Block => {
    const said = told[block.id]
    return said ? { ...block, text: said.text, generated_by: said.generated_by, model: said.model, edited: false } : block
  })
  const figures = figuresOn({ blocks })
  return { ...slide, blocks: blocks.map((block) => (isSource(block) ? block : { ...block, figures: spokenOf(block.text ?? '', figures) })) }
}

function spokenOf(text: string, figures: readonly Figure[]): Figure[] {
  const found = figures.filter(({ formatted }) => formatted !== '' && text.includes(formatted))
  return [...new Map(found.map((figure) => [`${figure.key} ${figure.label} ${figure.formatted}`, figure])).values()]
}

/** A model, where at least one text is by one. */
export function writtenBy(slides: readonly WithBlocks[]): 'rules' | 'model' {
  return slides.some(({ blocks }) => blocks.some(({ generated_by }) => generated_by === 'model')) ? 'model' : 'rules'
}

/** Whether slides, as they are now, ask exactly what the answered ones asked. */
export function sameQuestions(now: readonly (WithBlocks & { id: string })[], answered: readonly (WithBlocks & { id: string })[]): boolean {
  const questions = (slides: typeof now) => JSON.stringify(slides
    .map(({ id, blocks }) => [id, blocks.map((block) => [block.id, block.binding])] as const)
    .toSorted(([one], [other]) => (one < other ? -1 : 1)))
  return questions(now) === questions(answered)
}
