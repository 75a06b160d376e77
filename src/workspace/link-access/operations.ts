// Who may make public links, and how one with a password is opened: the same for whatever a link leads to.
import { getSettings } from '../../access/business-settings/operations.ts'
import { toTimestamp } from '../../foundation/calendar.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { forbidden, tooMany, unauthenticated, type Refusal } from '../../foundation/refusal.ts'
import { verifyPassword } from '../../foundation/secrets.ts'
import { fileTicket } from '../document-links/operations.ts'
import { openTicket } from '../document-links/rules.ts'
import { waitOf, wronger, type Tries } from './rules.ts'

const VIEW_MS = 3_600_000

/** Whether links of this business open anything at all. */
export async function linksAllowed(tx: BusinessTx): Promise<boolean> {
  return (await getSettings(tx)).security.share_links_allowed
}

export async function requireLinksAllowed(tx: BusinessTx): Promise<void> {
  if (!(await linksAllowed(tx))) throw forbidden('Public links are turned off in the settings of this business (security.share_links_allowed).')
  if (tx.actor.kind !== 'system' && !tx.actor.email_verified) throw forbidden('Verify your e-mail address before you share anything by a link.')
}

/** `view` names the kind of link: a ticket for one kind opens none of another. */
export type Locked = { view: string; id: string; password_hash: string | null }

/** Whether its password was given, where it has one. */
export function hasSeen(tx: BusinessTx, { view, id, password_hash }: Locked, view_token: string | null | undefined): boolean {
  if (password_hash === null) return true
  const ticket = typeof view_token === 'string' ? openTicket(tx.surroundings.encryption_key, view, view_token, tx.now) : null
  return ticket?.business_id === tx.business_id && ticket.document_id === id
}

export type Unlocked = { view_token: string; expires_at: string }

/**
 * The caller has locked the link. A wrong password is counted, whatever is answered: so that refusal is handed back instead of thrown.
 * `count` writes down how often it was wrong.
 */
export async function unlock(tx: BusinessTx, link: Locked & Tries, password: string, count: (tries: Tries) => void): Promise<Unlocked | Refusal> {
  const wait = waitOf(link, tx.now)
  if (wait !== null) throw tooMany('The password was wrong too often. Try again later.', wait)
  if (link.password_hash !== null && !(await verifyPassword(password, link.password_hash))) {
    count(wronger(link, tx.now))
    return unauthenticated('The password is wrong.')
  }
  if (link.wrong_tries > 0) count({ wrong_tries: 0, wrong_since: null })
  const expires_at = toTimestamp(new Date(Date.parse(tx.now) + VIEW_MS))
  return { view_token: fileTicket(tx, link.view, link.id, expires_at), expires_at }
}
