// Sets text of any script on the pages of a PDF: the font is chosen by the character, words stand in the order in which they are
// read, and lines break where their script allows it. The same content gives the same bytes.
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import PDFDocument from 'pdfkit'

export type Style = { size: number; bold?: boolean; color?: string }
export type Align = 'left' | 'right' | 'center'

/** Pieces of one line from left to right, each in one font. */
export type Line = { runs: { text: string; font: string; width: number }[]; width: number }

export type Sheet = {
  readonly document: PDFKit.PDFDocument
  /** Lines no wider than this; a line break in the text is one on the page. */
  wrap(text: string, style: Style, width: number): Line[]
  /** One line, cut off with an ellipsis where it is too long. */
  fit(text: string, style: Style, width: number): Line
  /** Writes a line whose letters stand on y. */
  draw(line: Line, x: number, y: number, style: Style, width: number, align: Align): void
  finish(): Promise<Buffer>
}

/** A size of its own is width and height in points. */
export type SheetOptions = { size: 'A4' | 'LETTER' | [number, number]; title: string; author: string; created_at: string }

export function openSheet({ size, title, author, created_at }: SheetOptions): Sheet {
  const document = new PDFDocument({
    // Nothing here flows by itself: a page begins where the caller begins it.
    size, margin: 0, bufferPages: true, lang: 'en', displayTitle: true,
    info: { Title: title, Author: author, Creator: 'Daybook', Producer: 'Daybook', CreationDate: new Date(created_at) },
  })
  const chunks: Buffer[] = []
  document.on('data', (chunk: Buffer) => chunks.push(chunk))
  const ended = new Promise<void>((done, failed) => document.on('end', done).on('error', failed))
  const fonts = openFonts(document)

  const measure = (text: string, style: Style): Line => {
    const runs = visualRuns(text, (character) => fonts.fontFor(character, style.bold ?? false)).map(({ text: piece, font }) => {
      document.font(font).fontSize(style.size)
      return { text: piece, font, width: document.widthOfString(piece) }
    })
    return { runs, width: runs.reduce((sum, run) => sum + run.width, 0) }
  }
  const widthOf = (text: string, style: Style) => measure(text, style).width

  return {
    document,
    wrap: (text, style, width) => printable(text).split('\n').flatMap((paragraph) => breakLines(paragraph, width, (part) => widthOf(part, style)).map((line) => measure(line, style))),
    fit(text, style, width) {
      const whole = printable(text).replaceAll('\n', ' ')
      const line = measure(whole, style)
      if (line.width <= width) return line
      const letters = Array.from(whole)
      let [fits, fails] = [0, letters.length]
      while (fails - fits > 1) {
        const middle = (fits + fails) >> 1
        if (widthOf(`${letters.slice(0, middle).join('')}…`, style) <= width) fits = middle
        else fails = middle
      }
      return measure(`${letters.slice(0, fits).join('').trimEnd()}…`, style)
    },
    draw(line, x, y, style, width, align) {
      let at = x + (align === 'left' ? 0 : (width - line.width) / (align === 'right' ? 1 : 2))
      document.fillColor(style.color ?? '#000000')
      for (const run of line.runs) {
        document.font(run.font).fontSize(style.size).text(run.text, at, y, { lineBreak: false, baseline: 'alphabetic' })
        at += run.width
      }
    },
    async finish() {
      document.end()
      await ended
      return Buffer.concat(chunks)
    },
  }
}

type Face = { name: string; regular: string; bold: string }

const { resolve } = createRequire(import.meta.url)

/** Where these files of a package lie; null where it is not installed: then its characters are shown as boxes. */
function face(name: string, anchor: string, regular: string, bold: string): Face | null {
  try {
    const folder = dirname(resolve(anchor))
    return { name, regular: join(folder, regular), bold: join(folder, bold) }
  } catch {
    return null
  }
}

/** In the order in which they are asked for a character. The large ones are opened only where they are needed. */
const FACES = [
  face('dejavu', 'dejavu-fonts-ttf/ttf/DejaVuSans.ttf', 'DejaVuSans.ttf', 'DejaVuSans-Bold.ttf'),
  face('han', '@embedpdf/fonts-sc', '../fonts/NotoSansHans-Regular.otf', '../fonts/NotoSansHans-Bold.otf'),
  face('hangul', '@embedpdf/fonts-kr', '../fonts/NotoSansKR-Regular.otf', '../fonts/NotoSansKR-Bold.otf'),
  face('devanagari', '@fontsource/noto-sans-devanagari/package.json', 'files/noto-sans-devanagari-devanagari-400-normal.woff', 'files/noto-sans-devanagari-devanagari-700-normal.woff'),
  face('thai', '@fontsource/noto-sans-thai/package.json', 'files/noto-sans-thai-thai-400-normal.woff', 'files/noto-sans-thai-thai-700-normal.woff'),
].filter((found) => found !== null)

/** A font as pdfkit keeps it once it is open: reading its tables takes longer than printing a page, so it stays open for the next document. */
type Opened = { hasGlyphForCodePoint(code_point: number): boolean }
const opened = new Map<string, Opened>()
/** The font of a character, which no document changes. */
const chosen = new Map<string, string>()

