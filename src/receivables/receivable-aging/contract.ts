// Aging: what customers owe by how long it has been due, tied to the receivable in the books.
import { Type, type Static } from 'typebox'
import { listQuery, pageOf } from '../../foundation/endpoint.ts'
import { CURRENCIES } from '../../foundation/money.ts'
import { boolean, cents, date, id, integer, list, nullable, oneOf, optional, shape, timestamp } from '../../foundation/shapes.ts'
import { endpoint } from '../invoices/contract.ts'

const currency = oneOf(CURRENCIES)

export const AGING_BY = ['due_date', 'invoice_date'] as const

const base = 'Integer cents in the base currency.'
const within = (days: string) => cents({ description: `Late by ${days}, or by what buckets says. ${base}` })

export const amounts = {
  current: cents({ description: `Not late yet. ${base}` }),
  d1_30: within('1 to 30 days'),
  d31_60: within('31 to 60 days'),
  d61_90: within('61 to 90 days'),
  over_90: within('more than 90 days'),
  unapplied_credits: cents({ description: `Credit notes not used yet, and payments that came before their invoice: never positive. ${base}` }),
  total: cents({ description: `The sum of the other columns. ${base}` }),
}
export const AgingAmounts = shape('AgingAmounts', amounts)
export type AgingAmounts = Static<typeof AgingAmounts>

export const AgingItem = shape('AgingItem', {
  invoice_id: nullable(id()),
  credit_memo_id: nullable(id()),
  journal_entry_id: nullable(id({ description: 'The entry that opened it. null of the exchange differences of a revaluation, which belong to no document.' })),
  number: nullable(Type.String({ description: 'Of the invoice or the credit memo.' })),
  date: nullable(date({ description: 'Of the invoice, else of the entry.' })),
  due_date: nullable(date()),
  days: integer(0, 4_000_000, { description: 'Days late at as_of, counted from the date that aging_by names.' }),
  amount: cents({ description: `What was open at as_of. ${base}` }),
})
export type AgingItem = Static<typeof AgingItem>

export const AgingRow = shape('AgingRow', {
  customer_id: nullable(id({ description: 'With those merged into it; null: lines of the receivable that name nobody, as a revaluation has.' })),
  customer_name: nullable(Type.String()),
  ...amounts,
  items: nullable(list(AgingItem, { description: 'With detail=true only.' })),
})
export type AgingRow = Static<typeof AgingRow>

export const ReceivableAging = shape('ReceivableAging', {
  ...pageOf(AgingRow).properties,
  as_of: date(),
  known_at: nullable(timestamp()),
  aging_by: oneOf(AGING_BY),
  buckets: list(integer(), { description: 'The last day of the columns d1_30, d31_60 and d61_90.' }),
  base_currency: currency,
  totals: AgingAmounts,
  control_balance: cents({ description: `What the books say is receivable at as_of, of the customer and currency asked for. ${base}` }),
  difference: cents({ description: 'control_balance less the total: 0.' }),
})
export type ReceivableAging = Static<typeof ReceivableAging>

export const agingQuery = listQuery(['total', 'customer_name'], {
  as_of: optional(date({ description: 'Today unless said.' })),
  known_at: optional(timestamp({ description: 'As the books knew it at that moment. Due dates are those of today.' })),
  aging_by: optional(oneOf(AGING_BY, { default: 'due_date' })),
  bucket_days: optional(list(integer(1, 3650), {
    minItems: 3, maxItems: 3, default: [30, 60, 90], description: 'Three numbers of days, ascending. The names of the columns stay.',
  })),
  customer_id: optional(id()),
  currency: optional(currency),
  detail: optional(boolean({ default: false, description: 'Also the items behind each row.' })),
})
export type AgingQuery = Static<typeof agingQuery>

export const getAging = endpoint({
  id: 'get_receivable_aging', method: 'GET', path: '/aging', summary: 'Get open receivables by age and customer',
  description: 'Invoices that are open, credit notes that are not used up and items of the journal itself, at any day, in the base currency. '
    + 'Items of the journal age by their date; what was written off is not in it. The totals are those of all pages.',
  live: true,
  query: agingQuery,
  reply: ReceivableAging,
})
