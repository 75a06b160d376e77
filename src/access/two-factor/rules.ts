// When a second factor is right, and when it may be turned off.
import { forbidden, unprocessable } from '../../foundation/refusal.ts'
import { matchingStep } from '../../foundation/totp.ts'
import { letter, MINUTE, type Letter } from '../account/rules.ts'

export const ENROLLMENT_MS = 10 * MINUTE

export type SecondFactor = { code?: string; recovery_code?: string }

export function requireSecondFactor({ code, recovery_code }: SecondFactor): void {
  if (code === undefined && recovery_code === undefined) {
    throw unprocessable([{ loc: ['body', 'code'], msg: 'Field required, or recovery_code instead.', type: 'missing' }])
  }
}

/** The step whose code was given, where it lies beyond the last one used: a code that was seen once is worth nothing. */
export function newStep(secret: string, code: string, last_step: number | null, now: string): number | null {
  const step = matchingStep(secret, code, new Date(now))
  return step !== null && (last_step === null || step > last_step) ? step : null
}

export function requireNobodyRequiresIt(business_names: string[]): void {
  if (business_names.length > 0) throw forbidden(`Two-factor sign-in is required by ${business_names.join(', ')}.`)
}

/** Bound to the user, so that a sealed secret copied to another row does not open there. */
export function sealedFor(user_id: string): string {
  return `users.totp_secret ${user_id}`
}

/** Without this prefix, equal codes of two users would have equal hashes. */
export function recoveryText(user_id: string, code: string): string {
  return `${user_id} ${code}`
}

export function twoFactorLetter(state: 'on' | 'off'): Letter {
  return letter(
    `Two-factor sign-in was turned ${state}`,
    `Two-factor sign-in of your Daybook account was turned ${state}.`,
    'If that was not you, reset your password at once.',
  )
}
