// What the pages of the flow do: the same operations that the API has, behind forms.
import type { PublicTx } from '../../foundation/database/transaction.ts'
import { Redirect, type AsUser, type Page, type PageInput } from '../../foundation/page.ts'
import { Refusal } from '../../foundation/refusal.ts'
import { formToken, requireFormToken, requireToken, visitorBehind } from '../browser.ts'
import { decideAuthorization, getAskingClient, getAuthorizationRequest } from '../oauth-authorization/operations.ts'
import { signOut } from '../sessions/operations.ts'
import { signIn, signInTwoFactor } from '../sign-in/operations.ts'
import { codePage, consentPage, signInPage } from './rules.ts'

type Answer = Promise<Page | Redirect>

/** Asks for consent, after asking who it is where nobody is signed in. */
export async function showConsent(tx: PublicTx, { query, cookie }: PageInput, asUser: AsUser): Answer {
  const request_id = query['request_id'] ?? ''
  const visitor = await visitorBehind(tx, cookie)
  if (!visitor) return signInPage(await getAskingClient(tx, request_id), formToken(tx, cookie), '', null)
  return consentPage(await getAuthorizationRequest(asUser(visitor.actor), request_id), visitor.actor.email ?? '', visitor.csrf_token, null)
}

export async function takeSignIn(tx: PublicTx, { form, cookie }: PageInput): Answer {
  requireFormToken(cookie, form['form_token'])
  const asking = await getAskingClient(tx, form['request_id'] ?? '')
  const [email, password] = [(form['email'] ?? '').trim().slice(0, 254), (form['password'] ?? '').slice(0, 200)]
  const entered = await signIn(tx, { email, password })
  if (entered instanceof Refusal) return signInPage(asking, formToken(tx, cookie), email, entered.detail)
  return entered.challenge ? codePage(asking, formToken(tx, cookie), entered.challenge, null) : consentOf(asking.request_id)
}

export async function takeCode(tx: PublicTx, { form, cookie }: PageInput): Answer {
  requireFormToken(cookie, form['form_token'])
  const asking = await getAskingClient(tx, form['request_id'] ?? '')
  const [code, challenge] = [(form['code'] ?? '').replaceAll(' ', '').slice(0, 40), form['challenge'] ?? '']
  const entered = await signInTwoFactor(tx, { challenge, ...(/^\d{6}$/.test(code) ? { code } : { recovery_code: code }) })
  return entered instanceof Refusal ? codePage(asking, formToken(tx, cookie), challenge, entered.detail) : consentOf(asking.request_id)
}

export async function takeSignOut(tx: PublicTx, { form, cookie }: PageInput, asUser: AsUser): Answer {
  const visitor = await visitorBehind(tx, cookie)
  if (visitor) {
    requireToken(form['csrf_token'], visitor.csrf_token)
    await signOut(asUser(visitor.actor))
  }
  return consentOf(form['request_id'] ?? '')
}

export async function takeConsent(tx: PublicTx, { form, cookie }: PageInput, asUser: AsUser): Answer {
  const request_id = form['request_id'] ?? ''
  const visitor = await visitorBehind(tx, cookie)
  if (!visitor) return consentOf(request_id)
  requireToken(form['csrf_token'], visitor.csrf_token)
  const user = asUser(visitor.actor)
  const asked = await getAuthorizationRequest(user, request_id)
  const decision = form['decision'] === 'approve' ? 'approve' : 'deny'
  const [business_ids, scopes] = [chosen(form, 'business_'), chosen(form, 'scope_')]
  if (decision === 'approve' && (business_ids.length === 0 || scopes.length === 0)) {
    const what = business_ids.length === 0 ? 'business' : 'thing that it may do'
    return consentPage(asked, visitor.actor.email ?? '', visitor.csrf_token, `Choose at least one ${what}, or deny.`)
  }
  const { redirect_to } = await decideAuthorization(user, decision === 'deny' ? { request_id: asked.request_id, decision } : { request_id: asked.request_id, decision, business_ids, scopes })
  return new Redirect(redirect_to)
}

function consentOf(request_id: string): Redirect {
  return new Redirect(`/oauth/consent?request_id=${encodeURIComponent(request_id)}`)
}

/** The boxes that are ticked, by the beginning of their names. */
function chosen(form: Record<string, string>, prefix: string): string[] {
  return Object.keys(form).filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length))
}
