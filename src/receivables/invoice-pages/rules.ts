// The page on which a customer sees an invoice: plain HTML that fits a phone, a screen and a sheet of paper, and needs no script.
import { html, type Html } from '../../foundation/html.ts'
import { addressLines, amountText, countText, dateText, moneyText, percentText } from '../../foundation/wording.ts'
import type { InvoiceView, InvoiceViewLine } from '../invoice-views/contract.ts'

/** What the page offers besides the invoice. */
export type Offer = {
  /** The address of this page, without a slash at its end. */
  path: string
  payable: boolean
  /** Why it cannot be paid here, for the customer. */
  reason: string | null
  allow_partial: boolean
  /** The customer comes back from the processor, which has taken this much; it may be under way yet. */
  just_paid: number | null
}

export function invoicePage(view: InvoiceView, offer: Offer): Html {
  const { business, customer } = view
  const shipped = addressLines(customer.shipping_address, business.country)
  return html`<main>
${notice(view, offer)}
<header>
<div>
${business.logo ? html`<img class="logo" src="${offer.path}/logo" alt="" width="${business.logo.width}" height="${business.logo.height}">` : null}
<p class="issuer">${business.name}</p>
${lines([...addressLines(business.address, null), ...business.tax_numbers])}
${contact(view)}
</div>
<div class="what">
<h1>Invoice ${view.number ?? ''}</h1>
<p class="state ${view.state}">${stateText(view)}</p>
</div>
</header>
<section class="payment" aria-label="Payment">
<p class="amount">${moneyText(view.state === 'paid' ? view.total : view.balance_due, view.currency)}</p>
<p>${dueText(view)}</p>
${pay(view, offer)}
<p class="actions"><a href="${offer.path}/pdf">Download PDF</a></p>
</section>
<section class="facts">
<div><h2>Bill to</h2><p class="strong">${customer.name}</p>${lines([...addressLines(customer.address, business.country), ...(customer.tax_number === null ? [] : [`Tax number ${customer.tax_number}`])])}</div>
${shipped.length > 0 ? html`<div><h2>Ship to</h2>${lines(shipped)}</div>` : null}
<dl>${facts(view)}</dl>
</section>
${table(view)}
<section class="sums" aria-label="Totals"><dl>${sums(view)}</dl></section>
${[view.message, view.footer].map((text) => (text === null ? null : html`<p class="words">${text}</p>`))}
</main>`
}

export function pageTitle({ number, business }: InvoiceView): string {
  return `Invoice ${number ?? ''} from ${business.name}`
}

function notice(view: InvoiceView, { just_paid }: Offer): Html | null {
  if (just_paid === null) return null
  const open = view.state === 'due' || view.state === 'overdue'
  return html`<p class="notice" role="status">Thank you. ${open
    ? `Your payment of ${moneyText(just_paid, view.currency)} is on its way; this page shows it as soon as it has arrived.` : 'Your payment has arrived.'}</p>`
}

function pay(view: InvoiceView, { path, payable, reason, allow_partial }: Offer): Html | null {
  if (view.state !== 'due' && view.state !== 'overdue') return null
  if (!payable) return html`<p class="how">${reason ?? 'Ask for ways to pay.'}</p>`
  const all = amountText(view.balance_due)
  return html`<form method="post" action="${path}">
${allow_partial ? html`<label for="sum">Amount to pay in ${view.currency}</label><input id="sum" name="sum" inputmode="decimal" autocomplete="off" required value="${all}" aria-describedby="most"><p id="most" class="hint">Up to ${all}.</p>` : null}
<button type="submit">${allow_partial ? 'Pay by card' : `Pay ${moneyText(view.balance_due, view.currency)}`}</button>
</form>`
}

