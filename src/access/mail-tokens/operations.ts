// Issuing and redeeming the secrets that are sent by mail.
import type { Tx } from '../../foundation/database/transaction.ts'
import { invalid } from '../../foundation/refusal.ts'
import { hashToken, randomToken } from '../../foundation/secrets.ts'
import { lockAccount, type Account } from '../account/operations.ts'
import { mayEnter, momentAfter } from '../account/rules.ts'
import { LIFETIME_MS, type Purpose } from './rules.ts'
import * as store from './store.ts'

export function issueMailToken(tx: Tx, user_id: string, purpose: Purpose, email: string): string {
  const token = randomToken('')
  tx.queue(store.insertToken, { token_hash: hashToken(token), user_id, purpose, email, expires_at: momentAfter(tx.now, LIFETIME_MS[purpose]) })
  return token
}

/** Uses the token up and locks its account. Unknown, used and expired tokens look alike. */
export async function redeemMailToken(tx: Tx, purpose: Purpose, token: string): Promise<{ account: Account; email: string; created_at: string }> {
  const key = { token_hash: hashToken(token), purpose }
  // The account is locked before its tokens, as everywhere, so that two redemptions cannot wait for each other.
  const found = await tx.find(store.findToken, key)
  const account = found && mayEnter(await lockAccount(tx, found.user_id))
  const used = account && (await tx.find(store.useToken, key))
  if (!used) throw invalid('This token is unknown, was used or has expired. Ask for a new one.')
  return { account, email: used.email, created_at: used.created_at }
}

export function voidMailTokens(tx: Tx, user_id: string, purposes: Purpose[]): void {
  tx.queue(store.voidTokens, { user_id, purposes })
}

export function voidMailTokensSince(tx: Tx, user_id: string, since: string): void {
  tx.queue(store.voidTokensSince, { user_id, since })
}
