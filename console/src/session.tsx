// Who is signed in and which business is looked at: read once, shared by every page.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, useContext, type ReactNode } from 'react'
import { api, dataOf, remembered, type Schemas } from './api.ts'

export type User = Schemas['User']
export type Membership = Schemas['OwnMembership']

export type Session = { user: User; memberships: Membership[]; membership: Membership | null; business: Schemas['Business'] | null }

export async function readSession(): Promise<Session> {
  const [user, { items }] = await Promise.all(
    [dataOf(api.GET('/api/v1/user')), dataOf(api.GET('/api/v1/user/memberships', { params: { query: { limit: 1000 } } }))]
  )
  const memberships: Membership[] = items
  const membership = memberships.find(({ business_id }) => business_id === remembered.business_id) ?? memberships[0] ?? null
  remembered.business_id = membership?.business_id ?? null
  const business = membership ? await dataOf(api.GET('/api/v1/businesses/{business_id}', { params: { path: { business_id: membership.business_id } } })) : null
  return { user, memberships, membership, business }
}

export const sessionQuery = { queryKey: ['session'], queryFn: readSession, staleTime: 300_000 } as const

const Current = createContext<Session | null>(null)

export function SessionProvider({ session, children }: { session: Session; children: ReactNode }) {
  return <Current.Provider value={session}>{children}</Current.Provider>
}

export function useSession(): Session {
  const session = useContext(Current)
  if (!session) throw new Error('Nobody is signed in here.')
  return session
}

/** The business that is looked at; pages below the shell always have one. */
export function useBusiness(): Schemas['Business'] {
  const { business } = useSession()
  if (!business) throw new Error('No business is chosen here.')
  return business
}

export const useSessionQuery = () => useQuery({ ...sessionQuery, retry: false })

/** Everything that was read belongs to the business before: it is forgotten. */
export function useChooseBusiness(): (business_id: string) => Promise<void> {
  const queries = useQueryClient()
  return async (business_id) => {
    remembered.business_id = business_id
    queries.setQueryData(sessionQuery.queryKey, await readSession())
    queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] })
  }
}