function openFonts(document: PDFKit.PDFDocument) {
  for (const { name, regular, bold } of FACES) {
    for (const [font, path] of [[`${name}-regular`, regular], [`${name}-bold`, bold]] as const) document.registerFont(font, (opened.get(font) ?? path) as string)
  }
  const fontNamed = (name: string): Opened => {
    const known = opened.get(name)
    if (known) return known
    const font = (document.font(name) as unknown as { _font: { font: Opened } })._font.font
    opened.set(name, font)
    return font
  }
  return {
    fontFor(character: string, bold: boolean): string {
      const weight = bold ? 'bold' : 'regular'
      const key = `${weight} ${character}`
      const known = chosen.get(key)
      if (known) return known
      const has = ({ name }: Face) => fontNamed(`${name}-${weight}`).hasGlyphForCodePoint(character.codePointAt(0) ?? 0)
      const font = `${(FACES.find(has) ?? FACES[0])?.name}-${weight}`
      chosen.set(key, font)
      return font
    },
  }
}

/** Without what a page cannot show: control characters, and marks that would turn the rest of the line around. */
function printable(text: string): string {
  return text.normalize('NFC').replaceAll(/\r\n?|[\u2028\u2029]/g, '\n').replaceAll('\t', ' ').replaceAll(/(?!\n)\p{Cc}|\ufe0f|[\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu, '')
}

const RIGHT_TO_LEFT = String.raw`\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}`
const FIGURES = String.raw`\p{Nd}(?:[\p{Nd}.,:\/\-]*\p{Nd})?`
/** From the first letter that runs to the left to the last one, or to figures behind it, over spaces and signs, but not over letters that run to the right. */
const LEFTWARD = new RegExp(`[${RIGHT_TO_LEFT}](?:[[\\s\\S]--[\\p{L}--[${RIGHT_TO_LEFT}]]]*[${RIGHT_TO_LEFT}])?\\p{M}*(?: *${FIGURES})?`, 'gv')
const LEFTWARD_PARTS = new RegExp(`[${RIGHT_TO_LEFT}\\p{M}]+|${FIGURES}|[\\s\\S]`, 'gv')
const MIRRORED: Record<string, string> = { '(': ')', ')': '(', '[': ']', ']': '[', '{': '}', '}': '{', '<': '>', '>': '<', '«': '»', '»': '«' }

type Run = { text: string; font: string }

/** From left to right as it is seen: the letters of a word that runs to the left are turned by the font itself, the order of words here. */
function visualRuns(text: string, fontFor: (character: string) => string): Run[] {
  const runs: Run[] = []
  let last = 0
  for (const match of text.matchAll(LEFTWARD)) {
    runs.push(...fontRuns(text.slice(last, match.index), fontFor))
    for (const part of Array.from(match[0].match(LEFTWARD_PARTS) ?? []).reverse()) runs.push(...fontRuns(MIRRORED[part] ?? part, fontFor))
    last = match.index + match[0].length
  }
  runs.push(...fontRuns(text.slice(last), fontFor))
  return runs
}

/** A space or a mark stays with what stands before it. */
function fontRuns(text: string, fontFor: (character: string) => string): Run[] {
  const runs: Run[] = []
  for (const character of text) {
    const current = runs.at(-1)
    const font = current && /[ \u00a0\u200c\u200d\p{M}]/u.test(character) ? current.font : fontFor(character)
    if (current?.font === font) current.text += character
    else runs.push({ text: character, font })
  }
  return runs
}

const IDEOGRAPH = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff00-\uffef`
/** What is never torn apart: a run of spaces, a word up to its hyphen or slash, one ideograph with the signs that may not begin a line. */
const UNITS = new RegExp(`[ ]+|[（「『【《〈]*[${IDEOGRAPH}][、。，．！？：；」』）】》〉ー々]*|[^ \\-\\/${IDEOGRAPH}]*[\\-\\/]+|[^ \\-\\/${IDEOGRAPH}]+`, 'gu')

function breakLines(paragraph: string, width: number, widthOf: (text: string) => number): string[] {
  if (widthOf(paragraph) <= width) return [paragraph]
  const lines: string[] = []
  let [line, used] = ['', 0]
  for (const unit of paragraph.match(UNITS) ?? []) {
    const pieces = widthOf(unit) <= width || unit.startsWith(' ') ? [unit] : chop(unit, width, widthOf)
    for (const piece of pieces) {
      const wide = widthOf(piece)
      if (used + wide > width && line !== '' && !piece.startsWith(' ')) {
        lines.push(line.trimEnd())
        ;[line, used] = ['', 0]
      }
      if (line === '' && piece.startsWith(' ') && lines.length > 0) continue
      line += piece
      used += wide
    }
  }
  return [...lines, line.trimEnd()]
}

/** A word that is longer than a line. */
function chop(word: string, width: number, widthOf: (text: string) => number): string[] {
  const pieces: string[] = []
  let [piece, used] = ['', 0]
  for (const { segment } of letters.segment(word)) {
    const wide = widthOf(segment)
    if (piece !== '' && used + wide > width) {
      pieces.push(piece)
      ;[piece, used] = ['', 0]
    }
    piece += segment
    used += wide
  }
  return [...pieces, piece]
}

const letters = new Intl.Segmenter('en', { granularity: 'grapheme' })
