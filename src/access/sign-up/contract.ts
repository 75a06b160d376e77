// Signing up and proving that the e-mail address is one's own.
import { endpoint } from '../../foundation/endpoint.ts'
import { boolean, shape, text, timestamp } from '../../foundation/shapes.ts'
import { address } from '../account/contract.ts'
import { mailToken } from '../mail-tokens/contract.ts'
import { newPassword } from '../password/contract.ts'

const door = { group: 'user', method: 'POST', scope: 'public', permission: null, limit_per_minute: 600 } as const

export const SignUpInput = shape('SignUpInput', { email: address(), password: newPassword(), name: text(1, 200) })
export const VerificationSent = shape('VerificationSent', { email: text(3, 254), verification_sent: boolean() })

export const VerifiedEmail = shape('VerifiedEmail', { email: text(3, 254), email_verified_at: timestamp() })

export const signUp = endpoint({
  ...door, id: 'sign_up', path: '/user/sign-up', summary: 'Sign up',
  description: 'The answer is the same whether or not the address has an account; the mail that follows tells its owner. No session yet: sign in next.',
  body: SignUpInput,
  reply: VerificationSent,
  refusals: ['The password is the e-mail address or a common one.'],
  example: { email: 'pat@example.com', password: 'three quiet green lamps', name: 'Pat Example' },
})

export const verifyEmail = endpoint({
  ...door, id: 'verify_email', path: '/user/verify-email', summary: 'Verify an e-mail address',
  description: 'With the token that was mailed, within 48 hours.',
  body: shape('VerifyEmailInput', { token: mailToken() }),
  reply: VerifiedEmail,
  refusals: ['The token is unknown, was used or has expired.'],
})

export const resendVerification = endpoint({
  ...door, id: 'resend_verification', path: '/user/resend-verification', summary: 'Send the verification mail again',
  description: 'The answer is the same for every address.',
  body: shape('ResendVerificationInput', { email: address() }),
  reply: VerificationSent,
  example: { email: 'pat@example.com' },
})
