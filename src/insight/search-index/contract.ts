// What can be found: the kinds of records, and what the search knows of one.
import { Type, type Static } from 'typebox'
import { boolean, date, id, integer, nullable } from '../../foundation/shapes.ts'

export const SEARCH_TYPES = [
  'customer', 'invoice', 'credit_memo', 'catalog_item', 'product', 'variant', 'project', 'contract', 'transaction', 'journal_entry', 'ledger', 'note', 'todo', 'tag',
  'recurring_template', 'document',
] as const
export type SearchType = (typeof SEARCH_TYPES)[number]

/** Who may find it (`<group>:read`), and what it is called. */
export const KINDS: Record<SearchType, { group: string; label: string }> = {
  customer: { group: 'customers', label: 'Customers' },
  invoice: { group: 'invoices', label: 'Invoices' },
  credit_memo: { group: 'credit-memos', label: 'Credit memos' },
  catalog_item: { group: 'catalog-items', label: 'Catalog items' },
  product: { group: 'inventory', label: 'Products' },
  variant: { group: 'inventory', label: 'Product variants' },
  project: { group: 'projects', label: 'Projects' },
  contract: { group: 'contracts', label: 'Contracts' },
  transaction: { group: 'transactions', label: 'Bank transactions' },
  journal_entry: { group: 'journal-entries', label: 'Journal entries' },
  ledger: { group: 'ledgers', label: 'Ledgers' },
  note: { group: 'notes', label: 'Notes' },
  todo: { group: 'todos', label: 'Tasks' },
  tag: { group: 'tags', label: 'Tags' },
  recurring_template: { group: 'recurring', label: 'Recurring templates' },
  document: { group: 'documents', label: 'Documents' },
}

/** Kinds that can be found by the name of their customer. */
export const OF_CUSTOMERS: readonly SearchType[] = ['invoice', 'credit_memo', 'project', 'contract', 'recurring_template']

/** A record as the search sees it, read from its own table. */
export const SearchDocument = Type.Object({
  id: id(),
  title: Type.String(),
  number: nullable(Type.String()),
  fields: Type.Unsafe<Record<string, string>>({ type: 'object' }),
  amount: nullable(integer()),
  currency: nullable(Type.String()),
  date: nullable(date()),
  status: nullable(Type.String()),
  archived: boolean(),
  customer_id: nullable(id()),
  vendor_id: nullable(id()),
  sorted_on: date(),
  path: Type.String(),
})
export type SearchDocument = Static<typeof SearchDocument>
