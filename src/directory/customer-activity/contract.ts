// What a customer owes by the books: the balance by currency, and the lines that lead to it.
import { Type, type Static } from 'typebox'
import { endpointsOf, listQuery, pageOf } from '../../foundation/endpoint.ts'
import { CURRENCIES } from '../../foundation/money.ts'
import { boolean, cents, date, id, integer, list, nullable, oneOf, optional, shape, text, timestamp } from '../../foundation/shapes.ts'
import { customerParams } from '../customers/contract.ts'

const currency = oneOf(CURRENCIES)

export const CurrencyBalance = shape('CustomerCurrencyBalance', {
  currency,
  balance: cents({ description: 'Integer cents in that currency; what they owe is positive.' }),
  base_balance: cents({ description: 'The same in the base currency, as it stands in the books.' }),
})

export const CustomerCredit = shape('CustomerCredit', {
  customer_id: id({ description: 'Who holds the limit: this customer, or the nearest one above.' }),
  limit: cents(),
  used: cents({ description: 'What is receivable now from the holder and all below, less credits and deposits that are not applied yet.' }),
  left: cents({ description: 'Negative where the limit is passed.' }),
})
export type CustomerCredit = Static<typeof CustomerCredit>

export const CustomerBalance = shape('CustomerBalance', {
  customer_id: id({ description: 'For a merged customer the one it was merged into.' }),
  as_of: date(),
  known_at: nullable(timestamp()),
  base_currency: currency,
  receivable: cents({ description: 'Integer cents in the base currency.' }),
  deposits: cents({ description: 'Integer cents in the base currency that were paid in advance.' }),
  currencies: list(CurrencyBalance, { description: 'What is receivable, by the currency of its lines.' }),
  credit: nullable(CustomerCredit),
})
export type CustomerBalance = Static<typeof CustomerBalance>

const line = {
  id: id(),
  entry_id: id(),
  entry_number: integer(1),
  date: date(),
  customer_id: id({ description: 'This customer, or one that is merged into it.' }),
  currency,
  amount: cents({ description: 'Integer cents in the currency of the line; what they owe more is positive.' }),
  base_amount: cents({ description: 'The same in the base currency.' }),
  memo: nullable(text(1, 500, { description: 'Of the line, else of its entry.' })),
  source_type: Type.String(),
  source_id: nullable(id()),
  settles_line_id: nullable(id({ description: 'The line that this one settles.' })),
  superseded: boolean(),
}
export const LineRow = Type.Object(line)
export type LineRow = Static<typeof LineRow>

export const CustomerLine = shape('CustomerLine', {
  ...line, balance: cents({ description: 'Integer cents in the base currency: what is receivable after this line.' }),
})
export type CustomerLine = Static<typeof CustomerLine>

export const CustomerActivity = shape('CustomerActivity', {
  ...pageOf(CustomerLine).properties,
  opening_balance: cents({ description: 'In the base currency, before the earliest line of this page.' }),
})
export type CustomerActivity = Static<typeof CustomerActivity>

const endpoint = endpointsOf('customers', 'business')

export const getBalance = endpoint({
  id: 'get_customer_balance', method: 'GET', path: '/{customer_id}/balance', summary: 'Get what a customer owes, by currency',
  description: 'As of a day, and as the books knew it at a moment. With what customers owe that were merged into this one.',
  params: customerParams,
  query: shape('CustomerBalanceQuery', {
    as_of: optional(date({ description: 'Today unless said.' })), known_at: optional(timestamp({ description: 'Now unless said.' })),
  }),
  reply: CustomerBalance,
})

export const getActivity = endpoint({
  id: 'get_customer_activity', method: 'GET', path: '/{customer_id}/activity', summary: 'List what a customer was charged and paid',
  description: [
    'The lines of the receivable by date, each with the balance after it. The running balance counts every line before, also those that the filters',
    'leave out. Lines of customers that were merged into this one are among them.',
  ].join(' '),
  params: customerParams,
  query: listQuery(['date'], {
    start_date: optional(date()),
    end_date: optional(date()),
    include_superseded: optional(boolean({ default: false, description: 'Also entries that were put on another date, with their reversals.' })),
  }),
  reply: CustomerActivity,
})
