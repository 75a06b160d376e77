// The kinds of records that others point at, such as notes, tasks and documents: what one is called, and the page that shows it.
import type { Schemas } from '../api.ts'
import { words } from '../format.ts'

type Kind = Schemas['SearchHit']['type']

/** $ stands for the id. `title` is what names one of them. */
export const RECORDS: Record<Kind, { name: string; page: string; path?: string; title?: string }> = {
  customer: { name: 'Customer', page: '/customers/$', path: '/api/v1/customers/', title: 'name' },
  invoice: { name: 'Invoice', page: '/invoices/$', path: '/api/v1/invoices/', title: 'number' },
  credit_memo: { name: 'Credit memo', page: '/credit-memos/$', path: '/api/v1/credit-memos/', title: 'number' },
  catalog_item: { name: 'Service or fee', page: '/catalog-items/$', path: '/api/v1/catalog-items/', title: 'name' },
  product: { name: 'Product', page: '/products/$', path: '/api/v1/inventory/products/', title: 'name' },
  variant: { name: 'Variant of a product', page: '/products/$' },
  project: { name: 'Project', page: '/projects/$', path: '/api/v1/projects/', title: 'name' },
  contract: { name: 'Contract', page: '/contracts/$', path: '/api/v1/contracts/', title: 'title' },
  transaction: { name: 'Bank transaction', page: '/transactions/$', path: '/api/v1/transactions/', title: 'counterparty' },
  journal_entry: { name: 'Journal entry', page: '/journal/$', path: '/api/v1/journal-entries/', title: 'number' },
  ledger: { name: 'Ledger', page: '/reports/general-ledger', path: '/api/v1/ledgers/', title: 'name' },
  recurring_template: { name: 'Recurring invoice', page: '/recurring/$', path: '/api/v1/recurring/', title: 'name' },
  document: { name: 'Document', page: '/documents/$', path: '/api/v1/documents/', title: 'name' },
  note: { name: 'Note', page: '/notes/$' },
  todo: { name: 'Task', page: '/todos/$', path: '/api/v1/todos/', title: 'title' },
  tag: { name: 'Tag', page: '/tags/$' },
}

const known = (type: string) => (RECORDS as Partial<Record<string, (typeof RECORDS)[Kind]>>)[type]

export const recordName = (type: string): string => known(type)?.name ?? words(type)

/** Where its page is; null where there is none. */
export function recordPage(type: string, id: string): { to: string; search: Record<string, string> } | null {
  const page = known(type)?.page
  if (!page) return null
  return type === 'ledger' ? { to: page, search: { ledger_id: id, period: 'all_time' } } : { to: page.replace('$', id), search: {} }
}

/** Where the record itself is read, and which of its members names it. */
export function recordSource(type: string): { path: string; title: string } | null {
  const { path, title } = known(type) ?? {}
  return path && title ? { path, title } : null
}

/** What notes, tasks and documents can be put on. */
export const POINTED_AT = (Object.keys(RECORDS) as Kind[]).filter((type) => !['variant', 'note', 'tag'].includes(type))
