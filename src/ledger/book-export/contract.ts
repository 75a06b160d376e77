// The books as a plain-text journal: a second opinion from programs that are not ours.
import { Type, type Static } from 'typebox'
import { endpointsOf } from '../../foundation/endpoint.ts'
import { date, id, integer, list, nullable, oneOf, optional } from '../../foundation/shapes.ts'
import { currency, LEDGER_TYPES } from '../ledgers/contract.ts'

export const EXPORT_FORMATS = ['hledger', 'beancount'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

/** What the writing needs of a ledger. */
export const ExportLedger = Type.Object({
  id: id(), number: nullable(Type.String()), name: Type.String(), type: oneOf(LEDGER_TYPES), parent_id: nullable(id()),
})
export type ExportLedger = Static<typeof ExportLedger>

export const ExportLine = Type.Object({ ledger_id: id(), currency, amount: integer(), base_amount: integer(), memo: nullable(Type.String()) })
export type ExportLine = Static<typeof ExportLine>

export const ExportEntry = Type.Object({
  number: integer(), date: date(), memo: nullable(Type.String()), source_type: Type.String(), hash: Type.String(), lines: list(ExportLine),
})
export type ExportEntry = Static<typeof ExportEntry>

const endpoint = endpointsOf('books', 'business')

export const exportBooks = endpoint({
  id: 'export_books',
  method: 'GET',
  path: '/export',
  summary: 'Export the books for hledger, ledger or beancount',
  description: 'A plain-text journal of every entry, in the order of their numbers, whose balances equal those of the service to the cent: at '
    + 'cost (`hledger bal --cost`, `ledger bal --basis`, `sum(cost(position))` in beancount) in the base currency, and by itself in every '
    + 'other one. What only the base amount of a foreign line moves, as a revaluation does, is a posting in the base currency on the same '
    + 'account. The hledger file is read by ledger too.',
  query: Type.Object({
    format: optional(oneOf(EXPORT_FORMATS, { default: 'hledger' })),
    as_of: optional(date({ description: 'Entries up to this date; the whole journal without it.' })),
  }),
  reply: Type.String({ contentMediaType: 'text/plain' }),
})
