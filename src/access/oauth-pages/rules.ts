// How the pages look on which a person signs in and decides what an app may do: plain forms that need no script and fit a phone.
import type { Static } from 'typebox'
import { html, type Html } from '../../foundation/html.ts'
import { Page } from '../../foundation/page.ts'
import type { AuthorizationRequest } from '../oauth-authorization/contract.ts'

type Asked = Static<typeof AuthorizationRequest>
type Asking = { request_id: string; name: string; redirect_uri: string }

export function signInPage(asking: Asking, form_token: string, email: string, message: string | null): Page {
  return pageOf('Sign in', message, 401, html`<h1>Sign in to Daybook</h1>
<p>${asking.name} asks for access to your books. Sign in to see what it asks for.</p>
${alert(message)}
<form method="post" action="/oauth/sign-in">
${hidden('request_id', asking.request_id)}${hidden('form_token', form_token)}
<label for="email">E-mail address</label>
<input id="email" name="email" type="email" autocomplete="username" required maxlength="254" value="${email}">
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required maxlength="200">
<button type="submit">Sign in</button>
</form>`)
}

export function codePage(asking: Asking, form_token: string, challenge: string, message: string | null): Page {
  return pageOf('One more step', message, 401, html`<h1>One more step</h1>
<p>Type the code that your authenticator shows, or one of your recovery codes.</p>
${alert(message)}
<form method="post" action="/oauth/sign-in/code" autocomplete="off">
${hidden('request_id', asking.request_id)}${hidden('form_token', form_token)}${hidden('challenge', challenge)}
<label for="code">Code</label>
<input id="code" name="code" autocomplete="one-time-code" required maxlength="40">
<button type="submit">Continue</button>
</form>`)
}

export function consentPage(asked: Asked, email: string, csrf_token: string, message: string | null): Page {
  const { client, businesses } = asked
  const host = URL.parse(asked.redirect_uri)?.host ?? ''
  const possible = new Set(businesses.flatMap(({ scopes }) => scopes))
  const offered = asked.scopes.filter(({ scope }) => possible.has(scope))
  const refused = asked.scopes.filter(({ scope }) => !possible.has(scope))
  const own = html`${hidden('request_id', asked.request_id)}${hidden('csrf_token', csrf_token)}`
  const consent = html`<form method="post" action="/oauth/consent">
${own}
<fieldset><legend>In these businesses</legend>
${businesses.map(({ business_id, name, role }) => box(`business_${business_id}`, html`${name} <small>you are ${role}</small>`, businesses.length === 1))}
</fieldset>
<fieldset><legend>It may</legend>
${offered.map(({ scope, description }) => box(`scope_${scope}`, html`${description}`, true))}
</fieldset>
${refused.length === 0 ? null : html`<p class="small">It also asks for what you may not do yourself, and does not get it: ${refused.map(({ description }) => description).join(', ')}.</p>`}
<button type="submit" name="decision" value="approve">Allow</button>
<button type="submit" name="decision" value="deny" class="plain">Deny</button>
</form>`
  const impossible = html`<p>You are in no business in which you could allow this.</p>
<form method="post" action="/oauth/consent">${own}<button type="submit" name="decision" value="deny">Back to ${client.name}</button></form>`
  return pageOf(`Connect ${client.name}`, message, 400, html`<h1>${client.name} asks for access to your books</h1>
${client.description ? html`<p>${client.description}</p>` : null}
<p class="small">You go back to <strong>${host}</strong>.
${client.homepage_url ? html` <a href="${client.homepage_url}" rel="noreferrer" target="_blank">About the app</a>` : null}
${client.privacy_url ? html` <a href="${client.privacy_url}" rel="noreferrer" target="_blank">Its privacy policy</a>` : null}</p>
${alert(message)}
${offered.length === 0 ? impossible : consent}
<form method="post" action="/oauth/sign-out" class="who">${own}<p class="small">You are signed in as ${email}. <button type="submit" class="link">Not you?</button></p></form>
<p class="small">It never does more than you may do yourself at that time. You can end this at any time under connected apps.</p>`, [formTarget(asked.redirect_uri)])
}

/** Browsers hold a form to its targets also where the answer to it leads on. An address in brackets cannot be named there. */
function formTarget(redirect_uri: string): string {
  const origin = URL.parse(redirect_uri)?.origin ?? ''
  return origin.includes('[') ? 'http:' : origin
}

function pageOf(title: string, message: string | null, status: number, body: Html, form_targets: readonly string[] = []): Page {
  return new Page({ title, style, body: html`<main>${body}</main>`, status: message === null ? 200 : status, form_targets })
}

const alert = (message: string | null): Html | null => (message === null ? null : html`<p class="message" role="alert">${message}</p>`)
const hidden = (name: string, value: string): Html => html`<input type="hidden" name="${name}" value="${value}">`

function box(name: string, label: Html, checked: boolean): Html {
  return checked
    ? html`<label class="box"><input type="checkbox" name="${name}" value="on" checked><span>${label}</span></label>`
    : html`<label class="box"><input type="checkbox" name="${name}" value="on"><span>${label}</span></label>`
}

const style = `:root{color-scheme:light dark}*{box-sizing:border-box}
body{margin:0;font:1rem/1.5 system-ui,sans-serif;background:light-dark(#f4f5f7,#15171b);color:light-dark(#1b1f24,#e8eaed)}
main{max-width:28rem;margin:0 auto;padding:1.5rem 1.25rem 3rem}h1{font-size:1.5rem;line-height:1.25;margin:.5rem 0 1rem;overflow-wrap:anywhere}
.small,small{font-size:.875rem;opacity:.85}.message{padding:.6rem .75rem;border-radius:.5rem;background:light-dark(#fdeaea,#4a1f1f);color:light-dark(#8c1c1c,#ffc9c9)}
label{display:block;font-size:.9rem;margin:.9rem 0 .25rem}fieldset{border:1px solid #8888;border-radius:.5rem;margin:1rem 0;padding:.25rem .9rem .6rem}
legend{font-weight:600;padding:0 .3rem}.box{display:flex;gap:.7rem;align-items:flex-start;font-size:1rem;margin:0;padding:.45rem 0}
.box input{width:1.2rem;height:1.2rem;margin:.15rem 0 0;flex:none}
input:not([type=checkbox]){width:100%;font:inherit;padding:.7rem .75rem;border:1px solid #8888;border-radius:.5rem;background:light-dark(#fff,#1f2228);color:inherit}
button{width:100%;margin-top:.9rem;padding:.85rem;font:inherit;font-weight:600;border:1px solid #1a5fd0;border-radius:.5rem;background:#1a5fd0;color:#fff;cursor:pointer}
button.plain{background:none;color:inherit;border-color:#8888}button.link{width:auto;margin:0;padding:0;border:0;background:none;color:inherit;font-weight:400;text-decoration:underline}
input:focus-visible,button:focus-visible,a:focus-visible{outline:3px solid #1a5fd088;outline-offset:1px}.who{margin-top:1.5rem}a{color:inherit}`
