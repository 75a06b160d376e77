// The SQL of lines along their ledgers: walks by key over the journal and, on the cash basis, over what that adds.
import { Type, type Static } from 'typebox'
import { statement } from '../../foundation/database/statement.ts'
import { boolean, cents, date, id, integer, nullable } from '../../foundation/shapes.ts'
import { analysis } from '../../ledger/journal/contract.ts'
import { currency } from '../../ledger/ledgers/contract.ts'

export const WalkedLine = Type.Object({
  place: integer(),
  id: id(),
  cash_basis: boolean(),
  entry_id: id(),
  entry_number: integer(),
  date: date(),
  ledger_id: id(),
  currency,
  amount: cents(),
  base_amount: cents(),
  memo: nullable(Type.String()),
  ...analysis,
  entry_memo: nullable(Type.String()),
  source_type: Type.String(),
  source_id: nullable(id()),
})
export type WalkedLine = Static<typeof WalkedLine>

/** The filter whose index is walked along, if any: statements of its own for each, the other filters are looked at line by line. */
export const DRIVERS = ['ledger', 'customer', 'vendor', 'project', 'dimension'] as const
export type Driver = (typeof DRIVERS)[number]

const BY_INDEX: Record<Driver, string> = {
  ledger: '',
  customer: 'and l.customer_id = :customer_id',
  vendor: 'and l.vendor_id = :vendor_id',
  project: 'and l.project_id = :project_id',
  dimension: `and l.id in (select d.line_id from journal_line_dimensions d
    where d.business_id = :business_id and d.value_id = any(:one_dimension_ids) and d.date between :start_date and :end_date)`,
}

/** Entries become known in the order of their numbers, so what was known at a moment is all up to one of them. */
const counted = `l.business_id = :business_id and l.date between :start_date and :end_date
  and l.entry_number <= :last_number and (:adjusting or not l.is_adjusting)
  and (:customer_id::uuid is null or l.customer_id = :customer_id) and (:vendor_id::uuid is null or l.vendor_id = :vendor_id)
  and (:project_id::uuid is null or l.project_id = :project_id)
  and (:dimension_count::int = 0 or :dimension_count = (
    select count(distinct wanted.dimension) from unnest(:dimension_value_ids::uuid[], :dimension_numbers::int[]) as wanted (value_id, dimension)
    where wanted.value_id = any(l.dimension_value_ids)))`

const TAGS = 'l.customer_id, l.vendor_id, l.project_id, l.dimension_value_ids'
const FACTS = 'l.id, l.entry_id, l.entry_number, l.date, l.ledger_id, l.currency, l.base_amount'
const JOURNAL = `${FACTS}, false as cash_basis, l.amount, l.memo, ${TAGS}`
const CASH = `${FACTS}, true as cash_basis, l.base_amount as amount, null::text as memo, ${TAGS}`

/** Of the journal, and of what the cash basis adds to it, which has no index of its filters. */
function both(cash: boolean, driver: Driver, part: (columns: string, from: string) => string): string {
  const journal = part(JOURNAL, `journal_lines l where ${counted} ${BY_INDEX[driver]}`)
  return cash ? `${journal} union all ${part(CASH, `cash_basis_lines l where ${counted}`)}` : journal
}

/**
 * The next lines of some ledgers, ledger by ledger in the order of their places, each by date and id from where it is to go on:
 * for every ledger a walk along an index that ends after as many lines as are wanted.
 */
function walk(cash: boolean, driver: Driver, backwards: boolean) {
  const [order, beyond] = backwards ? ['desc', '<'] : ['asc', '>']
  const lines = both(cash, driver, (columns, from) =>
    `(select ${columns} from ${from} and l.ledger_id = g.id and (l.date, l.id) ${beyond} (g.date, g.line_id)
      order by l.date ${order}, l.id ${order} limit :limit)`)
  return statement(
    WalkedLine,
    `select w.*, e.memo as entry_memo, e.source_type, e.source_id
     from (select g.place, x.* from unnest(:ledger_ids::uuid[], :places::int[], :dates::date[], :line_ids::uuid[]) as g (id, place, date, line_id)
           cross join lateral (${lines}) as x
           order by g.place ${order}, x.date ${order}, x.id ${order} limit :limit) as w
     join journal_entries e on e.business_id = :business_id and e.id = w.entry_id
     order by w.place ${order}, w.date ${order}, w.id ${order}`)
}

const Sum = Type.Object({ amount: cents(), count: integer() })

/** What some lines come to: those of a day up to one of them, or all. */
function sum(cash: boolean, driver: Driver) {
  const lines = both(cash, driver, (_columns, from) =>
    `select l.base_amount from ${from} and l.ledger_id = any(:ledger_ids)
       and (l.date, l.id) <= (:date::date, :line_id::uuid) and (:inclusive or l.id <> :line_id)`)
  return statement(Sum, `select coalesce(sum(x.base_amount), 0)::bigint as amount, count(*) as count from (${lines}) as x`)
}

/** The documents behind lines, the largest first, with what all of them come to. */
function documents(cash: boolean, driver: Driver) {
  const lines = both(cash, driver, (_columns, from) => `select l.entry_id, l.base_amount from ${from} and l.ledger_id = any(:ledger_ids)`)
  return statement(
    Type.Object({ source_type: Type.String(), source_id: nullable(id()), amount: cents(), count: integer(), line_count: integer(), document_count: integer() }),
    `select e.source_type, e.source_id, sum(x.base_amount)::bigint as amount, count(*) as count,
       (sum(count(*)) over ())::bigint as line_count, count(*) over () as document_count
     from (${lines}) as x join journal_entries e on e.business_id = :business_id and e.id = x.entry_id
     group by e.source_type, e.source_id
     order by abs(sum(x.base_amount)) desc, e.source_type, e.source_id limit :limit`)
}

/** The numbers of the entries that have such lines. */
function numbers(cash: boolean, driver: Driver, backwards: boolean) {
  const [order, beyond] = backwards ? ['desc', '<'] : ['asc', '>']
  const lines = both(cash, driver, (_columns, from) => `select l.entry_number from ${from} and (:every_ledger or l.ledger_id = any(:ledger_ids))`)
  return statement(
    Type.Object({ number: integer() }),
    `select distinct x.entry_number as number from (${lines}) as x where x.entry_number ${beyond} :number order by 1 ${order} limit :limit`)
}

const byDriver = <Made>(make: (driver: Driver) => Made) => Object.fromEntries(DRIVERS.map((driver) => [driver, make(driver)])) as Record<Driver, Made>

export const lines = {
  accrual: { next: byDriver((driver) => walk(false, driver, false)), prev: byDriver((driver) => walk(false, driver, true)) },
  cash: { next: byDriver((driver) => walk(true, driver, false)), prev: byDriver((driver) => walk(true, driver, true)) },
}

export const documentsOf = { accrual: byDriver((driver) => documents(false, driver)), cash: byDriver((driver) => documents(true, driver)) }

export const entryNumbers = {
  accrual: { next: byDriver((driver) => numbers(false, driver, false)), prev: byDriver((driver) => numbers(false, driver, true)) },
  cash: { next: byDriver((driver) => numbers(true, driver, false)), prev: byDriver((driver) => numbers(true, driver, true)) },
}

export const sums = { accrual: byDriver((driver) => sum(false, driver)), cash: byDriver((driver) => sum(true, driver)) }

/** The number of the last entry that was recorded by then. */
export const lastNumberAt = statement(
  Type.Object({ number: integer() }),
  `select number from journal_entries where business_id = :business_id and recorded_at <= :known_at order by recorded_at desc, number desc limit 1`)
