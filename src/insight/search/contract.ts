// Search: one box over everything the caller may read.
import type { Static } from 'typebox'
import { endpointsOf } from '../../foundation/endpoint.ts'
import { boolean, cents, date, id, integer, list, nullable, oneOf, optional, shape, text } from '../../foundation/shapes.ts'
import { Job } from '../../workspace/jobs/contract.ts'
import { SEARCH_TYPES } from '../search-index/contract.ts'

export const SearchHit = shape('SearchHit', {
  type: oneOf(SEARCH_TYPES),
  id: id(),
  title: text(0, 1000),
  number: nullable(text(0, 200)),
  amount: nullable(cents()),
  currency: nullable(text(3, 3)),
  date: nullable(date()),
  status: nullable(text(1, 50)),
  archived: boolean(),
  path: text(1, 200, { description: 'Of the record in this API.' }),
  matched: list(shape('SearchMatch', { field: text(1, 50), snippet: text(0, 400) }), { description: 'Where it was found: plain text, not Markdown or HTML.' }),
  rank: integer(1, 6, { description: '1 and 2: whole words, 3 and 4: beginnings of words, 5 and 6: words written almost so; the odd ones in title or number.' }),
})
export type SearchHit = Static<typeof SearchHit>

export const filters = {
  type: optional(list(oneOf(SEARCH_TYPES), { minItems: 1, maxItems: SEARCH_TYPES.length })),
  status: optional(text(1, 50)),
  from: optional(date({ description: 'Dated on or after.' })),
  to: optional(date({ description: 'Dated on or before.' })),
  min_amount: optional(cents()),
  max_amount: optional(cents()),
  customer_id: optional(id()),
  vendor_id: optional(id()),
  include_archived: optional(boolean({ default: false })),
}
const Filters = shape('SearchFilters', filters)
export type Filters = Static<typeof Filters>

const q = text(2, 200, {
  description: 'Words, each by its beginning; an amount such as 1,234.56; a date; a number with or without its prefix; an e-mail address; an id. '
    + 'All must be found in the same record. Names bear a slip of the pen.',
})
const scope = optional(oneOf(['business', 'firm'], { default: 'business' }))

const endpoint = endpointsOf('search', 'business')

export const search = endpoint({
  id: 'search', method: 'GET', path: '', summary: 'Search everything',
  description: 'The best first: whole words before beginnings before slips, titles before other fields, then the newer. Every hit is held against the record itself. '
    + 'The index follows a change within a second. Of a word that very many records have, the newest are looked at. scope=firm needs a firm: 403 without one.',
  query: shape('SearchQuery', {
    q, ...filters, scope,
    group_by: optional(oneOf(['type'], { description: 'The best five of each type.' })),
    limit: optional(integer(1, 100, { default: 20 })),
  }),
  reply: shape('SearchResult', {
    hits: list(SearchHit, { description: 'Empty where grouped.' }),
    groups: list(shape('SearchGroup', { type: oneOf(SEARCH_TYPES), label: text(1, 50), hits: list(SearchHit), has_more: boolean() })),
    has_more: boolean({ description: 'There are more hits than shown: narrow the search.' }),
    building: boolean({ description: 'The index of this business is still being built: older records may be missing.' }),
  }),
})

export const suggest = endpoint({
  id: 'suggest', method: 'GET', path: '/suggest', summary: 'Complete what is being typed',
  description: 'At most ten titles or numbers of records that the caller may read.',
  query: shape('SuggestQuery', { q, type: filters.type, scope }),
  reply: list(shape('Suggestion', { text: text(0, 1000), type: oneOf(SEARCH_TYPES), id: id(), path: text(1, 200) })),
})

export const listSearchTypes = endpoint({
  id: 'list_search_types', method: 'GET', path: '/types', summary: 'List what can be found',
  description: 'The types of records that the caller may read.',
  reply: list(shape('SearchTypeInfo', { type: oneOf(SEARCH_TYPES), label: text(1, 50), group: text(1, 50) })),
})

export const reindex = endpoint({
  id: 'reindex_search', method: 'POST', path: '/reindex', summary: 'Build the search index anew',
  description: 'As a job; while one runs, it is the answer. Never needed in ordinary times: the index follows every change by itself.',
  permission: 'businesses:write',
  reply: Job,
})
