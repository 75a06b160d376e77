// The SQL of saved searches. What is not shared exists for its author only.
import { list } from '../../foundation/database/list.ts'
import { deletion, insertion, updating } from '../../foundation/database/rows.ts'
import { columns, statement } from '../../foundation/database/statement.ts'
import { SavedSearch } from './contract.ts'

const visible = '(t.shared or t.author_id = :actor_id)'

export const savedSearches = list({
  item: SavedSearch,
  from: 'saved_searches t',
  where: `t.business_id = :business_id and ${visible}`,
  sorts: { created_at: { column: 't.created_at', type: 'timestamptz' } },
  filters: { shared: 't.shared = :shared' },
})

export const lockSavedSearch = statement(
  SavedSearch, `select ${columns(SavedSearch, 't')} from saved_searches t where t.business_id = :business_id and t.id = :id and ${visible} for update`)
export const insertSavedSearch = insertion('saved_searches', SavedSearch)
export const updateSavedSearch = updating('saved_searches', 'name', 'q', 'filters', 'shared')
export const deleteSavedSearch = deletion('saved_searches')
