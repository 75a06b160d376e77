// Control accounts: each control ledger against what makes it up.
import { Type, type Static } from 'typebox'
import { endpointsOf } from '../../foundation/endpoint.ts'
import { boolean, cents, date, id, integer, list, nullable, oneOf, optional, shape } from '../../foundation/shapes.ts'
import { ROLE_NAMES } from '../../ledger/ledgers/contract.ts'
import { reportHeader } from '../general-ledger/contract.ts'
import { figureQuery, format, ReportCheck } from '../report-shape/contract.ts'

const { basis, known_at } = figureQuery

export const controlAccountsQuery = Type.Object({ as_of: optional(date({ description: 'The day; without it today.' })), basis, known_at, format })
export type ControlAccountsQuery = Static<typeof controlAccountsQuery>

const natural = 'Integer cents in the base currency; positive on the side of the ledger\'s type.'

export const ControlParty = shape('ControlParty', {
  party_type: oneOf(['customer', 'vendor']),
  party_id: nullable(id({ description: 'null: lines that name nobody.' })),
  label: Type.String(),
  ledger_balance: cents({ description: natural }),
  sub_ledger: cents({ description: natural }),
  difference: cents({ description: natural }),
})
export type ControlParty = Static<typeof ControlParty>

export const ControlAccount = shape('ControlAccount', {
  ledger_id: id(),
  number: nullable(Type.String()),
  name: Type.String(),
  role: oneOf(ROLE_NAMES),
  balance: cents({ description: natural }),
  sub_ledger: nullable(cents({ description: `What its open items come to; null where no documents stand behind it yet. ${natural}` })),
  difference: nullable(cents({ description: 'The balance less the sub-ledger; expected to be 0.' })),
  ok: nullable(boolean()),
  open_items: nullable(integer(0)),
  parties: list(ControlParty, { description: 'Those whose balance differs from their open items.' }),
})
export type ControlAccount = Static<typeof ControlAccount>

export const ControlAccounts = shape('ControlAccounts', { ...reportHeader, accounts: list(ControlAccount), checks: list(ReportCheck) })
export type ControlAccounts = Static<typeof ControlAccounts>

const endpoint = endpointsOf('reports', 'business')

export const getControlAccounts = endpoint({
  id: 'get_control_accounts', method: 'GET', path: '/control-accounts', summary: 'Control accounts against their sub-ledgers',
  description: 'At as_of, per control ledger the balance that is kept for it and the sum of its open items, party by party, from the lines themselves. '
    + 'Lines of receivables and payables that name nobody are in no sub-ledger.',
  query: controlAccountsQuery,
  reply: ControlAccounts,
})
