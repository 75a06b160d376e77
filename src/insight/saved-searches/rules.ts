// What a saved search must hold, and who may change it.
import { forbidden, invalid } from '../../foundation/refusal.ts'
import type { SavedSearch } from './contract.ts'

export function requireQuestion({ q, filters }: Pick<SavedSearch, 'q' | 'filters'>): void {
  if (q === null && Object.keys(filters).length === 0) throw invalid('A saved search needs a question or at least one filter.')
}

export function requireAuthorOrAdmin({ author_id }: Pick<SavedSearch, 'author_id'>, user_id: string | null, role: string | null): void {
  if (author_id !== user_id && role !== 'owner' && role !== 'admin') throw forbidden('Only its author or an admin can change a saved search.')
}
