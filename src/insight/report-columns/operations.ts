// What a report was asked for, with the defaults of the business filled in, and its columns with names.
//
//   askedOf(tx, query)                     basis, known_at, adjusting and filters as figures() takes them, and the books; 404 for unknown ids
//   nameColumns(tx, plan, found, budgets)  the columns of the answer, from the figures of plan.slots
import { resources } from '../../foundation/resource.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { requireRecords } from '../../foundation/records.ts'
import { invalid, notFound } from '../../foundation/refusal.ts'
import type { Books, Head } from '../../ledger/books/contract.ts'
import { readBooks } from '../../ledger/books/operations.ts'
import { PARTY_AXES, type Amounts, type Axis, type Basis, type Figures, type FiguresRequest, type Group } from '../report-figures/contract.ts'
import { readDimensions } from '../report-figures/operations.ts'
import { isDebit, isPartyAxis } from '../report-figures/rules.ts'
import type { BudgetFigures, Column, ReportColumns } from './contract.ts'
import { columnsOf, type Names } from './rules.ts'
import * as store from './store.ts'

type Query = {
  basis?: Basis | undefined; known_at?: string | undefined; adjusting?: 'all' | 'exclude' | undefined
  customer_id?: string | undefined; vendor_id?: string | undefined; project_id?: string | undefined; dimension_value_id?: string[] | undefined
}

/** The part of a request for figures that does not depend on dates. */
export type AskedFigures = Required<Pick<FiguresRequest, 'basis' | 'known_at' | 'adjusting' | 'filters'>>

export type Asked = { figures: AskedFigures; is_filtered: boolean; books: Books; head: Head }

export async function askedOf(tx: BusinessTx, query: Query): Promise<Asked> {
  const { customer_id, vendor_id, project_id, dimension_value_id = [] } = query
  const filters = { customer_id, vendor_id, project_id, dimension_value_ids: dimension_value_id }
  const [{ books, head }, basis] = await Promise.all([
    readBooks(tx),
    query.basis ?? tx.get(store.defaultBasis, {}, 'Business').then(({ default_basis }) => default_basis),
  ])
  for (const axis of PARTY_AXES) {
    const id = filters[`${axis}_id`]
    if (id !== undefined) await requireRecords(tx, axis, [id])
  }
  const is_filtered = [customer_id, vendor_id, project_id, ...dimension_value_id].some((given) => given !== undefined)
  return { figures: { basis, known_at: query.known_at ?? null, adjusting: query.adjusting ?? 'all', filters }, is_filtered, books, head }
}

/** `found` holds a range per slot, at least in its first places and in their order. */
export async function nameColumns(tx: BusinessTx, plan: ReportColumns, found: Figures, budgets: BudgetFigures | null): Promise<Column[]> {
  const [names, planned] = await Promise.all([namesOf(tx, plan.axis, found.groups), plannedGroup(tx, plan, found.books, budgets)])
  const columns = columnsOf(plan, found.groups, names)
  return columns.map((column) => (plan.slots[column.slot]?.comparison?.kind.startsWith('budget:') ? { ...column, group: planned } : column))
}

/** Names that the caller may not read stay ids. */
async function namesOf(tx: BusinessTx, axis: Axis | null, groups: readonly Group[]): Promise<Names> {
  const with_children = new Set<string>()
  const ids = groups.flatMap(({ values }) => values[0] ?? [])
  if (axis === null || ids.length === 0) return { labels: new Map(), with_children }
  if (!isPartyAxis(axis)) {
    const { values } = await readDimensions(tx)
    for (const { parent_id } of values.values()) if (parent_id) with_children.add(parent_id)
    return { labels: new Map([...values.values()].map(({ id, code, name }) => [id, `${code} ${name}`])), with_children }
  }
  const resource = resources.get(axis)
  if (!resource?.lookup || !tx.actor.permissions.has(`${resource.group}:read`)) return { labels: new Map(), with_children }
  const rows = await tx.many(resource.lookup, { ids })
  return { labels: new Map(rows.map(({ id, label }) => [id, label])), with_children }
}

/** What budgets plan, as if it were figures of the same slots; undefined where none is compared with. */
async function plannedGroup(tx: BusinessTx, { axis, slots }: ReportColumns, books: Books, budgets: BudgetFigures | null): Promise<Group | undefined> {
  const wanted = slots.flatMap((slot, place) => {
    const { kind = '' } = slot.comparison ?? {}
    return kind.startsWith('budget:') ? [{ budget_id: kind.slice('budget:'.length), slot, place }] : []
  })
  if (wanted.length === 0) return undefined
  if (axis !== null) throw invalid('A budget can be compared with columns over time only: choose total, month, quarter or year.')
  const read = await Promise.all([...Map.groupBy(wanted, ({ budget_id }) => budget_id)].map(async ([budget_id, own]) => {
    const amounts = await budgets?.(tx, budget_id, own.map(({ slot }) => slot))
    if (!amounts) throw notFound(`Budget ${budget_id}`)
    return { own, amounts }
  }))
  const ledgers = new Map<string, Amounts[]>()
  for (const { own, amounts } of read) {
    for (const [ledger_id, cents] of amounts) {
      const row = ledgers.get(ledger_id) ?? slots.map(() => ({ debit: 0, credit: 0 }))
      ledgers.set(ledger_id, row)
      for (const [index, { place }] of own.entries()) row[place] = planned(books, ledger_id, cents[index] ?? 0)
    }
  }
  return { values: [], ledgers }
}

function planned(books: Books, ledger_id: string, amount: number): Amounts {
  const debit = isDebit(books.ledgers.get(ledger_id)?.type) ? amount : 0 - amount
  return { debit: Math.max(debit, 0), credit: Math.max(0 - debit, 0) }
}
