// Which passwords are good enough, and the mail about them. Length is a matter of shape; there are no rules of composition.
import { isCommonPassword } from '../../foundation/common-passwords.ts'
import { invalid } from '../../foundation/refusal.ts'
import { letter, sameAddress, type Letter } from '../account/rules.ts'
import { linkAndToken } from '../mail-tokens/rules.ts'

export function requireGoodPassword(password: string, email: string): void {
  if (sameAddress(password.trim(), email)) throw invalid('The password must not be the e-mail address. Choose another one.')
  if (isCommonPassword(password)) throw invalid('This password is among the first that anybody would try. Choose another one.')
}

export function resetLetter(public_url: string, token: string): Letter {
  return letter(
    'Reset your password',
    'To set a new password for Daybook, open this link within 30 minutes:',
    linkAndToken(public_url, 'reset-password', token),
    'If you did not ask for it, ignore this mail: your password is unchanged.',
  )
}

export function passwordChangedLetter(public_url: string, ip: string | null): Letter {
  return letter(
    'Your password was changed',
    `The password of your Daybook account was changed${ip ? ` from the address ${ip}` : ''}.`,
    `If that was not you, reset it at once: ${public_url}/forgot-password`,
  )
}
