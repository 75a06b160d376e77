// What can be done with saved searches. They leave no event: what somebody looks for is nobody else's business.
import type { PageQuery } from '../../foundation/database/list.ts'
import { changed } from '../../foundation/database/rows.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import type { SavedSearch, SavedSearchInput, SavedSearchUpdate } from './contract.ts'
import { requireAuthorOrAdmin, requireQuestion } from './rules.ts'
import * as store from './store.ts'

export function listSavedSearches(tx: BusinessTx, query: PageQuery) {
  return tx.page(store.savedSearches, query)
}

export async function createSavedSearch(tx: BusinessTx, input: SavedSearchInput): Promise<SavedSearch> {
  const saved: SavedSearch = {
    id: newId(), business_id: tx.business_id, name: input.name, q: input.q ?? null, filters: input.filters ?? {}, shared: input.shared ?? false,
    author_id: tx.user_id, author_name: tx.actor.name, created_at: tx.now, updated_at: tx.now, version: 1,
  }
  requireQuestion(saved)
  tx.queue(store.insertSavedSearch, saved)
  return saved
}

export async function updateSavedSearch(tx: BusinessTx, saved_search_id: string, input: SavedSearchUpdate): Promise<SavedSearch> {
  const saved = await lockOwn(tx, saved_search_id)
  const after = changed(saved, input, tx.now)
  requireQuestion(after)
  tx.queue(store.updateSavedSearch, after)
  return after
}

export async function deleteSavedSearch(tx: BusinessTx, saved_search_id: string): Promise<SavedSearch> {
  const saved = await lockOwn(tx, saved_search_id)
  tx.queue(store.deleteSavedSearch, saved)
  return saved
}

async function lockOwn(tx: BusinessTx, id: string): Promise<SavedSearch> {
  const saved = await tx.lock(store.lockSavedSearch, { id }, 'Saved search')
  requireAuthorOrAdmin(saved, tx.actor.user_id, tx.actor.role)
  return saved
}
