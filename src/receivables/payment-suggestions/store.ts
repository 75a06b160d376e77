// The SQL of payment suggestions and of the runs that make them.
import { Type } from 'typebox'
import { constraintMeans } from '../../foundation/database/errors.ts'
import { list } from '../../foundation/database/list.ts'
import { insertion, insertions, updatings } from '../../foundation/database/rows.ts'
import { columns, command, statement } from '../../foundation/database/statement.ts'
import { boolean, cents, id, list as listOf, nullable, oneOf } from '../../foundation/shapes.ts'
import { AllocationRow, MatchRun, PaymentSuggestion, SuggestionRow } from './contract.ts'

constraintMeans('payment_suggestions_pending', 'The same is suggested already: read the suggestions again.')

export const insertRun = insertion('payment_match_runs', MatchRun)

export const insertSuggestions = insertions('payment_suggestions', SuggestionRow)
export const insertAllocations = insertions('payment_suggestion_allocations', AllocationRow)

export const updateSuggestions = updatings(
  'payment_suggestions', ['run_id', 'total', 'confidence', 'reasons', 'status', 'decision_reason', 'decided_by', 'decided_at', 'updated_at', 'version'])

export const deleteAllocations = command('delete from payment_suggestion_allocations where business_id = :business_id and suggestion_id = :suggestion_id')

/** Deposit and invoices are what they were: nothing was claimed or dismissed, paid, voided or given up since. */
const standing = `(x.claimed = t.transaction_claimed and x.amount = t.transaction_amount and x.currency = t.currency and x.exclude_reason is null
  and not exists (select from cash_receipt_dismissals d where d.business_id = t.business_id and d.transaction_id = t.transaction_id)
  and not exists (select from payment_suggestion_allocations a join invoices i on i.business_id = a.business_id and i.id = a.invoice_id
    where a.business_id = t.business_id and a.suggestion_id = t.id
      and (i.total_paid <> a.invoice_paid or i.status not in ('open', 'partially_paid') or i.uncollectible)))`
const from = 'payment_suggestions t join transactions x on x.business_id = t.business_id and x.id = t.transaction_id'
const status_now = `case when t.status = 'pending' and not ${standing} then 'superseded' else t.status end`

const { transaction: _transaction, allocations: _allocations, status: _status, ...plain } = PaymentSuggestion.properties
const shown = `${columns(Type.Object(plain), 't')}, ${status_now} as status,
  jsonb_build_object('id', x.id, 'amount', x.amount, 'currency', x.currency, 'datetime', x.datetime, 'counterparty', x.counterparty, 'description', x.description,
    'ledger_id', x.ledger_id, 'reference', x.reference) as transaction,
  (select jsonb_agg(jsonb_build_object('invoice_id', i.id, 'number', i.number, 'customer_id', c.id, 'customer_name', c.name, 'amount', a.amount) order by a.position)
   from payment_suggestion_allocations a
   join invoices i on i.business_id = a.business_id and i.id = a.invoice_id
   join customers c on c.business_id = i.business_id and c.id = i.customer_id
   where a.business_id = t.business_id and a.suggestion_id = t.id) as allocations`

export const suggestions = list({
  item: PaymentSuggestion,
  select: shown,
  from,
  where: 't.business_id = :business_id',
  sorts: { created_at: { column: 't.created_at', type: 'timestamptz' }, confidence: { column: 't.confidence', type: 'integer' } },
  filters: {
    // What is kept narrows by an index; what is true now decides.
    kept_status: 't.status = any(:kept_status)',
    status: `${status_now} = any(:status)`,
    transaction_id: 't.transaction_id = :transaction_id',
    min_confidence: 't.confidence >= :min_confidence',
    invoice_id: `t.id in (select a.suggestion_id from payment_suggestion_allocations a where a.business_id = :business_id and a.invoice_id = :invoice_id)`,
  },
})

export const findSuggestion = statement(PaymentSuggestion, `select ${shown} from ${from} where t.business_id = :business_id and t.id = :id`)

const own = columns(SuggestionRow, 't')
export const lockSuggestion = statement(SuggestionRow, `select ${own} from payment_suggestions t where t.business_id = :business_id and t.id = :id for update`)
export const allocationsOf = statement(
  AllocationRow,
  `select ${columns(AllocationRow)} from payment_suggestion_allocations
   where business_id = :business_id and suggestion_id = any(:ids) order by suggestion_id, position`)

/** Every one that waits, and whether it still stands. */
export const lockPending = statement(
  Type.Object({ ...SuggestionRow.properties, standing: boolean() }),
  `select ${own}, ${standing} as standing from ${from} where t.business_id = :business_id and t.status = 'pending' order by t.id for update of t`)

/** Which of these were dismissed from cash receipts. */
export const dismissed = statement(
  Type.Object({ transaction_id: id() }), 'select transaction_id from cash_receipt_dismissals where business_id = :business_id and transaction_id = any(:ids)')

export const rejections = statement(
  Type.Object({ transaction_id: id(), invoice_ids: listOf(id()) }),
  `select transaction_id, invoice_ids from payment_suggestions where business_id = :business_id and status = 'rejected' and transaction_id = any(:ids)`)

/** What became of the deposit and the invoices of a suggestion. */
export const changesOf = statement(
  Type.Object({
    kind: oneOf(['transaction', 'invoice']), name: nullable(Type.String()), status: Type.String(), dismissed: boolean(), uncollectible: boolean(),
    was: cents(), now: cents(),
  }),
  `select 'transaction' as kind, null::text as name, x.status, 
     exists (select from cash_receipt_dismissals d where d.business_id = t.business_id and d.transaction_id = x.id) as dismissed,
     false as uncollectible, t.transaction_amount - t.transaction_claimed as was, x.amount - x.claimed as now
   from ${from} where t.business_id = :business_id and t.id = :id
   union all
   select 'invoice', i.number, i.status, false, i.uncollectible, i.total - a.invoice_paid, i.balance_due
   from payment_suggestion_allocations a join invoices i on i.business_id = a.business_id and i.id = a.invoice_id
   where a.business_id = :business_id and a.suggestion_id = :id`)

