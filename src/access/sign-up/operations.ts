// What can be done without an account, and right after making one.
import type { Static } from 'typebox'
import type { PublicTx, Tx } from '../../foundation/database/transaction.ts'
import { invalid } from '../../foundation/refusal.ts'
import { hashPassword } from '../../foundation/secrets.ts'
import { addAccount, lockAccountByEmail, mayBeMailed, newAccount, saveAccount, tell, type Account } from '../account/operations.ts'
import { mayEnter, sameAddress, verified } from '../account/rules.ts'
import { issueMailToken, redeemMailToken, voidMailTokens } from '../mail-tokens/operations.ts'
import { requireGoodPassword } from '../password/rules.ts'
import { recordUserEvent } from '../security-events/operations.ts'
import type { SignUpInput, VerifiedEmail } from './contract.ts'
import { knownAddressLetter, verificationLetter } from './rules.ts'

/** Known and unknown addresses get the same answer after the same work. */
export async function signUp(tx: PublicTx, input: Static<typeof SignUpInput>) {
  requireGoodPassword(input.password, input.email)
  const account = newAccount(input, await hashPassword(input.password), tx.now)
  if (await addAccount(tx, account)) {
    recordUserEvent(tx, account.id, 'user.created')
    sendVerification(tx, account)
  } else {
    const known = await lockAccountByEmail(tx, input.email)
    if (known && (await mayBeMailed(tx, known.email))) tell(tx, known.email, knownAddressLetter(tx.surroundings.public_url))
  }
  return { email: input.email, verification_sent: true }
}

export async function verifyEmail(tx: PublicTx, token: string): Promise<Static<typeof VerifiedEmail>> {
  const { account, email } = await redeemMailToken(tx, 'verify_email', token)
  if (!sameAddress(account.email, email)) throw invalid('This token is for an e-mail address that the account no longer has.')
  if (account.email_verified_at !== null) return { email: account.email, email_verified_at: account.email_verified_at }
  saveAccount(tx, account, verified(account, tx.now))
  recordUserEvent(tx, account.id, 'user.verified')
  return { email: account.email, email_verified_at: tx.now }
}

export async function resendVerification(tx: PublicTx, email: string) {
  const account = mayEnter(await lockAccountByEmail(tx, email))
  if (account && account.email_verified_at === null && (await mayBeMailed(tx, account.email))) {
    voidMailTokens(tx, account.id, ['verify_email'])
    sendVerification(tx, account)
  }
  return { email, verification_sent: true }
}

function sendVerification(tx: Tx, account: Account): void {
  const token = issueMailToken(tx, account.id, 'verify_email', account.email)
  tell(tx, account.email, verificationLetter(tx.surroundings.public_url, token))
}
