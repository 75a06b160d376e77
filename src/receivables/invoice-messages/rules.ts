// What may be mailed about an invoice, and in which words.
import { html } from '../../foundation/html.ts'
import { invalid } from '../../foundation/refusal.ts'
import { dateText, moneyText } from '../../foundation/wording.ts'
import type { InvoiceView } from '../invoice-views/contract.ts'
import type { InvoiceRow } from '../invoices/contract.ts'
import { isPaid, nameOf } from '../invoices/rules.ts'
import type { MessageKind } from './contract.ts'

/** Why this kind of mail makes no sense now; null where it does. A draft is finalized before it is mailed. */
export function unsendable(invoice: InvoiceRow, kind: MessageKind): string | null {
  const name = nameOf(invoice)
  if (invoice.status === 'void') return `${name} is void: a void invoice is not mailed.`
  if (kind !== 'invoice' && invoice.status === 'draft') return `${name} is a draft: finalize and send it first.`
  if (kind === 'reminder' && isPaid(invoice.status)) return `${name} is paid: there is nothing to remind of.`
  if (kind === 'reminder' && invoice.uncollectible) return `${name} is written off: mark it unpaid before you remind of it.`
  if (kind === 'receipt' && invoice.total_paid === 0) return `${name} has no payment yet: there is nothing to give a receipt for.`
  return null
}

export function requireSendable(invoice: InvoiceRow, kind: MessageKind): void {
  const reason = unsendable(invoice, kind)
  if (reason !== null) throw invalid(reason)
}

export function requireRecipients(to: readonly string[], customer_name: string | null): void {
  if (to.length === 0) throw invalid(`${customer_name ?? 'The customer'} has no e-mail address: give one in \`to\`, or add it to the customer.`)
}

export type Wanted = { kind: MessageKind; subject: string | null; message: string | null; attach_pdf: boolean; url: string | null }

/** Both forms of a letter say the same. */
export function letterOf(view: InvoiceView, { kind, subject, message, attach_pdf, url }: Wanted): { subject: string; text: string; html: string } {
  const words = message ?? usualWords(view, kind, attach_pdf)
  const facts = factsOf(view)
  const call = view.pay_url === null ? 'See the invoice' : 'See and pay the invoice'
  const signature = [view.business.name, view.business.email, view.business.phone].filter((line) => line !== null)
  const text = [
    `Hello ${view.customer.name},`, words, facts.map(([name, value]) => `${name}: ${value}`).join('\n'), ...(url === null ? [] : [`${call}:\n${url}`]), signature.join('\n'),
  ].join('\n\n').replaceAll('\u00a0', ' ')
  const body = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"></head>
<body style="margin:0;padding:24px;background:#eef1f4;color:#1b2430;font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif">
<div style="max-width:560px;margin:0 auto;padding:28px;background:#ffffff;border-radius:10px">
<p style="margin:0 0 16px">Hello ${view.customer.name},</p>
<p style="margin:0 0 16px;white-space:pre-line">${words}</p>
<table role="presentation" style="width:100%;margin:0 0 20px;border-collapse:collapse;background:#f5f7f9">
${facts.map(([name, value]) => html`<tr><td style="padding:6px 12px;color:#5b6673">${name}</td><td style="padding:6px 12px;text-align:right;font-weight:600">${value}</td></tr>
`)}</table>
${url === null ? null : html`<p style="margin:0 0 20px;text-align:center"><a href="${url}" style="display:inline-block;padding:12px 24px;background:#1a56a8;color:#ffffff;border-radius:6px;text-decoration:none;font-weight:600">${call}</a></p>
`}<p style="margin:0;color:#5b6673;font-size:14px">${signature.map((line, index) => html`${index === 0 ? null : html`<br>`}${line}`)}</p>
</div>
</body></html>
`
  return { subject: subject ?? usualSubject(view, kind), text, html: body.text }
}

function usualSubject(view: InvoiceView, kind: MessageKind): string {
  const name = `nvoice ${view.number ?? ''}`
  if (kind === 'receipt') return `Receipt for i${name} from ${view.business.name}`
  if (kind === 'reminder') return `Reminder: i${name} ${dueText(view)}`
  return `I${name} from ${view.business.name}`
}

function usualWords(view: InvoiceView, kind: MessageKind, attach_pdf: boolean): string {
  const attached = attach_pdf ? ' It is attached as a PDF.' : ''
  if (kind === 'receipt') return `Thank you for your payment.${attach_pdf ? ' The invoice with your payment is attached as a PDF.' : ''}`
  if (kind === 'reminder') return `this is a friendly reminder that invoice ${view.number ?? ''} ${dueText(view)}. If you have paid it in the meantime, please ignore this mail.${attached}`
  return `thank you for your business. Here is invoice ${view.number ?? ''}.${attached}`
}

function dueText({ state, due_date, business: { country } }: InvoiceView): string {
  if (due_date === null) return 'is due'
  return `${state === 'overdue' ? 'was due' : 'is due'} on ${dateText(due_date, country)}`
}

function factsOf(view: InvoiceView): [string, string][] {
  const paid = view.total - view.balance_due
  return [
    ['Invoice', view.number ?? ''],
    ...(view.invoice_date === null ? [] : [['Date', dateText(view.invoice_date, view.business.country)] as [string, string]]),
    ...(view.due_date === null || view.state === 'paid' ? [] : [['Due date', dateText(view.due_date, view.business.country)] as [string, string]]),
    ['Total', moneyText(view.total, view.currency)],
    ...(paid === 0 ? [] : [['Paid', moneyText(paid, view.currency)] as [string, string]]),
    ['Amount due', moneyText(view.balance_due, view.currency)],
  ]
}
