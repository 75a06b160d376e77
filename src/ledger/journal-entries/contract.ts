// Journal entries: those that people write are written here, those of documents are read here.
import { Type, type Static } from 'typebox'
import { AuditEntry } from '../../foundation/audit-trail/contract.ts'
import { atomic, BulkResult, MOST_ITEMS } from '../../foundation/bulk.ts'
import { endpointsOf, listQuery, pageOf } from '../../foundation/endpoint.ts'
import { boolean, cents, date, id, list, nullable, oneOf, optional, shape, text } from '../../foundation/shapes.ts'
import { ENTRY_STATUSES, EntryHeader } from '../journal/contract.ts'
import { Entry, EntryInput, EntryLine, EntryUpdate } from '../journal-drafts/contract.ts'

/** What the list, and whatever is made from it, can be narrowed to. */
export const entryFilters = {
  status: optional(list(oneOf(ENTRY_STATUSES), { maxItems: ENTRY_STATUSES.length, description: 'One or more.' })),
  source_type: optional(text(1, 40)),
  source_id: optional(id()),
  ledger_id: optional(id({ description: 'With a line on this ledger; likewise the other ids of lines.' })),
  customer_id: optional(id()),
  vendor_id: optional(id()),
  project_id: optional(id()),
  dimension_value_id: optional(id()),
  start_date: optional(date()),
  end_date: optional(date()),
  min_amount: optional(cents({ description: 'Of the total, in the base currency.' })),
  max_amount: optional(cents()),
  is_adjusting: optional(boolean()),
  template_id: optional(id()),
  q: optional(text(1, 200, { description: 'Words of the memo, or the number.' })),
  include_superseded: optional(boolean({ default: false, description: 'Also entries that were put on another date since, and their reversals.' })),
}
const EntryFilters = Type.Object(entryFilters)
export type EntryFilters = Static<typeof EntryFilters>

export const NewEntry = shape('NewJournalEntry', { ...EntryInput.properties, post: optional(boolean({ default: false, description: 'Post it at once.' })) })
export type NewEntry = Static<typeof NewEntry>

export const EntryBulk = shape('JournalEntryBulk', {
  entries: list(NewEntry, { minItems: 1, maxItems: MOST_ITEMS }),
  post: optional(boolean({ default: false, description: 'Post all of them at once.' })),
  atomic,
})
export type EntryBulk = Static<typeof EntryBulk>

const { entry_id: _entry, id: _id, ...previewLine } = EntryLine.properties

export const EntryPreview = shape('JournalEntryPreview', {
  balanced: boolean(),
  difference: cents({ description: 'By how much the debits are above the credits in the base currency, as far as the rates are known.' }),
  total: cents(),
  lines: list(shape('JournalEntryPreviewLine', previewLine)),
  balances: list(
    shape('LedgerBalancePreview', { ledger_id: id(), name: Type.String(), before: cents(), change: cents(), after: cents() }),
    { description: 'All lines of each ledger in the base currency, debit positive, without and with this entry.' },
  ),
  refusals: list(Type.String(), { description: 'Why it could not be posted; none where it could.' }),
})
export type EntryPreview = Static<typeof EntryPreview>

const endpoint = endpointsOf('journal-entries', 'business')
const params = shape('JournalEntryParams', { entry_id: id() })

const postingRefusals = [
  'It does not balance, or a currency has no rate on its date.',
  'A ledger is archived, a heading, or kept in another currency.',
  'A ledger takes no lines by hand: inventory, goods received, undeposited funds, sales tax, accumulated depreciation.',
  'A line on receivables has no customer, or one on payables no vendor.',
  'Its date lies before the first period, or in one that is closed or locked.',
  'It needs approval, by the settings of the business.',
]

export const listEntries = endpoint({
  id: 'list_journal_entries', method: 'GET', path: '', summary: 'List journal entries',
  description: 'Posted entries and drafts, without their lines. Drafts have no number and come last when sorted by it.',
  query: listQuery(['date', 'number', 'total', 'created_at'], entryFilters),
  reply: pageOf(EntryHeader),
})

export const createEntry = endpoint({
  id: 'create_journal_entry', method: 'POST', path: '', summary: 'Write a journal entry',
  description: 'A draft, which need not balance; with `post` it is posted at once.',
  body: NewEntry,
  reply: Entry,
  refusals: ['A line has not exactly one of amount, debit and credit.', ...postingRefusals],
})

