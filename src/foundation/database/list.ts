// Every list of the service: keyset paging over one SQL statement per combination of sort, filters and direction.
// The order is total (the sort column, then id), nulls come last both ways, and page 10,000 costs what page 1 costs.
import { createHash } from 'node:crypto'
import type { Static, TObject } from 'typebox'
import { invalid } from '../refusal.ts'
import { Count } from './rows.ts'
import { columns, unregistered, type Parameters, type SqlValue, type Statement } from './statement.ts'
import type { Actor } from './context.ts'

export type List<Item extends TObject = TObject> = {
  item: Item
  /** The columns, where they are more than the item's own names. */
  select?: string
  /** Table and joins; the table that carries the id is `t`. */
  from: string
  /** Always true of a row in this list, `t.business_id = :business_id` for one. */
  where: string
  /** The column behind each value of sort_by, the first one being the default. */
  sorts: Record<string, Sort>
  /** The condition behind each query parameter, with the parameter as `:name`. */
  filters?: Record<string, string>
  default_limit?: number
}

export type Sort = { column: string; type: 'timestamptz' | 'date' | 'text' | 'bigint' | 'integer'; nullable?: boolean }

export type PageQuery = {
  limit?: number
  cursor?: string
  direction?: 'next' | 'prev'
  sort_by?: string
  descending?: boolean
  include_total_count?: boolean
}

export type Page<Item> = {
  items: Item[]
  next_cursor: string | null
  prev_cursor: string | null
  has_next: boolean
  has_prev: boolean
  limit: number
  total: number | null
}

export const lists: List[] = []

export function list<Item extends TObject>(given: List<Item>): List<Item> {
  lists.push(given as unknown as List)
  return given
}

/** Where a page ended: the sort value and id of its outermost row. */
type Position = { value: SqlValue; id: string }

/** What reads the page: a transaction. */
type Reader = {
  actor: Actor
  business_id?: string
  many<Row>(statement: Statement<Row>, parameters: Parameters): Promise<Row[]>
}

export async function readPage<Item extends TObject>(tx: Reader, list: List<Item>, query: PageQuery): Promise<Page<Static<Item>>> {
  const limit = query.limit ?? list.default_limit ?? 50
  const sort_by = query.sort_by ?? Object.keys(list.sorts)[0] ?? ''
  const descending = query.descending ?? true
  const backwards = query.direction === 'prev'
  const filters = activeFilters(list, query)
  const scope = scopeOf(tx, list, sort_by, descending, filters)
  const position = query.cursor === undefined ? null : decodeCursor(query.cursor, scope)

  const zone = position === null ? 'all' : position.value === null ? 'nulls' : 'values'
  const statement = pageStatement(list as unknown as List, { sort_by, descending, backwards, zone, filters: Object.keys(filters) })
  const parameters: Parameters = { ...filters, limit: limit + 1, ...(position ? { position_id: position.id, position_value: position.value } : {}) }
  const counting = query.include_total_count ? tx.many(countStatement(list as unknown as List, Object.keys(filters)), filters) : null
  const rows = (await tx.many(statement, parameters)) as (Record<string, unknown> & { sort_value_: SqlValue; sort_id_: string })[]

  const more = rows.length > limit
  if (more) rows.pop()
  if (backwards) rows.reverse()
  const first = rows[0]
  const last = rows.at(-1)
  // Walking back, what lies behind the page is where the client came from, and the other way round.
  const has_next = rows.length > 0 && (backwards ? position !== null : more)
  const has_prev = rows.length > 0 && (backwards ? more : position !== null)
  const next_cursor = has_next && last ? encodeCursor({ value: last.sort_value_, id: last.sort_id_ }, scope) : null
  const prev_cursor = has_prev && first ? encodeCursor({ value: first.sort_value_, id: first.sort_id_ }, scope) : null
  const items = rows.map(({ sort_value_: _value, sort_id_: _id, ...item }) => item as Static<Item>)
  return { items, next_cursor, prev_cursor, has_next, has_prev, limit, total: (await counting)?.[0]?.count ?? null }
}

function activeFilters(list: List, query: object): Record<string, SqlValue> {
  const given = query as Record<string, SqlValue | undefined>
  return Object.fromEntries(Object.keys(list.filters ?? {}).flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])))
}

