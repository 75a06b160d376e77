// The SQL that finds deposits of which something is left, and invoices that they could pay.
import { Type } from 'typebox'
import { list } from '../../foundation/database/list.ts'
import { statement } from '../../foundation/database/statement.ts'
import { id, nullable } from '../../foundation/shapes.ts'
import { DepositFacts, Dismissal, InvoiceFacts } from './contract.ts'

const { reason, note, dismissed_by, dismissed_at } = Dismissal.properties
export const CandidateRow = Type.Object({
  ...DepositFacts.properties, reason: nullable(reason), note, dismissed_by, dismissed_at: nullable(dismissed_at),
})

const facts = `t.id, t.amount, t.currency, t.datetime, t.counterparty, t.counterparty_raw, t.description, t.reference, t.ledger_id, c.target_id as customer_id, t.claimed`
const dismissal = 'd.reason, d.note, d.dismissed_by, d.dismissed_at'
const joined = `transactions t
  join ledgers l on l.business_id = t.business_id and l.id = t.ledger_id
  left join customers c on c.business_id = t.business_id and c.id = t.customer_id
  left join cash_receipt_dismissals d on d.business_id = t.business_id and d.transaction_id = t.id`
// Money onto a card or a loan is no receipt.
const open = `t.business_id = :business_id and t.kind = 'bank' and t.amount > 0 and t.exclude_reason is null and t.claimed < t.amount and l.type = 'asset'`

export const candidates = list({
  item: CandidateRow,
  select: `${facts}, ${dismissal}`,
  from: joined,
  where: open,
  sorts: { datetime: { column: 't.datetime', type: 'date' }, amount: { column: 't.amount', type: 'bigint' } },
  filters: {
    ledger_id: 't.ledger_id = :ledger_id',
    from: 't.datetime >= :from',
    to: 't.datetime <= :to',
    dismissed: '(d.transaction_id is not null) = :dismissed',
  },
})

export const findCandidate = statement(CandidateRow, `select ${facts}, ${dismissal} from ${joined} where t.business_id = :business_id and t.id = :id`)

/** The newest that fit, so that a run of the matcher has an end. */
export const openDeposits = statement(
  DepositFacts,
  `select ${facts} from ${joined}
   where ${open} and d.transaction_id is null and (:transaction_ids::uuid[] is null or t.id = any(:transaction_ids))
     and (:from::date is null or t.datetime >= :from) and (:to::date is null or t.datetime <= :to)
   order by t.datetime desc, t.id desc limit :most`)

const invoiceFacts = `select i.id, coalesce(i.number, '') as number, k.id as customer_id, k.name as customer_name, i.currency, i.total, i.total_paid,
    coalesce(i.invoice_date, :today::date) as invoice_date, coalesce(i.due_date, i.invoice_date, :today::date) as due_on
  from invoices i
  join customers c on c.business_id = i.business_id and c.id = i.customer_id
  join customers k on k.business_id = c.business_id and k.id = c.target_id
  where i.business_id = :business_id and i.status in ('open', 'partially_paid') and not i.uncollectible and i.receivable_line_id is not null`

/** What the books still hold against customers. */
export const openInvoices = statement(InvoiceFacts, `${invoiceFacts} and (:invoice_ids::uuid[] is null or i.id = any(:invoice_ids))`)

const Id = Type.Object({ id: id() })
export const knownInvoices = statement(Id, 'select id from invoices where business_id = :business_id and id = any(:ids)')
export const knownTransactions = statement(Id, 'select id from transactions where business_id = :business_id and id = any(:ids)')
