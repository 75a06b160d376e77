// Drafts of credit memos: what one is made from.
import type { Static } from 'typebox'
import { CURRENCIES } from '../../foundation/money.ts'
import { boolean, date, id, integer, list, nullable, oneOf, optional, shape, text } from '../../foundation/shapes.ts'
import { rate } from '../../ledger/journal/contract.ts'
import { endpoint, KINDS, params, REASONS } from '../credit-memos/contract.ts'
import { LineInput, MOST_LINES, TAX_MODES } from '../sales-lines/contract.ts'

export const amount = integer(1, Number.MAX_SAFE_INTEGER, { description: 'Integer cents in the currency of the credit memo.' })

export const CreditLineInput = shape('CreditLineInput', {
  ...LineInput.properties,
  invoice_line_id: optional(nullable(id({
    description: 'The line of the invoice that is credited, at its own price and tax: so many units (quantity), or with unit_price an amount of quantity × unit_price.',
  }))),
  restock: optional(nullable(boolean({ description: 'What was delivered of these units comes back into stock when the note is finalized; not with unit_price.' }))),
})
export type CreditLineInput = Static<typeof CreditLineInput>

/** What a person may set while it is a draft. */
export const draftFields = {
  credit_date: optional(nullable(date({ description: 'Default: today.' }))),
  fx_rate: optional(nullable(rate)),
  invoice_id: optional(nullable(id({ description: 'Of a credit note: the invoice that is credited.' }))),
  line_items: optional(nullable(list(CreditLineInput, { maxItems: MOST_LINES, description: 'Of a credit note.' }))),
  amount: optional(nullable({ ...amount, description: 'Of money: how much was received. Default: what is left of the transaction.' })),
  transaction_id: optional(nullable(id({ description: 'Of money: the deposit it came with. Without one a transaction is recorded on the deposit ledger.' }))),
  deposit_ledger_id: optional(nullable(id({ description: 'Default: by the settings, else undeposited funds.' }))),
  order_id: optional(nullable(id())),
  reason: optional(nullable(oneOf(REASONS))),
  description: optional(nullable(text(0, 2000))),
}

export const creditMemoInput = {
  customer_id: id(),
  kind: optional(oneOf(KINDS, { default: 'credit_note' })),
  currency: optional(oneOf(CURRENCIES, { description: 'Default: that of the invoice, of the money received, of the customer.' })),
  tax_mode: optional(oneOf(TAX_MODES, { description: 'Default: that of the invoice, else by the tax settings.' })),
  ...draftFields,
}
export const CreditMemoInput = shape('CreditMemoInput', creditMemoInput)
export type CreditMemoInput = Static<typeof CreditMemoInput>

/** How much of an invoice a credit note takes back. */
export const creditedPart = {
  mode: oneOf(['full', 'lines', 'amount'], {
    description: 'full: all that is left of it. lines: units or amounts of some lines. amount: so much of the total with tax, over all lines in proportion.',
  }),
  lines: optional(nullable(list(shape('CreditedInvoiceLine', {
    invoice_line_id: id(),
    quantity: optional(nullable(integer(1, Number.MAX_SAFE_INTEGER, { description: 'Units; the last ones take what rounding left.' }))),
    amount: optional(nullable({ ...amount, description: 'Instead of quantity: integer cents of the amount of the line.' })),
  }), { maxItems: MOST_LINES }))),
  amount: optional(nullable(amount)),
  restock: optional(nullable(boolean({ description: 'What was delivered of the credited units comes back into stock, at the cost it left with.' }))),
}
const CreditedPart = shape('', creditedPart)
export type CreditedPart = Static<typeof CreditedPart>

export const deleteMemo = endpoint({
  id: 'delete_credit_memo', method: 'DELETE', path: '/{memo_id}', summary: 'Delete a draft',
  params,
  reply: shape('DeletedCreditMemo', { id: id(), deleted: boolean() }),
  refusals: ['The credit memo is finalized: void it.'],
})
