// What can be done with a password.
import type { Static } from 'typebox'
import type { PublicTx, Tx, UserTx } from '../../foundation/database/transaction.ts'
import { invalid, Refusal } from '../../foundation/refusal.ts'
import { hashPassword } from '../../foundation/secrets.ts'
import type { User } from '../account/contract.ts'
import { lockAccountByEmail, mayBeMailed, revokeTokens, saveAccount, tell, userOf, type Account } from '../account/operations.ts'
import { mayEnter, sameAddress, verified } from '../account/rules.ts'
import { issueMailToken, redeemMailToken, voidMailTokens } from '../mail-tokens/operations.ts'
import { revokeGrantsOf } from '../oauth-grants/operations.ts'
import { recordUserEvent } from '../security-events/operations.ts'
import { endSessionsOf } from '../sessions/operations.ts'
import { checkOwnPassword } from '../sign-in-attempts/operations.ts'
import { dropChallenges } from '../two-factor-challenges/operations.ts'
import type { PasswordChange, PasswordReset, PasswordWasReset } from './contract.ts'
import { passwordChangedLetter, requireGoodPassword, resetLetter } from './rules.ts'

export async function changePassword(tx: UserTx, input: Static<typeof PasswordChange>): Promise<Static<typeof User> | Refusal> {
  const account = await checkOwnPassword(tx, input.current_password)
  if (account instanceof Refusal) return account
  requireGoodPassword(input.new_password, account.email)
  const changes = { password_hash: await hashPassword(input.new_password) }
  return savePassword(tx, account, changes, { kept_session: tx.actor.session_id, revoke_tokens: input.revoke_tokens ?? false, by: 'change' })
}

export async function forgotPassword(tx: PublicTx, email: string) {
  const account = mayEnter(await lockAccountByEmail(tx, email))
  if (account && (await mayBeMailed(tx, account.email))) sendReset(tx, account)
  return { email, reset_sent: true }
}

/** The newest token is the only good one. */
export function sendReset(tx: Tx, account: Account): void {
  voidMailTokens(tx, account.id, ['reset_password'])
  const token = issueMailToken(tx, account.id, 'reset_password', account.email)
  tell(tx, account.email, resetLetter(tx.surroundings.public_url, token))
}

export async function resetPassword(tx: PublicTx, input: Static<typeof PasswordReset>): Promise<Static<typeof PasswordWasReset>> {
  const { account, email } = await redeemMailToken(tx, 'reset_password', input.token)
  if (!sameAddress(account.email, email)) throw invalid('This token is for an e-mail address that the account no longer has.')
  requireGoodPassword(input.password, account.email)
  const changes = { password_hash: await hashPassword(input.password), ...verified(account, tx.now) }
  if (account.email_verified_at === null) recordUserEvent(tx, account.id, 'user.verified')
  const after = await savePassword(tx, account, changes, { kept_session: null, revoke_tokens: input.revoke_tokens ?? false, by: 'reset' })
  return { email: after.email, password_changed_at: after.password_changed_at }
}

type Consequences = { kept_session: string | null; revoke_tokens: boolean; by: 'change' | 'reset' }

async function savePassword(tx: Tx, account: Account, changes: Partial<Account>, consequences: Consequences): Promise<Static<typeof User>> {
  const { kept_session, revoke_tokens, by } = consequences
  const after = saveAccount(tx, account, { ...changes, password_changed_at: tx.now })
  await endSessionsOf(tx, account.id, kept_session)
  if (revoke_tokens) {
    revokeTokens(tx, account.id)
    await revokeGrantsOf(tx, account.id, 'password')
  }
  voidMailTokens(tx, account.id, ['reset_password'])
  dropChallenges(tx, account.id)
  recordUserEvent(tx, account.id, 'user.password_changed', { by, tokens_revoked: revoke_tokens })
  tell(tx, account.email, passwordChangedLetter(tx.surroundings.public_url, tx.request.ip))
  return userOf(after)
}
