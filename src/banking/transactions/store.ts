// The SQL that finds and adds up transactions. They are written by the cash book alone.
import { Type } from 'typebox'
import { list } from '../../foundation/database/list.ts'
import { statement } from '../../foundation/database/statement.ts'
import { cents, date, id, integer, nullable, oneOf } from '../../foundation/shapes.ts'
import { STATUSES, TransactionRow } from '../../ledger/cash-book/contract.ts'

export const transactions = list({
  item: TransactionRow,
  from: 'transactions t',
  where: 't.business_id = :business_id',
  sorts: {
    datetime: { column: 't.datetime', type: 'date' },
    amount: { column: 't.amount', type: 'bigint' },
    counterparty: { column: 't.counterparty_key', type: 'text', nullable: true },
    created_at: { column: 't.created_at', type: 'timestamptz' },
  },
  filters: {
    uncovered: 't.bank_transaction_id is null',
    kind: 't.kind = :kind',
    view_kind: 't.kind = :view_kind',
    ledger_id: 't.ledger_id = :ledger_id',
    status: 't.status = any(:status)',
    source: 't.source = :source',
    start_date: 't.datetime >= :start_date',
    end_date: 't.datetime <= :end_date',
    min_amount: 't.amount >= :min_amount',
    max_amount: 't.amount <= :max_amount',
    money_in: 't.amount > 0',
    money_out: 't.amount < 0',
    counterparty: 't.counterparty_key = lower(:counterparty)',
    customer_id: 't.customer_id = :customer_id',
    vendor_id: 't.vendor_id = :vendor_id',
    category_ledger_id: 't.id in (select transaction_id from transaction_lines where business_id = :business_id and ledger_id = :category_ledger_id)',
    needs_category: `:needs_category = (t.id in (select transaction_id from transaction_categories where business_id = :business_id and source = 'uncategorized'))`,
    q: 't.id in (select search_transactions(:business_id, :q))',
  },
})

/** Rows of the register: a book row that a bank row proves would count the same money twice. */
export const figures = statement(
  Type.Object({ ledger_id: id(), status: oneOf(STATUSES), count: integer(), total: cents(), oldest: date() }),
  `select ledger_id, status, count(*) as count, sum(amount)::bigint as total, min(datetime) as oldest from transactions
   where business_id = :business_id and bank_transaction_id is null and ledger_id = any(:ledger_ids)
   group by ledger_id, status order by ledger_id, status`)

/** What the books say of ledgers in their own currency, debit positive. */
export const bookBalances = statement(
  Type.Object({ ledger_id: id(), amount: cents() }),
  `select m.ledger_id, sum(m.amount)::bigint as amount from ledger_months m
   join ledgers l on l.business_id = m.business_id and l.id = m.ledger_id and l.currency = m.currency
   where m.business_id = :business_id and m.ledger_id = any(:ledger_ids) group by m.ledger_id`)

export const openBetween = statement(
  Type.Object({ count: integer(), oldest: nullable(date()) }),
  `select count(*) as count, min(datetime) as oldest from transactions
   where business_id = :business_id and status = any('{unreviewed,partially_allocated}') and datetime between :start_date and :end_date`)
