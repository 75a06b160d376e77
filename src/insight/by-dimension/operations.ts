// Makes a report of ledgers crossed by two axes.
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { addCents } from '../../foundation/money.ts'
import { resources } from '../../foundation/resource.ts'
import type { BookLedger } from '../../ledger/books/contract.ts'
import type { LedgerType } from '../../ledger/ledgers/contract.ts'
import { isNamed, shownOf } from '../general-ledger/operations.ts'
import type { Column } from '../report-columns/contract.ts'
import { askedOf, type Asked } from '../report-columns/operations.ts'
import { rangeOf, requireFew, slotsOf, type Range } from '../report-columns/rules.ts'
import { figures, readDimensions } from '../report-figures/operations.ts'
import { balanceOf, isPartyAxis } from '../report-figures/rules.ts'
import type { Line, Report } from '../report-shape/contract.ts'
import { answerOf, checkOf, explainHref, rowsOf, sumOf, type LinkOf } from '../report-shape/rules.ts'
import type { ByDimensionQuery } from './contract.ts'
import { crossed, orderOf, requireFewRows, requireTwo, signFor, splitOf, together, UNASSIGNED, type Named, type Place, type TableAxis } from './rules.ts'

export async function getByDimension(tx: BusinessTx, query: ByDimensionQuery): Promise<Report> {
  const [row_axis, column_axis] = [query.rows ?? 'ledger', query.columns ?? 'month'] as [TableAxis, TableAxis]
  requireTwo(row_axis, column_axis)
  const asked = await askedOf(tx, query)
  const range = rangeOf(query, tx.today, asked.books.periods)
  const by_month = row_axis === 'month' || column_axis === 'month'
  const { slots } = slotsOf({ columns: by_month ? 'month' : 'total' }, range, 'movement', asked.books.periods)
  const ledgers = ledgersOf(asked, query)
  const [found, whole] = await Promise.all([
    figures(tx, { ...asked.figures, ranges: slots, split: splitOf(row_axis, column_axis) }),
    figures(tx, { ...asked.figures, ranges: [range] }),
  ])
  const table = crossed(found.groups, ledgers, slots, row_axis, column_axis)
  const used = { rows: new Set(table.keys()), columns: new Set([...table.values()].flatMap((row) => [...row.keys()])) }
  const [row_names, column_names] = await Promise.all([namesOf(tx, row_axis, used.rows), namesOf(tx, column_axis, used.columns)])
  const rows = orderOf(row_axis, used.rows, ledgers, slots, row_names)
  const places = [...orderOf(column_axis, used.columns, ledgers, slots, column_names), TOTAL]
  requireFew(places.length)
  requireFewRows(rows.length)
  const lines = linesOf(rows, places, table, row_axis === 'ledger')
  const columns = places.map((place) => columnOf(place, range))
  const moved = ledgers.filter(({ id }) => found.groups.some((group) => group.ledgers.has(id))).map(({ id }) => id)
  const expected = signFor(ledgers) * addCents(...ledgers.map(({ id }) => balanceOf(whole.groups[0], id, 0)))
  return answerOf(tx, {
    report: 'by-dimension',
    title: 'By dimension',
    query: { ...query, rows: row_axis, columns: column_axis, type: typesOf(query) },
    asked,
    dates: range,
    columns,
    rows: rowsOf(lines, columns, linksOf(asked, range, [...rows, TOTAL], places, moved)),
    checks: [checkOf('total_equals_statement', [(lines.at(-1)?.amounts.at(-1) ?? 0) - expected])],
  })
}

const TOTAL: Place = { key: 'total', label: 'Total', ledger_ids: null, slot: null, filters: {} }

function typesOf({ type }: ByDimensionQuery): readonly LedgerType[] {
  return type && type.length > 0 ? type : ['income', 'expense']
}

/** Those that are named, or all of the types. */
function ledgersOf(asked: Asked, query: ByDimensionQuery): BookLedger[] {
  const types = typesOf(query)
  const named = isNamed(query.ledger_id) ? shownOf(asked, query.ledger_id).map(({ ledger }) => ledger) : [...asked.books.ledgers.values()]
  return named.filter((ledger) => ledger.merged_into_id === null && types.includes(ledger.type))
}

function linesOf(rows: readonly Place[], columns: readonly Place[], table: ReturnType<typeof crossed>, of_ledgers: boolean): Line[] {
  const width = columns.length - 1
  const lines = rows.map(({ key, label }): Line => {
    const amounts = columns.slice(0, width).map((column) => table.get(key)?.get(column.key) ?? 0)
    const kind = of_ledgers ? 'ledger' : 'subtotal'
    return { kind, key, label, ledger_id: of_ledgers ? key : null, amounts: [...amounts, addCents(...amounts)], ledger_ids: [], rows: [] }
  })
  const total = sumOf(lines.map(({ amounts }) => amounts), columns.length)
  return [...lines, { kind: 'total', key: 'total', label: 'Total', ledger_id: null, amounts: total, ledger_ids: [], rows: [] }]
}

function columnOf({ key, label, slot, filters }: Place, range: Range): Column {
  const { start_date, end_date } = slot ?? range
  return { key, label, start_date, end_date, slot: 0, group: undefined, filters, compared_with: null }
}

/** A cell leads to the lines of its ledgers and dates that carry the values of its row and its column. */
function linksOf(asked: Asked, range: Range, rows: readonly Place[], columns: readonly Place[], moved: readonly string[]): LinkOf {
  const byKey = new Map(rows.map((row) => [row.key, row]))
  const of_report = asked.figures.filters ?? {}
  return (line, _column, place) => {
    const row = byKey.get(line.key)
    const column = columns[place]
    if (!row || !column || (line.amounts[place] ?? 0) === 0) return null
    const own = together(row.filters, column.filters)
    const filters = own && together(of_report, own)
    // Values of one dimension are alternatives: beside one that the report is filtered by, another would ask for more.
    const twice = (of_report.dimension_value_ids?.length ?? 0) > 0 && (own?.dimension_value_ids?.length ?? 0) > 0
    if (!filters || twice) return null
    const { start_date, end_date } = row.slot ?? column.slot ?? range
    return explainHref({ ...asked.figures, filters, ledger_ids: row.ledger_ids ?? column.ledger_ids ?? moved, start_date, end_date })
  }
}

/** Names that the caller may not read stay ids. */
async function namesOf(tx: BusinessTx, axis: TableAxis, used: ReadonlySet<string>): Promise<Named> {
  const none = { labels: new Map<string, string>(), with_children: new Set<string>() }
  const ids = [...used].filter((key) => key !== UNASSIGNED)
  if (axis === 'ledger' || axis === 'month' || ids.length === 0) return none
  if (!isPartyAxis(axis)) {
    const { values } = await readDimensions(tx)
    const rows = [...values.values()]
    const with_children = new Set(rows.flatMap(({ parent_id }) => parent_id ?? []))
    return { labels: new Map(rows.map(({ id, code, name }) => [id, `${code} ${name}`])), with_children }
  }
  const resource = resources.get(axis)
  if (!resource?.lookup || !tx.actor.permissions.has(`${resource.group}:read`)) return none
  return { ...none, labels: new Map((await tx.many(resource.lookup, { ids })).map(({ id, label }) => [id, label])) }
}
