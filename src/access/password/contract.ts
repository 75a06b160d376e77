// Changing, forgetting and resetting the password.
import { endpoint } from '../../foundation/endpoint.ts'
import { boolean, optional, shape, text, timestamp } from '../../foundation/shapes.ts'
import { address, User } from '../account/contract.ts'
import { mailToken } from '../mail-tokens/contract.ts'
import { password } from '../sign-in-attempts/contract.ts'

export const newPassword = () => text(12, 128, { description: 'Not the e-mail address and not a common password.' })

const revoke_tokens = optional(boolean({ default: false, description: 'Also revoke all API tokens of the user.' }))
const door = { group: 'user', method: 'POST', scope: 'public', permission: null, limit_per_minute: 600 } as const

export const PasswordChange = shape('PasswordChange', { current_password: password(), new_password: newPassword(), revoke_tokens })
export const PasswordReset = shape('PasswordReset', { token: mailToken(), password: newPassword(), revoke_tokens })

export const PasswordWasReset = shape('PasswordWasReset', { email: text(3, 254), password_changed_at: timestamp() })

export const changePassword = endpoint({
  id: 'change_password', method: 'PUT', path: '/user/password', group: 'user', summary: 'Change the password',
  scope: 'user', permission: null, session: true, fresh: true,
  description: 'All other sessions end. A wrong current password counts as a failed sign-in.',
  body: PasswordChange,
  reply: User,
  refusals: ['The current password is wrong.', 'The new password is the e-mail address or a common one.', 'It is a dry run.'],
})

export const forgotPassword = endpoint({
  ...door, id: 'forgot_password', path: '/user/password/forgot', summary: 'Have a reset token mailed',
  description: 'The answer is the same for every address. The token is good for 30 minutes.',
  body: shape('ForgotPasswordInput', { email: address() }),
  reply: shape('ResetSent', { email: text(3, 254), reset_sent: boolean() }),
  example: { email: 'pat@example.com' },
})

export const resetPassword = endpoint({
  ...door, id: 'reset_password', path: '/user/password/reset', summary: 'Set a new password with a mailed token',
  description: 'All sessions end; two-factor sign-in stays as it is. The address counts as verified.',
  body: PasswordReset,
  reply: PasswordWasReset,
  refusals: ['The token is unknown, was used or has expired.', 'The password is the e-mail address or a common one.'],
})
