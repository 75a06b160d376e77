// The shape that all statements share: their parameters, the answer with its columns, rows and checks, and how a report is made known.
//
//   statementQuery            the query parameters of a statement (spread it into Type.Object; add the report's own)
//   Report, ReportRow, …      the answer
//   Line                      a row on its way: amounts per column and the ledgers behind it (rules.ts turns it into a ReportRow)
//   defineReport(...)         what a report group exports (from its routes.ts) for the catalogue, its route and its export
import { Type, type Static, type TObject, type TSchema } from 'typebox'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import type { Download, Endpoint } from '../../foundation/endpoint.ts'
import { downloadOf, FORMATS, type Format, type Table } from '../../foundation/sheets.ts'
import { anyObject, boolean, cents, id, integer, list, nullable, oneOf, optional, shape, text, timestamp } from '../../foundation/shapes.ts'
import { BASES } from '../../access/businesses/contract.ts'
import { currency } from '../../ledger/ledgers/contract.ts'
import { columnQuery, ReportColumn } from '../report-columns/contract.ts'
import { ADJUSTING } from '../report-figures/contract.ts'

export const format = optional(oneOf(FORMATS, { description: 'Answer a file instead of JSON.' }))

/** Which lines a report is made of. */
export const figureQuery = {
  basis: optional(oneOf(BASES, { description: 'Without it the default_basis of the business.' })),
  known_at: optional(timestamp({ description: 'What the books said at this moment.' })),
  adjusting: optional(oneOf(ADJUSTING, { default: 'all', description: 'exclude: without adjusting entries.' })),
  customer_id: optional(id()),
  vendor_id: optional(id()),
  project_id: optional(id()),
  dimension_value_id: optional(list(id(), {
    maxItems: 20, description: 'Only lines with these values, or ones below them: one of each dimension that is named.',
  })),
}
export type FigureQuery = Static<ReturnType<typeof Type.Object<typeof figureQuery>>>

export const rowQuery = {
  show_zero: optional(boolean({ default: false, description: 'Also ledgers without amounts.' })),
  depth: optional(integer(1, 5, { default: 5, description: 'How many levels of ledgers are shown; deeper ones count in those above them.' })),
}
export type RowQuery = Static<ReturnType<typeof Type.Object<typeof rowQuery>>>

export const statementQuery = { ...columnQuery, ...figureQuery, ...rowQuery, format }
export type StatementQuery = Static<ReturnType<typeof Type.Object<typeof statementQuery>>>

export const ReportCell = shape('ReportCell', {
  amount: cents({
    description: 'Integer cents in natural signs: income and expenses, assets and liabilities are positive where they are what their name says.',
  }),
  href: nullable(Type.String({ description: 'Leads to the lines behind the amount.' })),
  variance: optional(cents({ description: 'In columns of a comparison: the amount compared, less this one.' })),
  variance_percent: optional(nullable(Type.String({ description: 'The variance in per cent of this amount, with one decimal; null where this amount is 0.' }))),
})
export type ReportCell = Static<typeof ReportCell>

export const ROW_KINDS = ['section', 'ledger', 'subtotal', 'total'] as const
export type RowKind = (typeof ROW_KINDS)[number]

export const ReportRow = shape('ReportRow', {
  kind: oneOf(ROW_KINDS, { description: 'A section, and a ledger with rows, are the sum of their rows. A ledger row without ledger_id is computed.' }),
  key: text(1, 100),
  label: Type.String(),
  ledger_id: nullable(id()),
  depth: integer(0, 20),
  cells: list(ReportCell, { description: 'One per column.' }),
  rows: list(anyObject(), { description: 'The rows below this one, of the same shape.' }),
})
export type ReportRow = Omit<Static<typeof ReportRow>, 'rows'> & { rows: ReportRow[] }

export const ReportCheck = shape('ReportCheck', {
  key: text(1, 100),
  ok: boolean(),
  difference: cents({ description: '0 where it is ok; of several columns the largest.' }),
})
export type ReportCheck = Static<typeof ReportCheck>

export const Report = shape('Report', {
  report: text(1, 100),
  title: Type.String(),
  basis: oneOf(BASES),
  currency,
  parameters: anyObject({ description: 'What the report was made with, dates and defaults filled in.' }),
  generated_at: timestamp(),
  journal_version: integer(0, undefined, { description: 'Counts the entries of the journal: the same version and parameters give the same figures.' }),
  columns: list(ReportColumn),
  rows: list(ReportRow),
  checks: list(ReportCheck),
})
export type Report = Omit<Static<typeof Report>, 'rows'> & { rows: ReportRow[] }

/** A row before it has cells: an amount per column, and the ledgers that it is made of. */
export type Line = {
  kind: RowKind
  key: string
  label: string
  ledger_id: string | null
  amounts: readonly number[]
  /** Empty where no lines stand behind it alone. */
  ledger_ids: readonly string[]
  rows: readonly Line[]
}

/** What a report tells the catalogue, the routes and the export. */
export type ReportDefinition = {
  /** The last word of its path. */
  report: string
  title: string
  endpoint: Endpoint
  /** The JSON answer. */
  run: (tx: BusinessTx, query: never) => Promise<object>
  /** The same figures to take away. */
  file: (tx: BusinessTx, query: never, format: Format) => Promise<Download>
}

type Given<Q extends TSchema, R extends TSchema, A extends Static<R>> = {
  title: string
  endpoint: Endpoint<'business', TObject<{}>, Q, never, R>
  run: (tx: BusinessTx, query: Static<Q>) => Promise<A>
} & (
  | { table: (answer: A) => Table; fileName: (answer: A) => string }
  /** For what is too large to be a table made from one answer. */
  | { file: (tx: BusinessTx, query: Static<Q>, format: Format) => Promise<Download> }
)

/** A report with its types checked against its endpoint; every report group exports one from its routes.ts. */
export function defineReport<Q extends TSchema, R extends TSchema, A extends Static<R> & object>(given: Given<Q, R, A>): ReportDefinition {
  const { title, endpoint, run } = given
  const file = 'file' in given ? given.file : async (tx: BusinessTx, query: Static<Q>, format: Format) => {
    const answer = await run(tx, query)
    return downloadOf(given.table(answer), format, given.fileName(answer))
  }
  return { report: endpoint.path.split('/').at(-1) ?? '', title, endpoint: endpoint as unknown as Endpoint, run, file } as ReportDefinition
}
