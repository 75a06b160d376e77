// What must hold of the journal: entries that balance, an unbroken chain, and balances that are the sums of their lines.
import { Type } from 'typebox'
import { Count } from '../../foundation/database/rows.ts'
import { statement } from '../../foundation/database/statement.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { date, id, integer, list, nullable } from '../../foundation/shapes.ts'
import type { Finding, Verification } from '../../foundation/verification.ts'
import { verificationOf } from '../book-verification/operations.ts'
import { MOST_TOLD, tell, units } from '../book-verification/rules.ts'
import { sealOf } from './rules.ts'

const total = Type.Integer()
/** A sum of 64-bit numbers is larger than one: it comes as text. */
const sum = Type.String()
const buffer = Type.Unsafe<Buffer>({ type: 'buffer' })
const moment = Type.String({ format: 'date-time' })

const entries = statement(Count, 'select count(*) as count from journal_entries where business_id = :business_id')
const lines = statement(Count, 'select count(*) as count from journal_lines where business_id = :business_id')

const unbalanced = statement(
  Type.Object({ number: integer(), base: sum, own: sum, currency: Type.String(), total }),
  `select entry_number as number, sum(base_amount) as base, case when min(currency) = max(currency) then sum(amount) else 0 end as own,
     min(currency) as currency, count(*) over () as total
   from journal_lines where business_id = :business_id
   group by entry_number
   having sum(base_amount) <> 0 or (min(currency) = max(currency) and sum(amount) <> 0)
   order by entry_number limit ${MOST_TOLD}`)

const miscounted = statement(
  Type.Object({ number: integer(), said: nullable(sum), debits: nullable(sum), said_lines: nullable(integer()), lines: nullable(integer()), total }),
  `select coalesce(e.number, l.entry_number) as number, e.total::text as said, l.debits::text as debits, e.line_count as said_lines, l.lines,
     count(*) over () as total
   from (select number, total, line_count from journal_entries where business_id = :business_id) as e
   full join (select entry_number, count(*) as lines, sum(greatest(base_amount, 0)) as debits, min(position) as first, max(position) as last
              from journal_lines where business_id = :business_id group by entry_number) as l on l.entry_number = e.number
   where e.line_count is distinct from l.lines or e.total is distinct from l.debits or l.first <> 1 or l.last <> l.lines
   order by 1 limit ${MOST_TOLD}`)

const strayLines = statement(
  Type.Object({ number: integer(), position: integer(), date: date(), entry_date: nullable(date()), total }),
  `select l.entry_number as number, l.position, l.date, e.date as entry_date, count(*) over () as total
   from journal_lines l left join journal_entries e on e.business_id = l.business_id and e.number = l.entry_number
   where l.business_id = :business_id and (e.id is distinct from l.entry_id or e.date is distinct from l.date or e.is_adjusting is distinct from l.is_adjusting)
   order by l.entry_number, l.position limit ${MOST_TOLD}`)

const gaps = statement(
  Type.Object({ number: integer(), previous: integer(), total }),
  `select number, previous, count(*) over () as total
   from (select number, lag(number, 1, 0::bigint) over (order by number) as previous from journal_entries where business_id = :business_id) as step
   where number <> previous + 1 order by number limit ${MOST_TOLD}`)

const backwards = statement(
  Type.Object({ number: integer(), recorded_at: moment, previous: moment, total }),
  `select number, recorded_at, previous, count(*) over () as total
   from (select number, recorded_at, lag(recorded_at) over (order by number) as previous from journal_entries where business_id = :business_id) as step
   where recorded_at < previous order by number limit ${MOST_TOLD}`)

/** Where the journal stands, beside the entry that it should stand at. */
const ends = statement(
  Type.Object({ number: integer(), hash: buffer, recorded_at: nullable(moment), last: integer(), last_recorded_at: nullable(moment) }),
  `select h.number, h.hash, h.recorded_at, coalesce(e.number, 0) as last, e.recorded_at as last_recorded_at
   from journal_heads h
   left join lateral (select number, recorded_at from journal_entries where business_id = h.business_id order by number desc limit 1) as e on true
   where h.business_id = :business_id`)

const Entry = Type.Object({
  business_id: id(), number: integer(), id: id(), date: date(), recorded_at: moment, source_type: Type.String(), source_id: nullable(id()),
  currency: Type.String(), rate: Type.String(), is_adjusting: Type.Boolean(), auto_reverse_on: nullable(date()), reversal_of_id: nullable(id()),
  mirror_of_id: nullable(id()), template_id: nullable(id()), prepared_by: nullable(id()), approved_by: nullable(id()), previous_hash: buffer, hash: buffer,
})

