// The register of a ledger: its lines in the order of their dates, each with the balance after it.
import { Type, type Static } from 'typebox'
import { endpointsOf, listQuery, pageOf } from '../../foundation/endpoint.ts'
import { boolean, cents, date, id, integer, list, nullable, optional, shape, text } from '../../foundation/shapes.ts'
import { currency } from '../ledgers/contract.ts'

const signs = 'positive on the side of the ledger\'s type'

const line = {
  id: id(),
  entry_id: id(),
  entry_number: integer(1),
  date: date(),
  ledger_id: id({ description: 'This ledger, or one that is merged into it.' }),
  currency,
  amount: cents({ description: 'Integer cents in the currency of the line; debit positive.' }),
  base_amount: cents({ description: 'Integer cents in the base currency; debit positive.' }),
  rate: Type.String({ description: 'Units of the base currency for one of the currency.' }),
  memo: nullable(text(1, 500, { description: 'Of the line, else of its entry.' })),
  source_type: Type.String(),
  source_id: nullable(id()),
  customer_id: nullable(id()),
  vendor_id: nullable(id()),
  project_id: nullable(id()),
  dimension_value_ids: list(id()),
  is_adjusting: boolean(),
  superseded: boolean(),
}

/** A line as it is read, before its balance is known. */
export const LineRow = Type.Object(line)
export type LineRow = Static<typeof LineRow>

export const RegisterLine = shape('RegisterLine', {
  ...line,
  debit: cents({ description: 'The amount where it is a debit, else 0.' }),
  credit: cents({ description: 'The amount where it is a credit, else 0.' }),
  balance: cents({ description: `After this line, of all lines in the currency of the ledger; ${signs}.` }),
  base_balance: cents({ description: `After this line, of all lines in the base currency; ${signs}.` }),
})
export type RegisterLine = Static<typeof RegisterLine>

export const RegisterPage = shape('RegisterPage', {
  ...pageOf(RegisterLine).properties,
  opening_balance: cents({ description: 'In the currency of the ledger, before the earliest line of this page.' }),
  opening_base_balance: cents({ description: 'In the base currency, before the earliest line of this page.' }),
})
export type RegisterPage = Static<typeof RegisterPage>

export const listLines = endpointsOf('ledgers', 'business')({
  id: 'list_ledger_lines', method: 'GET', path: '/{ledger_id}/lines', summary: 'List the lines of a ledger with running balances',
  description: [
    'By date, and by the order of posting within a day. The running balance counts every line before, also those that the filters leave out.',
    'Lines of ledgers that are merged into it are among them.',
  ].join(' '),
  params: shape('RegisterParams', { ledger_id: id() }),
  query: listQuery(['date'], {
    start_date: optional(date()),
    end_date: optional(date()),
    include_superseded: optional(boolean({ default: false, description: 'Also entries that were put on another date, with their reversals.' })),
  }),
  reply: RegisterPage,
})
