// Where a project can go from where it is, and what its figures say.
import { addCents, divideRounded, parseDecimal, subtractCents } from '../../foundation/money.ts'
import { canonicalJson } from '../../foundation/canonical.ts'
import { invalid } from '../../foundation/refusal.ts'
import type { Column, TableRow } from '../../foundation/sheets.ts'
import type { BookLedger } from '../../ledger/books/contract.ts'
import { MOST_LEVELS, type Project, type ProjectBudgetFigure, type ProjectProfitability, type ProjectRow, type ProjectStatus, type ProjectUpdate } from './contract.ts'

const WAYS: Record<ProjectStatus, readonly ProjectStatus[]> = {
  planned: ['active', 'archived'],
  active: ['on_hold', 'completed'],
  on_hold: ['active', 'completed', 'archived'],
  completed: ['active', 'archived'],
  archived: [],
}

export function requireWay({ code, status }: Pick<ProjectRow, 'code' | 'status'>, to: ProjectStatus): void {
  const ways = WAYS[status]
  if (ways.includes(to)) return
  const words = ways.length === 0 ? 'stays so' : `can become ${ways.join(' or ')}`
  throw invalid(`The project ${code} is ${status} and ${words}, not ${to}.`)
}

export const NO_BUDGET: ProjectRow['budget'] = { revenue: null, cost: null, minutes: null }

/** As it is kept: without blanks around name and code, a percentage without idle zeros. */
export function tidy<Fields extends ProjectUpdate>(fields: Fields): Fields {
  const { name, code, percent_complete } = fields
  return {
    ...fields,
    ...(name !== undefined && { name: name.trim() }),
    ...(code !== undefined && { code: code.trim() }),
    ...(typeof percent_complete === 'string' && { percent_complete: plainPercent(percent_complete) }),
  }
}

/** 07.50 is 7.5: the same figure is always written the same. */
export function plainPercent(text: string): string {
  const { units, scale } = parseDecimal(text)
  const digits = String(units).padStart(scale + 1, '0')
  const [whole, fraction] = [digits.slice(0, digits.length - scale), digits.slice(digits.length - scale).replace(/0+$/, '')]
  return scale === 0 || fraction === '' ? whole : `${whole}.${fraction}`
}

export function differs<Row extends object>(row: Row, changes: Partial<Row>): boolean {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined)
  return given.some(([key, value]) => canonicalJson(value) !== canonicalJson(row[key as keyof Row]))
}

export function requireOrder({ start_date, end_date }: { start_date: string | null; end_date: string | null }): void {
  if (start_date !== null && end_date !== null && end_date < start_date) throw invalid(`The end, ${end_date}, lies before the start, ${start_date}.`)
}

/** `above` are the ids from the new parent up; `height` counts the levels of the project and what lies below it. */
export function requirePlace(project: ProjectRow, parent: { id: string; code: string; status: ProjectStatus }, above: readonly string[], height: number): void {
  if (parent.status === 'archived') throw invalid(`The project ${parent.code} is archived: choose another one as parent_id.`)
  if (parent.id === project.id || above.includes(project.id)) throw invalid(`The project ${parent.code} lies below ${project.code}: it cannot be above it too.`)
  if (above.length + height > MOST_LEVELS) throw invalid(`Projects are at most ${MOST_LEVELS} deep: choose a parent_id higher up.`)
}

export function used({ code }: { code: string }) {
  return invalid(`The project ${code} was used: archive it instead.`)
}

type Moved = { ledger_id: string; month: string; amount: number }

/** `amount` is debit less credit. A merged ledger counts for the one it is merged into; income and cost come out positive. */
export function profitabilityOf(rows: readonly Moved[], ledgers: ReadonlyMap<string, BookLedger>): Pick<ProjectProfitability, 'income' | 'cost' | 'margin' | 'ledgers'> {
  const moved = rows.flatMap((row) => {
    const own = ledgers.get(row.ledger_id)
    const ledger = own?.merged_into_id ? ledgers.get(own.merged_into_id) : own
    if (!ledger || (ledger.type !== 'income' && ledger.type !== 'expense')) return []
    return [{ ledger, month: row.month.slice(0, 7), amount: ledger.type === 'income' ? -row.amount + 0 : row.amount }]
  })
  const shown = [...Map.groupBy(moved, ({ ledger }) => ledger)].map(([ledger, of_ledger]) => ({
    ledger_id: ledger.id,
    number: ledger.number,
    name: ledger.name,
    type: ledger.type,
    total: addCents(...of_ledger.map(({ amount }) => amount)),
    months: [...Map.groupBy(of_ledger, ({ month }) => month)].toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([month, of_month]) => ({ month, amount: addCents(...of_month.map(({ amount }) => amount)) })),
  }))
  const sum = (type: string) => addCents(...shown.filter((ledger) => ledger.type === type).map(({ total }) => total))
  const [income, cost] = [sum('income'), sum('expense')]
  return { income, cost, margin: subtractCents(income, cost), ledgers: shown.toSorted(inChart) }
}

type Placed = { type: string; number: string | null; name: string; ledger_id: string }

function inChart(a: Placed, b: Placed): number {
  if (a.type !== b.type) return a.type === 'income' ? -1 : 1
  const [x, y] = [a, b].map(({ number, name, ledger_id }) => `${number ?? '~'} ${name} ${ledger_id}`) as [string, string]
  return x < y ? -1 : 1
}

export function budgetFigure(budget: number | null, actual: number): ProjectBudgetFigure {
  if (budget === null) return { budget, actual, remaining: null, percent_used: null }
  return { budget, actual, remaining: subtractCents(budget, actual), percent_used: budget === 0 ? null : shareOf(actual, budget) }
}

function shareOf(part: number, whole: number): string {
  const hundredths = divideRounded(BigInt(part) * 10_000n, BigInt(whole))
  return `${hundredths < 0n ? '-' : ''}${plainPercent(`${absolute(hundredths) / 100n}.${String(absolute(hundredths) % 100n).padStart(2, '0')}`)}`
}

function absolute(value: bigint): bigint {
  return value < 0n ? -value : value
}

export const FILE_COLUMNS: Column[] = [
  { key: 'code', label: 'Code', kind: 'text' },
  { key: 'name', label: 'Name', kind: 'text' },
  { key: 'status', label: 'Status', kind: 'text' },
  { key: 'billing_method', label: 'Billing method', kind: 'text' },
  { key: 'start_date', label: 'Start date', kind: 'date' },
  { key: 'end_date', label: 'End date', kind: 'date' },
  { key: 'percent_complete', label: 'Percent complete', kind: 'decimal' },
  { key: 'budget_revenue', label: 'Budget revenue', kind: 'money' },
  { key: 'budget_cost', label: 'Budget cost', kind: 'money' },
  { key: 'income', label: 'Income', kind: 'money' },
  { key: 'cost', label: 'Cost', kind: 'money' },
  { key: 'margin', label: 'Margin', kind: 'money' },
  { key: 'customer_id', label: 'Customer id', kind: 'text' },
  { key: 'contract_id', label: 'Contract id', kind: 'text' },
  { key: 'id', label: 'Id', kind: 'text' },
]

export function fileRow({ budget, tag_ids: _tags, ...project }: Project): TableRow {
  return { ...project, budget_revenue: budget.revenue, budget_cost: budget.cost }
}