export type Variant = { sort_by: string; descending: boolean; backwards: boolean; zone: 'all' | 'values' | 'nulls'; filters: string[] }

const prepared = new WeakMap<List, Map<string, Statement>>()

/** The statement of one variant of a list, made once. */
export function pageStatement(list: List, variant: Variant): Statement {
  const known = prepared.get(list) ?? new Map<string, Statement>()
  prepared.set(list, known)
  const key = JSON.stringify(variant)
  let made = known.get(key)
  if (!made) known.set(key, (made = unregistered(list.item, pageText(list, variant))))
  return made
}

export function countStatement(list: List, filters: string[]): Statement<Static<typeof Count>> {
  return unregistered(Count, `select count(*) as count from ${list.from} where ${conditions(list, filters)}`)
}

function conditions(list: List, filters: string[]): string {
  return [list.where, ...filters.map((name) => `(${list.filters?.[name]})`)].join(' and ')
}

function pageText(list: List, { sort_by, descending, backwards, zone, filters }: Variant): string {
  const sort = list.sorts[sort_by]
  if (!sort) throw new Error(`${sort_by} is not a sort of this list.`)
  const upward = descending === backwards
  const [order, after] = upward ? ['asc', '>'] : ['desc', '<']
  const selected = `${list.select ?? columns(list.item, 't')}, ${sort.column} as sort_value_, t.id as sort_id_`
  const part = (condition: string, ordering: string) =>
    `select ${selected} from ${list.from} where ${conditions(list, filters)}${condition} order by ${ordering} limit :limit`
  const by_value = `${sort.column} ${order}, t.id ${order}`
  // A pair that spans two tables leads into no index; the part of it that belongs to the other table does.
  const near = sort.column.startsWith('t.') ? '' : ` and ${sort.column} ${after}= :position_value::${sort.type}`
  const beyond = `${near} and (${sort.column}, t.id) ${after} (:position_value::${sort.type}, :position_id::uuid)`
  if (!sort.nullable) return part(zone === 'all' ? '' : beyond, by_value)

  // Two parts, each a plain walk along the index: rows with a value, then rows without; walking back, the other way round.
  const valued = (condition: string) => `(${part(` and ${sort.column} is not null${condition}`, by_value)})`
  // Ordered by the null column too: only so does PostgreSQL see that the index already has this order.
  const nulls = (condition: string) => `(${part(` and ${sort.column} is null${condition}`, by_value)})`
  const past_null = ` and t.id ${after} :position_id::uuid`
  const parts = {
    all: backwards ? [nulls(''), valued('')] : [valued(''), nulls('')],
    values: backwards ? [valued(beyond)] : [valued(beyond), nulls('')],
    nulls: backwards ? [nulls(past_null), valued('')] : [nulls(past_null)],
  }[zone]
  const nulls_at = backwards ? 'first' : 'last'
  return `select * from (${parts.join(' union all ')}) as parts order by sort_value_ ${order} nulls ${nulls_at}, sort_id_ ${order} limit :limit`
}

/** Sort, filters and tenant, in short: a cursor works only where it was made. */
function scopeOf(tx: Reader, list: List, sort_by: string, descending: boolean, filters: Record<string, SqlValue>): string {
  const owner = tx.business_id ?? tx.actor.user_id
  return JSON.stringify([owner, list.from, sort_by, descending, filters])
}


function encodeCursor(position: Position, scope: string): string {
  return Buffer.from(JSON.stringify([position.value, position.id, fingerprint(position, scope)])).toString('base64url')
}

function decodeCursor(cursor: string, scope: string): Position {
  try {
    const [value, id, print] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as [SqlValue, string, string]
    if (print === fingerprint({ value, id }, scope)) return { value, id }
  } catch {
    // Not one of ours: the refusal below says what to do.
  }
  throw invalid('This cursor does not belong to this list with this sort and these filters. Start again without a cursor.')
}

function fingerprint(position: Position, scope: string): string {
  return createHash('sha256').update(JSON.stringify([position.value, position.id, scope])).digest('base64url').slice(0, 11)
}
