// Rows of an import that were refused, to be mended and brought again.
import { Type, type Static } from 'typebox'
import { listQuery, pageOf } from '../../foundation/endpoint.ts'
import { id, integer, list, shape } from '../../foundation/shapes.ts'
import { ImportProblem } from '../import-rows/contract.ts'
import { endpoint, params } from '../imports/contract.ts'

export const ImportError = shape('ImportError', {
  id: id(),
  row_number: integer(2, undefined, { description: 'As a spreadsheet counts: the header is row 1.' }),
  cells: list(Type.String(), { description: 'The row as it came, in the order of the columns.' }),
  problems: list(ImportProblem),
})
export type ImportError = Static<typeof ImportError>

export const listImportErrors = endpoint({
  id: 'list_import_errors', method: 'GET', path: '/{import_id}/errors', summary: 'List the rows that were refused',
  params,
  query: listQuery(['row_number']),
  reply: pageOf(ImportError),
})

export const downloadImportErrors = endpoint({
  id: 'download_import_errors', method: 'GET', path: '/{import_id}/errors/download', summary: 'Download the rows that were refused',
  description: 'A CSV file with the columns of the file and one more that says what is wrong: mend it, and bring it in as a file of its own.',
  params,
  reply: Type.Unsafe<never>({ type: 'string', contentMediaType: 'text/csv' }),
})
