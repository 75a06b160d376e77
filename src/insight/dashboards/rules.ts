// The dashboards that come with the service, who may change the others, and how the list puts the first before the second.
//
//   BUILT_IN_BOARDS, builtInBoard(id)     the boards as data
//   mayPublish, requireEditor             who may show a board to the business, and who may change one
//   builtInsFor(filters), joined(...)     the built-in ones that a list shows, and where its pages end among them
//   toldBoard                             what the history tells of a board
import { createHash } from 'node:crypto'
import { permissionsFor, type Role } from '../../access/permissions.ts'
import { forbidden, invalid } from '../../foundation/refusal.ts'
import type { Widget, WidgetInput } from '../dashboard-widgets/contract.ts'
import { newWidget } from '../dashboard-widgets/rules.ts'
import type { BoardFilters, BoardRow, BuiltIn, ToldBoard } from './contract.ts'

export const DEFAULT_FILTERS: BoardFilters = { period: 'fiscal_ytd', basis: null, dimension: [], comparison: 'none' }

export type BuiltInBoard = { id: string; built_in: BuiltIn; name: string; filters: BoardFilters; widgets: Widget[] }

const BEGINNING = '2026-01-01T00:00:00.000Z'
const idOf = (board: number, widget = 0): string => `da5b0a2d-0000-8000-8000-${String(board).padStart(6, '0')}${String(widget).padStart(6, '0')}`

type Placed = WidgetInput & { x: number; y: number; w: number; h: number }

function builtIn(number: number, key: BuiltIn, name: string, filters: Partial<BoardFilters>, widgets: readonly Placed[]): BuiltInBoard {
  const id = idOf(number)
  return {
    id, built_in: key, name, filters: { ...DEFAULT_FILTERS, ...filters },
    widgets: widgets.map((widget, index) => {
      const { business_id: _business, ...made } = newWidget(widget, {
        id: idOf(number, index + 1), dashboard_id: id, business_id: '', now: BEGINNING, place: ['body'], bottom: 0,
      })
      return made
    }),
  }
}

const metric = (key: string, x: number, y: number): Placed => ({ kind: 'metric', query: { metric: key }, x, y, w: 3, h: 4 })
/** What stands at a day is best compared with nothing but itself. */
const still = (key: string, x: number, y: number): Placed => ({ kind: 'metric', query: { metric: key, compare: 'none' }, x, y, w: 3, h: 4 })

export const BUILT_IN_BOARDS: readonly BuiltInBoard[] = [
  builtIn(1, 'owner', 'Owner', { comparison: 'prior_year' }, [
    metric('revenue', 0, 0), metric('gross_margin', 3, 0), metric('net_income', 6, 0), metric('cash_balance', 9, 0),
    { kind: 'bar', title: 'Revenue by month', query: { metric: 'revenue', group_by: 'month', compare: 'none' }, x: 0, y: 4, w: 6, h: 6 },
    { kind: 'line', title: 'Net income by month', query: { metric: 'net_income', group_by: 'month', compare: 'none' }, x: 6, y: 4, w: 6, h: 6 },
    { kind: 'table', title: 'Top customers', query: { metric: 'top_customers', top: 5, compare: 'none' }, x: 0, y: 10, w: 6, h: 6 },
    { kind: 'table', title: 'Largest expenses', query: { metric: 'expense_by_ledger', top: 5, compare: 'none' }, x: 6, y: 10, w: 6, h: 6 },
  ]),
  builtIn(2, 'cash', 'Cash', {}, [
    still('cash_balance', 0, 0), metric('cash_in', 3, 0), metric('cash_out', 6, 0), still('runway_months', 9, 0),
    { kind: 'line', title: 'Cash at the end of each month', query: { metric: 'cash_balance', group_by: 'month' }, x: 0, y: 4, w: 6, h: 6 },
    { kind: 'bar', title: 'Burn by month', query: { metric: 'burn', group_by: 'month' }, x: 6, y: 4, w: 6, h: 6 },
    { kind: 'aging', x: 0, y: 10, w: 12, h: 6 },
    still('receivable', 0, 16), still('receivable_overdue', 3, 16), still('payable', 6, 16), metric('dso', 9, 16),
  ]),
  builtIn(3, 'close', 'Close', { period: 'last_month', comparison: 'prior_period' }, [
    metric('revenue', 0, 0), metric('operating_expense', 3, 0), metric('net_income', 6, 0), metric('working_capital', 9, 0),
    { kind: 'table', title: 'Expenses by ledger', query: { metric: 'expense_by_ledger', top: 10 }, x: 0, y: 4, w: 12, h: 7 },
    still('receivable', 0, 11), still('payable', 3, 11), still('inventory_value', 6, 11), still('deferred_revenue', 9, 11),
    { kind: 'aging', x: 0, y: 15, w: 12, h: 6 },
  ]),
]

