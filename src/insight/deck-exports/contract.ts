// Decks as files: a presentation that can be edited, or a PDF.
import type { Static } from 'typebox'
import { endpointsOf } from '../../foundation/endpoint.ts'
import { boolean, id, oneOf, optional, shape } from '../../foundation/shapes.ts'

export const DECK_FORMATS = ['pptx', 'pdf'] as const
export type DeckFormat = (typeof DECK_FORMATS)[number]

export const DeckExportInput = shape('DeckExportInput', {
  format: oneOf(DECK_FORMATS, { description: 'pptx: charts and tables can be edited. pdf: the same pages, and at the end the figures behind the charts.' }),
  include_hidden: optional(boolean({ default: false, description: 'Also hidden slides, which a presentation marks as hidden.' })),
  include_notes: optional(boolean({ default: false, description: 'Also what the speaker is to say.' })),
})
export type DeckExportInput = Static<typeof DeckExportInput>

export const DeckExport = shape('DeckExport', {
  job_id: id({ description: 'The job that makes the file.' }),
  document_id: id({ description: 'The document that the file will be, once the job has succeeded.' }),
})
export type DeckExport = Static<typeof DeckExport>

const endpoint = endpointsOf('ai-reporting', 'business')

export const exportDeck = endpoint({
  id: 'export_deck', method: 'POST', path: '/decks/{deck_id}/export', summary: 'Export a deck',
  description: 'Starts a job that writes the deck, as it is when the job begins, into a file and keeps it as a document. '
    + 'Every call makes a document of its own; it stays when the deck is deleted.',
  params: shape('DeckExportParams', { deck_id: id() }),
  body: DeckExportInput,
  reply: DeckExport,
  refusals: ['The deck is not ready.'],
  example: { format: 'pptx' },
})
