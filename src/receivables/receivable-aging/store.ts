// The SQL of aging. Two ways lead to the same items: from the documents as they stand, taking back whatever the books date after the day;
// and from the lines of the receivable up to the day. The first reads what is open and what came later, the second all there ever was.
import { Type } from 'typebox'
import { list } from '../../foundation/database/list.ts'
import { statement } from '../../foundation/database/statement.ts'
import { cents, date, id, integer, nullable } from '../../foundation/shapes.ts'
import { OWN_SOURCES } from '../../ledger/journal/contract.ts'
import { AgingAmounts, amounts } from './contract.ts'

const sources = OWN_SOURCES.map((source) => `'${source}'`).join(', ')

/** Of these customers and this currency; null asks for all. */
const wanted = (table: string) =>
  `(:customer_ids::uuid[] is null or ${table}.customer_id = any(:customer_ids::uuid[])) and (:currency::text is null or ${table}.currency = :currency::text)`

/**
 * The line `x` and the document behind an item: the invoice it stands for, or was made for, or the credit note. `offset 0` has each looked up
 * by its key, one after another: they are few beside all there are. (`coalesce` would cost the index its use under row-level security.)
 */
const behind = (item_id: string) =>
  `left join lateral (select customer_id, entry_id, date from journal_lines where business_id = :business_id and id = ${item_id} offset 0) x on true
   left join lateral (select source_type, source_id from journal_entries where business_id = :business_id and id = x.entry_id offset 0) e on true
   left join lateral (
     select invoice_id from invoice_entries
     where business_id = :business_id and entry_id = x.entry_id and role = 'finalization' and standing offset 0) l on true
   left join lateral (
     select id, number, status, receivable_line_id, invoice_date, due_date from invoices
     where business_id = :business_id
       and id = case when l.invoice_id is not null then l.invoice_id when e.source_type = 'invoice' then e.source_id end offset 0) i on true
   left join lateral (
     select id, number, status, receivable_line_id from credit_memos
     where business_id = :business_id and id = case when e.source_type = 'credit_memo' then e.source_id end offset 0) n on true`

/** An item that was replaced since has the date of its own entry; the invoice shows another by now. */
const dated = (item_id: string) => `case when i.receivable_line_id = ${item_id} then i.invoice_date else x.date end`
const aged = (item_id: string) => `case when :by_due_date::boolean then coalesce(i.due_date, ${dated(item_id)}) else ${dated(item_id)} end`

/** Lines that move the base amount alone, as a revaluation does: they open no item, and are one sum. */
const carries = `l.settles_line_id is null and l.amount = 0`
/** Entries become known in the order of their numbers; null asks for all. */
const known = '(:last_number::bigint is null or l.entry_number <= :last_number::bigint)'
const on_receivable = 'l.business_id = :business_id and l.ledger_id = any(:ledger_ids::uuid[])'

/**
 * Invoices and credit notes as they stand, and the items of entries by hand. Such entries may also settle the item of a document, which
 * does not know of it. `moves` is what that and the lines after the day change; an item that only `moves` knows was settled since.
 */
