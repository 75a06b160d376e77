// What a business does with its invitations, and what the invited person does: look, accept, sign up with one, decline.
import type { Static } from 'typebox'
import type { PageQuery } from '../../foundation/database/list.ts'
import { changed } from '../../foundation/database/rows.ts'
import type { Actor, Business } from '../../foundation/database/context.ts'
import { attemptEach, type BulkResult } from '../../foundation/bulk.ts'
import type { BusinessTx, PublicTx, Tx, UserTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import { sendMail } from '../../foundation/jobs/mail.ts'
import { invalid, notFound, unprocessable, type Refusal } from '../../foundation/refusal.ts'
import { hashPassword, hashToken, randomToken } from '../../foundation/secrets.ts'
import { addAccount, newAccount, type Account } from '../account/operations.ts'
import { verified } from '../account/rules.ts'
import { requireGoodPassword } from '../password/rules.ts'
import { permissionsFor } from '../permissions.ts'
import { recordUserEvent } from '../security-events/operations.ts'
import { invitationResource } from './contract.ts'
import type { InvitationBulk, InvitationInput, InvitationPreview, InvitationUpdate, Joined } from './contract.ts'
import * as rules from './rules.ts'
import type { InvitationRow } from './rules.ts'
import * as store from './store.ts'

type Input = Static<typeof InvitationInput>
type Reference = { token?: string; invitation_id?: string }

export function listInvitations(tx: BusinessTx, query: PageQuery) {
  return tx.page(store.invitations, query)
}

export function getInvitation(tx: BusinessTx, id: string): Promise<InvitationRow> {
  return tx.get(store.findInvitation, { id }, 'Invitation')
}

export async function createInvitation(tx: BusinessTx, input: Input): Promise<InvitationRow> {
  rules.requireVerified(tx.actor)
  const [problem] = await problemsWith(tx, [input])
  if (problem) throw problem
  const invitation = invitationOf(tx, input)
  await send(tx, [invitation])
  return invitation
}

export async function createInvitations(tx: BusinessTx, { atomic = true, invitations }: Static<typeof InvitationBulk>): Promise<BulkResult> {
  rules.requireVerified(tx.actor)
  const problems = await problemsWith(tx, invitations)
  const made: InvitationRow[] = []
  const result = attemptEach(invitations, atomic, (input, index) => {
    const problem = problems[index]
    if (problem) throw problem
    const invitation = invitationOf(tx, input)
    made.push(invitation)
    return invitation.id
  })
  if (made.length > 0) await send(tx, made)
  return result
}

export async function updateInvitation(tx: BusinessTx, id: string, { role, expires_in_days }: Static<typeof InvitationUpdate>): Promise<InvitationRow> {
  rules.requireVerified(tx.actor)
  if (role && !rules.mayGive(tx.actor, role)) throw rules.aboveOwnRole(role)
  const invitation = await tx.lock(store.lockInvitation, { id }, 'Invitation')
  // To touch what an owner offered, one must be able to offer it.
  if (!rules.mayGive(tx.actor, invitation.role)) throw rules.aboveOwnRole(invitation.role)
  rules.requirePending(invitation)
  if (role === undefined && expires_in_days === undefined) return invitation
  return save(tx, invitation, 'invitation.updated', {
    ...(role === undefined ? {} : { role, invited_by: tx.user_id }),
    ...(expires_in_days === undefined ? {} : { expires_at: rules.expiryAfter(tx.now, expires_in_days) }),
  })
}

export async function resendInvitation(tx: BusinessTx, id: string): Promise<InvitationRow> {
  rules.requireVerified(tx.actor)
  const invitation = await tx.lock(store.lockInvitation, { id }, 'Invitation')
  rules.requirePending(invitation)
  rules.requireSendsLeft(invitation)
  const { name } = await tx.get(store.businessName, {}, 'Business')
  const after = save(tx, invitation, 'invitation.resent', { sent_at: tx.now, send_count: invitation.send_count + 1 })
  const token = randomToken('')
  tx.queue(store.replaceToken, { id, token_hash: hashToken(token) })
  mail(tx, after, token, name)
  return after
}

export async function revokeInvitation(tx: BusinessTx, id: string): Promise<InvitationRow> {
  const invitation = await tx.lock(store.lockInvitation, { id }, 'Invitation')
  if (invitation.status === 'revoked') return invitation
  rules.requirePending(invitation)
  return save(tx, invitation, 'invitation.revoked', { status: 'revoked' })
}

export function listOwnInvitations(tx: UserTx, query: PageQuery) {
  return tx.page(store.ownInvitations, query)
}

export async function lookUpInvitation(tx: PublicTx, token: string): Promise<Static<typeof InvitationPreview>> {
  const preview = await tx.get(store.previewByToken, { token_hash: hashToken(token) }, 'Invitation')
  return { ...preview, email: rules.maskAddress(preview.email) }
}

export async function acceptInvitation(tx: UserTx, reference: Reference): Promise<Static<typeof Joined>> {
  const invitation = await lockAddressed(tx, reference)
  rules.requirePending(invitation)
  const target = await openTarget(tx, invitation)
  return join(tx, invitation, target, { ...tx.actor, role: invitation.role })
}

/** Whoever has the mail controls the address: the account starts verified. */
export async function signUpByInvitation(tx: PublicTx, input: { token: string; name: string; password: string }): Promise<Static<typeof Joined>> {
  const invitation = await tx.get(store.lockUsable, { token_hash: hashToken(input.token) }, 'Invitation')
  const target = await openTarget(tx, invitation)
  requireGoodPassword(input.password, invitation.email)
  const fresh = newAccount({ email: invitation.email, name: input.name }, await hashPassword(input.password), tx.now)
  const account = { ...fresh, ...verified(fresh, tx.now) }
  if (!(await addAccount(tx, account))) throw invalid('This address has an account already: sign in and accept the invitation.')
  recordUserEvent(tx, account.id, 'user.created')
  recordUserEvent(tx, account.id, 'user.verified')
  return join(tx, invitation, target, newcomer(account, invitation))
}

export async function declineInvitation(tx: UserTx, reference: Reference): Promise<InvitationRow> {
  const invitation = await lockAddressed(tx, reference)
  if (invitation.status === 'declined') return invitation
  rules.requirePending(invitation)
  return decline(tx, invitation, tx.actor)
}

export async function declineByToken(tx: PublicTx, token: string): Promise<{ declined: boolean }> {
  const invitation = await tx.get(store.lockUsable, { token_hash: hashToken(token) }, 'Invitation')
  await decline(tx, invitation, { ...tx.actor, name: invitation.email })
  return { declined: true }
}

type InvitationEvent = (typeof invitationResource)['events'][number]

function save(tx: BusinessTx, invitation: InvitationRow, event: InvitationEvent, changes: Partial<InvitationRow>): InvitationRow {
  const after = changed(invitation, changes, tx.now)
  tx.queue(store.updateInvitation, after)
  tx.record(invitationResource, event, { before: invitation, after })
  return after
}

/** One entry per input: why it cannot be made, or null. */
async function problemsWith(tx: BusinessTx, inputs: readonly Input[]): Promise<(Refusal | null)[]> {
  const emails = inputs.map(({ email }) => email.toLowerCase())
  const known = await tx.many(store.knownAddresses, { emails })
  const earlier = new Set<string>()
  return inputs.map(({ role }, index) => {
    const email = emails[index] ?? ''
    const problem = rules.mayGive(tx.actor, role) ? rules.problemWith(email, known, earlier) : rules.aboveOwnRole(role)
    earlier.add(email)
    return problem
  })
}

function invitationOf(tx: BusinessTx, input: Input): InvitationRow {
  return {
    id: newId(),
    business_id: tx.business_id,
    kind: input.kind ?? 'business_member',
    email: input.email.toLowerCase(),
    role: input.role,
    name: input.name ?? null,
    message: input.message ?? null,
    status: 'pending',
    expires_at: rules.expiryAfter(tx.now, input.expires_in_days),
    invited_by: tx.user_id,
    sent_at: tx.now,
    send_count: 1,
    accepted_by: null,
    accepted_at: null,
    bounced: false,
    created_at: tx.now,
    updated_at: tx.now,
    version: 1,
  }
}

/** Writes new invitations, each with a token that only its mail holds. */
async function send(tx: BusinessTx, invitations: readonly InvitationRow[]): Promise<void> {
  const { name } = await tx.get(store.businessName, {}, 'Business')
  const tokens = invitations.map(() => randomToken(''))
  tx.queue(store.closeExpired, { emails: invitations.map(({ email }) => email) })
  tx.queue(store.insertInvitations, { invitations: JSON.stringify(invitations), hashes: tokens.map(hashToken) })
  invitations.forEach((invitation, index) => {
    tx.record(invitationResource, 'invitation.created', { before: null, after: invitation })
    mail(tx, invitation, tokens[index] ?? '', name)
  })
}

function mail(tx: BusinessTx, { email, role, message, expires_at }: InvitationRow, token: string, business_name: string): void {
  const letter = rules.invitationLetter(tx.surroundings.public_url, token, { business_name, inviter_name: tx.actor.name, role, message, expires_at })
  sendMail(tx, { to: email, ...letter, business_id: tx.business_id })
}

/** The invitation behind a token, or one of the caller's own by id; another person's id is not there. */
async function lockAddressed(tx: UserTx, { token, invitation_id }: Reference): Promise<InvitationRow> {
  if (token === undefined && invitation_id === undefined) {
    throw unprocessable([{ loc: ['body', 'token'], msg: 'Send the token of the mail, or the invitation_id of one of your own.', type: 'missing' }])
  }
  const invitation = token === undefined
    ? await tx.find(store.lockForAddress, { id: invitation_id, email: tx.actor.email })
    : await tx.find(store.lockByToken, { token_hash: hashToken(token) })
  if (!invitation) throw notFound('Invitation')
  rules.requireAddressee(tx.actor, invitation.email)
  return invitation
}

type Target = NonNullable<(typeof store.targetOf)['result']>

async function openTarget(tx: Tx, { business_id, invited_by, role }: InvitationRow): Promise<Target> {
  const target = await tx.get(store.targetOf, { business: business_id, invited_by }, 'Business')
  rules.requireOpenTarget(target, role)
  return target
}

async function join(tx: UserTx | PublicTx, invitation: InvitationRow, target: Target, actor: Actor): Promise<Static<typeof Joined>> {
  const { id: invitation_id, business_id, role } = invitation
  const user_id = actor.user_id ?? ''
  const joined = await tx.run(store.insertMembership, { business: business_id, user_id, role })
  if (joined === 0) throw invalid(`You are in ${target.business_name} already.`)
  save(enter(tx, invitation, target, actor), invitation, 'invitation.accepted', { status: 'accepted', accepted_by: user_id, accepted_at: tx.now })
  return { invitation_id, business_id, business_name: target.business_name, user_id, role }
}

async function decline(tx: UserTx | PublicTx, invitation: InvitationRow, actor: Actor): Promise<InvitationRow> {
  const target = await tx.get(store.targetOf, { business: invitation.business_id, invited_by: invitation.invited_by }, 'Business')
  return save(enter(tx, invitation, target, actor), invitation, 'invitation.declined', { status: 'declined' })
}

/** The answer belongs into the history of the business. */
function enter(tx: UserTx | PublicTx, { business_id, role }: InvitationRow, { timezone, base_currency }: Target, actor: Actor): BusinessTx {
  const business: Business = { id: business_id, timezone, base_currency, read_only: null }
  return tx.kind === 'user' ? tx.enter(business, role) : tx.enter(business, actor)
}

function newcomer({ id, name, email }: Account, { role }: InvitationRow): Actor {
  return {
    kind: 'user', id, user_id: id, name, email, email_verified: true, role, permissions: permissionsFor(role), session_id: null, fresh: false,
  }
}
