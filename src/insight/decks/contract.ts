// Decks: slides made from live figures, at one moment of the books.
import { Type, type Static } from 'typebox'
import { BASES } from '../../access/businesses/contract.ts'
import { endpointsOf, listQuery, pageOf } from '../../foundation/endpoint.ts'
import { resource } from '../../foundation/resource.ts'
import { boolean, date, id, integer, list, nullable, oneOf, optional, record, shape, text, timestamp } from '../../foundation/shapes.ts'
import { Job } from '../../workspace/jobs/contract.ts'
import { COMPARISONS, Filters } from '../bindings/contract.ts'
import { Slide } from '../slides/contract.ts'

export const DECK_TEMPLATES = ['board', 'monthly_review', 'cash', 'investor', 'sales', 'custom'] as const
export type DeckTemplate = (typeof DECK_TEMPLATES)[number]

export const DECK_STATUSES = ['generating', 'ready', 'failed'] as const
export type DeckStatus = (typeof DECK_STATUSES)[number]

export const MOST_MONTHS = 60

const title = text(1, 200)
const period = { period_start: date(), period_end: date({ description: `At most ${MOST_MONTHS} months from the start.` }) }
const audience = text(1, 200, { description: 'Whom the words are for.' })
const instructions = text(1, 4_000, { description: 'What the words should dwell on. Figures do not follow it.' })

const settings = {
  title,
  template: oneOf(DECK_TEMPLATES),
  ...period,
  comparison: oneOf(COMPARISONS),
  basis: oneOf(BASES),
  audience: nullable(audience),
  instructions: nullable(instructions),
  filters: Filters,
}

/** A deck without its slides, as lists and the history have it. */
export const DeckSummary = shape('DeckSummary', {
  ...record,
  ...settings,
  status: oneOf(DECK_STATUSES, { description: 'A deck that is refreshed stays ready meanwhile.' }),
  stale: boolean({ description: 'The books have changed since data_as_of.' }),
  data_as_of: nullable(timestamp({ description: 'The known_at of its figures.' })),
  job_id: nullable(id({ description: 'The last job that generates or refreshes it.' })),
  generated_by: nullable(oneOf(['rules', 'model'], { description: 'model: at least one of its texts is by a model; each block says by which.' })),
  error: nullable(text(1, 2_000, { description: 'Why the last generation or refresh failed; the slides are those from before.' })),
  created_by: nullable(id()),
})
export type DeckSummary = Static<typeof DeckSummary>

/** A row of the table. journal_number is the last entry that its figures know of. */
export const DeckRow = Type.Object({ ...DeckSummary.properties, journal_number: nullable(integer(0)) })
export type DeckRow = Static<typeof DeckRow>

export const Deck = shape('Deck', { ...DeckSummary.properties, slides: list(Slide, { description: 'In their order, hidden ones too.' }) })
export type Deck = Static<typeof Deck>

export const DeckInput = shape('DeckInput', {
  ...period,
  template: settings.template,
  title: optional(text(1, 200, { description: 'Without it one from the template and the period.' })),
  comparison: optional(oneOf(COMPARISONS, { default: 'prior_period' })),
  basis: optional(oneOf(BASES, { description: 'Without it the default_basis of the business.' })),
  audience: optional(nullable(audience)),
  instructions: optional(nullable(instructions)),
  filters: optional(Filters),
})
export type DeckInput = Static<typeof DeckInput>

export const DeckRefresh = shape('DeckRefresh', {
  period_start: optional(date()),
  period_end: optional(date()),
  overwrite_edits: optional(boolean({ default: false, description: 'Also replace texts that people have edited.' })),
})
export type DeckRefresh = Static<typeof DeckRefresh>

export const deckResource = resource({
  type: 'deck', group: 'ai-reporting', shape: DeckSummary, table: 'decks', label: 'title',
  events: ['deck.created', 'deck.updated', 'deck.deleted', 'deck.ready', 'deck.failed', 'deck.refreshed', 'deck.exported'],
})

const endpoint = endpointsOf('ai-reporting', 'business')
const params = shape('DeckParams', { deck_id: id() })

export const listDecks = endpoint({
  id: 'list_decks', method: 'GET', path: '/decks', summary: 'List decks', description: 'Without their slides.',
  query: listQuery(['created_at', 'title', 'period_end'], {
    status: optional(oneOf(DECK_STATUSES)),
    template: optional(oneOf(DECK_TEMPLATES)),
    period_start: optional(date()),
    q: optional(text(1, 200, { description: 'Words of the title.' })),
  }),
  reply: pageOf(DeckSummary),
})

export const createDeck = endpoint({
  id: 'create_deck', method: 'POST', path: '/decks', summary: 'Generate a deck',
  description: 'Answers at once, with the status generating: job_id says how far it is. Every figure is as the books were known at data_as_of.',
  body: DeckInput,
  reply: Deck,
  refusals: ['The period ends before it starts.', `The period is longer than ${MOST_MONTHS} months.`, 'There are no budgets to compare with.'],
  example: { template: 'monthly_review', period_start: '2026-03-01', period_end: '2026-03-31' },
})

export const getDeck = endpoint({
  id: 'get_deck', method: 'GET', path: '/decks/{deck_id}', summary: 'Get a deck', description: 'With its slides in order; hidden ones are marked.',
  // Whether it is stale, and its slides, change without its version.
  live: true,
  params,
  reply: Deck,
})

export const deleteDeck = endpoint({
  id: 'delete_deck', method: 'DELETE', path: '/decks/{deck_id}', summary: 'Delete a deck',
  description: 'Its share links end with it; files that were exported stay as documents.',
  params,
  reply: DeckSummary,
})

export const refreshDeck = endpoint({
  id: 'refresh_deck', method: 'POST', path: '/decks/{deck_id}/refresh', summary: 'Refresh a deck with live data',
  description: 'A job that brings every figure to one new moment and swaps all slides at once. Texts that people edited stay. '
    + 'While a job of this deck runs, it is that job. One that fails leaves the deck as it was. A deck whose generation failed is generated again.',
  params,
  body: DeckRefresh,
  reply: Job,
  refusals: ['The period ends before it starts.', `The period is longer than ${MOST_MONTHS} months.`],
})
