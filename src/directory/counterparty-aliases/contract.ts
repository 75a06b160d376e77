// Counterparty aliases: how the text that a bank writes becomes the one name of a counterparty.
import { Type, type Static } from 'typebox'
import { atomic, BulkResult, MOST_ITEMS } from '../../foundation/bulk.ts'
import { endpointsOf, listQuery, pageOf } from '../../foundation/endpoint.ts'
import { LIST_FILE_REFUSALS, LIST_FILE_WORDS, listFileFormat, listFileReply } from '../../foundation/list-file.ts'
import { resource } from '../../foundation/resource.ts'
import { boolean, id, integer, list, nullable, oneOf, optional, partial, record, shape, text } from '../../foundation/shapes.ts'
import { counterparty } from '../counterparty-defaults/contract.ts'

export const MATCH_TYPES = ['exact', 'starts_with', 'contains', 'regex'] as const
export const MOST_EXPRESSIONS = 50
export const MOST_RENAMED = 1000

const fields = {
  pattern: text(2, 200, { pattern: '\\S', description: 'Compared without case, accents, punctuation, store numbers and the prefixes of payment processors.' }),
  match_type: oneOf(MATCH_TYPES, { description: 'regex: without backreferences and lookaround, held against the text as it is compared.' }),
  counterparty,
  customer_id: nullable(id()),
  vendor_id: nullable(id()),
  enabled: boolean(),
}

export const CounterpartyAlias = shape('CounterpartyAlias', {
  ...record, ...fields, hit_count: integer(0, undefined, { description: 'How many transactions got their name by it.' }),
})
export type CounterpartyAlias = Static<typeof CounterpartyAlias>

const { pattern, match_type, counterparty: name, ...others } = fields
export const CounterpartyAliasInput = shape('CounterpartyAliasInput', {
  pattern, match_type, counterparty: name, ...partial('CounterpartyAliasOthers', others).properties,
})
export type CounterpartyAliasInput = Static<typeof CounterpartyAliasInput>
export const CounterpartyAliasUpdate = partial('CounterpartyAliasUpdate', fields)
export type CounterpartyAliasUpdate = Static<typeof CounterpartyAliasUpdate>

const BulkItem = partial('CounterpartyAliasBulkItem', { id: id({ description: 'Of an alias that is there: it is changed. Without it a new one is made.' }), ...fields })
export const CounterpartyAliasBulk = shape('CounterpartyAliasBulk', { aliases: list(BulkItem, { minItems: 1, maxItems: MOST_ITEMS }), atomic })
export type CounterpartyAliasBulk = Static<typeof CounterpartyAliasBulk>

export const ResolvedText = shape('ResolvedText', {
  text: Type.String(),
  counterparty: Type.String({ description: 'The name that the alias gives; without one, the text without what banks and processors add to it.' }),
  alias_id: nullable(id()),
  customer_id: nullable(id()),
  vendor_id: nullable(id()),
})
export type ResolvedText = Static<typeof ResolvedText>

const Renaming = shape('CounterpartyRenaming', { counterparty_raw: Type.String(), counterparty: Type.String(), count: integer(1) })
export const AliasApplication = shape('AliasApplication', {
  matched: integer(0, undefined, { description: 'Transactions whose name differs from the one that the aliases give.' }),
  renamed: integer(0, undefined, { description: `Of these, those that have it now: at most ${MOST_RENAMED} in one call.` }),
  names: list(Renaming, { description: 'The most frequent texts, at most 100.' }),
})
export type AliasApplication = Static<typeof AliasApplication>

export const AliasSuggestion = shape('AliasSuggestion', {
  counterparty: Type.String(),
  pattern: Type.String(),
  match_type: oneOf(MATCH_TYPES),
  texts: list(Type.String(), { description: 'At most 20 of the texts that look alike.' }),
  count: integer(1, undefined, { description: 'How many transactions have one of them.' }),
})
export type AliasSuggestion = Static<typeof AliasSuggestion>

export const CounterpartyMerge = shape('CounterpartyMerge', {
  counterparties: list(counterparty, { minItems: 1, maxItems: 50, description: 'The names that go.' }),
  counterparty,
  keep_default_id: optional(nullable(id({ description: 'Of defaults that contradict each other, the one that stays.' }))),
})
export type CounterpartyMerge = Static<typeof CounterpartyMerge>

export const CounterpartyMergeResult = shape('CounterpartyMergeResult', {
  counterparty: Type.String(), aliases: list(CounterpartyAlias, { description: 'Those that give the name now.' }),
  defaults_kept: integer(0), defaults_dropped: integer(0),
})
export type CounterpartyMergeResult = Static<typeof CounterpartyMergeResult>

export const aliasResource = resource({
  type: 'counterparty_alias', group: 'counterparty-aliases', shape: CounterpartyAlias, table: 'counterparty_aliases', label: 'pattern',
  events: ['counterparty_alias.changed'],
})

