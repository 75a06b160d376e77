// The SQL of cash receipts. The uses of a deposit are the claims on it, so uses and rest add up to it whatever document comes along.
import { Type } from 'typebox'
import { command, statement } from '../../foundation/database/statement.ts'
import { date, list, nullable } from '../../foundation/shapes.ts'
import { Dismissal } from '../deposit-candidates/contract.ts'
import { CashReceiptRow, DismissalRow, Figures, ReceiptUse, UndepositedReceipt } from './contract.ts'

const deposits = `transactions t left join cash_receipt_dismissals d on d.business_id = t.business_id and d.transaction_id = t.id`
const are_deposits = `t.business_id = :business_id and t.kind = 'bank' and t.amount > 0 and t.exclude_reason is null
  and t.datetime between :from and :to and t.ledger_id = any(:ledger_ids)`
const week_start = `t.datetime - (extract(isodow from t.datetime)::int - 1)`

const notPaidOut = (condition: string) => `not exists (select from processor_charges h
      join processor_payouts p on p.business_id = h.business_id and p.id = h.payout_id
      where h.business_id = c.business_id and p.journal_entry_id is not null and ${condition})`

/** Claims on rows that documents posted without the bank, still on their way to it: a charge is there once its payout is in the books. */
const undeposited = `transactions t
  join transaction_claims c on c.business_id = t.business_id and c.transaction_id = t.id
  where t.business_id = :business_id and t.kind = 'book' and t.amount > 0 and t.bank_transaction_id is null
    and t.datetime between :from and :to and t.ledger_id = any(:transit_ids)
    and ${notPaidOut('h.invoice_id = c.document_id and h.payment_id = c.id')} and ${notPaidOut('h.credit_memo_id = c.document_id')}
    and ${notPaidOut('h.id = c.document_id')}`

const words = (types: readonly string[]) => types.map((type) => `'${type}'`).join(', ')
const use = (name: string, ...types: string[]) => `coalesce(sum(f.amount) filter (where f.what in (${words(types)})), 0)::bigint as ${name}`
const named = ['invoice', 'sales_receipt', 'credit_memo', 'processor_payout', 'payout']

export const weeks = statement(
  Type.Object({ week_start: date(), ...Figures }),
  `with found as (
     select ${week_start} as week_start, t.id, t.amount, t.amount - t.claimed as remaining, d.transaction_id is not null as dismissed
     from ${deposits} where ${are_deposits}),
   facts as (
     select week_start, 'deposit' as what, amount from found
     union all select week_start, case when dismissed then 'dismissed' else 'unmatched' end, remaining from found where remaining > 0
     union all select o.week_start, case when c.document_type in (${words(named)}) then c.document_type else 'other' end, c.amount
       from found o join transaction_claims c on c.business_id = :business_id and c.transaction_id = o.id
     union all select ${week_start}, 'undeposited', c.amount from ${undeposited})
   select f.week_start, ${[
     use('deposits', 'deposit'), `count(*) filter (where f.what = 'deposit') as deposit_count`, use('invoice_payments', 'invoice'),
     use('sales_receipts', 'sales_receipt'), use('customer_deposits', 'credit_memo'), use('payouts', 'processor_payout', 'payout'), use('other', 'other'),
     use('dismissed', 'dismissed'), use('unmatched', 'unmatched'), `count(*) filter (where f.what = 'unmatched') as unmatched_count`, use('undeposited', 'undeposited'),
   ].join(', ')}
   from facts f group by f.week_start order by f.week_start`)

const deposit = `jsonb_build_object('id', t.id, 'amount', t.amount, 'currency', t.currency, 'datetime', t.datetime, 'counterparty', t.counterparty,
  'description', t.description, 'ledger_id', t.ledger_id, 'reference', t.reference) as transaction`
const numbers = `left join invoices i on c.document_type = 'invoice' and i.business_id = c.business_id and i.id = c.document_id
  left join credit_memos m on c.document_type = 'credit_memo' and m.business_id = c.business_id and m.id = c.document_id
  left join processor_payouts p on c.document_type = 'processor_payout' and p.business_id = c.business_id and p.id = c.document_id`
const number = 'coalesce(i.number, m.number, p.processor_payout_id)'

const { transaction, remaining } = CashReceiptRow.properties
const { reason, note, dismissed_by, dismissed_at } = Dismissal.properties

export const weekRows = statement(
  Type.Object({ transaction, uses: list(ReceiptUse), remaining, reason: nullable(reason), note, dismissed_by, dismissed_at: nullable(dismissed_at) }),
  `select ${deposit}, t.amount - t.claimed as remaining, d.reason, d.note, d.dismissed_by, d.dismissed_at,
     coalesce((select jsonb_agg(jsonb_build_object('type', c.document_type, 'id', c.document_id, 'number', ${number}, 'amount', c.amount) order by c.id)
       from transaction_claims c ${numbers} where c.business_id = t.business_id and c.transaction_id = t.id), '[]') as uses
   from ${deposits} where ${are_deposits} order by t.datetime, t.id`)

export const weekUndeposited = statement(
  UndepositedReceipt,
  `select c.document_type as type, c.document_id as id, ${number} as number, c.amount, c.payment_id, c.transaction
   from (select c.business_id, c.document_type, c.document_id, c.amount, c.id as payment_id, t.datetime, ${deposit} from ${undeposited}) c ${numbers}
   order by c.datetime, c.payment_id`)

export const findDismissal = statement(
  DismissalRow,
  `select transaction_id, reason, note, dismissed_by, dismissed_at from cash_receipt_dismissals
   where business_id = :business_id and transaction_id = :transaction_id`)
export const insertDismissal = command(
  `insert into cash_receipt_dismissals (business_id, transaction_id, reason, note, dismissed_by, dismissed_at)
   values (:business_id, :transaction_id, :reason, :note, :dismissed_by, :dismissed_at)`)
export const deleteDismissal = command('delete from cash_receipt_dismissals where business_id = :business_id and transaction_id = :transaction_id')
