// The SQL of imports.
import { list } from '../../foundation/database/list.ts'
import { changing, deletion, insertion, selectionById, updating } from '../../foundation/database/rows.ts'
import { columns, statement } from '../../foundation/database/statement.ts'
import { Import } from './contract.ts'

export const imports = list({
  item: Import,
  from: 'imports t',
  where: 't.business_id = :business_id',
  sorts: { created_at: { column: 't.created_at', type: 'timestamptz' } },
  filters: { kind: 't.kind = :kind', status: 't.status = :status' },
})

export const findImport = selectionById('imports', Import)
export const lockImport = selectionById('imports', Import, true)
export const insertImport = insertion('imports', Import)
export const deleteImport = deletion('imports')
export const saveImport = updating('imports', ...changing(Import, 'updated_at', 'version'))

/** Others of the same file and kind that left something, or are about to. */
export const twin = statement(
  Import,
  `select ${columns(Import)} from imports where business_id = :business_id and sha256 = :sha256 and kind = :kind and id <> :id
     and (status in ('running', 'completed', 'completed_with_errors') or (status in ('failed', 'canceled') and (counts ->> 'created')::int > 0))
   order by created_at desc limit 1`)