const endpoint = endpointsOf('counterparty-aliases', 'business')
const params = shape('CounterpartyAliasParams', { alias_id: id() })

const filters = {
  counterparty: optional(text(1, 120, { description: 'The whole name.' })),
  customer_id: optional(id()),
  vendor_id: optional(id()),
  enabled: optional(boolean()),
  q: optional(text(1, 200, { description: 'Part of the pattern or the name.' })),
}

const misuse = [
  'Another alias has this pattern and match_type.', 'Nothing of the pattern is left once it is compared.',
  'The regular expression cannot be read, or needs backreferences or lookaround.', `There are ${MOST_EXPRESSIONS} regular expressions already.`,
  'Both a customer and a vendor are named, or the customer is archived.',
]

export const listAliases = endpoint({
  id: 'list_counterparty_aliases', method: 'GET', path: '', summary: 'List counterparty aliases',
  query: listQuery(['counterparty', 'hit_count'], filters),
  reply: pageOf(CounterpartyAlias),
})

export const createAlias = endpoint({
  id: 'create_counterparty_alias', method: 'POST', path: '', summary: 'Say which bank text stands for a counterparty',
  description: 'An exact pattern counts before the longest beginning, that before the longest part, and that before the oldest regular expression.',
  body: CounterpartyAliasInput,
  reply: CounterpartyAlias,
  refusals: misuse,
  example: { pattern: 'AMZN MKTP', match_type: 'starts_with', counterparty: 'Amazon' },
})

export const exportAliases = endpoint({
  id: 'export_counterparty_aliases', method: 'GET', path: '/export', summary: 'Take the aliases away as a file',
  description: LIST_FILE_WORDS,
  query: shape('CounterpartyAliasExportQuery', { format: listFileFormat, ...filters }),
  reply: listFileReply,
  refusals: LIST_FILE_REFUSALS,
})

export const suggestAliases = endpoint({
  id: 'suggest_counterparty_aliases', method: 'GET', path: '/suggestions', summary: 'Find bank texts that look alike',
  description: 'Texts that no alias knows, put together where they begin with the same words: the most frequent first, at most 50.',
  reply: list(AliasSuggestion),
})

export const bulkAliases = endpoint({
  id: 'bulk_counterparty_aliases', method: 'POST', path: '/bulk', summary: 'Create and update many aliases',
  body: CounterpartyAliasBulk,
  reply: BulkResult,
  refusals: misuse,
  example: { aliases: [{ pattern: 'SQ *BLUE BOTTLE', match_type: 'starts_with', counterparty: 'Blue Bottle' }] },
})

export const resolveTexts = endpoint({
  id: 'resolve_counterparty_texts', method: 'POST', path: '/resolve', summary: 'Clean bank texts',
  description: 'Changes nothing, and counts as no hit.',
  permission: 'counterparty-aliases:read',
  allow_read_only: true,
  body: shape('ResolveTexts', { texts: list(text(1, 500), { minItems: 1, maxItems: MOST_ITEMS }) }),
  reply: list(ResolvedText),
  example: { texts: ['SQ *BLUE BOTTLE #1234 OAKLAND'] },
})

export const applyAliases = endpoint({
  id: 'apply_counterparty_aliases', method: 'POST', path: '/apply', summary: 'Give past transactions the names of the aliases',
  description: `Names only: nothing is posted. At most ${MOST_RENAMED} transactions in one call; call again while matched is more than renamed.`,
  body: shape('ApplyAliases', {
    alias_id: optional(nullable(id({ description: 'Only what this alias names.' }))),
    preview: optional(boolean({ default: false, description: 'Only says what would be renamed.' })),
  }),
  reply: AliasApplication,
  example: { preview: true },
})

export const mergeCounterparties = endpoint({
  id: 'merge_counterparties', method: 'POST', path: '/merge', summary: 'Merge counterparties into one name',
  description: 'Their aliases give the one name from now on, and their names become aliases of it. Past transactions follow with /apply.',
  body: CounterpartyMerge,
  reply: CounterpartyMergeResult,
  refusals: ['Their defaults contradict each other, and keep_default_id does not say which of them stays.'],
  example: { counterparties: ['Amazon Marketplace'], counterparty: 'Amazon' },
})

export const getAlias = endpoint({
  id: 'get_counterparty_alias', method: 'GET', path: '/{alias_id}', summary: 'Get a counterparty alias',
  params,
  reply: CounterpartyAlias,
})

export const updateAlias = endpoint({
  id: 'update_counterparty_alias', method: 'PUT', path: '/{alias_id}', summary: 'Update a counterparty alias',
  params,
  body: CounterpartyAliasUpdate,
  reply: CounterpartyAlias,
  refusals: misuse,
  example: { enabled: false },
})

export const deleteAlias = endpoint({
  id: 'delete_counterparty_alias', method: 'DELETE', path: '/{alias_id}', summary: 'Delete a counterparty alias',
  description: 'Transactions keep the name it gave them.',
  params,
  reply: CounterpartyAlias,
})
