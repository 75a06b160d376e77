// What must hold of open items and of the cash basis: settled within bounds, counted in the share that was paid, equal to their ledgers.
import { Type } from 'typebox'
import { Count } from '../../foundation/database/rows.ts'
import { statement } from '../../foundation/database/statement.ts'
import { integer, nullable } from '../../foundation/shapes.ts'
import type { Verification } from '../../foundation/verification.ts'
import { verificationOf } from '../book-verification/operations.ts'
import { MOST_TOLD, units } from '../book-verification/rules.ts'
import { analysisOf, BY_TAG, difference, differences, IN_MONTH, ON_DAY, PAIRS } from '../journal/verifications.ts'

const total = Type.Integer()
/** A sum of 64-bit numbers is larger than one: it comes as text. */
const sum = Type.String()

const cashLines = statement(Count, 'select count(*) as count from cash_basis_lines where business_id = :business_id')
const settlingLines = statement(Count, 'select count(*) as count from journal_lines where business_id = :business_id and settles_line_id is not null')

const unbalanced = statement(
  Type.Object({ number: integer(), base: sum, strays: integer(), total }),
  `select c.entry_number as number, sum(c.base_amount) as base,
     count(*) filter (where (e.number, e.date, e.is_adjusting) is distinct from (c.entry_number, c.date, c.is_adjusting)) as strays, count(*) over () as total
   from cash_basis_lines c left join journal_entries e on e.business_id = c.business_id and e.id = c.entry_id
   where c.business_id = :business_id
   group by c.entry_number
   having sum(c.base_amount) <> 0 or bool_or((e.number, e.date, e.is_adjusting) is distinct from (c.entry_number, c.date, c.is_adjusting))
   order by c.entry_number limit ${MOST_TOLD}`)

/**
 * What was settled is looked at after each moment of recording, not after each line: an entry and its mirror are reversed together,
 * and between the two the item is settled twice.
 */
const oversettled = statement(
  Type.Object({
    number: integer(), position: integer(), item_number: nullable(integer()), item_position: nullable(integer()), amount: nullable(sum), settled: sum,
    currency: Type.String(), fits: Type.Boolean(), total,
  }),
  `select s.number, s.position, i.entry_number as item_number, i.position as item_position, i.amount::text as amount, (-s.settled)::text as settled, s.currency,
     i.settles_line_id is null
       and (i.ledger_id, i.currency, i.customer_id, i.vendor_id) is not distinct from (s.ledger_id, s.currency, s.customer_id, s.vendor_id) as fits,
     count(*) over () as total
   from (select l.business_id, l.settles_line_id, l.entry_number as number, l.position, l.ledger_id, l.currency, l.customer_id, l.vendor_id,
           sum(l.amount) over (partition by l.settles_line_id order by e.recorded_at) as settled
         from journal_lines l join journal_entries e on e.business_id = l.business_id and e.id = l.entry_id
         where l.business_id = :business_id and l.settles_line_id is not null) as s
   left join journal_lines i on i.business_id = s.business_id and i.id = s.settles_line_id
   where i.id is null or i.settles_line_id is not null
     or (i.ledger_id, i.currency, i.customer_id, i.vendor_id) is distinct from (s.ledger_id, s.currency, s.customer_id, s.vendor_id)
     or i.amount + s.settled not between least(i.amount, 0) and greatest(i.amount, 0)
   order by s.number, s.position limit ${MOST_TOLD}`)

/**
 * Of each line of a document so much counts as was settled of its item: within a cent by line and to the cent by item, nothing while
 * nothing is settled and everything once all is. Where a settlement in between was reversed, the cents that rounding gave to it went
 * with it: what remains may be off by as many.
 */
