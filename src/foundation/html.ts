// HTML written as text with holes: whatever is put into a hole is shown as text, unless it is HTML made the same way.

export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Hole = Html | string | number | null | readonly Hole[]

/** html`<p>${name}</p>`: null shows nothing, a list shows its parts one after another. */
export function html(parts: TemplateStringsArray, ...holes: Hole[]): Html {
  return new Html(parts.map((part, index) => part + (index < holes.length ? textOf(holes[index] ?? null) : '')).join(''))
}

function textOf(hole: Hole): string {
  if (hole === null) return ''
  if (hole instanceof Html) return hole.text
  if (typeof hole === 'string' || typeof hole === 'number') return escapeHtml(String(hole))
  return hole.map(textOf).join('')
}

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;').replaceAll("'", '&#39;')
}
