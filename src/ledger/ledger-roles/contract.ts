// Roles: by which the service finds the ledgers that it posts to by itself.
import { Type, type Static } from 'typebox'
import { endpointsOf } from '../../foundation/endpoint.ts'
import { id, list, nullable, oneOf, shape } from '../../foundation/shapes.ts'
import { LedgerRow, ROLE_NAMES } from '../ledgers/contract.ts'

const { number, name, type, currency } = LedgerRow.properties

export const LedgerRoleEntry = shape('LedgerRole', {
  role: oneOf(ROLE_NAMES),
  type,
  ledger: nullable(shape('RoleLedger', { id: id(), number, name, currency })),
  needed_by: list(Type.String(), { description: 'The groups that post to it.' }),
})
export type LedgerRoleEntry = Static<typeof LedgerRoleEntry>

const endpoint = endpointsOf('ledgers', 'business')

export const listRoles = endpoint({
  id: 'list_ledger_roles', method: 'GET', path: '/roles', summary: 'List the roles of ledgers',
  description: 'Every role, the ledger that has it (or null), and what needs it.',
  reply: list(LedgerRoleEntry),
})

export const setRole = endpoint({
  id: 'set_ledger_role', method: 'PUT', path: '/roles/{role}', summary: 'Give a role to a ledger',
  description: 'Whoever had it loses it. Postings from here on go to the new one; what is posted stays.',
  params: shape('LedgerRoleParams', { role: oneOf(ROLE_NAMES) }),
  body: shape('LedgerRoleUpdate', { ledger_id: id() }),
  reply: LedgerRoleEntry,
  refusals: [
    'The ledger is of another type, archived or a heading, has another role, or others are merged into it.',
    'The role belongs to documents or waiting money, and the ledger that has it still has open items or a balance; or the new one has a balance.',
    'The ledger would hold money in one currency only, but has lines in another.',
  ],
})
