// What may be put on a slide by people, and what becomes of it.
//
//   newBlock(input)              a block as it was asked for, without figures
//   changedBlocks(...)           the blocks of a slide after a change
//   requireOrder, requireRoom    a deck keeps all its slides, and not too many
import { canonicalJson } from '../../foundation/canonical.ts'
import { newId } from '../../foundation/ids.ts'
import { invalid, notFound, unprocessable, type Problem } from '../../foundation/refusal.ts'
import { blockOf } from '../deck-making/rules.ts'
import { MOST_BLOCKS, MOST_SLIDES, type Block, type Slide } from '../slides/contract.ts'
import type { BlockChange, BlockInput, SlideChange } from './contract.ts'

type Place = Problem['loc']

/** Every problem of a block that its kind makes one. */
export function blockProblems(block: Pick<Block, 'kind' | 'binding' | 'document_id' | 'text' | 'chart'>, place: Place): Problem[] {
  const problem = (name: string, msg: string, type: Problem['type'] = 'value_error'): Problem => ({ loc: [...place, name], msg, type })
  const { kind, binding, document_id, text, chart } = block
  const drawn = kind === 'metric' || kind === 'chart' || kind === 'table'
  return [
    ...(drawn && !binding ? [problem('binding', `A ${kind} needs a binding.`, 'missing')] : []),
    ...(kind === 'image' && binding ? [problem('binding', 'An image has no figures.')] : []),
    ...(kind === 'image' && !document_id ? [problem('document_id', 'An image needs a document.', 'missing')] : []),
    ...(kind !== 'image' && document_id ? [problem('document_id', 'Only an image has a document.')] : []),
    ...(kind !== 'text' && text !== null ? [problem('text', 'Only a text has words: add a block of the kind text.')] : []),
    ...(kind !== 'chart' && chart !== null ? [problem('chart', 'Only a chart is drawn.')] : []),
  ]
}

export function newBlock({ kind, chart = null, binding = null, text = null, document_id = null }: Omit<BlockInput, 'figures'>): Block {
  const own = kind === 'text' && text !== null
  return blockOf({ kind, chart: kind === 'chart' ? chart ?? 'bar' : chart, binding, text, document_id, generated_by: own ? 'person' : null })
}

/** A client that sends back what it was given types nothing over. */
export function figureProblems(given: readonly object[] | undefined, had: Block['figures'], place: Place): Problem[] {
  if (!given || canonicalJson(given) === canonicalJson(had)) return []
  return [{ loc: [...place, 'figures'], msg: 'Figures come from the books and cannot be typed over: change the binding instead.', type: 'value_error' }]
}

/** The blocks after a change, each new or changed one without the figures that it is to get. Refuses with all problems at once. */
export function changedBlocks({ blocks }: Pick<Slide, 'blocks'>, { blocks: given = [], removed_block_ids = [], figures }: SlideChange): Block[] {
  const known = new Map(blocks.map((block) => [block.id, block]))
  const unknown = [...given.flatMap(({ id }) => id ?? []), ...removed_block_ids].find((id) => !known.has(id))
  const problems = figureProblems(figures, [], ['body'])
  const changes = new Map<string, Block>()
  const added: Block[] = []
  for (const [index, change] of given.entries()) {
    const place = ['body', 'blocks', index]
    const before = change.id === undefined ? undefined : changes.get(change.id) ?? known.get(change.id)
    if (change.id !== undefined && !before) continue
    if (!before && change.kind === undefined) {
      problems.push({ loc: [...place, 'kind'], msg: 'Field required.', type: 'missing' })
      continue
    }
    if (before && (change.kind ?? before.kind) !== before.kind) {
      problems.push({ loc: [...place, 'kind'], msg: 'A block keeps its kind: add another.', type: 'value_error' })
    }
    const after = before ? edited(before, change) : newBlock({ ...change, kind: change.kind ?? 'text' })
    problems.push(...figureProblems(change.figures, before?.figures ?? [], place), ...blockProblems(after, place))
    if (before) changes.set(after.id, after)
    else added.push(after)
  }
  if (problems.length > 0) throw unprocessable(problems)
  if (unknown) throw notFound(`Block ${unknown}`)
  const kept = blocks.map((block) => changes.get(block.id) ?? block).filter(({ id }) => !removed_block_ids.includes(id))
  if (kept.length + added.length > MOST_BLOCKS) throw invalid(`A slide has at most ${MOST_BLOCKS} blocks: remove one, or add a slide.`)
  return [...kept, ...added]
}

function edited(block: Block, { chart, binding, text, document_id }: BlockChange): Block {
  const after: Block = {
    ...block,
    ...(chart === undefined ? {} : { chart: block.kind === 'chart' ? chart ?? 'bar' : chart }),
    ...(binding === undefined ? {} : { binding }),
    ...(document_id === undefined ? {} : { document_id }),
  }
  if (text === undefined || text === block.text) return after
  if (text === null) return { ...after, text: null, generated_by: null, model: null, edited: false }
  // What was the service's own text is edited by now; what was always a person's is theirs all the same.
  return { ...after, text, generated_by: 'person', model: null, edited: block.generated_by !== 'person' || block.edited }
}

/** Blocks that ask something else than they did, or did not ask before. */
export function asksAnew(after: readonly Block[], before: readonly Block[]): Block[] {
  const asked = new Map(before.map(({ id, binding }) => [id, canonicalJson(binding)]))
  return after.filter(({ id, binding }) => binding !== null && asked.get(id) !== canonicalJson(binding))
}

export function copyOf<S extends Slide>(slide: S): S {
  return { ...slide, id: newId(), position: slide.position + 1, version: 1, blocks: slide.blocks.map((block) => ({ ...block, id: newId() })) }
}

export function requireRoom(slides: number): void {
  if (slides >= MOST_SLIDES) throw invalid(`A deck has at most ${MOST_SLIDES} slides.`)
}

export function requirePlace(position: number, slides: number): void {
  if (position > slides + 1) throw invalid(`The deck has ${slides} slides: the next position is ${slides + 1}.`)
}

export function requireOrder(wanted: readonly string[], present: readonly string[]): void {
  const twice = wanted.find((id, index) => wanted.indexOf(id) !== index)
  if (twice) throw invalid(`Slide ${twice} is named twice.`)
  const strange = wanted.find((id) => !present.includes(id))
  if (strange) throw invalid(`Slide ${strange} is none of this deck.`)
  const missing = present.find((id) => !wanted.includes(id))
  if (missing) throw invalid(`Slide ${missing} is missing: name every slide of the deck, hidden ones too.`)
}

/** A slide as the history keeps it. */
export function withoutFigures(slide: Slide): Slide {
  return { ...slide, blocks: slide.blocks.map((block) => ({ ...block, figures: [] })) }
}
