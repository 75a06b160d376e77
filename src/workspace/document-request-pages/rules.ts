// The page on which people send what they were asked for: plain HTML forms that fit a phone and a screen, by day and by night, without any script.
import { html, type Html } from '../../foundation/html.ts'
import { dateText } from '../../foundation/wording.ts'
import { CONTENT_TYPES, FORMATS } from '../document-files/rules.ts'
import type { PublicDocument, PublicRequest, PublicRequestFile } from '../public-documents/contract.ts'
import { sizeOf } from '../public-documents/rules.ts'

type Item = PublicRequest['items'][number]

/** What the page says besides the request: what just happened, or what did not work and for which item. */
export type Notice = { text: string; bad: boolean; item_id: string | null }

export type Shown = { view: PublicDocument; request: PublicRequest; country: string; path: string; notice: Notice | null }

export function requestPage({ view, request, country, path, notice }: Shown): Html {
  const left = request.items.filter(({ status }) => status === 'open' || status === 'rejected')
  const unsent = request.items.some(({ files }) => files.some(({ removable }) => removable))
  return html`<main>
<p class="from">${view.sender} asks you for papers</p>
<h1>${view.title}</h1>
${due(request, country)}
${view.description === null ? null : html`<p class="message">${view.description}</p>`}
${notice !== null && notice.item_id === null ? said(notice) : null}
<p class="sum">${left.length === 0 ? 'Everything was received. Thank you.' : `${left.length} of ${request.items.length} still to send.`}</p>
<ol>
${request.items.map((item, index) => itemPart(item, index + 1, path, request.files_left > 0, notice))}</ol>
<section class="done" aria-labelledby="done">
<h2 id="done">Finished?</h2>
${unsent ? html`<p>Tell ${view.sender} that you are done. What you have sent can then no longer be taken back.</p>
<form method="post" action="${path}/submit"><button type="submit" class="strong">I am done</button></form>`
    : html`<p>${request.submitted_at === null ? 'Send at least one file first.' : `${view.sender} was told that you are done. You can still send more.`}</p>`}
</section>
<p class="small">Taken are ${TAKEN}; ${request.files_left} more files fit through this link. Only ${view.sender} sees what you send.</p>
</main>`
}

const TAKEN = 'PDF, pictures, tables, texts and ZIP archives'

function due({ due_date, overdue }: PublicRequest, country: string): Html | null {
  if (due_date === null) return null
  return html`<p class="due${overdue ? ' late' : ''}">${overdue ? 'Was due on' : 'Please send until'} <strong>${dateText(due_date, country)}</strong></p>`
}

const STATES: Record<Item['status'], string> = {
  open: 'Still to send', received: 'Received', accepted: 'Accepted', rejected: 'Please send again', waived: 'No longer needed',
}

function itemPart(item: Item, number: number, path: string, room: boolean, notice: Notice | null): Html {
  const taking = room && item.status !== 'accepted' && item.status !== 'waived'
  const field = `f${number}`
  const about = [item.period, item.required ? null : 'only if you have it'].filter((word) => word !== null).join(', ')
  return html`<li id="i${number}">
<h2>${item.label}${about === '' ? null : html` <span class="about">(${about})</span>`}</h2>
<p class="state ${item.status}">${STATES[item.status]}</p>
${item.note === null ? null : html`<p class="note">${item.note}</p>`}
${item.reason === null ? null : html`<p class="reason">Why it is needed again: ${item.reason}</p>`}
${notice?.item_id === item.id ? said(notice) : null}
${item.files.length === 0 ? null : html`<ul>${item.files.map((file) => filePart(file, path))}</ul>`}
${taking ? html`<form method="post" action="${path}/files" enctype="multipart/form-data">
<input type="hidden" name="item_id" value="${item.id}">
<label for="${field}">${item.files.length === 0 ? 'Choose files' : 'Choose more files'}<span class="out"> for ${item.label}</span></label>
<input id="${field}" type="file" name="files" multiple required accept="${ACCEPTED}">
<button type="submit">Send<span class="out"> for ${item.label}</span></button>
</form>` : null}
</li>
`
}

const ACCEPTED = [...CONTENT_TYPES, ...Object.values(FORMATS).flatMap(({ endings }) => endings.map((ending) => `.${ending}`))].join(',')

