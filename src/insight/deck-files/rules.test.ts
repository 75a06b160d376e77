import JSZip from 'jszip'
import { getDocumentProxy, extractText } from 'unpdf'
import { beforeAll, describe, expect, it } from 'vitest'
import { amountText } from '../../foundation/wording.ts'
import type { Figure } from '../bindings/contract.ts'
import { decimalOf } from '../chart-figures/rules.ts'
import type { Block, Slide } from '../slides/contract.ts'
import { pdfOf, pptxOf } from './rules.ts'

const AS_OF = '2026-04-06T09:15:00.000Z'
const deck = { title: 'Board report', period_start: '2026-01-01', period_end: '2026-03-31', basis: 'accrual', data_as_of: AS_OF }
const options = { business: { name: 'Blue Harbor', currency: 'USD', country: 'US' }, include_hidden: false, include_notes: false }

let count = 0
function figure(row: string, column: string, cents: number | null, more: Partial<Figure> = {}): Figure {
  return {
    key: `${row}@${column}`, label: row, row, column, column_label: column, kind: 'ledger', depth: 0, unit: 'currency', value_cents: cents, decimal: null,
    formatted: cents === null ? 'n/m' : `USD ${amountText(cents)}`, reason: null, href: null, ...more,
  }
}
function block(kind: Block['kind'], more: Partial<Block> = {}): Block {
  return {
    id: `b${count++}`, kind, chart: kind === 'chart'
      ? 'bar' : null, binding: { report: 'profit-and-loss' }, figures: [], problem: null, text: null, edited: false, generated_by: null,
    model: null, document_id: null, ...more,
  }
}
function slide(title: string, blocks: Block[], more: Partial<Slide> = {}): Slide {
  return { id: `s${count++}`, deck_id: 'd', position: Math.min(60, count), kind: 'custom', title, hidden: false, speaker_notes: null, data_as_of: AS_OF,
    blocks, version: 1, ...more }
}
const months = ['2026-01', '2026-02', '2026-03']
const grid = (rows: string[], values: (number | null)[]) => rows.flatMap((row, r) => months.map((month, m) => figure(row, month, values[r * 3 + m] ?? null)))

const textsOf = (xml: string) => Array.from(xml.matchAll(/<a:t>([^<]*)<\/a:t>/g), ([, text = '']) => unescaped(text))
const unescaped = (text: string) => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&apos;',
  "'").replaceAll('&amp;', '&')

async function opened(content: Buffer) {
  const zip = await JSZip.loadAsync(content)
  const read = (path: string) => zip.file(path)!.async('string')
  const paths = (pattern: RegExp) => Object.keys(zip.files).filter((path) => pattern.test(path)).sort((a, b) => Number(a.match(/\d+/)) - Number(b.match(/\d+/)))
  const slides = await Promise.all(paths(/^ppt\/slides\/slide\d+\.xml$/).map(read))
  const charts = await Promise.all(paths(/^ppt\/charts\/chart\d+\.xml$/).map(async (path) => {
    const rels = await read(path.replace('charts/', 'charts/_rels/').concat('.rels'))
    const workbook = await JSZip.loadAsync(await zip.file(`ppt/embeddings/${rels.match(/embeddings\/([^"]+)"/)![1]}`)!.async('nodebuffer'))
    return { xml: await read(path), sheet: await workbook.file('xl/worksheets/sheet1.xml')!.async('string'),
      strings: await workbook.file('xl/sharedStrings.xml')!.async('string') }
  }))
  return { zip, slides, charts, read, paths }
}

/** The numbers of each series, as the chart remembers them and as its workbook has them. */
function numbersOf({ xml, sheet }: { xml: string; sheet: string }) {
  const cached = Array.from(xml.matchAll(/<c:val>([\s\S]*?)<\/c:val>/g),
    ([, values = '']) => Object.fromEntries(Array.from(values.matchAll(/<c:pt idx="(\d+)"><c:v>([^<]*)<\/c:v>/g), ([, index, value]) => [index, value])))
  const cells = Object.fromEntries(Array.from(sheet.matchAll(/<c r="([B-Z]+\d+)"><v>([^<]*)<\/v>/g), ([, place, value]) => [place, value]))
  return { cached, cells }
}

