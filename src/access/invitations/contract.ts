// Invitations: the one way into a business.
import { atomic, BulkResult, MOST_ITEMS } from '../../foundation/bulk.ts'
import { endpoint, listQuery, pageOf } from '../../foundation/endpoint.ts'
import { resource } from '../../foundation/resource.ts'
import { boolean, id, integer, list, nullable, oneOf, optional, partial, record, shape, text, timestamp } from '../../foundation/shapes.ts'
import { address } from '../account/contract.ts'
import { newPassword } from '../password/contract.ts'
import { ROLES } from '../permissions.ts'

export const KINDS = ['business_member'] as const
export const STATUSES = ['pending', 'accepted', 'declined', 'revoked', 'expired'] as const
export const MOST_SENDS = 5
export const DEFAULT_DAYS = 7

const kind = oneOf(KINDS, { description: 'What accepting it makes of the person.' })
const role = oneOf(ROLES)
const expires_in_days = integer(1, 30, { default: DEFAULT_DAYS, description: 'How many days from now it can be accepted.' })
const token = text(1, 200, { description: 'As it came by mail.' })

export const Invitation = shape('Invitation', {
  ...record,
  kind,
  email: text(3, 254, { description: 'In lower case.' }),
  role,
  name: nullable(text(1, 200)),
  message: nullable(text(1, 1000)),
  status: oneOf(STATUSES),
  expires_at: timestamp(),
  invited_by: id({ description: 'Who answers for it: who made it, or who changed its role last.' }),
  sent_at: timestamp(),
  send_count: integer(1, MOST_SENDS),
  accepted_by: nullable(id()),
  accepted_at: nullable(timestamp()),
  bounced: boolean(),
})

export const InvitationInput = shape('InvitationInput', {
  kind: optional(oneOf(KINDS, { default: 'business_member' })),
  email: address(),
  role,
  name: optional(nullable(text(1, 200))),
  message: optional(nullable(text(1, 1000, { description: 'A word from the inviter, in the mail.' }))),
  expires_in_days: optional(expires_in_days),
})

export const InvitationUpdate = partial('InvitationUpdate', { role, expires_in_days })

export const InvitationBulk = shape('InvitationBulk', {
  atomic,
  invitations: list(InvitationInput, { minItems: 1, maxItems: MOST_ITEMS }),
})

export const OwnInvitation = shape('OwnInvitation', {
  id: id(),
  kind,
  business_id: id(),
  business_name: text(1, 200),
  inviter_name: text(1, 200),
  role,
  message: nullable(text(1, 1000)),
  expires_at: timestamp(),
  created_at: timestamp(),
})

export const InvitationPreview = shape('InvitationPreview', {
  kind,
  business_name: text(1, 200),
  inviter_name: text(1, 200),
  email: text(3, 254, { description: 'The invited address, mostly hidden.' }),
  role,
  expires_at: timestamp(),
  needs_sign_up: boolean({ description: 'The address has no account yet: accept it by signing up.' }),
})

export const Joined = shape('Joined', { invitation_id: id(), business_id: id(), business_name: text(1, 200), user_id: id(), role })

export const invitationResource = resource({
  type: 'invitation', group: 'invitations', shape: Invitation, table: null, label: 'email',
  events: ['invitation.created', 'invitation.updated', 'invitation.resent', 'invitation.accepted', 'invitation.declined', 'invitation.revoked'],
})

const params = shape('InvitationParams', { invitation_id: id() })
const reference = shape('InvitationReference', {
  token: optional(token),
  invitation_id: optional(id({ description: 'Instead of the token: one of the caller\'s own.' })),
})
const inside = { scope: 'business', permission: 'members:manage' } as const

const refusals = [
  'The address has a pending invitation already.',
  'The person is in the business already.',
]

export const listInvitations = endpoint({
  ...inside, id: 'list_invitations', method: 'GET', path: '/invitations', summary: 'List invitations of the business',
  query: listQuery(['created_at', 'expires_at'], {
    kind: optional(oneOf(KINDS)),
    status: optional(oneOf(STATUSES)),
    email: optional(text(3, 254)),
  }),
  reply: pageOf(Invitation),
})

export const createInvitation = endpoint({
  ...inside, id: 'create_invitation', method: 'POST', path: '/invitations', summary: 'Invite a person to the business',
  description: 'Mails a token that only the invited address can use. A role above the caller\'s own is a 403, and so is a caller whose address is not verified.',
  body: InvitationInput,
  reply: Invitation,
  refusals,
  example: { email: 'new.person@example.com', role: 'viewer', expires_in_days: 7 },
})

