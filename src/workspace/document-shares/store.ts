// The SQL of public links of documents.
import { list } from '../../foundation/database/list.ts'
import { insertion, selectionById, updating } from '../../foundation/database/rows.ts'
import { command } from '../../foundation/database/statement.ts'
import { ShareRow } from './contract.ts'

export const insertShare = insertion('document_shares', ShareRow)
export const findShare = selectionById('document_shares', ShareRow)
export const lockShare = selectionById('document_shares', ShareRow, true)
export const updateShare = updating('document_shares', 'revoked_at')
export const countWrong = command(
  'update document_shares set wrong_tries = :wrong_tries, wrong_since = :wrong_since where business_id = :business_id and id = :id')

export const shares = list({
  item: ShareRow,
  from: 'document_shares t',
  where: 't.business_id = :business_id',
  sorts: { created_at: { column: 't.created_at', type: 'timestamptz' } },
  filters: { document_id: 't.document_id = :document_id' },
})