function filePart(file: PublicRequestFile, path: string): Html {
  return html`<li><span class="file">${file.name}</span> <span class="about">${sizeOf(file.size)}${file.rejected ? ', not usable' : ''}</span>
${file.removable ? html`<form method="post" action="${path}/remove"><input type="hidden" name="file_id" value="${file.id}">
<button type="submit" class="plain">Take back<span class="out"> ${file.name}</span></button></form>` : null}</li>`
}

function said({ text, bad }: Notice): Html {
  return html`<p class="notice${bad ? ' bad' : ''}" role="${bad ? 'alert' : 'status'}">${text}</p>`
}

export const pageStyle = `:root{color-scheme:light dark;--paper:#fff;--back:#eef1f4;--ink:#1b2430;--soft:#525d6a;--line:#d5dbe1;--field:#7d8894;
--strong:#1a56a8;--on:#fff;--good:#e3f4e8;--goodink:#1c5a31;--warn:#fdeaea;--warnink:#8c1c1c;--calm:#e7edf5;--calmink:#1f4373}
@media (prefers-color-scheme:dark){:root{--paper:#1a2029;--back:#11151b;--ink:#e8ecf1;--soft:#a9b4c0;--line:#333d49;--field:#6f7c8a;--strong:#7fb2f5;
--on:#0d1420;--good:#153524;--goodink:#a9e3bd;--warn:#451c1c;--warnink:#ffc1c1;--calm:#20303f;--calmink:#b9d5f5}}
*{box-sizing:border-box}
body{margin:0;background:var(--back);color:var(--ink);font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
main{max-width:44rem;margin:2rem auto;padding:2.25rem;background:var(--paper);border-radius:.75rem}p,h1,h2,ol,ul{margin:0}
h1{margin-bottom:.5rem;font-size:1.6rem;line-height:1.25;overflow-wrap:anywhere}h2{font-size:1.05rem;overflow-wrap:anywhere}
.from,.about,.small,.note{color:var(--soft)}.about{font-weight:400}.small{margin-top:1.25rem;font-size:.875rem}.due.late{color:var(--warnink)}
.message{margin-top:1rem;white-space:pre-line;overflow-wrap:anywhere}.sum{margin:1.25rem 0 .5rem;font-weight:600}
ol{padding:0;list-style:none}ol>li{padding:1.1rem 0;border-top:1px solid var(--line)}ul{padding:0;list-style:none}
ul li{display:flex;flex-wrap:wrap;align-items:center;gap:.25rem .75rem;padding:.35rem 0}.file{overflow-wrap:anywhere}
.state{display:inline-block;margin:.3rem 0;padding:.05rem .7rem;border-radius:1rem;font-size:.85rem;font-weight:600;background:var(--calm);
color:var(--calmink)}
.state.received,.state.accepted{background:var(--good);color:var(--goodink)}.state.rejected{background:var(--warn);color:var(--warnink)}
.note{overflow-wrap:anywhere}.reason{margin:.25rem 0;color:var(--warnink);overflow-wrap:anywhere}
.notice{margin:.75rem 0;padding:.7rem 1rem;border-radius:.5rem;background:var(--good);color:var(--goodink);overflow-wrap:anywhere}
.notice.bad{background:var(--warn);color:var(--warnink)}
form[enctype]{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem .75rem;margin-top:.6rem}form[enctype] label{flex:1 0 100%;font-size:.9rem}
input[type=file]{flex:1 1 14rem;min-width:0;max-width:100%;padding:.55rem;border:1px dashed var(--field);border-radius:.5rem;font:inherit;
color:inherit;background:transparent}
button{min-height:2.75rem;padding:.55rem 1.25rem;border:1px solid var(--strong);border-radius:.5rem;background:transparent;color:var(--strong);
font:inherit;font-weight:600;cursor:pointer}
button.strong{background:var(--strong);color:var(--on)}button.plain{min-height:2.25rem;padding:.2rem .6rem;border-color:var(--line);font-weight:400}
a:focus-visible,button:focus-visible,input:focus-visible{outline:3px solid var(--strong);outline-offset:2px}
.done{margin-top:.5rem;padding-top:1.1rem;border-top:1px solid var(--line)}.done button{margin-top:.75rem}
.out{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
@media (max-width:40rem){main{margin:0;padding:1.25rem;border-radius:0;min-height:100vh}.done button,form[enctype] button{width:100%}}`
