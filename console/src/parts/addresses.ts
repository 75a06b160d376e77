// Where the console shows what the API and its mails name by an address of their own.
import { defaultParseSearch } from '@tanstack/react-router'
import { paths } from '../area.ts'

/** What is called otherwise here. */
const OTHERWISE: [RegExp, string][] = [
  [/^\/accounting-periods(\/[^/]+)?$/, '/periods$1'],
  [/^\/invoices\/(?:collections|aging)$/, '/receivables'],
  [/^\/ledgers\/([^/]+)(?:\/lines)?$/, '/reports/general-ledger?ledger_id=$1'],
  [/^\/journal-entries\/([^/]+)$/, '/journal/$1'],
  [/^\/settings\/billing$/, '/settings/plan'],
  [/^\/settings\/connected-apps$/, '/settings/apps'],
  [/^\/webhooks\/([^/]+)$/, '/settings/webhooks/$1'],
  [/^\/inventory\/products\/([^/]+)$/, '/products/$1'],
  [/^\/counterparty-defaults(?:\/[^/]+)?$/, '/transactions/defaults'],
]

/** The page for an address, or null where the console has none. */
export function pageFor(address: string | null | undefined): string | null {
  if (!address) return null
  const [path = '', query] = address.split('?')
  const found = OTHERWISE.find(([from]) => from.test(path))
  const page = found ? path.replace(found[0], found[1]) : path
  return hasPage(page.split('?')[0] as string) ? [page, query].filter(Boolean).join(page.includes('?') ? '&' : '?') : null
}

export function hasPage(page: string): boolean {
  const wanted = page.split('/')
  return paths.some((path) => {
    const parts = path.split('/')
    const fits = (part: string, place: number) => part === wanted[place] || (part.startsWith('$') && wanted[place] !== '')
    return path !== '/$' && parts.length === wanted.length && parts.every(fits)
  })
}

/** The first of these that the console has. */
export const firstPage = (pages: readonly string[]): string | null => pages.find(hasPage) ?? null

/** An address as a link wants it; what stands in its query is read as the pages read it. */
export function linkOf(href: string): { to: string; search: never } {
  const [to = '/', query] = href.split('?')
  return { to, search: (query ? defaultParseSearch(`?${query}`) : {}) as never }
}
