// The page that a share opens: a deck slide by slide or a dashboard as a grid, drawn on the server. It reads without a script, on a phone and on paper.
import { html, Html } from '../../foundation/html.ts'
import { dateText } from '../../foundation/wording.ts'
import type { Figure } from '../bindings/contract.ts'
import { chartSvg } from '../charts/rules.ts'
import type { Block, Slide } from '../slides/contract.ts'

/** What stands above it all. */
export type Head = {
  title: string
  business_name: string
  logo: string | null
  country: string
  currency: string
  /** The day whose books it shows, where the business is. */
  as_of: string
  period_start: string | null
  period_end: string | null
  /** The address of this page, without a slash at its end. */
  path: string
  allow_download: boolean
}

/** A widget that was picked, with its place. */
export type Tile = { title: string; block: Block; x: number; y: number; w: number; h: number }

export function deckPage(head: Head, slides: readonly Slide[]): Html {
  return html`${header('', head)}
<main>
${slides.length === 0 ? html`<p class="empty">There is nothing to see here yet.</p>` : slides.map((slide) => slideHtml(slide, head))}
</main>
<div class="bar" role="toolbar" aria-label="Slides" hidden>
<button type="button" data-go="back" aria-label="Previous slide">‹</button>
<span class="count">1 / ${slides.length}</span>
<button type="button" data-go="on" aria-label="Next slide">›</button>
<button type="button" data-go="present" aria-pressed="false" title="F">Present</button>
</div>`
}

export function boardPage(head: Head, tiles: readonly Tile[]): Html {
  return html`${header('of-board', head)}
<main class="board">
${tiles.length === 0 ? html`<p class="empty">There is nothing to see here yet.</p>` : tiles.map((tile, index) => tileHtml(tile, index + 1, head))}
</main>`
}

function tileHtml({ title, block }: Tile, number: number, head: Head): Html {
  return html`<section class="tile t${number}" aria-labelledby="title-${number}">
<h2 id="title-${number}">${title}</h2>${blockHtml(block, title, '', head)}</section>
`
}

/** Where each tile stands: in the style, because the page allows none beside it. */
export function tileStyle(tiles: readonly Tile[]): string {
  const rules = tiles.map(({ x, y, w, h }, index) => {
    const [column, row] = [within(x + 1, 1, 12), within(y + 1, 1, 10_001)]
    return `.t${index + 1}{grid-column:${column}/span ${within(w, 1, 13 - column)};grid-row:${row}/span ${within(h, 1, 100)}}`
  })
  return `@media (min-width:48.01rem){${rules.join('')}}`
}

function within(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, Math.trunc(value)))
}

export function passwordPage(problem: string | null): Html {
  const wrong = problem === null ? null : new Html(' aria-invalid="true" aria-describedby="problem"')
  return html`<main class="door"><h1>This page is protected by a password</h1>
<form method="post"><label for="password">Password</label>
<input id="password" type="password" name="password" required autofocus autocomplete="current-password"${wrong}>
${problem === null ? null : html`<p id="problem" class="problem" role="alert">${problem}</p>`}
<button>Open</button></form></main>`
}

function header(kind: string, { title, business_name, logo, country, as_of, period_start, period_end, path, allow_download }: Head): Html {
  const period = period_start !== null && period_end !== null ? html`<p>${dateText(period_start, country)} to ${dateText(period_end, country)}</p>` : null
  const file = (format: string, name: string) => html`<a href="${path}/download?format=${format}">${name}</a>`
  const files = allow_download ? html`<p class="files">Download ${file('pdf', 'PDF')} ${file('pptx', 'PowerPoint')}</p>` : null
  return html`<header class="top ${kind}">
<div>${logo === null ? null : html`<img class="logo" src="${logo}" alt="">`}<p class="owner">${business_name}</p>
<h1>${title}</h1>${period}<p>Figures as of ${dateText(as_of, country)}</p></div>
${files}
</header>`
}

function slideHtml({ position, kind, title, blocks }: Slide, head: Head): Html {
  return html`<section class="slide of-${kind}" id="slide-${position}" tabindex="-1" aria-labelledby="title-${position}">
<h2 id="title-${position}">${title}</h2>
${blocks.map((block, index) => blockHtml(block, title, `${head.path}/pictures/${position}/${index + 1}`, head))}
</section>
`
}

/** `address`: where its picture is, if it is an image. */
function blockHtml(block: Block, title: string, address: string, { currency }: Head): Html {
  const words = block.text === null || block.text.trim() === '' ? null : html`<div class="words">${paragraphs(block.text)}</div>`
  if (block.problem !== null) return html`${words}<p class="missing">${block.problem}</p>`
  if (block.kind === 'image' && block.document_id !== null) return html`<figure><img src="${address}" alt="${words === null ? title : ''}"></figure>${words}`
  if (block.figures.length === 0) return html`${words}`
  if (block.kind === 'metric') return html`${words}${metrics(block.figures)}`
  if (block.kind === 'chart') {
    const told = html`<details><summary>Show the figures</summary>${table(block.figures, title)}</details>`
    return html`${words}<figure>${picture(block, currency, 'wide')}${picture(block, currency, 'narrow')}${told}</figure>`
  }
  return html`${words}${table(block.figures, title)}`
}

const SIZES = { wide: { width: 460, height: 230 }, narrow: { width: 320, height: 260 } }

function picture(block: Block, currency: string, size: keyof typeof SIZES): Html {
  return html`<div class="${size}">${new Html(chartSvg(block, { ...SIZES[size], dark: false, currency }))}</div>`
}

function paragraphs(text: string): Html {
  return html`${text.split(/\n\s*\n/).map((paragraph) => html`<p>${paragraph.trim()}</p>`)}`
}

/** The first column is what counts; the others are what it is compared with. */
function metrics(figures: readonly Figure[]): Html {
  const compared = ({ column_label, formatted }: Figure) => html`<span>${column_label}: ${formatted}</span>`
  return html`<dl class="metrics">${rowsOf(figures).map(([first, ...others]) => (first === undefined ? null : html`<div><dt>${first.label}</dt>
<dd><strong>${first.formatted}</strong>${others.map(compared)}</dd></div>`))}</dl>`
}

function table(figures: readonly Figure[], title: string): Html {
  const columns = [...new Map(figures.map(({ column, column_label }) => [column, column_label]))]
  const rows = rowsOf(figures).map((row) => {
    const [first] = row
    const cells = new Map(row.map(({ column, formatted }) => [column, formatted]))
    return first === undefined ? null : html`<tr class="${first.kind} d${Math.min(6, first.depth)}"><th scope="row">${first.label}</th>${
      columns.map(([column]) => html`<td>${cells.get(column) ?? ''}</td>`)}</tr>
`
  })
  return html`<div class="scroll" role="region" tabindex="0" aria-label="Table: ${title}"><table><caption>${title}</caption>
<thead><tr><td></td>${columns.map(([, label]) => html`<th scope="col">${label}</th>`)}</tr></thead>
<tbody>${rows}</tbody></table></div>`
}

function rowsOf(figures: readonly Figure[]): Figure[][] {
  const rows = new Map<string, Figure[]>()
  for (const figure of figures) rows.set(figure.row, [...(rows.get(figure.row) ?? []), figure])
  return [...rows.values()]
}
