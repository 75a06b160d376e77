// What can be looked for: the kinds of records that the console has a page for.
import type { Schemas } from '../api.ts'
import { hasPage } from './addresses.ts'

export type SearchType = Schemas['SearchHit']['type']

/** What one is called, and the address that shows it; $ stands for its id. */
const TYPES: Record<SearchType, [string, string]> = {
  customer: ['Customer', '/customers/$'],
  invoice: ['Invoice', '/invoices/$'],
  credit_memo: ['Credit memo', '/credit-memos/$'],
  catalog_item: ['Service or fee', '/catalog-items/$'],
  product: ['Product', '/products/$'],
  variant: ['Variant of a product', '/products/$'],
  project: ['Project', '/projects/$'],
  contract: ['Contract', '/contracts/$'],
  transaction: ['Bank transaction', '/transactions/$'],
  journal_entry: ['Journal entry', '/journal/$'],
  ledger: ['Ledger', '/reports/general-ledger'],
  recurring_template: ['Recurring invoice', '/recurring/$'],
  document: ['Document', '/documents/$'],
  note: ['Note', '/notes/$'],
  todo: ['Task', '/todos/$'],
  tag: ['Tag', '/tags/$'],
}

export const typeName = (type: SearchType): string => TYPES[type][0]

/** Only what can be opened is looked for. */
export const shownTypes = (): SearchType[] => (Object.keys(TYPES) as SearchType[]).filter((type) => hasPage(TYPES[type][1]))
