// The pages of the flow: address → operation.
import { page, Redirect, type PageRoute } from '../../foundation/page.ts'
import { openRequest } from '../oauth-authorization/operations.ts'
import { showConsent, takeCode, takeConsent, takeSignIn, takeSignOut } from './operations.ts'

export const oauthPages: PageRoute[] = [
  page('GET', '/api/v1/oauth/authorize', async (tx, { query, repeated }) => new Redirect(await openRequest(tx, query, repeated)), 60),
  page('GET', '/oauth/consent', showConsent, 120),
  page('POST', '/oauth/sign-in', takeSignIn, 30),
  page('POST', '/oauth/sign-in/code', takeCode, 30),
  page('POST', '/oauth/sign-out', takeSignOut, 30),
  page('POST', '/oauth/consent', takeConsent, 60),
]
