// Saved searches: a question with its filters under a name.
import type { Static } from 'typebox'
import { endpointsOf, listQuery, pageOf } from '../../foundation/endpoint.ts'
import { boolean, id, nullable, optional, partial, record, shape, text } from '../../foundation/shapes.ts'
import { filters } from '../search/contract.ts'

const SavedFilters = shape('SavedFilters', filters)

export const SavedSearch = shape('SavedSearch', {
  ...record,
  name: text(1, 100),
  q: nullable(text(2, 200, { description: 'Null where only the filters are kept.' })),
  filters: SavedFilters,
  shared: boolean({ description: 'Everybody in the business sees it; otherwise its author alone.' }),
  author_id: id(),
  author_name: text(1, 200),
})
export type SavedSearch = Static<typeof SavedSearch>

const input = { name: text(1, 100), q: nullable(text(2, 200)), filters: SavedFilters, shared: boolean() }
export const SavedSearchInput = shape('SavedSearchInput', {
  name: input.name, q: optional(input.q), filters: optional(input.filters), shared: optional(boolean({ default: false })),
})
export const SavedSearchUpdate = partial('SavedSearchUpdate', input)
export type SavedSearchInput = Static<typeof SavedSearchInput>
export type SavedSearchUpdate = Static<typeof SavedSearchUpdate>

const endpoint = endpointsOf('search', 'business')
const params = shape('SavedSearchParams', { saved_search_id: id() })
const example = { name: 'Open invoices', q: 'inv', filters: { type: ['invoice' as const], status: 'open' } }

export const listSavedSearches = endpoint({
  id: 'list_saved_searches', method: 'GET', path: '/saved', summary: 'List saved searches',
  description: 'The caller’s own and those that others share.',
  query: listQuery(['created_at'], { shared: optional(boolean()) }),
  reply: pageOf(SavedSearch),
})

export const createSavedSearch = endpoint({
  id: 'create_saved_search', method: 'POST', path: '/saved', summary: 'Save a search',
  body: SavedSearchInput,
  reply: SavedSearch,
  refusals: ['It has neither a question nor a filter.'],
  example,
})

export const updateSavedSearch = endpoint({
  id: 'update_saved_search', method: 'PUT', path: '/saved/{saved_search_id}', summary: 'Change a saved search',
  description: 'By its author; a shared one also by an admin.',
  params,
  body: SavedSearchUpdate,
  reply: SavedSearch,
  refusals: ['It would have neither a question nor a filter.'],
  example: { name: 'Open invoices of the year', shared: true },
})

export const deleteSavedSearch = endpoint({
  id: 'delete_saved_search', method: 'DELETE', path: '/saved/{saved_search_id}', summary: 'Delete a saved search',
  description: 'By its author; a shared one also by an admin. It is gone.',
  params,
  reply: SavedSearch,
})
