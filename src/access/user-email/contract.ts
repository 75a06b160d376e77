// Moving an account to another e-mail address, with a way back for the owner of the old one.
import { endpoint } from '../../foundation/endpoint.ts'
import { shape, text, timestamp } from '../../foundation/shapes.ts'
import { address } from '../account/contract.ts'
import { mailToken } from '../mail-tokens/contract.ts'

const door = { group: 'user', method: 'POST', scope: 'public', permission: null, limit_per_minute: 600 } as const

export const EmailChange = shape('EmailChange', {
  email: text(3, 254, { description: 'The address as it is now.' }),
  new_email: text(3, 254, { description: 'The address that a confirmation was sent to.' }),
  expires_at: timestamp({ description: 'Until when it can be confirmed.' }),
})
export const CurrentEmail = shape('CurrentEmail', { email: text(3, 254), email_verified_at: timestamp() })

export const requestEmailChange = endpoint({
  id: 'request_email_change', method: 'POST', path: '/user/email', group: 'user', summary: 'Ask for another e-mail address',
  scope: 'user', permission: null, session: true, fresh: true,
  description: 'The new address gets a token that is good for one hour; nothing changes before it is confirmed. The old address is told and gets '
    + 'a token that undoes the change for 7 days. The answer does not tell whether the new address has an account.',
  body: shape('EmailChangeInput', { email: address() }),
  reply: EmailChange,
  refusals: ['It is the address that the account has already.'],
  example: { email: 'pat.new@example.com' },
})

export const confirmEmailChange = endpoint({
  ...door, id: 'confirm_email_change', path: '/user/email/confirm', summary: 'Confirm the new e-mail address',
  body: shape('EmailConfirmation', { token: mailToken() }),
  reply: CurrentEmail,
  refusals: ['The token is unknown, was used or has expired.', 'The address was taken meanwhile.'],
})

export const undoEmailChange = endpoint({
  ...door, id: 'undo_email_change', path: '/user/email/undo', summary: 'Undo a change of the e-mail address',
  description: 'With the token that the old address was sent, for 7 days, before or after the confirmation. All sessions end, and a token '
    + 'to reset the password is sent to the restored address.',
  body: shape('EmailUndo', { token: mailToken() }),
  reply: CurrentEmail,
  refusals: ['The token is unknown, was used or has expired.', 'The old address was taken meanwhile.'],
})
