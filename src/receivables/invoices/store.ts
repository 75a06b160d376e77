// The SQL of invoices, their lines, payments, credits and entries. Everything is written for many invoices at once.
import { Type } from 'typebox'
import { constraintMeans } from '../../foundation/database/errors.ts'
import { list } from '../../foundation/database/list.ts'
import { changing, insertions, rowsGiven, updatings } from '../../foundation/database/rows.ts'
import { columns, command, statement } from '../../foundation/database/statement.ts'
import { boolean, cents, id, nullable } from '../../foundation/shapes.ts'
import { LineItem, SalesLine } from '../sales-lines/contract.ts'
import { CreditRow, InvoiceEntry, InvoicePayment, InvoiceRow, PaymentRow } from './contract.ts'

constraintMeans('invoices_number', 'The invoice number is used already in this business: choose another.')
constraintMeans('invoices_external_id', 'An invoice with this external_id exists already.')
constraintMeans('invoices_paid', 'The payments would be more than the invoice.')
constraintMeans('invoice_payments_charge', 'This charge is recorded as a payment already.')

const LineRow = Type.Object({ ...SalesLine.properties, invoice_id: id(), quantity_delivered: LineItem.properties.quantity_delivered, quantity_credited: LineItem.properties.quantity_credited })

export const insertInvoices = insertions('invoices', InvoiceRow)
export const updateInvoices = updatings('invoices', changing(InvoiceRow))
export const deleteInvoice = command('delete from invoices where business_id = :business_id and id = :id')
export const insertTombstone = command('insert into invoice_tombstones (business_id, id, deleted_at) values (:business_id, :id, :now)')

export const insertLines = insertions('invoice_lines', LineRow)
export const updateLines = updatings('invoice_lines', changing(LineRow, 'invoice_id'))
export const deleteLines = command('delete from invoice_lines where business_id = :business_id and invoice_id = any(:ids)')

export const insertPayments = insertions('invoice_payments', PaymentRow)
export const updatePayments = updatings('invoice_payments', changing(PaymentRow, 'invoice_id'))

export const insertCredits = insertions('invoice_credits', CreditRow)
export const updateCredits = updatings('invoice_credits', changing(CreditRow, 'invoice_id'))

export const insertEntries = command(
  `insert into invoice_entries (business_id, invoice_id, entry_id, role, standing)
   select :business_id, r.invoice_id, r.entry_id, r.role, r.standing from ${rowsGiven('invoice_entries')}
   on conflict (business_id, invoice_id, entry_id) do update set role = excluded.role, standing = excluded.standing`)
export const endEntries = command('update invoice_entries set standing = false where business_id = :business_id and entry_id = any(:entry_ids)')

const byIds = `from invoices t where t.business_id = :business_id and t.id = any(:ids)`
export const lockInvoices = statement(InvoiceRow, `select ${columns(InvoiceRow, 't')} ${byIds} order by t.id for update`)
export const findInvoices = statement(InvoiceRow, `select ${columns(InvoiceRow, 't')} ${byIds} order by t.id`)

const Names = Type.Object({
  id: id(), customer_name: nullable(Type.String()), customer_email: nullable(Type.String()), project_name: nullable(Type.String()), project_code: nullable(Type.String()),
})
const joins = `join customers c on c.business_id = t.business_id and c.id = t.customer_id
  left join projects p on p.business_id = t.business_id and p.id = t.project_id`
const names = 'c.name as customer_name, c.email as customer_email, p.name as project_name, p.code as project_code'
export const namesOf = statement(Names, `select t.id, ${names} from invoices t ${joins} where t.business_id = :business_id and t.id = any(:ids)`)

const { variant_name: _variant_name, variant_id: _variant_id, ...line_properties } = LineItem.properties
export const linesOf = statement(
  Type.Object({ ...line_properties, variant_id: nullable(id()), invoice_id: id(), variant_name: nullable(Type.String()) }),
  `select ${columns(LineRow, 'l')}, case when v.name = pr.name then v.name else pr.name || ' ' || v.name end as variant_name
   from invoice_lines l
   left join product_variants v on v.business_id = l.business_id and v.id = l.variant_id
   left join products pr on pr.business_id = v.business_id and pr.id = v.product_id
   where l.business_id = :business_id and l.invoice_id = any(:ids) order by l.invoice_id, l.position`)

/** The transaction in short. Of a reversed payment it may be gone: it had been made for that payment alone. */
const withTransaction = 'invoice_payments t left join transactions x on x.business_id = t.business_id and x.id = t.transaction_id'
const summary = `case when x.id is not null then jsonb_build_object('id', x.id, 'amount', x.amount, 'currency', x.currency, 'datetime', x.datetime,
  'counterparty', x.counterparty, 'description', x.description, 'ledger_id', x.ledger_id) end`

export const paymentsOf = statement(
  InvoicePayment,
  `select ${columns(PaymentRow, 't')}, ${summary} as transaction from ${withTransaction}
   where t.business_id = :business_id and t.invoice_id = any(:ids) order by t.created_at, t.id`)