/** Seen first by whoever has not chosen another. */
export const FIRST_DEFAULT = idOf(1)

const byId = new Map(BUILT_IN_BOARDS.map((board) => [board.id, board]))
export const builtInBoard = (id: string): BuiltInBoard | null => byId.get(id.toLowerCase()) ?? null

/** As a row would have it. */
export function builtInSummary({ id, built_in, name, filters }: BuiltInBoard, business_id: string) {
  return { id, business_id, name, visibility: 'business' as const, filters, owner_id: null, built_in, created_at: BEGINNING, updated_at: BEGINNING, version: 1 }
}

type Person = { user_id: string | null; role: string | null }

export const isAdmin = ({ role }: Person): boolean => role === 'owner' || role === 'admin'

/** Those who may write decks, which all see, may also show dashboards to others. */
export function mayPublish({ role }: Person): boolean {
  return role !== null && permissionsFor(role as Role).has('ai-reporting:write')
}

export function requirePublisher(person: Person, visibility: BoardRow['visibility']): void {
  if (visibility === 'business' && !mayPublish(person)) throw forbidden(`As ${person.role ?? 'you are'} you may have private dashboards only.`)
}

/** The business sees only what somebody who may show it that has made. */
export function requireEditor({ owner_id, visibility }: Pick<BoardRow, 'owner_id' | 'visibility'>, person: Person): void {
  if (isAdmin(person)) return
  if (owner_id !== person.user_id) throw forbidden('Only its owner or an admin can change a dashboard: duplicate it.')
  requirePublisher(person, visibility)
}

export function requireOwn(id: string): void {
  const board = builtInBoard(id)
  if (board) throw invalid(`The dashboard ${board.name} comes with the service and cannot be changed: duplicate it.`)
}

export function requireComparison({ comparison }: Partial<BoardFilters>): void {
  if (comparison === 'budget') throw invalid('There are no budgets yet that it could be compared with: choose prior_period or prior_year.')
}

export function toldBoard(row: BoardRow, widgets: readonly Widget[]): ToldBoard {
  const all = { ...row, widgets: [...widgets] }
  return row.visibility === 'business' ? all : { ...all, name: 'Private dashboard', filters: DEFAULT_FILTERS, widgets: [] }
}

export type ListFilters = { visibility?: string; owner?: string; q?: string; sort_by?: string; descending?: boolean }

export function builtInsFor({ visibility, owner, q }: ListFilters): BuiltInBoard[] {
  if (visibility === 'private' || owner !== undefined) return []
  if (q === undefined) return [...BUILT_IN_BOARDS]
  const words = q.toLowerCase().split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
  return BUILT_IN_BOARDS.filter(({ name }) => words.length > 0 && words.every((word) => name.toLowerCase().split(' ').includes(word)))
}

/** A place among the built-in ones: before the board of this number. It is good for the list that it was made for. */
export function builtInCursor(place: number, business_id: string, filters: ListFilters): string {
  return `${CURSOR}${place}.${printOf(place, business_id, filters)}`
}

export function placeOfCursor(cursor: string, business_id: string, filters: ListFilters): number | null {
  const [, place = '', print = ''] = /^built-in\.(\d{1,2})\.([\w-]{11})$/.exec(cursor) ?? []
  if (place === '') return null
  if (print === printOf(Number(place), business_id, filters)) return Number(place)
  throw invalid('This cursor does not belong to this list with this sort and these filters. Start again without a cursor.')
}

const CURSOR = 'built-in.'

function printOf(place: number, business_id: string, { visibility = '', owner = '', q = '', sort_by = 'updated_at', descending = true }: ListFilters): string {
  return createHash('sha256').update(JSON.stringify([place, business_id, visibility, owner, q, sort_by, descending])).digest('base64url').slice(0, 11)
}
