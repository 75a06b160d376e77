// A challenge stands between a right password and a session until the second factor is shown.
import type { Tx } from '../../foundation/database/transaction.ts'
import { hashToken, randomToken } from '../../foundation/secrets.ts'
import { momentAfter } from '../account/rules.ts'
import { LIFETIME_MS, MOST_TRIES } from './rules.ts'
import * as store from './store.ts'

export function issueChallenge(tx: Tx, user_id: string): { challenge: string; challenge_expires_at: string } {
  const challenge = randomToken('')
  const challenge_expires_at = momentAfter(tx.now, LIFETIME_MS)
  tx.queue(store.insertChallenge, { token_hash: hashToken(challenge), user_id, expires_at: challenge_expires_at })
  return { challenge, challenge_expires_at }
}

/** Whose it is; null where it is unknown, used or over. */
export function findChallenge(tx: Tx, challenge: string): Promise<{ user_id: string; email: string } | null> {
  return tx.find(store.findChallenge, { token_hash: hashToken(challenge) })
}

/** How many tries are left after the one now made; null where the challenge is over by now. */
export async function tryChallenge(tx: Tx, challenge: string): Promise<number | null> {
  const token_hash = hashToken(challenge)
  const open = await tx.find(store.lockChallenge, { token_hash })
  if (!open) return null
  tx.queue(store.countTry, { token_hash })
  return MOST_TRIES - open.tries - 1
}

export function useChallenge(tx: Tx, challenge: string): void {
  tx.queue(store.useChallenge, { token_hash: hashToken(challenge) })
}

/** A sign-in under way ends when the password or the second factor changes. */
export function dropChallenges(tx: Tx, user_id: string): void {
  tx.queue(store.deleteChallenges, { user_id })
}
