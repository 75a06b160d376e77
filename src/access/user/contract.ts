// The user: own profile, own memberships, and the end of the account.
import { endpoint, listQuery, pageOf } from '../../foundation/endpoint.ts'
import { id, nullable, oneOf, optional, partial, shape, text, timestamp } from '../../foundation/shapes.ts'
import { profile, User } from '../account/contract.ts'
import { ROLES } from '../permissions.ts'

export const UserUpdate = partial('UserUpdate', profile)

export const OwnMembership = shape('OwnMembership', {
  business_id: id(),
  business_name: text(1, 200),
  business_status: oneOf(['active', 'archived', 'pending_deletion']),
  role: oneOf(ROLES),
  status: oneOf(['active', 'suspended']),
  source: oneOf(['direct', 'firm']),
  firm_id: nullable(id()),
  created_at: timestamp(),
})

const own = { group: 'user', scope: 'user' } as const

export const getUser = endpoint({
  ...own, id: 'get_user', method: 'GET', path: '/user', summary: 'Get the own profile', permission: 'user:read',
  reply: User,
})

export const updateUser = endpoint({
  ...own, id: 'update_user', method: 'PUT', path: '/user', summary: 'Update the own profile', permission: null, session: true,
  body: UserUpdate,
  reply: User,
  refusals: ['The time zone or the locale does not exist.'],
  example: { name: 'Pat Example', timezone: 'America/New_York', locale: 'en-US', date_format: 'MM/DD/YYYY' },
})

export const closeUser = endpoint({
  ...own, id: 'close_user', method: 'DELETE', path: '/user', summary: 'Close the account', permission: null, session: true, fresh: true,
  description: 'For good: every session and token ends, memberships are removed and the e-mail address is free again. History keeps the name.',
  reply: User,
  refusals: ['The user is the last active owner of a business, which is named.'],
})

export const listOwnMemberships = endpoint({
  ...own, id: 'list_own_memberships', method: 'GET', path: '/user/memberships', summary: 'List the businesses the user belongs to', permission: 'user:read',
  query: listQuery(['created_at', 'business_name'], { role: optional(oneOf(ROLES)), status: optional(oneOf(['active', 'suspended'])) }),
  reply: pageOf(OwnMembership),
})
