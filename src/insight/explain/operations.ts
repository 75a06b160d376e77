// Explains a figure by the lines and documents it is made of.
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import type { Download } from '../../foundation/endpoint.ts'
import { addCents } from '../../foundation/money.ts'
import { invalid } from '../../foundation/refusal.ts'
import type { Format, TableRow } from '../../foundation/sheets.ts'
import { DEFAULT_LIMIT, type LedgerLine } from '../general-ledger/contract.ts'
import { documentsOf, everyLine, fileOf, selectionOf, shownOf, sumOfLines, walkLines, type Read, type Selection } from '../general-ledger/operations.ts'
import { decodeCursor, encodeCursor, headerOf, keyOf, LINE_COLUMNS, lineRow, positionOf, scopeOf, stretchesOf, type Shown } from '../general-ledger/rules.ts'
import { askedOf, type Asked } from '../report-columns/operations.ts'
import type { Range } from '../report-columns/rules.ts'
import { figures } from '../report-figures/operations.ts'
import { balanceOf, FIRST_DATE } from '../report-figures/rules.ts'
import { MOST_DOCUMENTS, type Explanation, type ExplainQuery } from './contract.ts'

const REPORT = { report: 'explain', title: 'Explanation of a figure' }

export async function explainFigure(tx: BusinessTx, query: ExplainQuery): Promise<Explanation> {
  const { limit = DEFAULT_LIMIT, cursor, direction = 'next', include_total_count = false } = query
  const backwards = direction === 'prev'
  const { asked, range, shown, together, selection } = await prepare(tx, query)
  const scope = scopeOf(tx.business_id, REPORT.report, query, range)
  const position = cursor === undefined ? null : positionOf(decodeCursor(cursor, scope))
  const stretches = stretchesOf([together], range, position && { ...position, ledger_id: together.ledger.id }, backwards)
  const [found, walked, documents, total] = await Promise.all([
    figures(tx, { ...asked.figures, ranges: [{ start_date: query.start_date ?? null, end_date: range.end_date }] }),
    walkLines(tx, selection, stretches, limit + 1, backwards),
    cursor === undefined ? documentsOf(tx, selection, together.member_ids, MOST_DOCUMENTS) : null,
    include_total_count ? sumOfLines(tx, selection, together.member_ids) : null,
  ])
  const more = walked.length > limit
  const items = walked.slice(0, limit)
  if (backwards) items.reverse()
  const [first, last] = [items[0], items.at(-1)]
  const has_next = items.length > 0 && (backwards ? position !== null : more)
  const has_prev = items.length > 0 && (backwards ? more : position !== null)
  return {
    ...headerOf(tx, { ...REPORT, query, asked, dates: { ...(query.start_date ? { start_date: query.start_date } : {}), end_date: range.end_date } }),
    amount: addCents(...shown.map(({ ledger }) => balanceOf(found.groups[0], ledger.id, 0))),
    line_count: documents && (documents[0]?.line_count ?? 0),
    document_count: documents && (documents[0]?.document_count ?? 0),
    documents: documents && documents.map(({ line_count: _lines, document_count: _documents, ...document }) => document),
    lines: {
      items,
      next_cursor: has_next && last ? encodeCursor(keyOf(last), scope) : null,
      prev_cursor: has_prev && first ? encodeCursor(keyOf(first), scope) : null,
      has_next,
      has_prev,
      limit,
      total: total?.count ?? null,
    },
  }
}

export async function exportExplanation(tx: BusinessTx, query: ExplainQuery, format: Format): Promise<Download> {
  const { asked, range, together, selection } = await prepare(tx, query)
  const rows = async function* (read: Read): AsyncGenerator<TableRow> {
    const rowOf = (line: LedgerLine) => lineRow(asked.books.ledgers.get(line.ledger_id), line)
    for await (const lines of everyLine(read, selection, [together], range)) yield* lines.map(rowOf)
  }
  return fileOf(tx, format, { file_name: `${REPORT.report}-${range.end_date}`, title: REPORT.title, columns: LINE_COLUMNS }, rows)
}

type Prepared = {
  asked: Asked
  range: Range
  shown: Shown[]
  /** All ledgers as if they were one: their lines come by date. */
  together: Shown
  selection: Selection
}

async function prepare(tx: BusinessTx, query: ExplainQuery): Promise<Prepared> {
  const asked = await askedOf(tx, query)
  const range = { start_date: query.start_date ?? FIRST_DATE, end_date: query.end_date ?? tx.today }
  if (range.start_date > range.end_date) throw invalid(`start_date ${range.start_date} lies after ${range.end_date}, the last day.`)
  const shown = shownOf(asked, query.ledger_id)
  const [first] = shown
  if (!first) throw invalid('Name at least one ledger.')
  const together = { ledger: first.ledger, member_ids: shown.flatMap(({ member_ids }) => member_ids) }
  return { asked, range, shown, together, selection: await selectionOf(tx, asked, range) }
}
