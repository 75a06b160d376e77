// Collections: who is to be asked for money next, and what has become of their promises.
import { Type, type Static } from 'typebox'
import { listQuery, pageOf } from '../../foundation/endpoint.ts'
import { boolean, cents, date, id, integer, nullable, oneOf, optional, shape } from '../../foundation/shapes.ts'
import { endpoint } from '../invoices/contract.ts'

export const RISKS = ['low', 'medium', 'high'] as const
export type Risk = (typeof RISKS)[number]

const base = 'Integer cents in the base currency.'

/** What is known of a customer's open invoices; those that were given up are not among them. */
export const facts = {
  customer_id: id({ description: 'With those merged into it.' }),
  customer_name: Type.String(),
  open: cents({ description: base }),
  overdue: cents({ description: base }),
  disputed: cents({ description: `What of the open amount is disputed: it is shown, but does not raise the priority. ${base}` }),
  oldest_due_date: nullable(date({ description: 'Of what is overdue.' })),
  days_late: integer(0, 4_000_000, { description: 'Since the oldest due date.' }),
  invoices: integer(0, 2147483647, { description: 'How many are open.' }),
  broken_promises: integer(0, 2147483647, { description: 'Open invoices whose promised day has passed.' }),
  promised_on: nullable(date({ description: 'The next promised day; where none is ahead, the last one.' })),
  priority: integer(0, Number.MAX_SAFE_INTEGER, {
    description: 'Overdue amounts times the days they are late, in units of the base currency, raised by half for each broken promise (at most twice), '
      + 'by a quarter for medium and by half for high risk.',
  }),
}

export const CollectionCase = shape('CollectionCase', {
  ...facts,
  last_payment_on: nullable(date()),
  last_contact_on: nullable(date({ description: 'The last call, e-mail, promise or dispute.' })),
  risk: oneOf(RISKS, { description: 'high: more than 90 days late, or two broken promises; medium: more than 30 days, or one; else low.' }),
})
export type CollectionCase = Static<typeof CollectionCase>

export const CollectionSummary = shape('CollectionSummary', {
  open: cents({ description: base }),
  overdue: cents({ description: base }),
  dso_days: nullable(integer(undefined, undefined, {
    description: 'What is receivable, divided by what was invoiced in the last 90 days, times 90. null where nothing was.',
  })),
  average_days_late: nullable(integer(0, 4_000_000, { description: 'Of the invoices that are overdue. null where none is.' })),
  promises_due: integer(0, 2147483647, { description: 'Open invoices whose promised day is today or has passed.' }),
})
export type CollectionSummary = Static<typeof CollectionSummary>

export const Collections = shape('Collections', { ...pageOf(CollectionCase).properties, summary: CollectionSummary })
export type Collections = Static<typeof Collections>

export const collectionsQuery = listQuery(['priority', 'overdue', 'open', 'customer_name'], {
  customer_id: optional(id()),
  overdue: optional(boolean({ description: 'true: only those who owe something overdue.' })),
})
export type CollectionsQuery = Static<typeof collectionsQuery>

export const getCollections = endpoint({
  id: 'get_collections', method: 'GET', path: '/collections', summary: 'List who to ask for money, the most urgent first',
  description: 'Customers with open invoices, without those that were given up as uncollectible. The summary is that of the whole business.',
  live: true,
  query: collectionsQuery,
  reply: Collections,
})
