// Guards every check of a password or a code: one guess at a time, and only so many wrong ones.
import type { Tx, UserTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import { tooMany, type Refusal } from '../../foundation/refusal.ts'
import { hashToken, verifyPassword } from '../../foundation/secrets.ts'
import { lockOwnAccount, type Account } from '../account/operations.ts'
import { requireCounted, wrongPassword } from '../account/rules.ts'
import { recordUserEvent } from '../security-events/operations.ts'
import { secondsToWait } from './rules.ts'
import * as store from './store.ts'

/**
 * Waits for this account's and this address's turn, which lasts until the commit, and refuses with 429 where either has
 * failed too often. Guesses sent at once are thus counted one by one. Unknown addresses have the same limits as known ones.
 */
export async function takeTurn(tx: Tx, email: string): Promise<void> {
  requireCounted(tx.request)
  const account_hash = hashOf(email)
  // Three statements, one flight; each sees what was committed before its own start, so the count comes after the locks.
  const [, , windows] = await Promise.all([
    tx.exclusive(`guesses from ${tx.request.ip}`),
    tx.exclusive(`guesses at ${account_hash.toString('base64')}`),
    tx.find(store.fullWindows, { account_hash, ip: tx.request.ip }),
  ])
  const waits = [windows?.account_filled_by, windows?.address_filled_by].map((filled_by) => secondsToWait(filled_by ?? null, tx.now) ?? 0)
  const seconds = Math.max(...waits)
  if (seconds > 0) throw tooMany('Too many failed attempts. Wait, or reset the password.', seconds)
}

/** Counts a wrong guess. The caller must return its refusal, not throw it, or the count is undone. */
export function recordFailure(tx: Tx, email: string, user_id: string | null, step: 'password' | 'two_factor'): void {
  tx.queue(store.insertFailure, { id: newId(), account_hash: hashOf(email), ip: tx.request.ip })
  if (user_id) recordUserEvent(tx, user_id, 'user.sign_in_failed', { step })
}

/** The caller's account, locked, where their password is right; else the refusal, counted, which the caller must return. */
export async function checkOwnPassword(tx: UserTx, password: string): Promise<Account | Refusal> {
  await takeTurn(tx, tx.actor.email ?? '')
  const account = await lockOwnAccount(tx)
  if (await verifyPassword(password, account.password_hash)) return account
  recordFailure(tx, account.email, account.id, 'password')
  return wrongPassword()
}

function hashOf(email: string): Buffer {
  return hashToken(email.toLowerCase())
}
