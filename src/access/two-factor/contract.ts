// Two-factor sign-in: codes from an authenticator app, and recovery codes for when it is lost.
import { endpoint } from '../../foundation/endpoint.ts'
import { boolean, integer, list, nullable, optional, shape, text, timestamp } from '../../foundation/shapes.ts'
import { password } from '../sign-in-attempts/contract.ts'

const own = { group: 'user', scope: 'user' } as const
const codes = list(text(14, 14), { description: 'Each good once. Shown this one time.' })

/** Either is enough; with both, the code counts. */
export const secondFactor = {
  code: optional(text(6, 10, { description: 'Six digits from the authenticator app; each works once.' })),
  recovery_code: optional(text(8, 40)),
}

export const TwoFactorState = shape('TwoFactorState', {
  enabled: boolean(),
  recovery_codes_left: integer(0, 10),
  enrollment_expires_at: nullable(timestamp({ description: 'Until when an enrollment that was begun can be confirmed.' })),
})
export const RecoveryCodes = shape('RecoveryCodes', { recovery_codes: codes })

export const getTwoFactor = endpoint({
  ...own, id: 'get_two_factor', method: 'GET', path: '/user/two-factor', summary: 'Whether two-factor sign-in is on', permission: 'user:read',
  reply: TwoFactorState,
})

export const disableTwoFactor = endpoint({
  ...own, id: 'disable_two_factor', method: 'DELETE', path: '/user/two-factor', summary: 'Turn two-factor sign-in off',
  permission: null, session: true, fresh: true,
  description: 'With the password and a code. A 403 names the business that requires it. Where it is off already nothing happens.',
  body: shape('DisableTwoFactorInput', { password: password(), ...secondFactor }),
  reply: TwoFactorState,
  refusals: ['The password or the code is wrong.', 'It is a dry run.'],
})

export const enrollTwoFactor = endpoint({
  ...own, id: 'enroll_two_factor', method: 'POST', path: '/user/two-factor/enroll', summary: 'Begin two-factor sign-in',
  permission: null, session: true, fresh: true, secret: true,
  description: 'Add the URI to an authenticator app, then confirm with a code within 10 minutes. Enrolling again replaces what was begun.',
  reply: shape('TwoFactorEnrollment', {
    otpauth_uri: text(1, 1000),
    secret: text(16, 100, { description: 'The same secret by itself, in base32, to be typed by hand.' }),
    expires_at: timestamp(),
  }),
  refusals: ['Two-factor sign-in is on already.'],
})

export const confirmTwoFactor = endpoint({
  ...own, id: 'confirm_two_factor', method: 'POST', path: '/user/two-factor/confirm', summary: 'Turn two-factor sign-in on',
  permission: null, session: true, secret: true,
  body: shape('ConfirmTwoFactorInput', { code: text(6, 10) }),
  reply: RecoveryCodes,
  refusals: ['No enrollment was begun, or it is over.', 'The code is wrong.'],
})

export const renewRecoveryCodes = endpoint({
  ...own, id: 'renew_recovery_codes', method: 'POST', path: '/user/two-factor/recovery-codes', summary: 'Make ten new recovery codes',
  permission: null, session: true, fresh: true, secret: true,
  description: 'The old ones stop working.',
  reply: RecoveryCodes,
  refusals: ['Two-factor sign-in is off.'],
})
