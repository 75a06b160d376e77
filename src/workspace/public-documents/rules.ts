// The page that a public link opens.
import { html, type Html } from '../../foundation/html.ts'
import type { Loaded, RecipientRow, RequestFile } from '../document-requests/contract.ts'
import { MOST_FILES_OF_LINK } from '../document-request-files/contract.ts'
import { filesOf } from '../document-request-files/rules.ts'
import { shown as asShown } from '../document-requests/rules.ts'
import type { PublicDocument, PublicRequest, PublicRequestFile } from './contract.ts'

/** What one recipient sees of a request: nothing that others sent, and no word that was said inside. */
export function publicRequest(request: Loaded, recipient: RecipientRow, today: string): PublicRequest {
  return {
    recipient: recipient.name, due_date: request.due_date, overdue: asShown(request, today).overdue, submitted_at: recipient.submitted_at,
    files_left: Math.max(0, MOST_FILES_OF_LINK - filesOf(request, recipient.id).length),
    items: request.items.map(({ id, label, period, note, required, status, reason, files }) => ({
      id, label, period, note, required, status, reason: status === 'rejected' ? reason : null,
      files: files.filter(({ recipient_id }) => recipient_id === recipient.id).map((file) => publicFile(file, status === 'accepted')),
    })),
  }
}

export function publicFile({ id, name, size, submitted_at, rejected_at, created_at }: RequestFile, accepted = false): PublicRequestFile {
  return { id, name, size, removable: submitted_at === null && !accepted, rejected: rejected_at !== null, created_at }
}

export const pageStyle = `body{font:1rem/1.5 system-ui,sans-serif;max-width:44rem;margin:8vh auto;padding:0 1rem;color:#222}
h1{font-size:1.4rem;overflow-wrap:anywhere}p{color:#555}
a.button,button{font:inherit;display:inline-block;padding:.6rem 1.2rem;border:0;border-radius:.4rem;background:#1f4b3f;color:#fff;text-decoration:none}
img{display:block;width:100%;margin-top:2rem;border:1px solid #ddd}
input{font:inherit;padding:.6rem;margin-right:.5rem;border:1px solid #999;border-radius:.4rem}`

/** `file` is where its bytes are. */
export function documentPage(document: PublicDocument & { content_type: string; size: number }, file: string): Html {
  const picture = SHOWN.has(document.content_type) ? html`<img src="${withPage(file)}" alt="The first page">` : html``
  const button = document.allow_download ? html`<a class="button" href="${file}">Download (${sizeOf(document.size)})</a>` : html``
  return html`<main><p>${document.sender} shares</p><h1>${document.title}</h1>${button}${picture}</main>`
}

const SHOWN = new Set(['application/pdf', 'image/png', 'image/jpeg'])

export function passwordPage(problem: string | null): Html {
  const said = problem === null ? html`` : html`<p role="alert">${problem}</p>`
  const form = html`<form method="post"><label>Password <input type="password" name="password" required autofocus></label><button>Open</button></form>`
  return html`<main><h1>This document is protected by a password</h1>${said}${form}</main>`
}

function withPage(file: string): string {
  return `${file}${file.includes('?') ? '&' : '?'}page=1`
}

export function sizeOf(bytes: number): string {
  return bytes < 1024 ? `${bytes} bytes` : bytes < 1_048_576 ? `${Math.round(bytes / 1024)} KB` : `${(bytes / 1_048_576).toFixed(1)} MB`
}