/** The next entries: at most a thousand, and no more than some thousand lines of them, however long each is. */
const entriesAfter = statement(
  Entry,
  `select business_id, number, id, date, recorded_at, source_type, source_id, currency, rate, is_adjusting, auto_reverse_on, reversal_of_id, mirror_of_id,
     template_id, prepared_by, approved_by, previous_hash, hash
   from (select *, sum(line_count) over (order by number) - line_count as lines_before
         from (select * from journal_entries
               where business_id = :business_id and number > :after and number <= :upto order by number limit 1000) as next) as counted
   where lines_before < 5000 order by number`)

const linesBetween = statement(
  Type.Object({
    entry_number: integer(), id: id(), ledger_id: id(), currency: Type.String(), amount: integer(), base_amount: integer(), rate: Type.String(),
    memo: nullable(Type.String()), customer_id: nullable(id()), vendor_id: nullable(id()), project_id: nullable(id()), dimension_value_ids: list(id()),
    tax_code_id: nullable(id()), settles_line_id: nullable(id()),
  }),
  `select entry_number, id, ledger_id, currency, amount, base_amount, rate, memo, customer_id, vendor_id, project_id, dimension_value_ids,
     tax_code_id, settles_line_id
   from journal_lines where business_id = :business_id and entry_number between :first and :last order by entry_number, position`)

/** Every entry against the one before it; after a break the chain is followed from what is stored, so that one break is one problem. */
async function followChain(tx: BusinessTx): Promise<Finding> {
  const head = await tx.find(ends)
  if (!head) return { checked: 0, problems: ['the journal has no head'] }
  const problems: string[] = []
  let found = 0
  const add = (problem: string) => {
    if (++found <= MOST_TOLD) problems.push(problem)
  }
  let number = 0
  let hash: Buffer = Buffer.alloc(0)
  let checked = 0
  while (number < head.number) {
    const batch = await tx.many(entriesAfter, { after: number, upto: head.number })
    const last = batch.at(-1)
    if (!last) break
    const own = Map.groupBy(await tx.many(linesBetween, { first: batch[0]?.number ?? 0, last: last.number }), ({ entry_number }) => entry_number)
    for (const entry of batch) {
      if (!entry.previous_hash.equals(hash)) add(`entry ${entry.number} does not carry the hash of ${placed(number)}, which it follows`)
      const seal = sealOf(entry.previous_hash, entry, own.get(entry.number) ?? [])
      if (!seal.equals(entry.hash)) add(`entry ${entry.number} says something else than when it was sealed`)
      number = entry.number
      hash = entry.hash
    }
    checked += batch.length
  }
  if (!head.hash.equals(hash)) add(`the head of the journal does not carry the hash of ${placed(number)}, where it ends`)
  return { checked, problems: tell(problems, found) }
}

function placed(number: number): string {
  return number === 0 ? 'an empty journal' : `entry ${number}`
}

const chain: Verification = { claim: 'The hashes of the journal form one chain, recomputed from every entry and line', run: followChain }

const numbers: Verification = {
  claim: 'Entries are numbered from 1 to the head of the journal without a gap',
  async run(tx) {
    const [{ count }, found, head] = await Promise.all([tx.get(entries, {}, 'Entries'), tx.many(gaps), tx.find(ends)])
    const missing = found.map(({ number, previous }) =>
      (number === previous + 2 ? `entry ${previous + 1} is missing` : `entries ${previous + 1} to ${number - 1} are missing`))
    const apart = head && head.number !== head.last ? [`the head of the journal stands at ${head.number}, its last entry is ${head.last}`] : []
    const end = head ? apart : ['the journal has no head']
    return { checked: count, problems: tell([...end, ...missing], (found[0]?.total ?? 0) + end.length) }
  },
}

const order: Verification = {
  claim: 'No entry was recorded before the one with the number before it',
  async run(tx) {
    const [{ count }, found, head] = await Promise.all([tx.get(entries, {}, 'Entries'), tx.many(backwards), tx.find(ends)])
    const back = found.map(({ number, recorded_at, previous }) => `entry ${number} was recorded at ${recorded_at}, the one before it at ${previous}`)
    const end = !head || head.recorded_at === head.last_recorded_at
      ? []
      : [`the head of the journal was moved at ${head.recorded_at}, its last entry was recorded at ${head.last_recorded_at}`]
    return { checked: count, problems: tell([...end, ...back], (found[0]?.total ?? 0) + end.length) }
  },
}

/**
 * The rows of a table of balances that differ from the sum of their lines, both ways: a row that is not there counts as all zero.
 * `made` gives the keys and the measures as they should be; `place` says in words where a row is.
 */