/** Every part can be read: tags are closed in order and text holds nothing that XML cannot. */
function wellFormed(xml: string): boolean {
  if (/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.test(xml) || /&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[\da-f]+);)/i.test(xml)) return false
  const open: string[] = []
  for (const [, end, name, attributes = '', self] of xml.matchAll(/<(?![?!])(\/?)([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*"[^"<]*")*)\s*(\/?)>/g)) {
    void attributes
    if (end) { if (open.pop() !== name) return false } else if (!self) open.push(name!)
  }
  return open.length === 0 && xml.replaceAll(/<[^<>]*>/g, '').search(/[<>]/) < 0
}

const pdfText = async (content: Buffer) => (await extractText(await getDocumentProxy(new Uint8Array(content)), { mergePages: false })).text

const values = [123_456_789, 0, -5, 90_071_992_547_409_91, null, 7]
const rows = ['Revenue', 'Costs']
const charts = (['line', 'bar', 'stacked_bar', 'donut'] as const).map((chart) => slide(`A ${chart}`, [block('chart', { chart, figures: grid(rows, values) })]))
const mixed = [
  slide('Board report', [], { kind: 'title' }), ...charts,
  slide('Cards', [block('metric', { figures: [figure('Cash', 'total', 1_234_567_89), figure('Cash', 'prior', null)] })]),
  slide('Table', [block('table', { figures: grid(rows, values) })], { speaker_notes: 'Say <this> & that.' }),
  slide('Secret', [block('text', { text: 'Not for everybody' })], { hidden: true, speaker_notes: 'Hidden note' }),
].map((each, index): Slide => ({ ...each, position: index + 1 }))

describe('a presentation', () => {
  let file: Awaited<ReturnType<typeof opened>>
  beforeAll(async () => { file = await opened(await pptxOf(deck, mixed, options)) })

  it('has charts whose memory and workbook hold every figure to the cent', () => {
    expect(file.charts).toHaveLength(4)
    const exact = values.map((cents) => (cents === null ? undefined : decimalOf(cents)))
    for (const chart of file.charts.slice(0, 3)) {
      const { cached, cells } = numbersOf(chart)
      expect(cached.map((series) => months.map((_, index) => series[index]))).toEqual([exact.slice(0, 3), exact.slice(3)])
      expect(months.map((_, index) => cells[`B${index + 2}`])).toEqual(exact.slice(0, 3))
      expect(months.map((_, index) => cells[`C${index + 2}`] || undefined)).toEqual(exact.slice(3))
      expect(chart.strings).toContain('<t>2026-02</t>')
    }
    // Below zero there are no slices.
    expect(file.charts[3]!.xml).toContain('<c:barChart>')
  })

  it('has a real table with the same figures, and cards', () => {
    const table = textsOf(file.slides.find((xml) => xml.includes('<a:tbl>'))!)
    for (const cents of values) expect(table).toContain(cents === null ? 'n/m' : amountText(cents))
    expect(textsOf(file.slides[5]!)).toEqual(expect.arrayContaining(['Cash', 'USD\u00a01,234,567.89', 'n/m']))
  })

  it('says whose figures they are, for when, known when, and under each block where from', () => {
    expect(textsOf(file.slides[0]!)).toEqual(expect.arrayContaining(['Blue Harbor', 'Board report', 'January – March 2026',
      'Figures as of 6 April 2026, 09:15 UTC  ·  accrual basis  ·  USD']))
    expect(textsOf(file.slides[1]!)).toEqual(expect.arrayContaining([
      'Profit and loss · January – March 2026 · accrual basis · USD · figures as of 6 April 2026, 09:15 UTC', 'Figures as of 6 April 2026, 09:15 UTC', 'Blue Harbor  ·  Board report  ·  January – March 2026',
    ]))
    expect(file.slides[1]).toContain('type="slidenum"')
  })

  it('leaves out hidden slides and notes, unless they are asked for', async () => {
    expect(file.slides).toHaveLength(mixed.length - 1)
    const all = (await Promise.all(file.paths(/\.xml$/).map(file.read))).join('')
    expect(all).not.toMatch(/Not for everybody|Hidden note|Say /)
    const whole = await opened(await pptxOf(deck, mixed, { ...options, include_hidden: true, include_notes: true }))
    expect(whole.slides.map((xml) => xml.includes('show="0"'))).toEqual([...mixed.slice(1).map(() => false), true])
    const notes = (await Promise.all(whole.paths(/^ppt\/notesSlides\/.*\.xml$/).map(whole.read))).join('')
    expect(notes).toContain('Say &lt;this&gt; &amp; that.')
  })

  it('holds hostile text as text: every part stays readable', async () => {
    const evil = '</a:t><script>&"\'\u0000\u0008\u001f\ud800\uffff]]>'
    const hostile = [slide(evil, [
      block('chart', { figures: [figure('a', 't', 5, { label: evil, column_label: evil }), figure('b', 't', 6, { label: '', column_label: evil })],
        binding: { report: evil } }),
      block('table', { figures: [figure('a', 't', 5, { label: evil, column_label: evil, formatted: evil })] }), block('text', { text: `${evil}\n- ${evil}` }),
      block('metric', { figures: [figure('m', 't', null, { label: evil, formatted: evil })], problem: null }), block('table', { problem: evil }),
    ], { speaker_notes: evil })]
    const broken = await opened(await pptxOf({ ...deck, title: evil }, hostile, { ...options, include_notes: true, business: { ...options.business,
      name: evil } }))
    for (const path of broken.paths(/\.(xml|rels)$/)) expect([path, wellFormed(await broken.read(path))]).toEqual([path, true])
    for (const { sheet, strings } of broken.charts) expect([wellFormed(sheet), wellFormed(strings)]).toEqual([true, true])
    expect((await pdfText(await pdfOf({ ...deck, title: evil }, hostile, options))).join(' ')).toContain('</a:t><script>')
  })
})

describe('a PDF', () => {
  it('has every figure to the cent, also those that are drawn, and the same bytes for the same content', async () => {
    const [first, second] = [await pdfOf(deck, mixed, options), await pdfOf(deck, mixed, options)]
    expect(first.equals(second)).toBe(true)
    const pages = await pdfText(first)
    const behind = pages.filter((page) => page.includes('Figures behind the charts')).join(' ')
    for (const cents of values) if (cents !== null) expect(behind).toContain(amountText(cents))
    expect(pages.find((page) => page.includes('Cards'))).toContain('1,234,567.89')
    expect(pages[1]).toContain('Profit and loss · January – March 2026 · accrual basis · USD · figures as of 6 April 2026, 09:15 UTC')
    expect(pages.join(' ')).not.toContain('Not for everybody')
    expect((await pdfText(await pdfOf(deck, mixed, { ...options, include_hidden: true,
      include_notes: true }))).join(' ')).toMatch(/Say <this> & that[\s\S]*Not for everybody[\s\S]*Hidden/)
  })
})

describe('what is long or missing', () => {
  const long = Array.from({ length: 200 }, (_, index) => [figure(`Ledger ${index}`, 'total', index * 12_345 + 1), figure(`Ledger ${index}`, 'prior',
    -index)]).flat()

  it('a table of 200 rows goes on on further slides, each row once', async () => {
    const slides = [slide('Everything', [block('table', { figures: long })])]
    const { slides: pages } = await opened(await pptxOf(deck, slides, options))
    expect(pages.length).toBeGreaterThan(5)
    const cells = pages.flatMap(textsOf)
    expect(cells.filter((cell) => cell.startsWith('Ledger '))).toEqual(Array.from({ length: 200 }, (_, index) => `Ledger ${index}`))
    expect(cells.filter((cell) => cell === amountText(199 * 12_345 + 1))).toHaveLength(1)
    expect(pages.filter((xml) => textsOf(xml).includes('Everything (continued)'))).toHaveLength(pages.length - 1)
    expect((await pdfText(await pdfOf(deck, slides, options))).join(' ').match(/Ledger 199\b/g)).toHaveLength(1)
  })

  it('so do columns: each figure once', async () => {
    const wide = Array.from({ length: 30 }, (_, row) => Array.from({ length: 40 }, (__, column) => figure(`Row ${row}`, `Column ${column}`,
      1_000_000_000_000 + row * 100 + column))).flat()
    const { slides: pages } = await opened(await pptxOf(deck, [slide('Wide', [block('table', { figures: wide })])], options))
    const cells = pages.flatMap(textsOf)
    expect(cells.filter((cell) => cell.startsWith('10,000,')).sort()).toEqual(wide.map(({ value_cents }) => amountText(value_cents!)).sort())
  })

  it('a text goes on as well, without losing a word', async () => {
    const words = Array.from({ length: 1500 }, (_, index) => `word${index}`)
    const { slides: pages } = await opened(await pptxOf(deck, [slide('Words', [block('text', { text: words.join(' ') })])], options))
    expect(pages.length).toBeGreaterThan(1)
    expect(pages.flatMap(textsOf).join(' ').match(/word\d+/g)).toEqual(words)
  })

  it('60 slides; no slides; blocks without figures say why', async () => {
    const many = Array.from({ length: 60 }, (_, index) => slide(`Slide ${index + 1}`, [block('metric', { figures: [figure('Cash', 'total', index)] })],
      { position: index + 1 }))
    expect((await opened(await pptxOf(deck, many, options))).slides).toHaveLength(60)
    expect(await pdfText(await pdfOf(deck, many, options))).toHaveLength(60)
    const empty = await opened(await pptxOf(deck, [], options))
    expect(empty.slides.map(textsOf)[0]).toContain('Board report')
    const gone = [slide('Gone', [block('chart', { problem: 'Ledger 4711 is gone.' }), block('image', { document_id: 'x', binding: null }), block('metric')])]
    const told = (await opened(await pptxOf(deck, gone, options))).slides.flatMap(textsOf)
    expect(told).toEqual(expect.arrayContaining(['Profit and loss: Ledger 4711 is gone.', 'The picture cannot be shown.',
      'Profit and loss: There are no figures.']))
    expect((await pdfText(await pdfOf(deck, gone, options))).join(' ')).toContain('Ledger 4711 is gone.')
  })

  it('nothing stands outside its page', async () => {
    const longest = 'A title that does not end '.repeat(7).slice(0, 200)
    const full = slide(longest, [
      ...Array.from({ length: 6 }, (_, index) => block('metric', { figures: [figure(`Metric ${index}`, 't', 9_007_199_254_740_991), figure(`Metric ${index}`,
        'p', -9_007_199_254_740_991)] })),
      block('chart', { figures: grid(rows, values) }), block('table', { figures: long.slice(0, 60) }), block('text', { text: 'Words. '.repeat(900) }),
      block('text', { text: '株式会社'.repeat(300) }), block('table', { figures: grid(['長い名前'.repeat(20)], values) }),
    ])
    const { slides: pages } = await opened(await pptxOf(deck, [full, { ...full, kind: 'title' }], options))
    for (const xml of pages) {
      for (const [, x, y, width, height] of xml.matchAll(/<a:off x="(-?\d+)" y="(-?\d+)"\/><a:ext cx="(-?\d+)" cy="(-?\d+)"\/>/g)) {
        expect(Math.min(Number(x), Number(y), Number(width), Number(height))).toBeGreaterThanOrEqual(0)
        expect(Number(x) + Number(width)).toBeLessThanOrEqual(12_192_000 + 1)
        expect(Number(y) + Number(height)).toBeLessThanOrEqual(6_858_000 + 1)
      }
    }
  })
})
