// The hosted page of the embedded processor: a card form that needs no script and fits a phone.
import type { Tx } from '../database/transaction.ts'
import { html } from '../html.ts'
import { formatCents, type Currency } from '../money.ts'
import { Page, page, Redirect, type PageRoute } from '../page.ts'
import { notFound } from '../refusal.ts'
import { payCheckout, requireCheckout, type CheckoutRow } from './sandbox-records.ts'

export const sandboxPages: PageRoute[] = [
  page('GET', '/sandbox/checkout/{checkout_id}', async (tx, { params }) => {
    requireSandbox(tx)
    const checkout = await requireCheckout(tx, params['checkout_id'] ?? '')
    return checkout.status === 'open' ? form(checkout, null, {}) : closed(checkout)
  }),
  page('POST', '/sandbox/checkout/{checkout_id}', async (tx, { params, form: fields }) => {
    requireSandbox(tx)
    const card = { number: fields['number'] ?? '', expiry: fields['expiry'] ?? '', cvc: fields['cvc'] ?? '' }
    const { paid, message, checkout } = await payCheckout(tx, params['checkout_id'] ?? '', card)
    if (paid) return new Redirect(checkout.success_url.replaceAll('{CHECKOUT_SESSION_ID}', checkout.id))
    return checkout.status === 'open' ? form(checkout, message, fields) : closed(checkout)
  }, 30),
]

/** With a real processor there is no such page. */
export function requireSandbox(tx: Tx): void {
  if (tx.surroundings.processor.name !== 'sandbox') throw notFound('Page')
}

function form(checkout: CheckoutRow, message: string | null, fields: Record<string, string>): Page {
  const amount = `${formatCents(checkout.amount, checkout.currency as Currency)} ${checkout.currency}`
  return cardForm({ title: `Pay ${amount}`, what: checkout.description, heading: amount, ...checkout }, message, fields)
}

function closed(checkout: CheckoutRow): Page {
  return closedPage(checkout.status === 'complete', checkout)
}

type Form = { title: string; what: string; heading: string; success_url: string; cancel_url: string }

/** A form for a card; what was wrong with the one before stands above it. */
export function cardForm({ title, what, heading, success_url, cancel_url }: Form, message: string | null, fields: Record<string, string>): Page {
  const body = html`<main>
<p class="test">Sandbox: no money moves. 4242 4242 4242 4242 pays, 4000 0000 0000 0002 is declined.</p>
<p class="what">${what}</p>
<h1>${heading}</h1>
${message === null ? null : html`<p class="message" role="alert">${message}</p>`}
<form method="post" autocomplete="off">
<label for="number">Card number</label>
<input id="number" name="number" inputmode="numeric" autocomplete="cc-number" required maxlength="30"
  placeholder="4242 4242 4242 4242" value="${message === null ? '' : fields['number'] ?? ''}">
<div class="pair">
<div><label for="expiry">Expiry</label>
  <input id="expiry" name="expiry" inputmode="text" autocomplete="cc-exp" required maxlength="7" placeholder="12/34" value="${fields['expiry'] ?? ''}"></div>
<div><label for="cvc">Security code</label>
  <input id="cvc" name="cvc" inputmode="numeric" autocomplete="cc-csc" required maxlength="4" placeholder="123"></div>
</div>
<button type="submit">${title}</button>
</form>
<p class="back"><a href="${cancel_url}" rel="noreferrer">${cancel_url === success_url ? 'Go back' : 'Go back without paying'}</a></p>
</main>`
  return new Page({ title, style, body, form_targets: [originOf(success_url)], status: message === null ? 200 : 400 })
}

export function closedPage(paid: boolean, { success_url, cancel_url }: { success_url: string; cancel_url: string }): Page {
  const [title, text, target, label] = paid
    ? ['This was paid', 'There is nothing left to do here.', success_url, 'Continue']
    : ['This page has expired', 'Go back and start the payment again.', cancel_url, 'Go back']
  const way = html`<p class="back"><a href="${target}" rel="noreferrer">${label}</a></p>`
  return new Page({ title, style, body: html`<main><h1>${title}</h1><p>${text}</p>${way}</main>` })
}

function originOf(url: string): string {
  return URL.parse(url)?.origin ?? ''
}

const style = `:root{color-scheme:light dark}*{box-sizing:border-box}
body{margin:0;font:1rem/1.5 system-ui,sans-serif;background:light-dark(#f4f5f7,#15171b);color:light-dark(#1b1f24,#e8eaed)}
main{max-width:26rem;margin:0 auto;padding:1.5rem 1.25rem 3rem}h1{font-size:2rem;margin:.1rem 0 1.2rem}.what{margin:1.2rem 0 0;opacity:.8}
.test{font-size:.85rem;padding:.5rem .75rem;border:1px dashed #8888;border-radius:.5rem}
.message{padding:.6rem .75rem;border-radius:.5rem;background:light-dark(#fdeaea,#4a1f1f);color:light-dark(#8c1c1c,#ffc9c9)}
label{display:block;font-size:.9rem;margin:.9rem 0 .25rem}.pair{display:grid;grid-template-columns:1fr 1fr;gap:.75rem}
input{width:100%;font:inherit;padding:.7rem .75rem;border:1px solid #8888;border-radius:.5rem;background:light-dark(#fff,#1f2228);color:inherit}
button{width:100%;margin-top:1.5rem;padding:.85rem;font:inherit;font-weight:600;border:0;border-radius:.5rem;background:#1a5fd0;color:#fff;cursor:pointer}
input:focus-visible,button:focus-visible,a:focus-visible{outline:3px solid #1a5fd088;outline-offset:1px}
.back{text-align:center;margin-top:1.2rem}a{color:inherit}`