export function differences(table: string, keys: readonly string[], measures: readonly string[], place: string, made: string) {
  const values = (from: string) => measures.map((measure) => `coalesce(${from}.${measure}, 0)`).join(', ')
  return statement(
    Type.Object({ place: Type.String(), kept: list(sum), made: list(sum), total }),
    `select concat_ws(', ', coalesce(nullif(concat_ws(' ', g.number, g.name), ''), d.ledger_id::text), ${place}) as place, d.kept, d.made, d.total
     from (select ${keys.join(', ')}, array[${values('kept')}]::text[] as kept, array[${values('made')}]::text[] as made, count(*) over () as total
           from (select ${[...keys, ...measures].join(', ')} from ${table} where business_id = :business_id) as kept
           full join (${made}) as made using (${keys.join(', ')})
           where (${values('kept')}) is distinct from (${values('made')})
           order by ${keys.join(', ')} limit ${MOST_TOLD}) as d
     left join ledgers g on g.business_id = :business_id and g.id = d.ledger_id
     order by 1`)
}

/** What differs, in words: `measures` as in the statement. */
export function difference(measures: readonly string[], { place, kept, made }: { place: string; kept: string[]; made: string[] }): string {
  const off = measures.flatMap((measure, index) => (kept[index] === made[index]
    ? []
    : [`${measure.replace('cash_', '')} is ${units(kept[index] ?? '0')}, the sum of its lines ${units(made[index] ?? '0')}`]))
  return `${place}: ${off.join('; ')}`
}

/** The rows by customer, vendor, project and value of a dimension that the lines of a table make. */
export function analysisOf(table: string, measures: string): string {
  const cut = (axis: string, value: string, from: string, where: string) =>
    `select '${axis}' as axis, ${value} as value_id, ledger_id, date_trunc('month', date)::date as month, ${measures}
     from ${from} where business_id = :business_id and ${where} group by 2, 3, 4`
  return [
    ...['customer', 'vendor', 'project'].map((axis) => cut(axis, `${axis}_id`, table, `${axis}_id is not null`)),
    cut('dimension', 'value_id', `${table} cross join lateral unnest(dimension_value_ids) as value (value_id)`, 'cardinality(dimension_value_ids) > 0'),
  ].join(' union all ')
}

export const IN_MONTH = `d.currency, to_char(d.month, 'YYYY-MM')`
export const ON_DAY = 'd.currency, d.date'
export const BY_TAG = `d.axis || ' ' || d.value_id, to_char(d.month, 'YYYY-MM')`

const AMOUNTS = ['amount', 'debit', 'credit']
const moved = 'sum(greatest(base_amount, 0)) as debit, sum(greatest(-base_amount, 0)) as credit'

const months = differences('ledger_months', ['ledger_id', 'currency', 'month'], AMOUNTS, IN_MONTH,
  `select ledger_id, currency, date_trunc('month', date)::date as month, sum(amount) as amount, ${moved}
   from journal_lines where business_id = :business_id group by 1, 2, 3`)

const days = differences('ledger_days', ['ledger_id', 'currency', 'date'], AMOUNTS, ON_DAY,
  `select ledger_id, currency, date, sum(amount) as amount, ${moved} from journal_lines where business_id = :business_id group by 1, 2, 3`)

const tagged = differences('analysis_months', ['axis', 'value_id', 'ledger_id', 'month'], AMOUNTS.slice(1), BY_TAG, analysisOf('journal_lines', moved))

/** An entry with the one that it is the opposite of. */
export const PAIRS = `select r.number, o.number as original, case when r.reversal_of_id is null then 'mirror' else 'reversal' end as kind,
     (r.currency, r.rate, r.is_adjusting, r.line_count) is distinct from (o.currency, o.rate, o.is_adjusting, o.line_count)
       or r.number <= o.number or r.date < o.date or (r.reversal_of_id is null and r.date is distinct from o.auto_reverse_on) as differs
   from journal_entries r join journal_entries o on o.business_id = r.business_id and o.id = coalesce(r.reversal_of_id, r.mirror_of_id)
   where r.business_id = :business_id and (r.reversal_of_id is not null or r.mirror_of_id is not null)`

const opposites = statement(Count, `select count(*) as count from (${PAIRS}) as pair`)