const fromDocuments =
  `with by_hand as materialized (
     select l.id, l.settles_line_id, l.customer_id, l.date, l.base_amount, ${carries} as carries,
       l.settles_line_id is null and l.amount <> 0 and not exists (
         select from invoice_entries t join invoices i on i.business_id = t.business_id and i.id = t.invoice_id
         where t.business_id = :business_id and t.entry_id = l.entry_id and t.role = 'finalization' and t.standing and i.receivable_line_id = l.id) as is_item
     from journal_entries e join journal_lines l on l.business_id = e.business_id and l.entry_number = e.number
     where e.business_id = :business_id and e.source_type in (${sources}) and ${on_receivable} and ${wanted('l')}
   ), moves as materialized (
     select item_id, sum(base_amount)::bigint as base_amount
     from (select coalesce(l.settles_line_id, l.id) as item_id, -l.base_amount as base_amount
           from journal_lines l where ${on_receivable} and l.date > :as_of::date and not (${carries}) and ${wanted('l')}
           union all
           select h.settles_line_id, h.base_amount from by_hand h
           where h.settles_line_id is not null and not exists (select from by_hand o where o.id = h.settles_line_id and o.is_item)) as move
     group by item_id having sum(base_amount) <> 0
   ), standing as (
     select i.receivable_line_id as item_id, i.customer_id, i.invoice_date as dated, coalesce(i.due_date, i.invoice_date) as due_on,
       i.base_balance as base_amount
     from invoices i
     where i.business_id = :business_id and i.status in ('open', 'partially_paid') and i.receivable_line_id is not null and ${wanted('i')}
     union all
     select m.receivable_line_id, m.customer_id, m.credit_date, m.credit_date, -m.base_remaining
     from credit_memos m where m.business_id = :business_id and m.status = 'open' and m.receivable_line_id is not null and ${wanted('m')}
     union all
     select h.id, h.customer_id, h.date, h.date, h.base_amount + coalesce(
       (select sum(s.base_amount)::bigint from journal_lines s where s.business_id = :business_id and s.settles_line_id = h.id), 0)
     from by_hand h where h.is_item
   )
   select s.item_id, s.customer_id, case when :by_due_date::boolean then s.due_on else s.dated end as aged_on,
     s.base_amount + coalesce(m.base_amount, 0) as base_amount
   from standing s left join moves m on m.item_id = s.item_id
   where s.base_amount + coalesce(m.base_amount, 0) <> 0
   union all
   select m.item_id, x.customer_id, ${aged('m.item_id')}, m.base_amount
   from moves m ${behind('m.item_id')}
   where not coalesce(i.receivable_line_id = m.item_id and i.status in ('open', 'partially_paid'), false)
     and not coalesce(n.receivable_line_id = m.item_id and n.status = 'open', false)
     and not exists (select from by_hand h where h.id = m.item_id and h.is_item)
   union all
   select null, h.customer_id, null, sum(h.base_amount)::bigint
   from by_hand h where h.carries and h.date <= :as_of::date group by h.customer_id having sum(h.base_amount) <> 0`

/** An item is its customer's by the line that opened it. */
const fromJournal =
  `select f.item_id, case when f.item_id is null then f.customer_id else x.customer_id end as customer_id, ${aged('f.item_id')} as aged_on, f.base_amount
   from (select case when ${carries} then null else coalesce(l.settles_line_id, l.id) end as item_id, case when ${carries} then l.customer_id end as customer_id,
           sum(l.base_amount)::bigint as base_amount
         from journal_lines l
         where ${on_receivable} and l.date <= :as_of::date and ${known} and ${wanted('l')}
         group by 1, 2 having sum(l.base_amount) <> 0) f
   ${behind('f.item_id')}`

const NOBODY = '00000000-0000-0000-0000-000000000000'

const bucket =
  `case when f.item_id is null then 0 when f.base_amount < 0 then 5 when f.aged_on >= :as_of::date then 0
     when :as_of::date - f.aged_on <= :first_days::int then 1 when :as_of::date - f.aged_on <= :second_days::int then 2
     when :as_of::date - f.aged_on <= :third_days::int then 3 else 4 end`

/** By the number of their bucket. */
const COLUMNS = ['current', 'd1_30', 'd31_60', 'd61_90', 'over_90', 'unapplied_credits']

/**
 * One row per customer. Items are summed up by the customer that they name, which keeps the sums of most of them in one go, and then by the
 * one that it was merged into. Each sum is a bigint again, since numbers of any length are slow to add; names come last.
 */
const customers = (items: string) =>
  `select :business_id::uuid as business_id, coalesce(n.id, '${NOBODY}') as id, n.id as customer_id, n.name as customer_name,
     coalesce(n.name_key, '') as name_key, ${COLUMNS.join(', ')}, ${COLUMNS.join(' + ')} as total
   from (
     select c.target_id, ${COLUMNS.map((name) => `sum(b.${name})::bigint as ${name}`).join(', ')}
     from (
       select f.customer_id, ${COLUMNS.map((name, number) => `coalesce(sum(f.base_amount) filter (where f.bucket = ${number}), 0)::bigint as ${name}`).join(', ')}
       from (select f.customer_id, f.base_amount, ${bucket} as bucket from (${items}) f offset 0) f group by f.customer_id) b
     left join customers c on c.business_id = :business_id and c.id = b.customer_id
     group by c.target_id) s
   left join customers n on n.business_id = :business_id and n.id = s.target_id`