const miscounted = statement(
  Type.Object({ number: integer(), position: integer(), currency: Type.String(), amount: sum, done: sum, deferred: sum, counted: sum, total }),
  `with settled as (
     select s.settles_line_id as id, sum(s.amount) as amount, count(*) as lines,
       bool_or(e.reversed_by_id is not null or e.reversal_of_id is not null) as corrected
     from journal_lines s join journal_entries e on e.business_id = s.business_id and e.id = s.entry_id
     where s.business_id = :business_id and s.settles_line_id is not null group by 1
   ), part as (
     select c.item_line_id, i.entry_number, i.position, i.currency, abs(i.amount)::numeric as whole, least(abs(coalesce(s.amount, 0)), abs(i.amount)) as done,
       coalesce(s.lines, 0) as lines, coalesce(s.corrected, false) as corrected,
       coalesce(-sum(c.base_amount) filter (where c.entry_id = i.entry_id), 0) as deferred,
       coalesce(sum(c.base_amount) filter (where c.entry_id <> i.entry_id), 0) as counted
     from cash_basis_lines c
     join journal_lines i on i.business_id = c.business_id and i.id = c.item_line_id
     left join settled s on s.id = c.item_line_id
     where c.business_id = :business_id and c.document_line_id is not null
     group by c.item_line_id, c.document_line_id, i.entry_number, i.position, i.currency, i.amount, s.amount, s.lines, s.corrected
   ), item as (
     select entry_number, position, currency, whole, done, corrected, sum(deferred) as deferred, sum(counted) as counted,
       bool_or(case when done in (0, whole) then counted * whole <> deferred * done
                    when corrected then abs(counted * whole - deferred * done) > 2 * lines * whole
                    else abs(counted * whole - deferred * done) >= whole end) as part_off
     from part group by item_line_id, entry_number, position, currency, whole, done, corrected
   )
   select entry_number as number, position, currency, whole as amount, done, deferred, counted, count(*) over () as total
   from item
   where part_off or (not corrected and counted <> sign(deferred) * div(2 * abs(deferred) * done + whole, 2 * whole))
   order by entry_number, position limit ${MOST_TOLD}`)

const unequalOpposites = statement(
  Type.Object({ number: integer(), original: integer(), total }),
  `select number, original, count(*) over () as total
   from (select distinct p.number, p.original
         from (select number, original, unnest(array[number, original]) as entry_number from (${PAIRS}) as pair) as p
         join cash_basis_lines c on c.business_id = :business_id and c.entry_number = p.entry_number
         group by p.number, p.original, c.item_line_id, c.document_line_id, c.ledger_id, c.currency,
           c.customer_id, c.vendor_id, c.project_id, c.dimension_value_ids
         having sum(c.base_amount) <> 0) as unequal
   order by number limit ${MOST_TOLD}`)

const AMOUNTS = ['cash_debit', 'cash_credit']
const moved = 'sum(greatest(base_amount, 0)) as cash_debit, sum(greatest(-base_amount, 0)) as cash_credit'

const months = differences('ledger_months', ['ledger_id', 'currency', 'month'], AMOUNTS, IN_MONTH,
  `select ledger_id, currency, date_trunc('month', date)::date as month, ${moved} from cash_basis_lines where business_id = :business_id group by 1, 2, 3`)

const days = differences('ledger_days', ['ledger_id', 'currency', 'date'], AMOUNTS, ON_DAY,
  `select ledger_id, currency, date, ${moved} from cash_basis_lines where business_id = :business_id group by 1, 2, 3`)

const tagged = differences('analysis_months', ['axis', 'value_id', 'ledger_id', 'month'], AMOUNTS, BY_TAG, analysisOf('cash_basis_lines', moved))

/**
 * What the balances say of receivables and payables, as a whole and by party, beside the open items: each line counts for the item
 * that it opens or settles, with that item's ledger and party. Of each place the first month at whose end the two differ.
 */