/** 1,234.5 or 1234,50 → cents; null for what is no amount. */
export function readSum(text: string): number | null {
  const [, whole = '', decimals = ''] = /^(\d{1,3}(?:[ ,.'\u00a0]?\d{3})*|\d+)(?:[.,](\d{1,2}))?$/.exec(text.trim()) ?? []
  if (whole === '') return null
  const cents = Number(`${whole.replaceAll(/\D/g, '')}${decimals.padEnd(2, '0')}`)
  return Number.isSafeInteger(cents) ? cents : null
}

function stateText({ state }: InvoiceView): string {
  return { draft: 'Draft', due: 'Due', overdue: 'Overdue', paid: 'Paid', written_off: 'Closed', void: 'Void' }[state]
}

function dueText({ state, due_date, paid_on, business: { country } }: InvoiceView): string {
  if (state === 'paid') return paid_on === null ? 'Paid' : `Paid on ${dateText(paid_on.slice(0, 10), country)}`
  if (due_date === null) return 'Due now'
  return `${state === 'overdue' ? 'Was due' : 'Due'} on ${dateText(due_date, country)}`
}

function lines(texts: readonly string[]): Html {
  return html`${texts.map((text) => html`<p>${text}</p>`)}`
}

function contact({ business: { email, phone } }: InvoiceView): Html {
  return html`${email === null ? null : html`<p><a href="mailto:${email}">${email}</a></p>`}${phone === null ? null : html`<p>${phone}</p>`}`
}

function facts({ invoice_date, due_date, terms, purchase_order_number, business: { country } }: InvoiceView): Html {
  const date = (day: string | null) => (day === null ? null : dateText(day, country))
  const rows = [['Invoice date', date(invoice_date)], ['Due date', date(due_date)], ['Terms', terms], ['Your order', purchase_order_number]] as const
  return html`${rows.map(([name, value]) => (value === null ? null : html`<div><dt>${name}</dt><dd>${value}</dd></div>`))}`
}

function table(view: InvoiceView): Html {
  const discounted = view.lines.some(({ discount }) => discount !== 0)
  const taxed = view.lines.some((line) => line.taxed !== '')
  const amount = `${view.prices_include_tax ? 'With tax' : 'Amount'} (${view.currency})`
  const head = (name: string) => html`<th scope="col">${name}</th>`
  const cell = (name: string, value: string) => html`<td data-name="${name}">${value}</td>`
  return html`<table>
<caption>What this invoice is for</caption>
<thead><tr>${[head('Description'), head('Quantity'), head('Unit price'), discounted ? head('Discount') : null, taxed ? head('Tax') : null, head(amount)]}</tr></thead>
<tbody>${view.lines.map((line) => html`<tr><th scope="row">${description(view, line)}</th>${[
    cell('Quantity', countText(line.quantity)), cell('Unit price', amountText(line.unit_price)), discounted ? cell('Discount', line.discount === 0 ? '' : amountText(-line.discount)) : null,
    taxed ? cell('Tax', line.taxed) : null, cell(amount, amountText(line.amount)),
  ]}</tr>
`)}</tbody>
</table>`
}

function description({ business: { country } }: InvoiceView, { description: words, note, service_date, service_end_date }: InvoiceViewLine): Html {
  const from = service_date === null ? null : dateText(service_date, country)
  const to = service_end_date === null || service_end_date === service_date ? null : dateText(service_end_date, country)
  return html`<span>${words}</span>${note === null ? null : html`<span class="hint">${note}</span>`}${from === null ? null : html`<span class="hint">${to === null ? from : `${from} to ${to}`}</span>`}`
}

function sums(view: InvoiceView): Html {
  const date = (day: string) => dateText(day, view.business.country)
  const row = (name: string, value: string, kind = '') => html`<div class="${kind}"><dt>${name}</dt><dd>${value}</dd></div>`
  return html`${[
    row(view.prices_include_tax ? 'Without tax' : 'Subtotal', amountText(view.subtotal)),
    ...view.taxes.map(({ name, percent, net, amount }) => row(`${name} ${percentText(percent)} of ${amountText(net)}`, amountText(amount))),
    row('Total', moneyText(view.total, view.currency), 'total'),
    ...view.payments.map(({ date: day, method, amount }) => row(`Payment of ${date(day)}, ${method}`, amountText(-amount))),
    ...view.credits.map(({ date: day, number, amount }) => row(`Credit ${number ?? ''} of ${date(day)}`, amountText(-amount))),
    row(view.state === 'paid' ? 'Balance' : 'Amount due', moneyText(view.balance_due, view.currency), 'total last'),
  ]}`
}

export const pageStyle = `*{box-sizing:border-box}html{color-scheme:light}body{margin:0;background:#eef1f4;color:#1b2430;font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
main{max-width:52rem;margin:2rem auto;padding:2.5rem;background:#fff;border-radius:.75rem;box-shadow:0 1px 3px #0002}
p,h1,h2,dl,dd{margin:0}a{color:#1a56a8}h1{font-size:1.6rem;line-height:1.2;overflow-wrap:anywhere}h2{font-size:.8rem;color:#5b6673}
header{display:flex;justify-content:space-between;gap:1.5rem;font-size:.9rem;color:#5b6673}.issuer{font-size:1.15rem;font-weight:700;color:#1b2430;overflow-wrap:anywhere}
.logo{display:block;width:auto;height:auto;max-width:12rem;max-height:4.5rem;margin-bottom:.6rem}.what{text-align:right}.what h1{color:#1b2430}
.state{display:inline-block;margin-top:.5rem;padding:.1rem .7rem;border-radius:1rem;font-size:.85rem;font-weight:600;background:#e7edf5;color:#1f4373}.state.overdue{background:#fdeaea;color:#8c1c1c}.state.paid{background:#e3f4e8;color:#1c5a31}
.payment{margin:1.75rem 0;padding:1.25rem 1.5rem;border-radius:.6rem;background:#f5f7f9;text-align:center}.amount{font-size:2rem;font-weight:700;line-height:1.3;overflow-wrap:anywhere}
.payment form{max-width:22rem;margin:1rem auto 0;text-align:left}.payment label{font-size:.9rem}.payment input{width:100%;margin:.25rem 0;padding:.65rem .75rem;border:1px solid #8a94a0;border-radius:.5rem;font:inherit}
button{width:100%;margin-top:.5rem;padding:.85rem;border:0;border-radius:.5rem;background:#1a56a8;color:#fff;font:inherit;font-weight:600;cursor:pointer}button:hover{background:#164a91}
a:focus-visible,button:focus-visible,input:focus-visible{outline:3px solid #1a56a888;outline-offset:2px}.actions{margin-top:.9rem}.how{margin-top:.6rem;color:#48525e}
.notice{margin-bottom:1.5rem;padding:.8rem 1rem;border-radius:.5rem;background:#e3f4e8;color:#1c5a31}
.facts{display:flex;flex-wrap:wrap;gap:1.5rem;justify-content:space-between;margin-bottom:1.5rem;font-size:.95rem;overflow-wrap:anywhere}.facts>*{flex:1 1 12rem;min-width:0}.strong{font-weight:600}
.facts dl div,.sums dl div{display:flex;justify-content:space-between;gap:1rem}dt{color:#5b6673}dd{text-align:right}
table{width:100%;border-collapse:collapse;font-size:.95rem}caption{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
thead th{padding:.5rem .6rem;background:#f5f7f9;font-size:.8rem;color:#5b6673;text-align:right;white-space:nowrap}th:first-child{text-align:left}tbody th{font-weight:400;overflow-wrap:anywhere}
tbody th,td{padding:.6rem;border-bottom:1px solid #e4e8ec;vertical-align:top}td{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}th span{display:block;white-space:pre-line}.hint{font-size:.85rem;color:#5b6673}
.sums{display:flex;justify-content:flex-end;margin:1rem 0 0}.sums dl{width:100%;max-width:25rem;font-variant-numeric:tabular-nums}.sums dl div{padding:.2rem .6rem}.sums .total{font-weight:700;font-size:1.05rem;border-top:1px solid #c9d0d8;padding-top:.45rem}.sums .total dt{color:inherit}
.sums .last{margin-top:.4rem;padding:.6rem;border:0;border-radius:.4rem;background:#f5f7f9}.words{margin-top:1.25rem;font-size:.95rem;white-space:pre-line;overflow-wrap:anywhere}
@media (max-width:40rem){main{margin:0;padding:1.25rem;border-radius:0;box-shadow:none}header{flex-direction:column;gap:1rem}.what{text-align:left}.payment{margin:1.25rem 0;padding:1rem}.amount{font-size:1.7rem}
thead{display:none}tbody,tr,tbody th,td{display:block}tr{padding:.7rem 0;border-bottom:1px solid #e4e8ec}tbody th,td{padding:.1rem 0;border:0}td{display:flex;justify-content:space-between;gap:1rem;white-space:normal}td::before{content:attr(data-name);color:#5b6673}td:empty{display:none}}
@media print{body{background:#fff}main{margin:0;padding:0;max-width:none;box-shadow:none}.payment form,.actions,.notice,.how{display:none}.payment{padding:.5rem;border:1px solid #c9d0d8}thead{display:table-header-group}tr,.sums{break-inside:avoid}a{color:inherit;text-decoration:none}}`
