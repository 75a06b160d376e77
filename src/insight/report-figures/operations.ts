// The engine of every statement: sums per ledger over date ranges, at a cost that does not follow the number of lines.
//
//   figures(tx, request): Promise<Figures>        see contract.ts
//   readDimensions(tx): Promise<Dimensions>       dimensions with their values, for labels; figures needs no such call
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { readBooks } from '../../ledger/books/operations.ts'
import type { Axis, Figures, FiguresRequest, Group } from './contract.ts'
import {
  arrangeDimensions, figuresFrom, planOf, remainderOf, segmentsOf, targetsOf, type Dimensions, type LineQuery, type Moved, type Plan, type Segments,
} from './rules.ts'
import * as store from './store.ts'

export async function figures(tx: BusinessTx, request: FiguresRequest): Promise<Figures> {
  const split = request.split ?? []
  const [{ head, books }, dimensions, known_number] = await Promise.all([
    readBooks(tx),
    needsDimensions(request) ? readDimensions(tx) : NO_DIMENSIONS,
    request.known_at ? lastNumberAt(tx, request.known_at) : null,
  ])
  if (known_number === 0 || request.ranges.length === 0) return { head, books, groups: split.length === 0 ? [EMPTY] : [] }
  const segments = segmentsOf(request.ranges)
  const plan = planOf(request, dimensions)
  const parameters = { ...periodParameters(segments, request.basis === 'cash'), ...plan.query, known_number: known_number ?? head.number }
  const [{ rows, less }, later, adjusting] = await Promise.all([
    read(tx, plan, parameters, split.length),
    known_number !== null && known_number < head.number ? tx.many(store.linesRecordedAfter, parameters) : [],
    request.adjusting === 'exclude' ? tx.many(store.adjustingLines, parameters) : [],
  ])
  const taken = [...later, ...adjusting].map((row) => movedOf(row, split.length))
  const targetOf = (value: string | null) => (value === null ? null : dimensions.targets.get(value) ?? value)
  const shown = ({ values, ...row }: Moved): Moved => ({ ...row, values: values.map(targetOf) })
  const groups = figuresFrom(segments, targetsOf(books.ledgers), rows.map(shown), [...less, ...taken].map(shown))
  return { head, books, groups: groups.length === 0 && split.length === 0 ? [EMPTY] : groups }
}

export async function readDimensions(tx: BusinessTx): Promise<Dimensions> {
  const [dimensions, values] = await Promise.all([tx.many(store.dimensions), tx.many(store.dimensionValues)])
  return arrangeDimensions(dimensions, values)
}

const EMPTY: Group = { values: [], ledgers: new Map() }
const NO_DIMENSIONS: Dimensions = arrangeDimensions([], [])

function needsDimensions({ filters, split = [] }: FiguresRequest): boolean {
  return (filters?.dimension_value_ids?.length ?? 0) > 0 || split.some((axis: Axis) => axis.startsWith('dimension:'))
}

async function lastNumberAt(tx: BusinessTx, known_at: string): Promise<number> {
  return (await tx.find(store.lastNumberAt, { known_at }))?.number ?? 0
}

type Parameters = ReturnType<typeof periodParameters> & LineQuery & { known_number: number }

function periodParameters({ bounds, first_date, last_date, broken_months, day_starts, day_ends }: Segments, cash: boolean) {
  return { bounds, first_date, last_date, broken_months, day_starts, day_ends, cash }
}

/** Everything that was ever recorded, by the cheapest way there is. */
async function read(tx: BusinessTx, plan: Plan, parameters: Parameters, splits: number): Promise<{ rows: Moved[]; less: Moved[] }> {
  const whole = async () => (await tx.many(store.balances, parameters)).map((row): Moved => ({ ...row, values: [] }))
  if (plan.way === 'balances') return { rows: await whole(), less: [] }
  if (plan.way === 'lines') {
    const lines = await tx.many(plan.driver === null ? store.linesOfRange : store.linesOf[plan.driver], parameters)
    return { rows: lines.map((row) => movedOf(row, splits)), less: [] }
  }
  const { axis, value_ids } = plan
  const [months, days, all] = await Promise.all([
    value_ids ? tx.many(store.analysisOfSome, { ...parameters, axis, value_ids }) : tx.many(store.analysisOfAll, { ...parameters, axis }),
    parameters.day_starts.length > 0 ? tx.many(store.linesOfDays, parameters) : [],
    plan.with_rest ? whole() : [],
  ])
  // A day's lines without a value are in the rest, which is what the whole has beyond its parts.
  const parts = [...months, ...days].filter((row) => row.first_value !== null || splits === 0).map((row) => movedOf(row, splits))
  if (!plan.with_rest) return { rows: parts, less: [] }
  const rest = remainderOf(all, parts)
  return { rows: [...parts, ...rest.rows], less: rest.less }
}

type Found = Omit<Moved, 'values'> & { first_value: string | null; second_value?: string | null }

function movedOf({ first_value, second_value = null, ...row }: Found, splits: number): Moved {
  return { ...row, values: [first_value, second_value].slice(0, splits) }
}
