// Credit memos: everything a customer has to their credit. The shape of one, and the operations that read it.
import { Type, type Static } from 'typebox'
import { endpointsOf, listQuery, pageOf } from '../../foundation/endpoint.ts'
import { LIST_FILE_REFUSALS, LIST_FILE_WORDS, listFileFormat, listFileReply } from '../../foundation/list-file.ts'
import { CURRENCIES } from '../../foundation/money.ts'
import { resource } from '../../foundation/resource.ts'
import { boolean, cents, date, id, integer, list, nullable, oneOf, optional, record, shape, text, timestamp } from '../../foundation/shapes.ts'
import { rate } from '../../ledger/journal/contract.ts'
import { SalesLine, TAX_MODES } from '../sales-lines/contract.ts'

export const KINDS = ['credit_note', 'overpayment', 'deposit'] as const
export const STATUSES = ['draft', 'open', 'closed', 'void'] as const
export const REASONS = ['return', 'discount', 'error', 'goodwill', 'early_payment', 'processor_refund', 'other'] as const
export const ENTRY_ROLES = ['finalization', 'restock', 'application', 'refund'] as const

export type Kind = (typeof KINDS)[number]
export type Status = (typeof STATUSES)[number]

/** A credit memo as it is kept. */
export const MemoRow = Type.Object({
  ...record,
  kind: oneOf(KINDS, { description: 'credit_note: takes back what was invoiced. overpayment, deposit: money that no invoice has taken yet.' }),
  status: oneOf(STATUSES, { description: 'closed: nothing remains; open again once a use is undone.' }),
  customer_id: id(),
  number: nullable(text(1, 100, { description: 'Assigned when it is finalized.' })),
  credit_date: date({ description: 'The date on which its entry is posted.' }),
  currency: oneOf(CURRENCIES),
  fx_rate: nullable(rate),
  invoice_id: nullable(id({ description: 'Of a credit note: the invoice that is credited.' })),
  contract_id: nullable(id({ description: 'The contract that the invoice billed when the note was finalized.' })),
  order_id: nullable(id()),
  transaction_id: nullable(id({ description: 'Of money: the deposit it came with.' })),
  deposit_ledger_id: nullable(id({ description: 'Of money without a transaction: where it is kept.' })),
  reason: nullable(oneOf(REASONS)),
  description: nullable(text(0, 2000)),
  tax_mode: oneOf(TAX_MODES),
  subtotal: cents(),
  tax_total: cents(),
  total: cents(),
  applied_total: cents({ description: 'What settles invoices.' }),
  refunded_total: cents({ description: 'What went back to the customer.' }),
  base_total: nullable(cents()),
  base_remaining: nullable(cents({ description: 'What the rest is carried at, in the base currency.' })),
  journal_entry_id: nullable(id()),
  receivable_line_id: nullable(id()),
  finalized_at: nullable(timestamp()),
  voided_at: nullable(timestamp()),
})
export type MemoRow = Static<typeof MemoRow>

const credited = {
  invoice_line_id: nullable(id({ description: 'The line of the invoice that is credited.' })),
  quantity_credited: integer(0, undefined, { description: 'How many units of that line; 0 where an amount is credited.' }),
  restock: boolean({ description: 'What was delivered of these units comes back into stock.' }),
  quantity_returned: integer(0, undefined, { description: 'How many units came back.' }),
}

/** A line as it is kept. */
export const MemoLineRow = Type.Object({ ...SalesLine.properties, ...credited, credit_memo_id: id() })
export type MemoLineRow = Static<typeof MemoLineRow>

export const CreditMemoLine = shape('CreditMemoLine', {
  ...SalesLine.properties,
  ...credited,
  variant_id: nullable(Type.String({ description: 'A product variant, or the word custom for a line by hand.' })),
})

export const CreditMemoEntry = shape('CreditMemoEntry', { id: id(), date: date(), role: oneOf(ENTRY_ROLES), total: cents(), memo: nullable(Type.String()) })

const { receivable_line_id: _line, ...shown } = MemoRow.properties

export const CreditMemo = shape('CreditMemo', {
  ...shown,
  remaining: cents({ description: 'total - applied_total - refunded_total.' }),
  customer_name: nullable(Type.String()),
  invoice_number: nullable(Type.String()),
  line_items: nullable(list(CreditMemoLine, { description: 'null in lists.' })),
  journal_entries: nullable(list(CreditMemoEntry, { description: 'Those that stand; null in lists.' })),
})
export type CreditMemo = Static<typeof CreditMemo>

export const memoResource = resource({
  type: 'credit_memo', group: 'credit-memos', shape: MemoRow, table: 'credit_memos', label: 'number',
  events: [
    'credit_memo.created', 'credit_memo.updated', 'credit_memo.deleted', 'credit_memo.finalized', 'credit_memo.redated', 'credit_memo.applied', 'credit_memo.unapplied',
    'credit_memo.refunded', 'credit_memo.refund_reversed', 'credit_memo.refund_failed', 'credit_memo.voided',
  ],
})
export type MemoEvent = (typeof memoResource.events)[number]

export const endpoint = endpointsOf('credit-memos', 'business')
export const params = shape('CreditMemoParams', { memo_id: id() })

export const filters = {
  status: optional(list(oneOf(STATUSES), { maxItems: 4 })),
  kind: optional(oneOf(KINDS)),
  customer_id: optional(id()),
  invoice_id: optional(id()),
  order_id: optional(id()),
  has_remaining: optional(boolean({ description: 'true: open ones, of which something can still be used.' })),
  credit_date_from: optional(date()),
  credit_date_to: optional(date()),
  tag_id: optional(id()),
  updated_since: optional(timestamp()),
  search: optional(text(1, 200, { description: 'The beginning of a number.' })),
}

export const listMemos = endpoint({
  id: 'list_credit_memos', method: 'GET', path: '', summary: 'List credit memos',
  query: listQuery(['created_at', 'credit_date', 'number', 'total', 'remaining'], filters),
  reply: pageOf(CreditMemo),
})

export const exportMemos = endpoint({
  id: 'export_credit_memos', method: 'GET', path: '/export', summary: 'Export credit memos as a file',
  description: LIST_FILE_WORDS,
  query: shape('CreditMemoExportQuery', { ...filters, format: listFileFormat }),
  reply: listFileReply,
  refusals: LIST_FILE_REFUSALS,
})

export const getMemo = endpoint({
  id: 'get_credit_memo', method: 'GET', path: '/{memo_id}', summary: 'Get a credit memo',
  params,
  reply: CreditMemo,
})
