// The mail about a change of address.
import { letter, type Letter } from '../account/rules.ts'
import { linkAndToken } from '../mail-tokens/rules.ts'

export function confirmationLetter(public_url: string, token: string): Letter {
  return letter(
    'Confirm your new e-mail address',
    'To use this e-mail address for your Daybook account, open this link within one hour:',
    linkAndToken(public_url, 'confirm-email', token),
    'If you did not ask for it, ignore this mail.',
  )
}

export function takenLetter(): Letter {
  return letter(
    'This e-mail address is in use',
    'Somebody asked to move their Daybook account to this e-mail address. It belongs to an account already, and nothing was changed.',
  )
}

export function requestedLetter(public_url: string, new_email: string, token: string): Letter {
  return letter(
    'Your e-mail address is about to change',
    `Your Daybook account is to move to ${new_email}.`,
    'If that was not you, undo it within 7 days, also after it has happened:',
    linkAndToken(public_url, 'undo-email', token),
  )
}

export function changedLetter(new_email: string): Letter {
  return letter(
    'Your e-mail address was changed',
    `Your Daybook account has moved to ${new_email}. If that was not you, use the link to undo it in the mail before this one.`,
  )
}
