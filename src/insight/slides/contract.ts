// Slides and the blocks they are made of.
import { Type, type Static } from 'typebox'
import { boolean, id, integer, list, nullable, oneOf, shape, text, timestamp } from '../../foundation/shapes.ts'
import { Binding, Figure } from '../bindings/contract.ts'

export const SLIDE_KINDS = ['title', 'summary', 'metrics', 'chart', 'table', 'narrative', 'custom'] as const
export type SlideKind = (typeof SLIDE_KINDS)[number]

export const BLOCK_KINDS = ['metric', 'chart', 'table', 'text', 'image'] as const
export type BlockKind = (typeof BLOCK_KINDS)[number]

export const CHART_KINDS = ['line', 'bar', 'stacked_bar', 'donut'] as const
export type ChartKind = (typeof CHART_KINDS)[number]

/** Who wrote a text: the service by its rules, a model by name, or a person. */
export const AUTHORS = ['rules', 'model', 'person'] as const

export const Block = shape('SlideBlock', {
  id: id(),
  kind: oneOf(BLOCK_KINDS),
  chart: nullable(oneOf(CHART_KINDS, { description: 'How a chart is drawn.' })),
  binding: nullable(Binding),
  figures: list(Figure, { description: 'Of its binding; a text has those of its slide. They cannot be typed over.' }),
  problem: nullable(text(1, 500, { description: 'Why there are no figures, such as a ledger that is gone; the other blocks are not touched by it.' })),
  text: nullable(text(0, 10_000)),
  edited: boolean({ description: 'A person changed the text: a refresh leaves it alone unless it is told otherwise.' }),
  generated_by: nullable(oneOf(AUTHORS, { description: 'Who wrote the text.' })),
  model: nullable(text(1, 200, { description: 'The model that wrote it.' })),
  document_id: nullable(id({ description: 'The picture of an image.' })),
})
export type Block = Static<typeof Block>

export const Slide = shape('DeckSlide', {
  id: id(),
  deck_id: id(),
  position: integer(1, 60),
  kind: oneOf(SLIDE_KINDS),
  title: text(1, 200),
  hidden: boolean(),
  speaker_notes: nullable(text(0, 10_000)),
  data_as_of: timestamp({ description: 'The known_at of its figures.' }),
  blocks: list(Block),
  version: integer(1, 2147483647),
})
export type Slide = Static<typeof Slide>

/** A row of the table. */
export const SlideRow = Type.Object({ ...Slide.properties, business_id: id(), created_at: timestamp(), updated_at: timestamp() })
export type SlideRow = Static<typeof SlideRow>

export const MOST_SLIDES = 60
export const MOST_BLOCKS = 12