const untied = statement(
  Type.Object({ ledger: Type.String(), party: Type.String(), month: Type.String(), ledger_balance: sum, item_balance: sum, total }),
  `with control as (
     select id, concat_ws(' ', number, name) as name from ledgers where business_id = :business_id and role in ('accounts_receivable', 'accounts_payable')
   ), line as (
     select coalesce(i.ledger_id, l.ledger_id) as ledger_id, date_trunc('month', l.date)::date as month, l.base_amount,
       case when i.id is null then l.customer_id else i.customer_id end as customer_id,
       case when i.id is null then l.vendor_id else i.vendor_id end as vendor_id
     from journal_lines l left join journal_lines i on i.business_id = l.business_id and i.id = l.settles_line_id
     where l.business_id = :business_id and coalesce(i.ledger_id, l.ledger_id) in (select id from control)
   ), moved as (
     select ledger_id, '' as party, month, base_amount as items, 0 as kept from line
     union all select ledger_id, 'customer ' || customer_id, month, base_amount, 0 from line where customer_id is not null
     union all select ledger_id, 'vendor ' || vendor_id, month, base_amount, 0 from line where vendor_id is not null
     union all select ledger_id, '', month, 0, debit - credit from ledger_months where business_id = :business_id and ledger_id in (select id from control)
     union all select ledger_id, axis || ' ' || value_id, month, 0, debit - credit from analysis_months
       where business_id = :business_id and axis in ('customer', 'vendor') and ledger_id in (select id from control)
   ), standing as (
     select ledger_id, party, month, sum(sum(kept)) over place as kept, sum(sum(items)) over place as items
     from moved group by ledger_id, party, month window place as (partition by ledger_id, party order by month)
   ), first as (
     select distinct on (ledger_id, party) ledger_id, party, month, kept, items from standing where kept <> items order by ledger_id, party, month
   )
   select c.name as ledger, f.party, to_char(f.month, 'YYYY-MM') as month, f.kept as ledger_balance, f.items as item_balance, count(*) over () as total
   from first f join control c on c.id = f.ledger_id
   order by c.name, f.party limit ${MOST_TOLD}`)

const controlLines = statement(
  Count,
  `select count(*) as count from journal_lines l join ledgers g on g.business_id = l.business_id and g.id = l.ledger_id
   where l.business_id = :business_id and g.role in ('accounts_receivable', 'accounts_payable')`)

export const cashBasisVerifications: Verification[] = [
  verificationOf({
    claim: 'Every settling line stays within the open item that it settles, with its ledger, currency and party',
    counted: settlingLines,
    found: oversettled,
    sentence: ({ number, position, item_number, item_position, amount, settled, currency, fits }) => {
      const line = `line ${position} of entry ${number}`
      if (item_number === null) return `${line} settles a line that is not there`
      if (!fits) return `${line} cannot settle line ${item_position} of entry ${item_number}: another ledger, currency or party, or itself a settlement`
      return `with ${line}, ${units(settled)} ${currency} of line ${item_position} of entry ${item_number} is settled, which is ${units(amount ?? '0')}`
    },
  }),
  verificationOf({
    claim: 'Receivables and payables equal their open items at every month end, as a whole and by customer and vendor',
    counted: controlLines,
    found: untied,
    sentence({ ledger, party, month, ledger_balance, item_balance }, base_currency) {
      const place = party === '' ? ledger : `${ledger}, ${party}`
      return `${place}: at the end of ${month} the balance is ${units(ledger_balance)} ${base_currency}, its items make ${units(item_balance)}`
    },
  }),
  verificationOf({
    claim: 'What the cash basis adds to an entry sums to zero and has its date',
    counted: cashLines,
    found: unbalanced,
    sentence: ({ number, base, strays }, base_currency) =>
      (BigInt(base) === 0n ? `${strays} lines of the cash basis say that they belong to entry ${number}, but have not its id, date or kind`
        : `the cash basis of entry ${number} sums to ${units(base)} ${base_currency} instead of zero`),
  }),
  verificationOf({
    claim: 'The cash basis counts of every document the share that was settled',
    counted: cashLines,
    found: miscounted,
    sentence({ number, position, currency, amount, done, deferred, counted }, base_currency) {
      const settled = `line ${position} of entry ${number}: ${units(done)} of ${units(amount)} ${currency} is settled`
      return `${settled}; counted is ${units(counted)} of ${units(deferred)} ${base_currency}, which is another share or another line's`
    },
  }),
  verificationOf({
    claim: 'The cash basis of every reversal and every mirror is the exact opposite of that of its entry',
    counted: cashLines,
    found: unequalOpposites,
    sentence: ({ number, original }) => `on the cash basis entry ${number} is not the exact opposite of entry ${original}`,
  }),
  ...[
    { claim: 'The months of every ledger on the cash basis are the sums of its lines', found: months },
    { claim: 'The days of every ledger on the cash basis are the sums of its lines', found: days },
    { claim: 'The months by customer, vendor, project and dimension on the cash basis are the sums of their lines', found: tagged },
  ].map(({ claim, found }) => verificationOf({ claim, counted: cashLines, found, sentence: (row) => difference(AMOUNTS, row) })),
]
