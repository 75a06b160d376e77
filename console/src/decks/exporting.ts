// How decks and boards are exported: their formats, and what is asked of the API.
import { api, dataOf, type Schemas } from '../api.ts'

export const DECK_FORMATS = [
  { value: 'pptx', label: 'PowerPoint', says: 'Charts and tables can be edited.' },
  { value: 'pdf', label: 'PDF', says: 'The same pages; the figures behind the charts stand at the end.' },
]
export const DECK_PARTS = [{ value: 'hidden', label: 'Hidden slides' }, { value: 'notes', label: 'What the speaker is to say' }]

export const exportDeck = (deck_id: string) => (format: string, included: readonly string[]) => dataOf(api.POST('/api/v1/ai-reporting/decks/{deck_id}/export', {
  params: { path: { deck_id } },
  body: { format: format as Schemas['DeckExportInput']['format'], include_hidden: included.includes('hidden'), include_notes: included.includes('notes') },
}))

export const BOARD_FORMATS = [
  { value: 'pdf', label: 'PDF', says: 'The board, the figures behind its charts, and what they mean.' },
  { value: 'xlsx', label: 'Excel', says: 'The figures and what they mean.' },
  { value: 'png', label: 'Picture', says: 'The board alone.' },
]

type BoardExport = Schemas['DashboardExportInput']

/** With the period and the basis that are looked at. */
export const exportBoard = (dashboard_id: string, seen: Pick<BoardExport, 'period' | 'basis'>) => (format: string) => dataOf(api.POST(
  '/api/v1/dashboards/{dashboard_id}/export', { params: { path: { dashboard_id } }, body: { ...seen, format: format as BoardExport['format'] } }))