/** One invoice's payments, page by page. */
export const payments = list({
  item: InvoicePayment,
  select: `${columns(PaymentRow, 't')}, ${summary} as transaction`,
  from: withTransaction,
  where: 't.business_id = :business_id',
  sorts: { created_at: { column: 't.created_at', type: 'timestamptz' } },
  filters: { invoice_id: 't.invoice_id = :invoice_id', standing: 't.reversed_at is null and :standing::boolean' },
})

export const creditsOf = statement(
  CreditRow, `select ${columns(CreditRow)} from invoice_credits where business_id = :business_id and invoice_id = any(:ids) order by created_at, id`)

export const entriesOf = statement(
  Type.Object({ ...InvoiceEntry.properties, invoice_id: id(), standing: boolean() }),
  `select l.invoice_id, l.role, l.standing, e.id, e.date, e.total, e.memo
   from invoice_entries l join journal_entries e on e.business_id = l.business_id and e.id = l.entry_id
   where l.business_id = :business_id and l.invoice_id = any(:ids) order by e.number`)

const Numbered = Type.Object({ id: id(), number: nullable(Type.String()), external_id: nullable(Type.String()) })
export const byNumbers = statement(
  Numbered, 'select id, number, external_id from invoices where business_id = :business_id and number_key = any(:keys)')
export const byExternalIds = statement(
  Numbered, 'select id, number, external_id from invoices where business_id = :business_id and external_id = any(:external_ids)')

/** What customers with a credit limit owe, less what they have to their credit. */
export const exposures = statement(
  Type.Object({ customer_id: id(), exposure: cents() }),
  'select customer_id, open_balance - unapplied_credit - deposit_balance as exposure from customer_figures(:business_id, :today) where customer_id = any(:ids)')

/** Which of these transactions were dismissed from cash receipts. */
export const dismissalsOf = statement(
  Type.Object({ transaction_id: id() }), 'select transaction_id from cash_receipt_dismissals where business_id = :business_id and transaction_id = any(:ids)')

/** Which invoice an entry stands for. */
export const invoicesOfEntry = statement(
  Numbered,
  `select i.id, i.number, i.external_id from invoice_entries l join invoices i on i.business_id = l.business_id and i.id = l.invoice_id
   where l.business_id = :business_id and l.entry_id = :entry_id and l.role = 'finalization' and l.standing`)

const open = `t.status in ('open', 'partially_paid')`

export const Listed = Type.Object({ ...InvoiceRow.properties, ...Names.properties })

export const invoices = list({
  item: Listed,
  select: `${columns(InvoiceRow, 't')}, ${names}`,
  from: `invoices t ${joins}`,
  where: 't.business_id = :business_id',
  sorts: {
    created_at: { column: 't.created_at', type: 'timestamptz' },
    updated_at: { column: 't.updated_at', type: 'timestamptz' },
    invoice_date: { column: 't.invoice_date', type: 'date', nullable: true },
    due_date: { column: 't.due_date', type: 'date', nullable: true },
    number: { column: 't.number_key', type: 'text', nullable: true },
    total: { column: 't.total', type: 'bigint' },
    balance_due: { column: 't.balance_due', type: 'bigint' },
    customer_name: { column: 'c.name_key', type: 'text' },
  },
  filters: {
    status: 't.status = any(:status)',
    customer_id: 't.customer_id = :customer_id',
    project_id: 't.project_id = :project_id',
    contract_id: 't.contract_id = :contract_id',
    currency: 't.currency = :currency',
    number: 't.number_key = lower(:number)',
    invoice_date_from: 't.invoice_date >= :invoice_date_from',
    invoice_date_to: 't.invoice_date <= :invoice_date_to',
    due_date_from: 't.due_date >= :due_date_from',
    due_date_to: 't.due_date <= :due_date_to',
    total_min: 't.total >= :total_min',
    total_max: 't.total <= :total_max',
    is_overdue: `${open} and not t.uncollectible and t.due_on < :is_overdue::date`,
    is_not_overdue: `not (${open} and not t.uncollectible and t.due_on < :is_not_overdue::date)`,
    with_balance: `${open} and :with_balance::boolean`,
    without_balance: `not (${open}) and :without_balance::boolean`,
    delivered: 't.delivered = :delivered',
    uncollectible: 't.uncollectible = :uncollectible',
    revenue_treatment: 't.revenue_treatment = :revenue_treatment',
    origin: 't.origin = :origin',
    recurring_template_id: 't.recurring_template_id = :recurring_template_id',
    ai_job_id: 't.ai_job_id = :ai_job_id',
    external_id: 't.external_id = :external_id',
    tag_id: `exists (select from tag_assignments a where a.business_id = t.business_id and a.tag_id = :tag_id and a.resource_type = 'invoice' and a.resource_id = t.id)`,
    updated_since: 't.updated_at >= :updated_since',
    search: `t.number_key >= lower(:search) and t.number_key <= lower(:search) || chr(65535)`,
  },
})
