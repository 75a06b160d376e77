// Customers that are there twice: finding them, and making one of them.
import { Type, type Static } from 'typebox'
import { endpointsOf, listQuery, pageOf } from '../../foundation/endpoint.ts'
import { id, list, oneOf, optional, shape } from '../../foundation/shapes.ts'
import { Customer, customerParams } from '../customers/contract.ts'

export const EVIDENCE = ['email', 'tax_number', 'name'] as const

const { name, email, tax_number, external_id } = Customer.properties
const Duplicate = Type.Object({ id: id(), name, email, tax_number, external_id })

/** A group as it is found, its customers only by their ids. */
export const FoundDuplicates = Type.Object({
  evidence: oneOf(EVIDENCE, { description: 'What they have in common: names are compared without case, punctuation and words for a legal form.' }),
  value: Type.String({ description: 'As it was compared.' }),
  customer_ids: list(id()),
})

const { evidence, value } = FoundDuplicates.properties
export const CustomerDuplicates = shape('CustomerDuplicates', { evidence, value, customers: list(Duplicate) })
export type CustomerDuplicates = Static<typeof CustomerDuplicates>

export const CustomerMerge = shape('CustomerMerge', { source_ids: list(id(), { minItems: 1, maxItems: 100 }) })

const endpoint = endpointsOf('customers', 'business')

export const listDuplicates = endpoint({
  id: 'list_customer_duplicates', method: 'GET', path: '/duplicates', summary: 'List customers that are likely there twice',
  query: listQuery(['evidence'], { evidence: optional(oneOf(EVIDENCE)) }),
  reply: pageOf(CustomerDuplicates),
})

export const mergeCustomers = endpoint({
  id: 'merge_customers', method: 'POST', path: '/{customer_id}/merge', summary: 'Merge customers into one',
  description: [
    'For good. The others are archived and lead to this one: what they owe counts with it, their external ids find it, their contacts and the customers',
    'below them become its own. The journal stays as it is.',
  ].join(' '),
  permission: 'documents:correct',
  params: customerParams,
  body: CustomerMerge,
  reply: Customer,
  refusals: [
    'One of them has another currency.', 'This customer is among the others, or belongs to one of them.', 'More than one has saved cards at the processor.',
    'One of them was merged into a third one.', 'A recurring template bills one of the others.',
  ],
})
