// Opening what was found; the API remembers it for the next time.
import { useNavigate } from '@tanstack/react-router'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../api.ts'
import { linkOf, pageFor } from '../parts/addresses.ts'
import type { SearchType } from './search-types.ts'

export type Found = { type: SearchType; id: string; path: string }

export function useRemember(): (found: Found) => void {
  const queries = useQueryClient()
  return ({ type, id }) => {
    const forget = () => void queries.invalidateQueries({ queryKey: ['search', 'recent'] })
    // A list of what was opened is a convenience: where it cannot be kept, nobody is bothered.
    void api.POST('/api/v1/search/recent', { body: { type, id } }).then(forget, () => undefined)
  }
}

export function useOpenRecord(): (found: Found) => void {
  const go = useNavigate()
  const remember = useRemember()
  return (found) => {
    remember(found)
    void go(linkOf(pageFor(found.path) ?? '/search') as never)
  }
}
