// Members: the people of a business and what each may do.
import { endpoint, listQuery, pageOf } from '../../foundation/endpoint.ts'
import { resource } from '../../foundation/resource.ts'
import { boolean, email, id, list, nullable, oneOf, optional, record, shape, text, timestamp } from '../../foundation/shapes.ts'
import { businessParams } from '../businesses/contract.ts'
import { ROLES } from '../permissions.ts'

const role = oneOf(ROLES)
const status = oneOf(['active', 'suspended'])
const source = oneOf(['direct', 'firm'], { description: 'firm: here through a firm, and changed there only.' })
const permissions = list(text(1, 100))

export const Member = shape('Member', {
  ...record,
  id: id({ description: 'The same as user_id.' }),
  user_id: id(),
  email: email(),
  name: text(1, 200),
  role,
  status,
  source,
  firm_id: nullable(id()),
  two_factor_enabled: boolean(),
  last_seen_at: nullable(timestamp()),
})

export const memberResource = resource({
  type: 'member', group: 'members', shape: Member, table: null, label: 'name',
  events: ['member.role_changed', 'member.suspended', 'member.reactivated', 'member.removed'],
})

const params = shape('MemberParams', { business_id: id(), user_id: id() })
const LAST_OWNER = 'It would leave the business without an active owner.'
const OF_FIRM = 'The member is here through a firm.'

export const listMembers = endpoint({
  id: 'list_members', method: 'GET', path: '/businesses/{business_id}/members',
  summary: 'List the people of a business', scope: 'business', permission: 'members:read',
  params: businessParams,
  query: listQuery(['created_at', 'name', 'email', 'last_seen_at'], {
    role: optional(role),
    status: optional(status),
    source: optional(source),
    q: optional(text(1, 200, { description: 'Part of the name or the e-mail address.' })),
  }),
  reply: pageOf(Member),
})

export const getMember = endpoint({
  id: 'get_member', method: 'GET', path: '/businesses/{business_id}/members/{user_id}',
  summary: 'Get a member', scope: 'business', permission: 'members:read',
  params,
  reply: Member,
})

export const updateMember = endpoint({
  id: 'update_member', method: 'PATCH', path: '/businesses/{business_id}/members/{user_id}',
  summary: 'Change the role of a member', scope: 'business', permission: 'members:manage',
  description: 'Only an owner makes or unmakes an owner.',
  params,
  body: shape('MemberUpdate', { role }),
  reply: Member,
  refusals: [LAST_OWNER, OF_FIRM],
  example: { role: 'accountant' },
})

export const removeMember = endpoint({
  id: 'remove_member', method: 'DELETE', path: '/businesses/{business_id}/members/{user_id}',
  summary: 'Remove a member', scope: 'business', permission: 'members:manage',
  description: 'Their access ends with the next request. Only an owner removes an owner.',
  params,
  reply: Member,
  refusals: [LAST_OWNER, OF_FIRM],
})

export const suspendMember = endpoint({
  id: 'suspend_member', method: 'PUT', path: '/businesses/{business_id}/members/{user_id}/suspend',
  summary: 'Suspend a member', scope: 'business', permission: 'members:manage',
  description: 'Their access ends with the next request. Only an owner suspends an owner.',
  params,
  reply: Member,
  refusals: ['It is the caller.', LAST_OWNER, OF_FIRM],
})

export const reactivateMember = endpoint({
  id: 'reactivate_member', method: 'PUT', path: '/businesses/{business_id}/members/{user_id}/reactivate',
  summary: 'Reactivate a suspended member', scope: 'business', permission: 'members:manage',
  params,
  reply: Member,
  refusals: [OF_FIRM],
})

export const leaveBusiness = endpoint({
  id: 'leave_business', method: 'DELETE', path: '/businesses/{business_id}/members/me',
  summary: 'Leave a business', scope: 'business', permission: 'members:write',
  session: true, allow_read_only: true,
  params: businessParams,
  reply: Member,
  refusals: [LAST_OWNER, OF_FIRM],
})

export const transferOwnership = endpoint({
  id: 'transfer_ownership', method: 'POST', path: '/businesses/{business_id}/transfer-ownership',
  summary: 'Hand a business over to another member',
  scope: 'business', permission: 'members:manage', fresh: true,
  description: 'For the owner, who keeps the role named in keep_role. Answers with the new owner.',
  params: businessParams,
  body: shape('OwnershipTransfer', {
    user_id: id(),
    keep_role: optional(oneOf(['admin', 'accountant', 'bookkeeper', 'approver', 'viewer'], { default: 'admin' })),
  }),
  reply: Member,
  refusals: ['It is the caller.', 'The member is suspended.', OF_FIRM],
})

export const listRoles = endpoint({
  id: 'list_roles', method: 'GET', path: '/businesses/{business_id}/roles',
  summary: 'List the roles and what each may do', scope: 'business', permission: 'businesses:read',
  params: businessParams,
  reply: list(shape('RolePermissions', { role, permissions })),
})

export const getAccess = endpoint({
  id: 'get_access', method: 'GET', path: '/businesses/{business_id}/access',
  summary: 'What the caller may do in a business', scope: 'business', permission: 'businesses:read',
  description: 'What the role allows, cut to the scopes of the token or the grant.',
  params: businessParams,
  reply: shape('Access', {
    business_id: id(),
    user_id: id(),
    role,
    permissions,
    access: oneOf(['full', 'read_only']),
    read_only_reason: nullable(text(1, 500)),
  }),
})
