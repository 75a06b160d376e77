// What can be exported: a kind is a list or a report, with what narrows it and the formats it comes in.
import type { TObject, TSchema } from 'typebox'
import type { Page, PageQuery } from '../../foundation/database/list.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import type { Download, Endpoint } from '../../foundation/endpoint.ts'
import type { Permission } from '../../foundation/permission.ts'
import type { Column } from '../../foundation/sheets.ts'

export const EXPORT_FORMATS = ['csv', 'xlsx', 'pdf', 'json', 'jsonl', 'hledger', 'beancount'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

/** `currency`: the column that says in which currency an amount is; null where the name of the column says it. */
export type ExportColumn = Column & { boolean?: boolean; currency?: string | null }

export type Cells = Record<string, string | number | boolean | null>

type Common = {
  kind: string
  title: string
  /** What somebody must hold to take it away. */
  permission: Permission
  formats: readonly ExportFormat[]
  filters: TObject
}

/** Rows of a list, read page by page. */
export type RowsKind = Common & {
  columns: readonly ExportColumn[]
  page: (tx: BusinessTx, query: PageQuery) => Promise<Page<object>>
  /** The rows that one item of the list gives. */
  rows: (item: object, tx: BusinessTx) => Cells[]
}

/** A file that something else makes, such as a report. */
export type FileKind = Common & { file: (tx: BusinessTx, filters: object, format: ExportFormat) => Promise<Download> }

export type ExportKind = RowsKind | FileKind

export const hasRows = (kind: ExportKind): kind is RowsKind => 'columns' in kind

/** The names of columns by the column that carries their currency. */
export type Amounts = Record<string, readonly string[]>

/** How a list is written as rows: what its contract does not say. */
export type ListNotes = {
  kind: string
  title: string
  money?: Amounts
  /** Decimal numbers that travel as text. */
  decimals?: readonly string[]
  leave_out?: readonly string[]
  /** One row for each of these of an item, such as its lines, with some facts of the item before them. */
  each?: Pick<ListNotes, 'money' | 'decimals' | 'leave_out'> & { list: string; facts: readonly string[]; prefix: string; query?: object }
  /** Columns that are worked out of an item. */
  more?: { columns: readonly ExportColumn[]; cells: (item: never) => Cells }
}

export type ListOperation = (tx: BusinessTx, query: never) => Promise<Page<object>>
export type ListEndpoint = Endpoint<'business', TSchema, TSchema, never, TSchema>