const unequalOpposites = statement(
  Type.Object({ number: integer(), original: integer(), kind: Type.String(), total }),
  `select number, original, kind, count(*) over () as total
   from (select p.number, p.original, p.kind
         from (${PAIRS}) as p
         left join journal_lines a on a.business_id = :business_id and a.entry_number = p.number
         left join journal_lines b on b.business_id = :business_id and b.entry_number = p.original and b.position = a.position
         where p.differs
           or (a.ledger_id, a.currency, a.amount, a.base_amount, a.rate, a.tax_code_id)
             is distinct from (b.ledger_id, b.currency, -b.amount, -b.base_amount, b.rate, b.tax_code_id)
           or (a.customer_id, a.vendor_id, a.project_id, a.dimension_value_ids)
             is distinct from (b.customer_id, b.vendor_id, b.project_id, b.dimension_value_ids)
           or (a.settles_line_id is distinct from b.settles_line_id and a.settles_line_id is distinct from b.id)
         union
         select e.number, e.number, 'none' from journal_entries e
         left join journal_entries m on m.business_id = e.business_id and m.mirror_of_id = e.id
         where e.business_id = :business_id and e.auto_reverse_on is not null and m.id is null) as unequal
   order by number limit ${MOST_TOLD}`)

const unmatchedRemarks = statement(
  Type.Object({ reversal: nullable(integer()), original: nullable(integer()), names: nullable(integer()), total }),
  `select r.number as reversal, o.number as original, n.number as names, count(*) over () as total
   from (select id, number, reversed_by_id, superseded from journal_entries where business_id = :business_id and reversed_by_id is not null) as o
   full join (select id, number, reversal_of_id, superseded from journal_entries where business_id = :business_id and reversal_of_id is not null) as r
     on r.id = o.reversed_by_id and r.reversal_of_id = o.id
   left join journal_entries n on n.business_id = :business_id and n.id = coalesce(r.reversal_of_id, o.reversed_by_id)
   where r.id is null or o.id is null or r.superseded <> o.superseded
   order by coalesce(o.number, r.number) limit ${MOST_TOLD}`)

export const journalVerifications: Verification[] = [
  verificationOf({
    claim: 'Every entry balances in the base currency, and in its own where all its lines have one',
    counted: lines,
    found: unbalanced,
    sentence: ({ number, base, own, currency }, base_currency) =>
      `entry ${number} does not balance: its lines sum to ${BigInt(base) === 0n ? `${units(own)} ${currency}` : `${units(base)} ${base_currency}`}`,
  }),
  verificationOf({
    claim: 'Every entry has the lines and the total that it says',
    counted: entries,
    found: miscounted,
    sentence: ({ number, said, debits, said_lines, lines: found }) =>
      (said === null ? `entry ${number} is not there, but ${found} of its lines are`
        : `entry ${number} says ${said_lines} lines and a total of ${units(said)}; it has ${found ?? 0} and ${units(debits ?? '0')}`),
  }),
  verificationOf({
    claim: 'Every line belongs to its entry and has its date',
    counted: lines,
    found: strayLines,
    sentence({ number, position, date: on, entry_date }) {
      const line = `line ${position} of entry ${number}`
      if (entry_date === null) return `${line} has no entry`
      return entry_date === on ? `${line} is marked otherwise than its entry` : `${line} is dated ${on}, its entry ${entry_date}`
    },
  }),
  numbers,
  order,
  chain,
  verificationOf({ claim: 'The months of every ledger are the sums of its lines', counted: lines, found: months, sentence: (row) => difference(AMOUNTS, row) }),
  verificationOf({ claim: 'The days of every ledger are the sums of its lines', counted: lines, found: days, sentence: (row) => difference(AMOUNTS, row) }),
  verificationOf({
    claim: 'The months by customer, vendor, project and dimension are the sums of their lines',
    counted: lines,
    found: tagged,
    sentence: (row) => difference(AMOUNTS.slice(1), row),
  }),
  verificationOf({
    claim: 'Every reversal and every mirror is the exact opposite of its entry',
    counted: opposites,
    found: unequalOpposites,
    sentence: ({ number, original, kind }) =>
      (kind === 'none'
        ? `entry ${number} is to be mirrored, but has no mirror`
        : `entry ${number} is not the exact opposite of entry ${original}, whose ${kind} it is`),
  }),
  verificationOf({
    claim: 'An entry says that it was reversed where there is a reversal of it, and nowhere else',
    counted: entries,
    found: unmatchedRemarks,
    sentence({ reversal, original, names }) {
      const other = (remark: string) => (names === null ? 'an entry that is not there' : `entry ${names}, which ${remark}`)
      if (reversal === null) return `entry ${original} says that it was reversed by ${other('does not reverse it')}`
      if (original === null) return `entry ${reversal} reverses ${other('does not say so')}`
      return `only one of entries ${original} and ${reversal}, its reversal, is marked as replaced`
    },
  }),
]
