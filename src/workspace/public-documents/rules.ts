// The page that a public link opens.
import { html, type Html } from '../../foundation/html.ts'
import type { PublicDocument } from './contract.ts'

export const pageStyle = `body{font:1rem/1.5 system-ui,sans-serif;max-width:44rem;margin:8vh auto;padding:0 1rem;color:#222}
h1{font-size:1.4rem;overflow-wrap:anywhere}p{color:#555}
a.button,button{font:inherit;display:inline-block;padding:.6rem 1.2rem;border:0;border-radius:.4rem;background:#1f4b3f;color:#fff;text-decoration:none}
img{display:block;width:100%;margin-top:2rem;border:1px solid #ddd}
input{font:inherit;padding:.6rem;margin-right:.5rem;border:1px solid #999;border-radius:.4rem}`

/** `file` is where its bytes are. */
export function documentPage(document: PublicDocument, file: string): Html {
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
