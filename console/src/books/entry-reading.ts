// One entry as the API gives it, and which entries are corrected in the journal itself.
import { useQuery } from '@tanstack/react-query'
import { api, dataOf, type Schemas } from '../api.ts'

export type Entry = Schemas['JournalEntryWithLines']

export const useEntry = (entry_id: string) => useQuery({
  queryKey: ['journal-entries', entry_id],
  queryFn: () => dataOf(api.GET('/api/v1/journal-entries/{entry_id}', { params: { path: { entry_id } } })),
})

const OWN_SOURCES = ['manual', 'opening', 'fx_revaluation', 'reclassification']

/** Entries of documents are corrected through the document. */
export const isOwn = ({ source_type }: Pick<Entry, 'source_type'>): boolean => OWN_SOURCES.includes(source_type)
