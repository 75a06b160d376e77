// Turning the second factor on and off, and checking it.
import type { Static } from 'typebox'
import type { Tx, UserTx } from '../../foundation/database/transaction.ts'
import { invalid, Refusal } from '../../foundation/refusal.ts'
import { hashToken, open, seal } from '../../foundation/secrets.ts'
import { matchingStep, newTotpSecret, normaliseRecoveryCode, recoveryCodes, totpUri } from '../../foundation/totp.ts'
import { lockOwnAccount, saveAccount, tell, type Account } from '../account/operations.ts'
import { momentAfter } from '../account/rules.ts'
import { recordUserEvent } from '../security-events/operations.ts'
import { checkOwnPassword, recordFailure } from '../sign-in-attempts/operations.ts'
import { dropChallenges } from '../two-factor-challenges/operations.ts'
import type { RecoveryCodes, TwoFactorState } from './contract.ts'
import * as rules from './rules.ts'
import * as store from './store.ts'

export function getTwoFactor(tx: UserTx): Promise<Static<typeof TwoFactorState>> {
  return tx.get(store.twoFactorState, { user_id: tx.user_id }, 'User')
}

export async function enrollTwoFactor(tx: UserTx) {
  const account = await lockOwnAccount(tx)
  if (account.two_factor_enabled) throw invalid('Two-factor sign-in is on already. Turn it off first to use another device.')
  const secret = newTotpSecret()
  const expires_at = momentAfter(tx.now, rules.ENROLLMENT_MS)
  const totp_pending = seal(tx.surroundings.encryption_key, secret, rules.sealedFor(account.id))
  saveAccount(tx, account, { totp_pending, totp_pending_until: expires_at })
  return { otpauth_uri: totpUri({ secret, email: account.email }), secret, expires_at }
}

export async function confirmTwoFactor(tx: UserTx, code: string): Promise<Static<typeof RecoveryCodes>> {
  const account = await lockOwnAccount(tx)
  const { totp_pending, totp_pending_until } = account
  if (!totp_pending || !totp_pending_until || totp_pending_until <= tx.now) {
    throw invalid('No enrollment is under way. Enroll first, then confirm within 10 minutes.')
  }
  const secret = open(tx.surroundings.encryption_key, totp_pending, rules.sealedFor(account.id))
  const step = matchingStep(secret, code, new Date(tx.now))
  if (step === null) throw invalid('The code is wrong. Check the clock of the device and send the current code.')
  saveAccount(tx, account, { two_factor_enabled: true, totp_secret: totp_pending, totp_last_step: step, totp_pending: null, totp_pending_until: null })
  recordUserEvent(tx, account.id, 'user.two_factor_enabled')
  tell(tx, account.email, rules.twoFactorLetter('on'))
  return writeRecoveryCodes(tx, account.id)
}

export async function renewRecoveryCodes(tx: UserTx): Promise<Static<typeof RecoveryCodes>> {
  const account = await lockOwnAccount(tx)
  if (!account.two_factor_enabled) throw invalid('Two-factor sign-in is off: there is nothing to recover. Enroll first.')
  return writeRecoveryCodes(tx, account.id)
}

export async function disableTwoFactor(tx: UserTx, input: { password: string } & rules.SecondFactor): Promise<Static<typeof TwoFactorState> | Refusal> {
  rules.requireNobodyRequiresIt((await tx.many(store.requiringBusinesses, { user_id: tx.user_id })).map(({ name }) => name))
  const account = await checkOwnPassword(tx, input.password)
  if (account instanceof Refusal) return account
  if (!account.two_factor_enabled) return getTwoFactor(tx)
  rules.requireSecondFactor(input)
  const checked = await checkSecondFactor(tx, account, input)
  if (!checked) return wrongSecondFactor(tx, account)
  clearTwoFactor(tx, checked)
  recordUserEvent(tx, account.id, 'user.two_factor_disabled')
  tell(tx, account.email, rules.twoFactorLetter('off'))
  return { enabled: false, recovery_codes_left: 0, enrollment_expires_at: null }
}

/** Uses the code up: the account as it is afterwards, or null where the code is wrong or was used before. */
export async function checkSecondFactor(tx: Tx, account: Account, { code, recovery_code }: rules.SecondFactor): Promise<Account | null> {
  if (code !== undefined) {
    if (!account.totp_secret) return null
    const secret = open(tx.surroundings.encryption_key, account.totp_secret, rules.sealedFor(account.id))
    const step = rules.newStep(secret, code, account.totp_last_step, tx.now)
    return step === null ? null : saveAccount(tx, account, { totp_last_step: step })
  }
  const code_hash = hashOf(account.id, normaliseRecoveryCode(recovery_code ?? ''))
  return (await tx.run(store.useRecoveryCode, { user_id: account.id, code_hash })) === 1 ? account : null
}

/** Counted like a wrong password; to be returned, not thrown. */
export function wrongSecondFactor(tx: Tx, account: Account): Refusal {
  recordFailure(tx, account.email, account.id, 'two_factor')
  return invalid('The code is wrong or was used before.')
}

export function clearTwoFactor(tx: Tx, account: Account): Account {
  tx.queue(store.deleteRecoveryCodes, { user_id: account.id })
  dropChallenges(tx, account.id)
  return saveAccount(tx, account, { two_factor_enabled: false, totp_secret: null, totp_last_step: null, totp_pending: null, totp_pending_until: null })
}

function writeRecoveryCodes(tx: Tx, user_id: string): { recovery_codes: string[] } {
  const codes = recoveryCodes()
  tx.queue(store.deleteRecoveryCodes, { user_id })
  tx.queue(store.insertRecoveryCodes, { user_id, code_hashes: codes.map((code) => hashOf(user_id, code)) })
  return { recovery_codes: codes }
}

function hashOf(user_id: string, code: string): Buffer {
  return hashToken(rules.recoveryText(user_id, code))
}
