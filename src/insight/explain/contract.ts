// From a figure to its lines, and from them to the documents.
import { Type, type Static } from 'typebox'
import { endpointsOf, pageOf } from '../../foundation/endpoint.ts'
import { cents, date, id, integer, list, nullable, optional, shape, text } from '../../foundation/shapes.ts'
import { ledgerFilter, LedgerLine, pagingQuery, reportHeader } from '../general-ledger/contract.ts'
import { figureQuery, format } from '../report-shape/contract.ts'

export const MOST_DOCUMENTS = 100

export const ExplainedDocument = shape('ExplainedDocument', {
  source_type: text(1, 40),
  source_id: nullable(id({ description: 'null: entries that belong to no document, all of this kind together.' })),
  amount: cents({ description: 'Debit less credit of its lines, in cents of the base currency.' }),
  count: integer(1, undefined, { description: 'How many of the lines are its.' }),
})

export const Explanation = shape('Explanation', {
  ...reportHeader,
  amount: cents({ description: 'Debit less credit, in cents of the base currency: the figure of the statement, whose sign follows the type of the ledger.' }),
  line_count: nullable(integer(0, undefined, { description: 'null on the pages behind the first.' })),
  document_count: nullable(integer(0, undefined, { description: 'null on the pages behind the first.' })),
  documents: nullable(list(ExplainedDocument, { description: `Over all lines, the ${MOST_DOCUMENTS} largest; null on the pages behind the first.` })),
  lines: pageOf(LedgerLine),
})
export type Explanation = Static<typeof Explanation>

export const explainQuery = Type.Object({
  ledger_id: ledgerFilter('The ledgers that the figure is made of.'),
  start_date: optional(date({ description: 'First day; without it from the beginning of the books.' })),
  end_date: optional(date({ description: 'Last day; without it today.' })),
  ...figureQuery,
  ...pagingQuery,
  format,
})
export type ExplainQuery = Static<typeof explainQuery>

const endpoint = endpointsOf('reports', 'business')

export const explainFigure = endpoint({
  id: 'explain_figure', method: 'GET', path: '/explain', summary: 'The lines and documents behind a figure',
  description: 'The amount is that of the statement to the cent. The lines come by date; a file has all of them.',
  query: explainQuery,
  reply: Explanation,
  refusals: ['No ledger is named.', 'start_date lies after end_date.'],
})
