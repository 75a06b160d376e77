// Filters and parameters that stand in the address of a page, so that a link shows the same to whoever opens it.
import { useNavigate, useSearch } from '@tanstack/react-router'

export type Given = Record<string, string>

/** What the address says, as text, and how to change some of it; an empty value takes it out. */
export function useAddress(): [Given, (changed: Record<string, string | null | undefined>) => void] {
  const search = useSearch({ strict: false }) as Record<string, unknown>
  const go = useNavigate()
  const given = Object.fromEntries(Object.entries(search).map(([name, value]) => [name, Array.isArray(value) ? value.join(',') : String(value)]))
  const change = (changed: Record<string, string | null | undefined>) => {
    const next = Object.entries({ ...given, ...changed }).filter(([, value]) => value !== null && value !== undefined && value !== '')
    void go({ to: '.', search: Object.fromEntries(next), replace: true } as never)
  }
  return [given, change]
}

/** The address of a page with parameters, for a Link: the router wants them apart. */
export function linkTo(href: string): { to: string; search: Given } {
  const [to = '/', query = ''] = href.split('?')
  const given = new URLSearchParams(query)
  return { to, search: Object.fromEntries([...given.keys()].map((name) => [name, given.getAll(name).join(',')])) }
}

export const queryText = (given: Record<string, string | undefined>): string =>
  new URLSearchParams(Object.entries(given).filter((pair): pair is [string, string] => Boolean(pair[1]))).toString()
