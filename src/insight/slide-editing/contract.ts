// What people do with the slides of a deck.
import { type Static } from 'typebox'
import { endpointsOf } from '../../foundation/endpoint.ts'
import { resource } from '../../foundation/resource.ts'
import { anyObject, id, integer, list, nullable, oneOf, optional, shape, text } from '../../foundation/shapes.ts'
import { Binding } from '../bindings/contract.ts'
import { Deck } from '../decks/contract.ts'
import { BLOCK_KINDS, CHART_KINDS, MOST_BLOCKS, MOST_SLIDES, Slide, SLIDE_KINDS } from '../slides/contract.ts'

const title = text(1, 200)
const notes = nullable(text(0, 10_000))
const figures = optional(list(anyObject(), { description: 'Only as they are: figures come from bindings and cannot be typed over (422).' }))

const content = {
  chart: optional(nullable(oneOf(CHART_KINDS, { description: 'How a chart is drawn; bar where nothing is said.' }))),
  binding: optional(nullable(Binding)),
  text: optional(nullable(text(0, 10_000, { description: 'Of a text. Null: the service writes it from the figures.' }))),
  document_id: optional(nullable(id({ description: 'Of an image: a PNG or JPEG among the documents.' }))),
  figures,
}

export const BlockInput = shape('SlideBlockInput', { kind: oneOf(BLOCK_KINDS), ...content })
export type BlockInput = Static<typeof BlockInput>

export const BlockChange = shape('SlideBlockChange', {
  id: optional(id({ description: 'The block to change; without it the block is a new one, behind the others.' })),
  kind: optional(oneOf(BLOCK_KINDS, { description: 'Of a new block.' })),
  ...content,
})
export type BlockChange = Static<typeof BlockChange>

export const SlideInput = shape('SlideInput', {
  kind: oneOf(SLIDE_KINDS),
  title,
  blocks: optional(list(BlockInput, { maxItems: MOST_BLOCKS })),
  prompt: optional(nullable(text(1, 2_000, { description: 'Instead of blocks: what the slide should be about, in words.' }))),
  position: optional(integer(1, MOST_SLIDES, { description: 'Its place; at the end where nothing is said.' })),
  speaker_notes: optional(notes),
})
export type SlideInput = Static<typeof SlideInput>

export const SlideChange = shape('SlideChange', {
  title: optional(title),
  speaker_notes: optional(notes),
  blocks: optional(list(BlockChange, { maxItems: MOST_BLOCKS, description: 'Those to change or to add; the others stay as they are.' })),
  removed_block_ids: optional(list(id(), { maxItems: MOST_BLOCKS })),
  figures,
})
export type SlideChange = Static<typeof SlideChange>

/** Told without figures: those follow from the bindings and data_as_of. */
export const slideResource = resource({
  type: 'deck_slide', group: 'ai-reporting', shape: Slide, table: null, label: 'title',
  events: ['deck_slide.created', 'deck_slide.updated', 'deck_slide.refreshed'],
})

const endpoint = endpointsOf('ai-reporting', 'business')
const deckParams = shape('SlidesParams', { deck_id: id() })
const params = shape('SlideParams', { deck_id: id(), slide_id: id() })
const notReady = 'The deck is still being generated, or its generation failed.'

export const addSlide = endpoint({
  id: 'add_slide', method: 'POST', path: '/decks/{deck_id}/slides', summary: 'Add a slide',
  description: 'With blocks, or with a prompt that says what it should be about. Its figures are those of the moment of the deck. '
    + 'If-Match takes the version of the deck.',
  params: deckParams,
  body: SlideInput,
  reply: Slide,
  refusals: [
    `The deck has ${MOST_SLIDES} slides.`, 'The position is beyond the end.', 'The prompt names nothing that the catalogue has.',
    'A document is no picture.', notReady,
  ],
  example: { kind: 'metrics', title: 'Revenue', blocks: [{ kind: 'metric', binding: { metric: 'revenue' } }, { kind: 'text', text: 'A word on it.' }] },
})

export const reorderSlides = endpoint({
  id: 'reorder_slides', method: 'POST', path: '/decks/{deck_id}/slides/reorder', summary: 'Reorder the slides',
  params: deckParams,
  body: shape('SlideOrder', { slide_ids: list(id(), { maxItems: MOST_SLIDES, description: 'All slides of the deck, hidden ones too, in their new order.' }) }),
  reply: Deck,
  refusals: ['A slide is missing, named twice, or of another deck.', notReady],
})

export const updateSlide = endpoint({
  id: 'update_slide', method: 'PATCH', path: '/decks/{deck_id}/slides/{slide_id}', summary: 'Edit a slide',
  description: 'If-Match takes the version of the slide: people who edit different slides do not meet. A text that was changed survives every refresh '
    + 'that is not told to overwrite edits. Figures of a new binding are those of the moment of the slide.',
  params,
  body: SlideChange,
  reply: Slide,
  refusals: [`The slide would have more than ${MOST_BLOCKS} blocks.`, 'A document is no picture.', notReady],
  example: { title: 'What happened', speaker_notes: 'Two sentences, then questions.' },
})

export const duplicateSlide = endpoint({
  id: 'duplicate_slide', method: 'POST', path: '/decks/{deck_id}/slides/{slide_id}/duplicate', summary: 'Duplicate a slide',
  description: 'The copy stands right behind it, with the same figures of the same moment.',
  params,
  reply: Slide,
  refusals: [`The deck has ${MOST_SLIDES} slides.`, notReady],
})

export const refreshSlide = endpoint({
  id: 'refresh_slide', method: 'POST', path: '/decks/{deck_id}/slides/{slide_id}/refresh', summary: 'Refresh one slide',
  description: 'Its data_as_of is its own from then on, until the whole deck is refreshed. Texts that people edited stay.',
  params,
  reply: Slide,
  refusals: [notReady],
})

export const toggleSlide = endpoint({
  id: 'toggle_slide_hidden', method: 'POST', path: '/decks/{deck_id}/slides/{slide_id}/toggle-hidden', summary: 'Hide a slide, or show it again',
  description: 'A hidden one is in no public link and in no export that does not ask for it.',
  params,
  reply: Slide,
  refusals: [notReady],
})
