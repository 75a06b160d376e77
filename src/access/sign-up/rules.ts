// The mail of signing up. It never repeats the name that was typed: a stranger may have typed it.
import { letter, type Letter } from '../account/rules.ts'
import { linkAndToken } from '../mail-tokens/rules.ts'

export function verificationLetter(public_url: string, token: string): Letter {
  return letter(
    'Verify your e-mail address',
    'To verify this e-mail address for Daybook, open this link within 48 hours:',
    linkAndToken(public_url, 'verify-email', token),
    'If you did not sign up, ignore this mail.',
  )
}

export function knownAddressLetter(public_url: string): Letter {
  return letter(
    'You already have an account',
    'Somebody, perhaps you, signed up to Daybook with this e-mail address. It has an account already, and nothing was changed.',
    `Sign in at ${public_url}/sign-in. If you forgot the password, reset it at ${public_url}/forgot-password.`,
  )
}
