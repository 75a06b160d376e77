// Moves posted amounts to another value of a dimension, by one entry.
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import { requireRecords } from '../../foundation/records.ts'
import { invalid, notFound } from '../../foundation/refusal.ts'
import type { Books } from '../books/contract.ts'
import { lockJournal } from '../books/operations.ts'
import type { BookDimension, BookValue } from '../dimension-rules/contract.ts'
import { postEntry } from '../posting/operations.ts'
import { requireOpenDate } from '../posting/rules.ts'
import { MOST_LINES, type Reclassification, type ReclassificationInput } from './contract.ts'
import { entryLines, movableLedgers, movesOf, requireDestination, sumsOf, type FoundLine } from './rules.ts'
import * as store from './store.ts'

export async function reclassify(tx: BusinessTx, input: ReclassificationInput): Promise<Reclassification> {
  const { books } = await lockJournal(tx)
  const { dimension, value } = destination(books, input)
  await requireParties(tx, input.filter)
  const found = await findLines(tx, books, input)
  const sums = sumsOf(found, books, (id) => books.dimensions.values.get(id)?.dimension_id === dimension.id)
  const touched = new Set(sums.map(({ ledger_id }) => ledger_id))
  requireDestination(dimension, value, input.date, [...books.ledgers.values()].filter(({ id }) => touched.has(id)))
  const lines = entryLines(sums, value.id)
  const line_count = sums.reduce((count, { line_ids }) => count + line_ids.length, 0)
  const answer = { line_count, moves: movesOf(sums), entry: null }
  if (input.preview) {
    requireDate(tx, books, input.date)
    return answer
  }
  if (lines.length === 0) throw invalid(`No amount is found that is not counted under ${value.code} ${value.name} already: change the filter.`)
  const id = newId()
  const entry = await postEntry(tx, {
    date: input.date,
    memo: input.memo ?? `Moved to ${dimension.name} ${value.code} ${value.name}`,
    source_type: 'reclassification',
    source_id: id,
    lines,
  })
  tx.queue(store.insertReclassification, { id, dimension_id: dimension.id, to_value_id: value.id })
  tx.queue(store.insertMovedLines, { id, dimension_id: dimension.id, line_ids: sums.flatMap(({ line_ids }) => line_ids) })
  return { ...answer, entry }
}

function destination({ dimensions }: Books, { dimension_id, to_value_id, filter }: ReclassificationInput): { dimension: BookDimension; value: BookValue } {
  const dimension = dimensions.dimensions.get(dimension_id)
  if (!dimension) throw notFound(`Dimension ${dimension_id}`)
  const valueOf = (id: string, field: string): BookValue => {
    const value = dimensions.values.get(id)
    if (value?.dimension_id !== dimension_id) throw notFound(`Dimension value ${id} of ${field}`)
    return value
  }
  const value = valueOf(to_value_id, 'to_value_id')
  if (filter.from_value_id) valueOf(filter.from_value_id, 'from_value_id')
  return { dimension, value }
}

async function requireParties(tx: BusinessTx, { customer_id, vendor_id, project_id }: ReclassificationInput['filter']): Promise<void> {
  if (customer_id) await requireRecords(tx, 'customer', [customer_id])
  if (vendor_id) await requireRecords(tx, 'vendor', [vendor_id])
  if (project_id) await requireRecords(tx, 'project', [project_id])
}

/** As the posting function would refuse it; beyond the last period it would go on with a new year. */
function requireDate(tx: BusinessTx, { periods }: Books, date: string): void {
  const override = { allowed: tx.actor.permissions.has('periods:override'), reason: tx.request.override_reason }
  if (date <= (periods.at(-1)?.end_date ?? '')) requireOpenDate(periods, date, 'journal', override)
}

/** Every line that the filter finds, apart from those that are counted under the new value already. */
async function findLines(tx: BusinessTx, books: Books, { filter, dimension_id, to_value_id }: ReclassificationInput): Promise<FoundLine[]> {
  const { ledger_ids, from_value_id, ...plain } = filter
  const there = [...books.dimensions.values.values()].filter(({ id, merged_into_id }) => id === to_value_id || merged_into_id === to_value_id)
  const asked = {
    ...plain,
    ledger_ids: movableLedgers(books, ledger_ids),
    ...(from_value_id === null ? { without_value_of: dimension_id } : { from_value_id }),
    apart_from_values: there.map(({ id }) => id),
    unmoved_in: dimension_id,
    limit: MOST_LINES,
    descending: false,
  }
  const { items, has_next } = await tx.page(store.lines, asked)
  if (has_next) throw invalid(`More than ${MOST_LINES} lines are found, and one call moves no more: narrow the filter, by dates for one.`)
  return items
}
