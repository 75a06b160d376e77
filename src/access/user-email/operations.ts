// Changing the address of an account and undoing it.
import type { Static } from 'typebox'
import type { PublicTx, Tx, UserTx } from '../../foundation/database/transaction.ts'
import { invalid } from '../../foundation/refusal.ts'
import { isTaken, lockOwnAccount, mayBeMailed, saveAccount, tell, type Account } from '../account/operations.ts'
import { momentAfter, sameAddress, verified } from '../account/rules.ts'
import { issueMailToken, redeemMailToken, voidMailTokens, voidMailTokensSince } from '../mail-tokens/operations.ts'
import { LIFETIME_MS } from '../mail-tokens/rules.ts'
import { sendReset } from '../password/operations.ts'
import { recordUserEvent } from '../security-events/operations.ts'
import { endSessionsOf } from '../sessions/operations.ts'
import { dropChallenges } from '../two-factor-challenges/operations.ts'
import type { CurrentEmail, EmailChange } from './contract.ts'
import { changedLetter, confirmationLetter, requestedLetter, takenLetter } from './rules.ts'

/** The newest request is the only one that can be confirmed; what the old address can undo stays. */
export async function requestEmailChange(tx: UserTx, new_email: string): Promise<Static<typeof EmailChange>> {
  const account = await lockOwnAccount(tx)
  if (sameAddress(account.email, new_email)) throw invalid(`${new_email} is the address of this account already.`)
  voidMailTokens(tx, account.id, ['change_email'])
  const { public_url } = tx.surroundings
  const letter = (await isTaken(tx, new_email)) ? takenLetter() : confirmationLetter(public_url, issueMailToken(tx, account.id, 'change_email', new_email))
  if (await mayBeMailed(tx, new_email)) tell(tx, new_email, letter)
  tell(tx, account.email, requestedLetter(public_url, new_email, issueMailToken(tx, account.id, 'undo_email', account.email)))
  return { email: account.email, new_email, expires_at: momentAfter(tx.now, LIFETIME_MS.change_email) }
}

export async function confirmEmailChange(tx: PublicTx, token: string): Promise<Static<typeof CurrentEmail>> {
  const { account, email } = await redeemMailToken(tx, 'change_email', token)
  voidMailTokens(tx, account.id, ['verify_email', 'reset_password'])
  tell(tx, account.email, changedLetter(email))
  return moveTo(tx, account, email)
}

/** The owner of the old address takes the account back: whoever moved it loses their sessions and what was mailed to them. */
export async function undoEmailChange(tx: PublicTx, token: string): Promise<Static<typeof CurrentEmail>> {
  const { account, email, created_at } = await redeemMailToken(tx, 'undo_email', token)
  voidMailTokensSince(tx, account.id, created_at)
  dropChallenges(tx, account.id)
  await endSessionsOf(tx, account.id, null)
  const current = await moveTo(tx, account, email)
  sendReset(tx, { ...account, email })
  return current
}

async function moveTo(tx: Tx, account: Account, email: string): Promise<Static<typeof CurrentEmail>> {
  if (sameAddress(account.email, email)) {
    const { email_verified_at } = saveAccount(tx, account, verified(account, tx.now))
    return { email: account.email, email_verified_at: email_verified_at ?? tx.now }
  }
  if (await isTaken(tx, email)) throw invalid(`${email} belongs to another account by now. Choose another address.`)
  saveAccount(tx, account, { ...verified(account, tx.now), email, email_verified_at: tx.now })
  recordUserEvent(tx, account.id, 'user.email_changed', { from: account.email, to: email })
  return { email, email_verified_at: tx.now }
}