export const bulkCreateEntries = endpoint({
  id: 'bulk_create_journal_entries', method: 'POST', path: '/bulk', summary: 'Write many journal entries',
  body: EntryBulk,
  reply: BulkResult,
  refusals: ['An entry breaks a rule, and atomic is true.', 'An entry settles lines, and atomic is false.'],
})

export const previewEntry = endpoint({
  id: 'preview_journal_entry', method: 'POST', path: '/preview', summary: 'See what an entry would do',
  description: 'Writes nothing.',
  body: EntryInput,
  reply: EntryPreview,
  refusals: ['A line has not exactly one of amount, debit and credit.'],
})

export const getEntry = endpoint({ id: 'get_journal_entry', method: 'GET', path: '/{entry_id}', summary: 'Get a journal entry', params, reply: Entry })

export const updateEntry = endpoint({
  id: 'update_journal_entry', method: 'PUT', path: '/{entry_id}', summary: 'Change a journal entry',
  description: 'Anything of a draft, its lines as a whole; only the memo of a posted entry.',
  params,
  body: EntryUpdate,
  reply: Entry,
  refusals: ['It is posted, and more than its memo is given.', 'It waits for approval.', 'It belongs to a document.'],
})

export const deleteEntry = endpoint({
  id: 'delete_journal_entry', method: 'DELETE', path: '/{entry_id}', summary: 'Delete a draft',
  params,
  reply: Entry,
  refusals: ['It is posted: reverse it.', 'It waits for approval: reject it first.'],
})

export const postEntry = endpoint({
  id: 'post_journal_entry', method: 'PUT', path: '/{entry_id}/post', summary: 'Post a draft',
  description: 'It keeps its id and gets its number.',
  params,
  reply: Entry,
  refusals: ['It waits for approval, or is reversed.', ...postingRefusals],
})

export const submitEntry = endpoint({
  id: 'submit_journal_entry', method: 'PUT', path: '/{entry_id}/submit', summary: 'Submit a draft for approval',
  params,
  reply: Entry,
  refusals: ['It is posted.', ...postingRefusals.slice(0, -1)],
})

export const approveEntry = endpoint({
  id: 'approve_journal_entry', method: 'PUT', path: '/{entry_id}/approve', summary: 'Approve an entry, which posts it',
  permission: 'entries:approve',
  params,
  reply: Entry,
  refusals: ['The caller prepared it.', 'It was not submitted, or is reversed.', ...postingRefusals.slice(0, -1)],
})

export const rejectEntry = endpoint({
  id: 'reject_journal_entry', method: 'PUT', path: '/{entry_id}/reject', summary: 'Reject an entry, which makes it a draft again',
  permission: 'entries:approve',
  params,
  body: shape('JournalEntryRejection', { reason: text(1, 500) }),
  reply: Entry,
  refusals: ['It is posted.'],
  example: { reason: 'Wrong period' },
})

export const reverseEntry = endpoint({
  id: 'reverse_journal_entry', method: 'PUT', path: '/{entry_id}/reverse', summary: 'Reverse a posted entry',
  description: 'Posts its opposite, on its own date unless another is given; of an entry with a mirror both are reversed.',
  params,
  body: shape('JournalEntryReversal', {
    reversal_date: optional(date({ description: 'Not before the date of the entry.' })),
    memo: optional(nullable(text(1, 500))),
  }),
  reply: Entry,
  refusals: [
    'It is a draft, or itself a reversal.', 'It belongs to a document: void that.',
    'The date is not open, or another entry settles one of its lines.',
  ],
})

export const redateEntry = endpoint({
  id: 'redate_journal_entry', method: 'PUT', path: '/{entry_id}/date', summary: 'Put a posted entry on another date',
  description: 'It is reversed and posted anew; the answer is the new entry, and the usual lists show only that.',
  params,
  body: shape('JournalEntryDate', { date: date() }),
  reply: Entry,
  refusals: ['Either date is not open.', 'It is a draft, reversed, has a mirror, or belongs to a document.'],
})

export const duplicateEntry = endpoint({
  id: 'duplicate_journal_entry', method: 'POST', path: '/{entry_id}/duplicate', summary: 'Copy an entry into a new draft',
  description: 'Dated today, with the same amounts in both currencies.',
  params,
  reply: Entry,
  refusals: ['A line stands on a ledger that takes none by hand.'],
})

export const listEntryHistory = endpoint({
  id: 'list_journal_entry_history', method: 'GET', path: '/{entry_id}/history', summary: 'List the history of an entry',
  description: 'Who changed it, when and through what, newest first. An entry that came by a file has none of its own: the import has.',
  params,
  query: listQuery(['seq']),
  reply: pageOf(AuditEntry),
})
