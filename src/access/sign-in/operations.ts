// Signing in. Failures must be counted, so refusals are returned, not thrown: they commit what was written.
import type { Static } from 'typebox'
import type { PublicTx, Tx, UserTx } from '../../foundation/database/transaction.ts'
import { invalid, Refusal } from '../../foundation/refusal.ts'
import { hashPassword, needsRehash, verifyPassword } from '../../foundation/secrets.ts'
import { lockAccount, lockAccountByEmail, saveAccount, tell, userOf, type Account } from '../account/operations.ts'
import { mayEnter, momentAfter } from '../account/rules.ts'
import { recordUserEvent } from '../security-events/operations.ts'
import { reauthenticateSession, startSession } from '../sessions/operations.ts'
import { checkOwnPassword, recordFailure, takeTurn } from '../sign-in-attempts/operations.ts'
import { findChallenge, issueChallenge, tryChallenge, useChallenge } from '../two-factor-challenges/operations.ts'
import { checkSecondFactor, wrongSecondFactor } from '../two-factor/operations.ts'
import { requireSecondFactor } from '../two-factor/rules.ts'
import type { Reauthenticated, ReauthenticateInput, SignIn, SignInInput, TwoFactorSignInInput } from './contract.ts'
import { challengeOver, FRESH_MS, newDeviceLetter, wrongCode, wrongCredentials } from './rules.ts'

export async function signIn(tx: PublicTx, { email, password }: Static<typeof SignInInput>): Promise<Static<typeof SignIn> | Refusal> {
  await takeTurn(tx, email)
  const account = mayEnter(await lockAccountByEmail(tx, email))
  if (!(await verifyPassword(password, account?.password_hash ?? null)) || !account) {
    recordFailure(tx, email, account?.id ?? null, 'password')
    return wrongCredentials()
  }
  const current = await rehashed(tx, account, password)
  if (current.two_factor_enabled) return { two_factor_required: true, ...issueChallenge(tx, current.id) }
  return enter(tx, current)
}

export async function signInTwoFactor(tx: PublicTx, input: Static<typeof TwoFactorSignInInput>): Promise<Static<typeof SignIn> | Refusal> {
  requireSecondFactor(input)
  const owner = await findChallenge(tx, input.challenge)
  if (!owner) throw challengeOver()
  await takeTurn(tx, owner.email)
  const account = mayEnter(await lockAccount(tx, owner.user_id))
  const tries_left = await tryChallenge(tx, input.challenge)
  if (!account || tries_left === null) throw challengeOver()
  const checked = await checkSecondFactor(tx, account, input)
  if (!checked) {
    recordFailure(tx, account.email, account.id, 'two_factor')
    return wrongCode(tries_left)
  }
  useChallenge(tx, input.challenge)
  return enter(tx, checked)
}

export async function reauthenticate(tx: UserTx, input: Static<typeof ReauthenticateInput>): Promise<Static<typeof Reauthenticated> | Refusal> {
  const account = await checkOwnPassword(tx, input.password)
  if (account instanceof Refusal) return account
  if (account.two_factor_enabled) {
    if (input.code === undefined && input.recovery_code === undefined) throw invalid('Two-factor sign-in is on: send code or recovery_code as well.')
    if (!(await checkSecondFactor(tx, account, input))) return wrongSecondFactor(tx, account)
  }
  reauthenticateSession(tx)
  return { reauthenticated_at: tx.now, fresh_until: momentAfter(tx.now, FRESH_MS) }
}

async function enter(tx: Tx, account: Account): Promise<Static<typeof SignIn>> {
  const { id, new_device, ...session } = await startSession(tx, account.id)
  const after = saveAccount(tx, account, { last_sign_in_at: tx.now })
  recordUserEvent(tx, account.id, 'user.signed_in', { session_id: id, new_device })
  if (new_device) tell(tx, account.email, newDeviceLetter(tx.surroundings.public_url, tx.request.ip, tx.request.user_agent))
  return { two_factor_required: false, ...session, user: userOf(after) }
}

/** The password is known only now: the moment to raise an old hash to today's cost. */
async function rehashed(tx: Tx, account: Account, password: string): Promise<Account> {
  return needsRehash(account.password_hash) ? saveAccount(tx, account, { password_hash: await hashPassword(password) }) : account
}
