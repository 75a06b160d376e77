// The SQL of credit memos and their lines.
import { Type } from 'typebox'
import { constraintMeans } from '../../foundation/database/errors.ts'
import { list } from '../../foundation/database/list.ts'
import { changing, deletion, insertions, updatings } from '../../foundation/database/rows.ts'
import { columns, command, statement } from '../../foundation/database/statement.ts'
import { id, integer, nullable } from '../../foundation/shapes.ts'
import { CreditMemoEntry, MemoLineRow, MemoRow } from './contract.ts'

constraintMeans('credit_memos_used', 'More would be used of the credit memo than remains: read it again.')
constraintMeans('credit_memo_lines_tax_code', 'The tax code stands on a line of a credit memo, or is gone: archive it, or choose another.')

export const insertMemos = insertions('credit_memos', MemoRow)
export const updateMemos = updatings('credit_memos', changing(MemoRow, 'kind'))

export const deleteMemo = deletion('credit_memos')

export const insertLines = insertions('credit_memo_lines', MemoLineRow)
export const deleteLines = command('delete from credit_memo_lines where business_id = :business_id and credit_memo_id = :id')
export const updateReturned = updatings('credit_memo_lines', ['quantity_returned'])

const byIds = 'from credit_memos where business_id = :business_id and id = any(:ids) order by id'
export const memosByIds = statement(MemoRow, `select ${columns(MemoRow)} ${byIds}`)
export const lockMemos = statement(MemoRow, `select ${columns(MemoRow)} ${byIds} for update`)

export const linesOf = statement(
  MemoLineRow, `select ${columns(MemoLineRow)} from credit_memo_lines where business_id = :business_id and credit_memo_id = any(:ids) order by credit_memo_id, position`)

const names = 'c.name as customer_name, i.number as invoice_number'
const joins = `join customers c on c.business_id = t.business_id and c.id = t.customer_id
  left join invoices i on i.business_id = t.business_id and i.id = t.invoice_id`
const Names = Type.Object({ customer_name: nullable(Type.String()), invoice_number: nullable(Type.String()) })
export const namesOf = statement(Names, `select ${names} from credit_memos t ${joins} where t.business_id = :business_id and t.id = :id`)

/** The entries that stand for a memo and for its uses. */
export const entriesOf = statement(
  CreditMemoEntry,
  `select e.id, e.date, u.role, e.total, e.memo
   from (
     select x.id as entry_id, case when x.id = m.journal_entry_id then 'finalization' else 'restock' end as role
     from credit_memos m join journal_entries x on x.business_id = m.business_id and x.source_type = 'credit_memo' and x.source_id = m.id
     where m.business_id = :business_id and m.id = :id and m.status <> 'void'
     union all
     select journal_entry_id, 'application' from invoice_credits where business_id = :business_id and credit_memo_id = :id and reversed_at is null
     union all
     select journal_entry_id, 'refund' from credit_refunds where business_id = :business_id and credit_memo_id = :id and reversed_at is null
   ) u join journal_entries e on e.business_id = :business_id and e.id = u.entry_id
   where e.status = 'posted' and e.reversal_of_id is null order by e.number`)

/** The card charge whose surplus a memo is. */
export const chargeOf = statement(
  Type.Object({ processor_charge_id: Type.String() }), 'select processor_charge_id from processor_charges where business_id = :business_id and credit_memo_id = :id')

export const Listed = Type.Object({ ...MemoRow.properties, ...Names.properties })

export const memos = list({
  item: Listed,
  select: `${columns(MemoRow, 't')}, ${names}`,
  from: `credit_memos t ${joins}`,
  where: 't.business_id = :business_id',
  sorts: {
    created_at: { column: 't.created_at', type: 'timestamptz' },
    credit_date: { column: 't.credit_date', type: 'date' },
    number: { column: 't.number_key', type: 'text', nullable: true },
    total: { column: 't.total', type: 'bigint' },
    remaining: { column: 't.remaining', type: 'bigint' },
  },
  filters: {
    status: 't.status = any(:status)',
    kind: 't.kind = :kind',
    customer_id: 't.customer_id = :customer_id',
    invoice_id: 't.invoice_id = :invoice_id',
    order_id: 't.order_id = :order_id',
    with_remaining: `t.status = 'open' and :with_remaining::boolean`,
    without_remaining: `t.status <> 'open' and :without_remaining::boolean`,
    credit_date_from: 't.credit_date >= :credit_date_from',
    credit_date_to: 't.credit_date <= :credit_date_to',
    tag_id: `exists (select from tag_assignments a where a.business_id = t.business_id and a.tag_id = :tag_id and a.resource_type = 'credit_memo' and a.resource_id = t.id)`,
    updated_since: 't.updated_at >= :updated_since',
    search: 't.number_key >= lower(:search) and t.number_key <= lower(:search) || chr(65535)',
  },
})

/** What the credit notes of invoices, drafts too, take back of each line; of what stands on no line of the invoice, null. */
export const creditedLines = statement(
  Type.Object({
    invoice_id: id(), credit_memo_id: id(), invoice_line_id: nullable(id()), quantity: integer(), amount: integer(), tax_components: MemoLineRow.properties.tax_components, returned: integer(),
  }),
  `select coalesce(m.invoice_id) as invoice_id, m.id as credit_memo_id, l.invoice_line_id, l.quantity_credited as quantity, l.amount, l.tax_components, l.quantity_returned as returned
   from credit_memos m join credit_memo_lines l on l.business_id = m.business_id and l.credit_memo_id = m.id
   where m.business_id = :business_id and m.invoice_id = any(:invoice_ids) and m.status <> 'void'`)

export const creditedTotals = statement(
  Type.Object({ credit_memo_id: id(), total: integer() }),
  `select id as credit_memo_id, total from credit_memos where business_id = :business_id and invoice_id = any(:invoice_ids) and status <> 'void'`)

export const openOf = statement(
  Type.Object({ id: id() }), `select id from credit_memos where business_id = :business_id and customer_id = any(:customer_ids) and status = 'open' and credit_date <= :applied_on order by id`)
