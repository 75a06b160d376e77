// Signing in, with a second factor where it is on, and showing again that one is there.
import { endpoint } from '../../foundation/endpoint.ts'
import { boolean, optional, shape, text, timestamp } from '../../foundation/shapes.ts'
import { address, User } from '../account/contract.ts'
import { password } from '../sign-in-attempts/contract.ts'
import { challenge, challengeExpiry } from '../two-factor-challenges/contract.ts'
import { secondFactor } from '../two-factor/contract.ts'

const door = { group: 'user', method: 'POST', scope: 'public', permission: null, secret: true, limit_per_minute: 600 } as const

export const SignInInput = shape('SignInInput', { email: address(), password: password() })
export const TwoFactorSignInInput = shape('TwoFactorSignInInput', { challenge: challenge(), ...secondFactor })
export const ReauthenticateInput = shape('ReauthenticateInput', { password: password(), ...secondFactor })

export const SignIn = shape('SignIn', {
  two_factor_required: boolean({ description: 'True: there is no session yet, answer the challenge.' }),
  challenge: optional(challenge()),
  challenge_expires_at: optional(challengeExpiry()),
  session_token: optional(text(47, 47, { description: 'The bearer of the session. Shown this one time.' })),
  csrf_token: optional(text(1, 100, { description: 'Sent as x-csrf-token with every write of a browser that uses the cookie.' })),
  expires_at: optional(timestamp()),
  user: optional(User),
})

export const Reauthenticated = shape('Reauthenticated', { reauthenticated_at: timestamp(), fresh_until: timestamp() })

export const signIn = endpoint({
  ...door, id: 'sign_in', path: '/user/sign-in', summary: 'Sign in',
  description: 'A wrong password and an unknown address get the same 401. Ten failures in 15 minutes for one account, or fifty from one address, are a 429. '
    + 'The session is also set as an HttpOnly cookie.',
  body: SignInInput,
  reply: SignIn,
  refusals: ['It is a dry run.'],
})

export const signInTwoFactor = endpoint({
  ...door, id: 'sign_in_two_factor', path: '/user/sign-in/two-factor', summary: 'Finish a sign-in with the second factor',
  description: 'Within 5 minutes and 5 tries; then sign in anew. A wrong code, or one used before, is a 401.',
  body: TwoFactorSignInInput,
  reply: SignIn,
  refusals: ['It is a dry run.'],
})

export const reauthenticate = endpoint({
  id: 'reauthenticate', method: 'POST', path: '/user/reauthenticate', group: 'user', summary: 'Show again that it is you',
  scope: 'user', permission: null, session: true,
  description: 'Opens 10 minutes for what needs a fresh sign-in. With two-factor sign-in on, a code is needed too.',
  body: ReauthenticateInput,
  reply: Reauthenticated,
  refusals: ['The password or the code is wrong.', 'Two-factor sign-in is on and no code was sent.', 'It is a dry run.'],
})
