// Who may invite whom to what, and when an invitation can be used.
import type { Static } from 'typebox'
import type { Actor } from '../../foundation/database/context.ts'
import { forbidden, invalid, type Refusal } from '../../foundation/refusal.ts'
import { sameAddress } from '../account/rules.ts'
import { linkAndToken } from '../mail-tokens/rules.ts'
import { outranks, permissionsFor, type Role } from '../permissions.ts'
import { DEFAULT_DAYS, MOST_SENDS, type Invitation } from './contract.ts'

export type InvitationRow = Static<typeof Invitation>

/** Where an invitation leads and who answers for it, as things stand now. */
export type Target = { business_name: string; business_status: string; inviter_role: string | null; inviter_status: string | null }

export function requireVerified(actor: Pick<Actor, 'email_verified'>): void {
  if (!actor.email_verified) throw forbidden('Verify your own e-mail address before you invite others.')
}

/** A role no higher than one's own; a token or a grant gives no more than it carries itself. */
export function mayGive(actor: Pick<Actor, 'kind' | 'role' | 'permissions'>, role: Role): boolean {
  if (!outranks(actor.role as Role, role)) return false
  return actor.kind === 'user' || [...permissionsFor(role)].every((permission) => actor.permissions.has(permission))
}

export function aboveOwnRole(role: Role): Refusal {
  return forbidden(`You cannot invite to the role ${role}: it can do more than you can.`)
}

/** Why these addresses cannot be invited: those that wait for an answer or are in already, and the later ones of a pair. */
export function problemWith(email: string, known: readonly { email: string; state: string }[], earlier: ReadonlySet<string>): Refusal | null {
  if (earlier.has(email)) return invalid(`${email} occurs twice: invite each person once.`)
  const state = known.find((one) => one.email === email)?.state
  if (state === 'member') return invalid(`${email} is in this business already: change the role there.`)
  if (state === 'pending') return invalid(`${email} has a pending invitation already: resend, change or revoke that one.`)
  return null
}

export function requirePending({ status, email }: Pick<InvitationRow, 'status' | 'email'>): void {
  if (status === 'pending') return
  const state = status === 'expired' ? 'has expired' : `was ${status}`
  throw invalid(`The invitation of ${email} ${state}. Only a pending one can be used or changed.`)
}

export function requireSendsLeft({ send_count }: Pick<InvitationRow, 'send_count'>): void {
  if (send_count >= MOST_SENDS) throw invalid(`This invitation was sent ${MOST_SENDS} times: revoke it and make a new one.`)
}

/** The mailed token proves the address only for the account that has it. */
export function requireAddressee(actor: Pick<Actor, 'email' | 'email_verified'>, email: string): void {
  if (!sameAddress(actor.email ?? '', email)) throw invalid('This invitation was sent to another address: sign in with the account of that address.')
  if (!actor.email_verified) throw invalid('Verify your e-mail address first, then use the invitation.')
}

/** Nothing is granted that the inviter could not grant at this moment. */
export function requireOpenTarget(target: Target, role: Role): void {
  if (target.business_status !== 'active') throw invalid(`${target.business_name} is archived or about to be deleted: nobody can join it now.`)
  const inviter = target.inviter_status === 'active' ? (target.inviter_role as Role) : null
  if (!inviter || !permissionsFor(inviter).has('members:manage') || !outranks(inviter, role)) {
    throw invalid('Whoever invited you may no longer do so: ask for a new invitation.')
  }
}

export function expiryAfter(now: string, days: number = DEFAULT_DAYS): string {
  return new Date(Date.parse(now) + days * 86_400_000).toISOString()
}

/** Enough for its owner to recognise, too little for anyone else. */
export function maskAddress(email: string): string {
  const at = email.lastIndexOf('@')
  return `${email.slice(0, 1)}***${email.slice(at)}`
}

type Letter = { business_name: string; inviter_name: string; role: string; message: string | null; expires_at: string }

export function invitationLetter(public_url: string, token: string, { business_name, inviter_name, role, message, expires_at }: Letter) {
  const said = message === null ? '' : `\n\n${inviter_name} writes:\n\n${message}`
  return {
    subject: `${oneLine(inviter_name)} invites you to ${oneLine(business_name)}`,
    text: `${inviter_name} invites you to ${business_name} on Daybook, as ${role}.${said}\n\nTo accept or decline, open this link before ${expires_at}:\n\n`
      + `${linkAndToken(public_url, 'invitation', token)}\n\nIf you do not know ${inviter_name}, ignore this mail.`,
  }
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ')
}
