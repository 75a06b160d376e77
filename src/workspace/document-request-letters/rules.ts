// What people outside are written about a request.
import { html } from '../../foundation/html.ts'
import { dateText } from '../../foundation/wording.ts'
import type { Loaded, RequestItem } from '../document-requests/contract.ts'
import { missingOf } from '../document-requests/rules.ts'

export type LetterKind = 'request' | 'reminder' | 'rejection' | 'reopened'

/** Who asks. */
export type Sender = { name: string; email: string | null; phone: string | null; country: string }

const BUTTON = 'display:inline-block;padding:12px 24px;background:#1a56a8;color:#ffffff;border-radius:6px;text-decoration:none;font-weight:600'

type Letter = { subject: string; text: string; html: string }

/** `rejected` is the item that a rejection is about. Both forms of a letter say the same. */
export function letterOf(kind: LetterKind, request: Loaded, to: { name: string; url: string }, sender: Sender, rejected: RequestItem | null = null): Letter {
  const words = wordsOf(kind, request, sender, rejected)
  const papers = missingOf(request.items)
  const due = request.due_date === null ? null : `Please send ${papers.length === 1 ? 'it' : 'them'} until ${dateText(request.due_date, sender.country)}.`
  const call = 'Send the papers'
  const signature = [sender.name, sender.email, sender.phone].filter((line) => line !== null)
  const text = [
    `Hello ${to.name},`, words, ...(request.message !== null && kind !== 'rejection' ? [request.message] : []),
    ...(papers.length > 0 ? [`What is needed:\n${papers.map((item) => `- ${paperText(item)}`).join('\n')}`] : []),
    ...(due === null ? [] : [due]), `${call} (no account is needed):\n${to.url}`, signature.join('\n'),
  ].join('\n\n')
  const body = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"></head>
<body style="margin:0;padding:24px;background:#eef1f4;color:#1b2430;font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif">
<div style="max-width:560px;margin:0 auto;padding:28px;background:#ffffff;border-radius:10px">
<p style="margin:0 0 16px">Hello ${to.name},</p>
<p style="margin:0 0 16px">${words}</p>
${request.message !== null && kind !== 'rejection' ? html`<p style="margin:0 0 16px;white-space:pre-line">${request.message}</p>` : null}
${papers.length > 0 ? html`<p style="margin:0 0 4px">What is needed:</p>
<ul style="margin:0 0 16px;padding-left:20px">${papers.map((item) => html`<li>${paperText(item)}</li>`)}</ul>` : null}
${due === null ? null : html`<p style="margin:0 0 16px"><strong>${due}</strong></p>`}
<p style="margin:0 0 20px;text-align:center">
<a href="${to.url}" style="${BUTTON}">${call}</a></p>
<p style="margin:0;color:#5b6673;font-size:14px">${signature.map((line, index) => html`${index === 0 ? null : html`<br>`}${line}`)}</p>
</div>
</body></html>
`
  return { subject: subjectOf(kind, request, sender), text, html: body.text }
}

function subjectOf(kind: LetterKind, { title }: Loaded, { name }: Sender): string {
  if (kind === 'reminder') return `Reminder: ${title}`
  if (kind === 'rejection') return `Please send again: ${title}`
  return `${name} asks you for papers: ${title}`
}

function wordsOf(kind: LetterKind, { title }: Loaded, { name }: Sender, rejected: RequestItem | null): string {
  if (kind === 'reminder') return `this is a friendly reminder that ${name} is still waiting for papers: ${title}.`
  if (kind === 'reopened') return `${name} has opened this request again: ${title}. The link of the earlier mail no longer works; please use this one.`
  if (kind === 'rejection') return `thank you for “${rejected?.label ?? title}”. ${name} cannot use it as it is: ${rejected?.reason ?? ''}`
  return `${name} asks you for papers: ${title}.`
}

export function paperText({ label, period, required, note }: Pick<RequestItem, 'label' | 'period' | 'required' | 'note'>): string {
  return `${label}${period === null ? '' : ` (${period})`}${required ? '' : ', if you have it'}${note === null ? '' : `: ${note}`}`
}
