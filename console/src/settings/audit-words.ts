// The audit trail in words: what an action is called, and where its record can be looked at.
import { words } from '../format.ts'

const PAGES: Record<string, string> = {
  invoice: '/invoices/', customer: '/customers/', credit_memo: '/credit-memos/', journal_entry: '/journal/', project: '/projects/',
  product: '/products/', contract: '/contracts/',
  document: '/documents/', todo: '/todos/', note: '/notes/', transaction: '/transactions/', catalog_item: '/catalog-items/',
  webhook: '/settings/webhooks/', oauth_grant: '/settings/apps/',
}
const PLACES: Record<string, string> = {
  business: '/settings', business_settings: '/settings/preferences', business_logo: '/settings', numbering: '/settings/numbering',
  member: '/settings/members', invitation: '/settings/members',
  billing: '/settings/plan', ledger: '/ledgers', accounting_period: '/periods',
}

/** invoice.finalized: finalized. */
export const actionWords = (action: string): string => words(action.split('.').slice(1).join(' ') || action)

export function placeOf(resource_type: string, resource_id: string): string | null {
  const page = PAGES[resource_type]
  return page ? `${page}${resource_id}` : PLACES[resource_type] ?? null
}

export const ACTORS: Record<string, string> = {
  user: 'A person', token: 'A token', grant: 'A connected app', system: 'The service itself', public_link: 'A public link',
}
