// Rows that were refused, as a list and as a file.
import type { Page, PageQuery } from '../../foundation/database/list.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import type { Download } from '../../foundation/endpoint.ts'
import { fileOfList } from '../../foundation/list-file.ts'
import { forbidden } from '../../foundation/refusal.ts'
import type { Column } from '../../foundation/sheets.ts'
import { reading } from '../import-kinds/contract.ts'
import { KINDS } from '../import-kinds/rules.ts'
import { refusedRows } from '../import-rows/operations.ts'
import type { Import } from '../imports/contract.ts'
import { getImport } from '../imports/operations.ts'
import type { ImportError } from './contract.ts'

/** Rows are read by those who may read the records that they were to become. */
async function readable(tx: BusinessTx, import_id: string): Promise<Import> {
  const about = await getImport(tx, import_id)
  const permission = reading(KINDS[about.kind])
  if (!tx.actor.permissions.has(permission)) throw forbidden(`This needs the permission ${permission}.`)
  return about
}

export async function listImportErrors(tx: BusinessTx, import_id: string, query: PageQuery): Promise<Page<ImportError>> {
  await readable(tx, import_id)
  // From the first row on, unless said.
  const page = await refusedRows(tx, import_id, { ...query, descending: query.descending ?? false })
  return { ...page, items: page.items.map(({ id, row_number, cells, problems }) => ({ id, row_number, cells, problems })) }
}

export async function downloadImportErrors(tx: BusinessTx, import_id: string): Promise<Download> {
  const about = await readable(tx, import_id)
  const columns: Column[] = [
    ...about.columns.map(({ name }, position): Column => ({ key: String(position), label: name, kind: 'text' })), { key: 'row', label: 'Row', kind: 'integer' },
    { key: 'problems', label: 'Problems', kind: 'text' },
  ]
  return fileOfList<ImportError>(tx, {
    title: 'Errors', file_name: `${about.kind}-errors`, columns,
    page: (by, paging) => listImportErrors(by, import_id, { ...paging, sort_by: 'row_number', descending: false }),
    row: ({ row_number, cells, problems }) => ({
      ...Object.fromEntries(cells.map((cell, position) => [String(position), cell])), row: row_number,
      problems: problems.map(({ loc: [, column], msg }) => `${column === undefined ? '' : `${column}: `}${msg}`).join(' '),
    }),
  })
}
