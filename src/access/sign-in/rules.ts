// The refusals and the mail of signing in.
import { unauthenticated, type Refusal } from '../../foundation/refusal.ts'
import { letter, MINUTE, type Letter } from '../account/rules.ts'

export const FRESH_MS = 10 * MINUTE

/** One answer for everything that can be wrong, so that it does not tell who has an account. */
export function wrongCredentials(): Refusal {
  return unauthenticated('The e-mail address or the password is wrong.')
}

export function challengeOver(): Refusal {
  return unauthenticated('This challenge is unknown or over. Sign in again.')
}

export function wrongCode(tries_left: number): Refusal {
  const next = tries_left > 0 ? `${tries_left} ${tries_left === 1 ? 'try is' : 'tries are'} left.` : 'Sign in again.'
  return unauthenticated(`The code is wrong or was used before. ${next}`)
}

export function newDeviceLetter(public_url: string, ip: string | null, user_agent: string | null): Letter {
  return letter(
    'New sign-in to your account',
    'Somebody signed in to your Daybook account from a device not seen before.',
    `Address: ${ip ?? 'unknown'}\nProgram: ${user_agent?.slice(0, 200) ?? 'unknown'}`,
    `If that was not you, reset your password at once: ${public_url}/forgot-password`,
  )
}
