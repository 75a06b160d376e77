// What a refund posts.
import { addCents, type Currency } from '../../foundation/money.ts'
import type { CashRow } from '../../ledger/cash-book/contract.ts'
import type { Posting, PostingLine } from '../../ledger/posting/contract.ts'
import type { MemoRow } from '../credit-memos/contract.ts'
import { baseShare, isMoney, nameOf } from '../credit-memos/rules.ts'

export type Accounts = { receivable: string; deposits: string; gains: () => string }

export type Refunding = { id: string; amount: number; transaction_amount: number; refunded_on: string }

/** Debits what the customer has to their credit, in the first line; credits the ledger of the transaction. `cash_base` is what the money is worth. */
export function refundPosting(memo: MemoRow, { id, amount, transaction_amount, refunded_on }: Refunding, transaction: CashRow, accounts: Accounts, base: Currency, cash_base: number): Posting {
  const { currency, customer_id } = memo
  const cash: PostingLine = {
    ledger_id: transaction.ledger_id, amount: -transaction_amount, currency: transaction.currency as Currency, base_amount: transaction.currency === base ? undefined : -cash_base, customer_id,
  }
  return {
    date: refunded_on, source_type: 'credit_refund', source_id: id, area: 'receivables', currency, automatic: true, memo: `Refund of ${nameOf(memo)}`,
    lines: isMoney(memo)
      ? heldLines(memo, amount, cash, accounts, base, cash_base)
      : [{ ledger_id: accounts.receivable, amount, customer_id, settles_line_id: memo.receivable_line_id }, cash],
  }
}

/** Money that was held is given back at what it is carried at; what the rate has made of it since is realised. */
function heldLines(memo: MemoRow, amount: number, cash: PostingLine, { deposits, gains }: Accounts, base: Currency, cash_base: number): PostingLine[] {
  const { currency, customer_id } = memo
  if (currency === base) return [{ ledger_id: deposits, amount, customer_id }, cash]
  const carried = baseShare(memo, amount)
  const gain = addCents(cash_base, -carried)
  const line = { ledger_id: deposits, amount, base_amount: carried, customer_id }
  return gain === 0 ? [line, cash] : [line, cash, { ledger_id: gains(), amount: gain, currency: base }]
}
