// The SQL of exports and of the parts that a file is made of.
import { Type } from 'typebox'
import { list } from '../../foundation/database/list.ts'
import { deletion, insertion, selectionById, updating } from '../../foundation/database/rows.ts'
import { columns, command, statement } from '../../foundation/database/statement.ts'
import { id } from '../../foundation/shapes.ts'
import { Export } from './contract.ts'

export const exports = list({
  item: Export,
  from: 'exports t',
  where: 't.business_id = :business_id',
  sorts: { created_at: { column: 't.created_at', type: 'timestamptz' } },
  filters: { kind: 't.kind = :kind', kinds: 't.kind = any(:kinds)', status: 't.status = :status', created_by: 't.created_by = :created_by' },
})

export const insertExport = insertion('exports', Export)
export const saveExport = updating('exports', 'status', 'job_id', 'rows', 'as_of', 'document_id', 'file_name', 'size', 'error', 'expires_at')
export const removeExport = deletion('exports')
export const findExport = selectionById('exports', Export)
export const lockExport = selectionById('exports', Export, true)

export const insertPart = command('insert into export_parts (business_id, export_id, position, content) values (:business_id, :export_id, :position, :content)')
export const removeParts = command('delete from export_parts where business_id = :business_id and export_id = :export_id')
export const partsOf = statement(
  Type.Object({ content: Type.Unsafe<Buffer>({ type: 'buffer' }) }),
  'select content from export_parts where business_id = :business_id and export_id = :export_id order by position',
)

export const lockDue = statement(
  Export,
  `select ${columns(Export)} from exports where business_id = :business_id and status = 'ready' and expires_at <= :now
   order by expires_at, id limit 100 for update skip locked`,
)
export const businessesWithOld = statement(Type.Object({ business_id: id() }), 'select businesses_with_old_exports(:now) as business_id')
export const forgetOld = command('select forget_old_exports(:now)')
