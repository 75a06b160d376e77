// The rows of an imported file: as they came, and what became of each.
import { Type, type Static } from 'typebox'
import { id, integer, list, nullable, oneOf, shape } from '../../foundation/shapes.ts'

export const ROW_STATUSES = ['pending', 'created', 'updated', 'skipped', 'error'] as const
export type RowStatus = (typeof ROW_STATUSES)[number]

const place = Type.Unsafe<(string | number)[]>({
  type: 'array', items: { type: ['string', 'integer'] },
    description: 'The row as a spreadsheet counts, the header being 1, and its column where one is to blame.',
})
export const ImportProblem = shape('ImportProblem', { loc: place, msg: Type.String() })
export type ImportProblem = Static<typeof ImportProblem>

/** A row of the table. */
export const ImportRow = Type.Object({
  id: id(),
  business_id: id(),
  import_id: id(),
  row_number: integer(2),
  unit: integer(2, undefined, { description: 'The first row of the same record.' }),
  cells: list(Type.String()),
  status: oneOf(ROW_STATUSES),
  record_id: nullable(id()),
  problems: list(ImportProblem),
})
export type ImportRow = Static<typeof ImportRow>

/** What is read of a row to bring it in. */
export type Cells = Pick<ImportRow, 'row_number' | 'unit' | 'cells'>

/** What became of a row. */
export type RowResult = Pick<ImportRow, 'row_number' | 'status' | 'record_id' | 'problems'>
