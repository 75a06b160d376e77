// Reading, locking and changing the account of a user, for all groups that deal with identity.
import type { Static } from 'typebox'
import { changed } from '../../foundation/database/rows.ts'
import type { Tx, UserTx } from '../../foundation/database/transaction.ts'
import { sendMail } from '../../foundation/jobs/mail.ts'
import { newId } from '../../foundation/ids.ts'
import { unauthenticated } from '../../foundation/refusal.ts'
import { User } from './contract.ts'
import type { Letter } from './rules.ts'
import * as store from './store.ts'

export type Account = store.AccountRow

/** Strangers can have a person mailed by typing an address: this often an hour, then silence. */
const MOST_MAILS_AN_HOUR = 10

/** Held until the commit: a password change and a sign-in with the old one cannot cross. */
export function lockAccountByEmail(tx: Tx, email: string): Promise<Account | null> {
  return tx.find(store.lockByEmail, { email })
}

export function lockAccount(tx: Tx, user_id: string): Promise<Account | null> {
  return tx.find(store.lockById, { id: user_id })
}

/** The caller's account; gone only where it was closed at this very moment. */
export async function lockOwnAccount(tx: UserTx): Promise<Account> {
  const account = await lockAccount(tx, tx.user_id)
  if (!account || account.status === 'closed') throw unauthenticated()
  return account
}

export function saveAccount(tx: Tx, account: Account, changes: Partial<Account>): Account {
  const after = changed(account, changes, tx.now)
  tx.queue(store.updateAccount, after)
  return after
}

/** An account as it begins: nobody has shown yet that the address is theirs. */
export function newAccount({ email, name }: { email: string; name: string }, password_hash: string, now: string): Account {
  return {
    id: newId(),
    email,
    name,
    avatar_document_id: null,
    locale: null,
    timezone: null,
    date_format: null,
    default_business_id: null,
    status: 'unverified',
    email_verified_at: null,
    two_factor_enabled: false,
    password_hash,
    totp_secret: null,
    totp_last_step: null,
    totp_pending: null,
    totp_pending_until: null,
    password_changed_at: now,
    last_sign_in_at: null,
    created_at: now,
    updated_at: now,
    version: 1,
  }
}

/** False where the address has an account already. */
export async function addAccount(tx: Tx, account: Account): Promise<boolean> {
  return (await tx.run(store.insertAccount, account)) === 1
}

export async function isTaken(tx: Tx, email: string): Promise<boolean> {
  return ((await tx.find(store.countByEmail, { email }))?.count ?? 0) > 0
}

export function getOwnUser(tx: UserTx): Promise<Static<typeof User>> {
  return tx.get(store.findUser, { id: tx.user_id }, 'User')
}

export function revokeTokens(tx: Tx, user_id: string): void {
  tx.queue(store.revokeTokens, { user_id })
}

/** What may be shown of an account. */
export function userOf(account: Account): Static<typeof User> {
  const shown = Object.keys(User.properties).map((name) => [name, account[name as keyof Account]])
  return Object.fromEntries(shown) as Static<typeof User>
}

export function tell(tx: Tx, email: string, letter: Letter): void {
  sendMail(tx, { to: email, ...letter, business_id: null })
}

/** For mail that anybody can have sent by typing an address: whether this address may get one more. */
export async function mayBeMailed(tx: Tx, email: string): Promise<boolean> {
  return ((await tx.find(store.countMails, { email }))?.count ?? 0) < MOST_MAILS_AN_HOUR
}
