// Businesses by their names, where the API gives their ids.
import { useSession } from '../session.tsx'

export function useBusinessNames(): (ids: readonly string[] | null) => string {
  const names = new Map(useSession().memberships.map(({ business_id, business_name }) => [business_id, business_name]))
  return (ids) => (ids === null ? 'All your businesses, also later ones' : ids.map((id) => names.get(id) ?? 'A business that is not yours').join(', '))
}
