// The SQL of what credit memos settle.
import { Type } from 'typebox'
import { list } from '../../foundation/database/list.ts'
import { statement } from '../../foundation/database/statement.ts'
import { id } from '../../foundation/shapes.ts'
import { CreditApplication } from './contract.ts'

export const applications = list({
  item: CreditApplication,
  select: `t.id, t.credit_memo_id, t.invoice_id, i.number as invoice_number, t.amount, i.currency, t.applied_on, t.journal_entry_id, t.created_at, t.reversed_at`,
  from: 'invoice_credits t join invoices i on i.business_id = t.business_id and i.id = t.invoice_id',
  where: 't.business_id = :business_id',
  sorts: { created_at: { column: 't.created_at', type: 'timestamptz' } },
  filters: { credit_memo_id: 't.credit_memo_id = :credit_memo_id', standing: 't.reversed_at is null and :standing::boolean' },
})

export const invoiceOf = statement(
  Type.Object({ invoice_id: id() }), 'select invoice_id from invoice_credits where business_id = :business_id and id = :id and credit_memo_id = :memo_id')

/** What these customers owe, by id. */
export const openInvoicesOf = statement(
  Type.Object({ id: id() }),
  `select id from invoices where business_id = :business_id and customer_id = any(:customer_ids) and status in ('open', 'partially_paid') and not uncollectible
     and invoice_date <= :applied_on order by id`)

/** The customer with those merged into it. */
export const membersOf = statement(
  Type.Object({ id: id() }), 'select id from customers where business_id = :business_id and target_id = (select target_id from customers where business_id = :business_id and id = :customer_id)')