export const createInvitations = endpoint({
  ...inside, id: 'create_invitations', method: 'POST', path: '/invitations/bulk', summary: 'Invite several people',
  description: 'With atomic (the default) one error means that nobody is invited; without, each row has its own result.',
  body: InvitationBulk,
  reply: BulkResult,
  refusals: [...refusals, 'An address occurs twice.', 'A role is above the caller\'s own.'],
})

export const listOwnInvitations = endpoint({
  id: 'list_own_invitations', method: 'GET', path: '/invitations/mine', summary: 'List pending invitations of the caller',
  scope: 'user', permission: 'user:read',
  description: 'Those sent to the caller\'s verified address; none while it is not verified.',
  query: listQuery(['created_at']),
  reply: pageOf(OwnInvitation),
})

export const getInvitation = endpoint({
  ...inside, id: 'get_invitation', method: 'GET', path: '/invitations/{invitation_id}', summary: 'Get an invitation',
  params,
  reply: Invitation,
})

export const updateInvitation = endpoint({
  ...inside, id: 'update_invitation', method: 'PATCH', path: '/invitations/{invitation_id}', summary: 'Change the role or the expiry of an invitation',
  description: 'While it is pending. Whoever changes the role answers for the invitation from then on.',
  params,
  body: InvitationUpdate,
  reply: Invitation,
  refusals: ['The invitation is no longer pending.'],
  example: { role: 'viewer' },
})

export const resendInvitation = endpoint({
  ...inside, id: 'resend_invitation', method: 'POST', path: '/invitations/{invitation_id}/resend', summary: 'Send an invitation again',
  description: 'With a new token; the old one is dead.',
  params,
  reply: Invitation,
  refusals: ['The invitation is no longer pending.', `It was sent ${MOST_SENDS} times.`],
})

export const revokeInvitation = endpoint({
  ...inside, id: 'revoke_invitation', method: 'PUT', path: '/invitations/{invitation_id}/revoke', summary: 'Take an invitation back',
  params,
  reply: Invitation,
  refusals: ['The invitation was accepted, declined or has expired.'],
})

export const lookUpInvitation = endpoint({
  id: 'look_up_invitation', method: 'POST', path: '/invitations/lookup', summary: 'See what a token invites to', scope: 'public', permission: null,
  limit_per_minute: 10,
  description: 'An unknown token and a dead one are the same 404.',
  body: shape('InvitationLookup', { token }),
  reply: InvitationPreview,
})

export const acceptInvitation = endpoint({
  id: 'accept_invitation', method: 'POST', path: '/invitations/accept', summary: 'Accept an invitation', scope: 'user', permission: null, session: true,
  description: 'By a signed-in person whose verified address is the invited one. A person without an account signs up with it instead.',
  body: reference,
  reply: Joined,
  refusals: [
    'The invitation is no longer pending.',
    'It was sent to another address, or the caller\'s address is not verified.',
    'Whoever invited may no longer do so.',
    'The business is archived or about to be deleted.',
    'The caller is in the business already.',
  ],
})

export const signUpByInvitation = endpoint({
  id: 'sign_up_by_invitation', method: 'POST', path: '/invitations/sign-up', summary: 'Accept an invitation as a new person',
  scope: 'public', permission: null, limit_per_minute: 600,
  description: 'Makes the account, with the invited address as verified, and accepts, both or neither. Sign in next. '
    + 'An unknown token and a dead one are the same 404.',
  body: shape('InvitationSignUp', { token, name: text(1, 200), password: newPassword() }),
  reply: Joined,
  refusals: [
    'The address has an account: sign in and accept.',
    'The password is the e-mail address or a common one.',
    'Whoever invited may no longer do so.',
    'The business is archived or about to be deleted.',
  ],
})

export const declineInvitation = endpoint({
  id: 'decline_invitation', method: 'POST', path: '/invitations/decline', summary: 'Decline an invitation', scope: 'user', permission: null, session: true,
  body: reference,
  reply: Invitation,
  refusals: ['The invitation was accepted, revoked or has expired.', 'It was sent to another address, or the caller\'s address is not verified.'],
})

export const declineByToken = endpoint({
  id: 'decline_invitation_by_token', method: 'POST', path: '/invitations/decline-by-token', summary: 'Decline an invitation without an account',
  scope: 'public', permission: null, limit_per_minute: 600,
  description: 'For whoever has the mail. An unknown token and a dead one are the same 404.',
  body: shape('InvitationRefusal', { token }),
  reply: shape('InvitationDeclined', { declined: boolean() }),
})
