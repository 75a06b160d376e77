// The SQL that finds entries, posted or not, in one list.
import { Type } from 'typebox'
import { list } from '../../foundation/database/list.ts'
import { columns, statement } from '../../foundation/database/statement.ts'
import { cents, id } from '../../foundation/shapes.ts'
import { Count } from '../../foundation/database/rows.ts'
import { EntryHeader } from '../journal/contract.ts'

const posted = `select business_id, id, number, date, memo, status, source_type, source_id, currency, rate, is_adjusting, auto_reverse_on,
  reversal_of_id, reversed_by_id, mirror_of_id, superseded, template_id, prepared_by, approved_by, recorded_at as posted_at, total,
  encode(previous_hash, 'hex') as previous_hash, encode(hash, 'hex') as hash, recorded_at as created_at, updated_at, version`

const drafts = `select business_id, id, null::bigint as number, date, memo, status, 'manual' as source_type, null::uuid as source_id, currency, rate,
  is_adjusting, auto_reverse_on, null::uuid as reversal_of_id, null::uuid as reversed_by_id, null::uuid as mirror_of_id, false as superseded, template_id,
  prepared_by, null::uuid as approved_by, null::timestamptz(3) as posted_at, total, null as previous_hash, null as hash, created_at, updated_at, version`

// Of both tables as one: each part is walked along its own index. The dates of posted entries stand apart besides, as bounds
// that bind only them: a draft lies within any.
const from = `(${posted}, null::jsonb as lines, date as not_after, date as not_before from journal_entries
  union all ${drafts}, lines, '-infinity'::date as not_after, 'infinity'::date as not_before from journal_drafts) t`

const sorts = {
  date: { column: 't.date', type: 'date' },
  number: { column: 't.number', type: 'bigint', nullable: true },
  total: { column: 't.total', type: 'bigint' },
  created_at: { column: 't.created_at', type: 'timestamptz' },
} as const

const plain = {
  status: 't.status = any(:status)',
  // Said beside the status, so that only the table or the index is read in which there can be any.
  unposted: 't.number is null',
  reversed: 't.reversed_by_id is not null',
  source_type: 't.source_type = :source_type',
  source_id: 't.source_id = :source_id',
  start_date: 't.date >= :start_date',
  end_date: 't.date <= :end_date',
  min_amount: 't.total >= :min_amount',
  max_amount: 't.total <= :max_amount',
  adjusting: 't.is_adjusting',
  unadjusting: 'not t.is_adjusting',
  template_id: 't.template_id = :template_id',
  standing: 'not t.superseded',
}

/** Conditions on lines: which posted lines fulfil one, and what a draft that does contains. */
const onLines = {
  ledger_id: { lines: 'l.ledger_id = :ledger_id', inside: `jsonb_build_object('ledger_id', :ledger_id::text)` },
  customer_id: { lines: 'l.customer_id = :customer_id', inside: `jsonb_build_object('customer_id', :customer_id::text)` },
  vendor_id: { lines: 'l.vendor_id = :vendor_id', inside: `jsonb_build_object('vendor_id', :vendor_id::text)` },
  project_id: { lines: 'l.project_id = :project_id', inside: `jsonb_build_object('project_id', :project_id::text)` },
  dimension_value_id: {
    lines: `exists (select from journal_line_dimensions v
      where v.business_id = :business_id and v.value_id = :dimension_value_id and v.date = l.date and v.line_id = l.id)`,
    inside: `jsonb_build_object('dimension_value_ids', jsonb_build_array(:dimension_value_id::text))`,
  },
}

const ofLines = 'from journal_lines l where l.business_id = :business_id and'
const ofDimension = 'from journal_line_dimensions v where v.business_id = :business_id and v.value_id = :dimension_value_id'

/** Where few entries fulfil a condition: they are looked up, and then put in order. */
function picked({ lines, inside }: { lines: string; inside: string }): string {
  return `t.id = any(array(select l.entry_id ${ofLines} ${lines}
    union all select d.id from journal_drafts d where d.business_id = :business_id and d.lines @> jsonb_build_array(${inside})))`
}

/** Where many do: whatever comes along in the order is asked. Only between the first and the last date there can be any. */
function along({ lines, inside }: { lines: string; inside: string }, dates = `${ofLines} ${lines}`, column = 'l.date'): string {
  return `t.not_after <= (select max(${column}) ${dates}) and t.not_before >= (select min(${column}) ${dates})
    and ((select true ${ofLines} l.entry_number = t.number and ${lines} limit 1) or t.lines @> jsonb_build_array(${inside}))`
}

const shared = { item: EntryHeader, from, where: 't.business_id = :business_id', sorts }
const mapLines = <T>(map: (condition: { lines: string; inside: string }) => T) =>
  Object.fromEntries(Object.entries(onLines).map(([name, condition]) => [name, map(condition)]))

// Both have the same filters by name, so a cursor of the one is one of the other.
export const entriesPicked = list({
  ...shared,
  filters: {
    ...plain,
    ...mapLines(picked),
    dimension_value_id: `t.id = any(array(
      select l.entry_id from journal_lines l where l.business_id = :business_id and l.id in (select v.line_id ${ofDimension})
      union all select d.id from journal_drafts d where d.business_id = :business_id and d.lines @> jsonb_build_array(${onLines.dimension_value_id.inside})))`,
    q: 't.id = any(array(select search_journal(:business_id, :q)))',
  },
})

export const entriesAlong = list({
  ...shared,
  filters: {
    ...plain,
    ...mapLines((condition) => along(condition)),
    dimension_value_id: along(onLines.dimension_value_id, ofDimension, 'v.date'),
    q: `entry_words(t.business_id, t.number, t.memo) @@ websearch_to_tsquery('simple', :q)`,
  },
})

/** Above this many it is better to walk along the order. */
export const FEW = 2000

const countUpTo = (rows: string) => statement(Count, `select count(*) as count from (${rows} limit ${FEW + 1}) as found`)

/** How many there are of what a filter asks for, if they are few. */
export const counts = {
  ledger_id: countUpTo(`select ${ofLines} ${onLines.ledger_id.lines}`),
  customer_id: countUpTo(`select ${ofLines} ${onLines.customer_id.lines}`),
  vendor_id: countUpTo(`select ${ofLines} ${onLines.vendor_id.lines}`),
  project_id: countUpTo(`select ${ofLines} ${onLines.project_id.lines}`),
  dimension_value_id: countUpTo(`select ${ofDimension}`),
  q: countUpTo('select search_journal(:business_id, :q)'),
}

export const findPosted = statement(
  EntryHeader, `select ${columns(EntryHeader, 't')} from (${posted} from journal_entries) t where t.business_id = :business_id and t.id = :id`,
)

/** All lines of these ledgers in the base currency, debit positive. */
export const balances = statement(
  Type.Object({ ledger_id: id(), balance: cents() }),
  `select ledger_id, sum(debit - credit)::bigint as balance from ledger_months
   where business_id = :business_id and ledger_id = any(:ledger_ids) group by ledger_id`)