/** What the figures are asked for; all of it stands inside the table, so it is named here only to be bound. */
const asked = Object.fromEntries(
  [
    'as_of::date', 'last_number::bigint', 'by_due_date::boolean', 'first_days::int', 'second_days::int', 'third_days::int',
    'customer_ids::uuid[]', 'currency::text', 'ledger_ids::uuid[]',
  ].map((typed) => [typed.split('::')[0] as string, `:${typed} is null or true`]))

const sums = Object.keys(amounts).map((name) => `coalesce(sum(rows.${name}), 0)::bigint as ${name}`).join(', ')

/** Every row carries the totals of all of them, so that the items are read once. */
const Row = Type.Object({ customer_id: nullable(id()), customer_name: nullable(Type.String()), ...amounts, totals: AgingAmounts })

function way(items: string) {
  return {
    rows: list({
      item: Row,
      from: `(with rows as materialized (${customers(items)}), sums as (select ${sums} from rows)
        select rows.*, (select to_json(sums) from sums) as totals from rows) t`,
      where: 't.business_id = :business_id',
      sorts: { total: { column: 't.total', type: 'bigint' }, customer_name: { column: 't.name_key', type: 'text' } },
      filters: asked,
    }),
    totals: statement(AgingAmounts, `select ${sums} from (${customers(items)}) rows`),
    items: statement(
      Type.Object({
        customer_id: id(), invoice_id: nullable(id()), credit_memo_id: nullable(id()), journal_entry_id: nullable(id()), number: nullable(Type.String()),
        date: nullable(date()), due_date: nullable(date()), aged_on: nullable(date()), amount: cents(),
      }),
      `select coalesce(c.target_id, '${NOBODY}') as customer_id, i.id as invoice_id, n.id as credit_memo_id, x.entry_id as journal_entry_id,
         coalesce(i.number, n.number) as number, ${dated('f.item_id')} as date, i.due_date, f.aged_on, f.base_amount as amount
       from (${items}) f
       left join customers c on c.business_id = :business_id and c.id = f.customer_id
       ${behind('f.item_id')}
       where coalesce(c.target_id, '${NOBODY}') = any(:rows)`),
  }
}

export const byDocuments = way(fromDocuments)
export const byJournal = way(fromJournal)

export const lastNumberAt = statement(
  Type.Object({ number: integer() }),
  `select number from journal_entries where business_id = :business_id and recorded_at <= :known_at order by recorded_at desc, number desc limit 1`)

/** The balance that is kept for the ledger, less what was not known yet. */
export const controlBalance = statement(
  Type.Object({ balance: cents() }),
  `select coalesce(sum(amount), 0)::bigint as balance from (
     select debit - credit as amount from ledger_months
     where business_id = :business_id and ledger_id = any(:ledger_ids::uuid[]) and month < :month and (:currency::text is null or currency = :currency)
     union all
     select debit - credit from ledger_days
     where business_id = :business_id and ledger_id = any(:ledger_ids::uuid[]) and date between :month and :as_of
       and (:currency::text is null or currency = :currency)
     union all
     select -l.base_amount from journal_lines l
     where ${on_receivable} and l.entry_number > :last_number::bigint and l.date <= :as_of and (:currency::text is null or l.currency = :currency)
   ) as part`)

/** Of some customers: from their own lines. */
export const customerBalance = statement(
  Type.Object({ balance: cents() }),
  `select coalesce(sum(l.base_amount), 0)::bigint as balance from journal_lines l
   where ${on_receivable} and l.customer_id = any(:customer_ids) and ${known} and l.date <= :as_of and (:currency::text is null or l.currency = :currency)`)
