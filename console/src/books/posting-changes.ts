// What must be read anew after something was posted: the journal, and everything that adds it up.
import type { QueryClient } from '@tanstack/react-query'

export const postingChanges = (queries: QueryClient): Promise<void[]> =>
  Promise.all(['journal-entries', 'ledgers', 'reports', 'accounting-periods', 'transactions'].map((group) => queries.invalidateQueries({ queryKey: [group] })))
