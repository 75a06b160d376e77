// The files of a deck: a presentation whose charts and tables can be edited, and a PDF of the same pages. The PDF of the same content has the same bytes.
import { setImmediate as pause } from 'node:timers/promises'
import type PptxGenJS from 'pptxgenjs'
import { packSmall, unpack } from '../../foundation/archive.ts'
import { openSheet, type Sheet } from '../../foundation/typesetting.ts'
import { drawPieces, measureOf, write } from '../block-drawing/rules.ts'
import { INK, type Page, type Setting } from '../deck-fitting/contract.ts'
import { asOf, chartTables, PAGE, pagesOf, pagesOfItems, periodText } from '../deck-pages/rules.ts'
import { estimate, FONT, ink, place, plain, showPiece } from '../deck-shows/rules.ts'
import type { Slide } from '../slides/contract.ts'
import type { DeckFileOptions, DeckHead } from './contract.ts'

type Pptx = PptxGenJS.default

/** Of a file that was made just now there is nothing to fear. */
const OWN = { entries: 65_535, bytes: 2 ** 31 }
type Frame = { deck: DeckHead; setting: Setting; number: number; slide: Slide }

export async function pptxOf(deck: DeckHead, slides: readonly Slide[], options: DeckFileOptions): Promise<Buffer> {
  // Loaded when it is needed: most processes never write a presentation.
  const { default: Presentation } = await import('pptxgenjs') as unknown as { default: new () => Pptx }
  const file = new Presentation()
  file.layout = 'LAYOUT_WIDE'
  file.title = plain(deck.title)
  file.author = plain(options.business.name)
  file.theme = { headFontFace: FONT, bodyFontFace: FONT }
  const setting = settingOf(deck, options)
  let number = 0
  for (const [index, slide] of shownSlides(deck, slides, options).entries()) {
    for (const [place_in_slide, page] of pagesOf(slide, setting, estimate).entries()) {
      number += 1
      const shown = file.addSlide()
      shown.hidden = slide.hidden
      if (page.cover) showCover(shown, page, { deck, setting, number, slide })
      else showPage(shown, page, { deck, setting, number, slide })
      for (const piece of page.pieces) showPiece(shown, piece, page.cover ? '#c9d6f2' : INK.text)
      if (options.include_notes && place_in_slide === 0 && slide.speaker_notes) shown.addNotes(plain(slide.speaker_notes))
    }
    await options.progress?.(index + 1)
    await pause()
  }
  // The library would make it small itself, on the thread that everybody waits for.
  return packSmall(await unpack(await file.write({ outputType: 'STREAM' }) as Buffer, OWN, (name) => !name.endsWith('/')))
}

export async function pdfOf(deck: DeckHead, slides: readonly Slide[], options: DeckFileOptions): Promise<Buffer> {
  const sheet = openSheet({
    size: [PAGE.width, PAGE.height], title: plain(deck.title), author: plain(options.business.name), created_at: momentOf(deck),
  })
  const setting = settingOf(deck, options)
  const measure = measureOf(sheet)
  const shown = shownSlides(deck, slides, options)
  const exact = chartTables(shown, setting)
  let number = 0
  for (const [index, slide] of shown.entries()) {
    const notes = options.include_notes && slide.speaker_notes?.trim() ? notesOf(slide) : null
    // At the end, the figures that were drawn: a drawing cannot be read to the cent.
    const behind = index === shown.length - 1 && exact.length > 0 ? pagesOfItems('Figures behind the charts', exact, measure) : []
    const pages = [...pagesOf(slide, setting, measure), ...(notes ? pagesOf(notes, setting, measure) : []), ...behind]
    for (const page of pages) {
      number += 1
      if (number > 1) sheet.document.addPage()
      if (page.cover) drawCover(sheet, page, { deck, setting, number, slide })
      else drawPage(sheet, page, { deck, setting, number, slide })
      drawPieces(sheet, page.pieces, page.cover ? '#c9d6f2' : INK.text)
    }
    await options.progress?.(index + 1)
    await pause()
  }
  return sheet.finish()
}

function settingOf(deck: DeckHead, { business, pictures }: DeckFileOptions): Setting {
  const { period_start, period_end, basis, data_as_of } = deck
  return { business, period_start, period_end, basis, data_as_of, pictures: pictures ?? new Map() }
}

function momentOf({ data_as_of, period_end }: DeckHead): string {
  return data_as_of ?? `${period_end}T00:00:00.000Z`
}

/** A file needs a page: a deck in which nothing is shown has its title. */
function shownSlides(deck: DeckHead, slides: readonly Slide[], { include_hidden }: DeckFileOptions): Slide[] {
  const shown = slides.filter(({ hidden }) => include_hidden || !hidden).toSorted((a, b) => a.position - b.position)
  if (shown.length > 0) return shown
  return [{
    id: '', deck_id: '', position: 1, kind: 'title', title: deck.title, hidden: false, speaker_notes: null, data_as_of: momentOf(deck), blocks: [],
    version: 1,
  }]
}

/** In a PDF the notes of a slide follow it on a page of their own. */
function notesOf(slide: Slide): Slide {
  const text = { id: slide.id, kind: 'text' as const, chart: null, binding: null, figures: [], problem: null, text: slide.speaker_notes, edited: false,
    generated_by: null, model: null, document_id: null }
  return { ...slide, kind: 'custom', title: `Notes: ${slide.title}`, blocks: [text] }
}

// What stands on every page

const MARGIN = 48
const WIDTH = PAGE.width - 2 * MARGIN
const FOOT = PAGE.height - 30

function footer({ deck, setting, slide }: Frame): { left: string; right: string } {
  const { business, period_start, period_end } = setting
  const left = [business.name, deck.title, periodText(period_start, period_end, business.country)].map((part) => plain(part)).join('  ·  ')
  const told = asOf(slide.data_as_of)
  return { left, right: [slide.hidden ? 'Hidden' : '', told.charAt(0).toUpperCase() + told.slice(1)].filter(Boolean).join('  ·  ') }
}

/** The lines of the first page: whose deck, for when, known when. */
function coverLines({ setting, slide }: Frame): { business: string; period: string; known: string } {
  const { business, period_start, period_end, basis } = setting
  const told = asOf(slide.data_as_of)
  return {
    business: plain(business.name), period: periodText(period_start, period_end, business.country),
    known: `${told.charAt(0).toUpperCase()}${told.slice(1)}  ·  ${basis} basis  ·  ${business.currency}`,
  }
}

const SKY = '#c9d6f2'
const COVER = { business: { y: 96, size: 16 }, title: { bottom: 286 }, period: { y: 296, size: 18 }, known: { y: 480, size: 10 } } as const

function showCover(slide: PptxGenJS.default.Slide, page: Page, frame: Frame): void {
  const { business, period, known } = coverLines(frame)
  const line = (text: string, y: number, size: number, color: string, more = {}) => slide.addText(text, {
    ...place({ x: 72, y, width: 816, height: size * 1.5 }), margin: 0, fontFace: FONT, fontSize: size, color: ink(color), valign: 'top', fit: 'shrink', ...more,
  })
  slide.background = { color: ink(INK.dark) }
  slide.addShape('rect', { ...place({ x: 0, y: 0, width: 14, height: PAGE.height }), fill: { color: ink(INK.accent) } })
  line(business, COVER.business.y, COVER.business.size, SKY, { bold: true })
  const tall = page.title_lines * page.title_size * 1.25
  slide.addText(plain(page.title), {
    ...place({ x: 72, y: COVER.title.bottom - tall, width: 816, height: tall }), margin: 0, fontFace: FONT, fontSize: page.title_size, bold: true,
    color: ink(INK.white), valign: 'bottom',
  })
  line(period, COVER.period.y, COVER.period.size, SKY)
  line(known, COVER.known.y, COVER.known.size, SKY)
}

function showPage(slide: PptxGenJS.default.Slide, page: Page, frame: Frame): void {
  const { left, right } = footer(frame)
  slide.background = { color: ink(INK.white) }
  slide.addShape('rect', { ...place({ x: 0, y: 0, width: PAGE.width, height: 6 }), fill: { color: ink(INK.accent) } })
  slide.addText(plain(page.title), {
    ...place({ x: MARGIN, y: 26, width: WIDTH, height: 62 }), margin: 0, fontFace: FONT, fontSize: page.title_size, bold: true, color: ink(INK.dark),
    valign: 'middle',
  })
  slide.addShape('line', { ...place({ x: MARGIN, y: FOOT - 8, width: WIDTH, height: 0 }), h: 0, line: { color: ink(INK.rule), width: 0.75 } })
  const small = { margin: 0, fontFace: FONT, fontSize: 8, color: ink(INK.muted), valign: 'top' as const }
  slide.addText(shortened(left, 460), { ...small, ...place({ x: MARGIN, y: FOOT, width: 490, height: 12 }) })
  slide.addText(right, { ...small, ...place({ x: MARGIN + 490, y: FOOT, width: 330, height: 12 }), align: 'right' })
  slide.slideNumber = { ...place({ x: MARGIN + 826, y: FOOT, width: 38, height: 12 }), margin: 0, fontFace: FONT, fontSize: 8, color: ink(INK.dark),
    align: 'right', bold: true }
}

function shortened(text: string, room: number): string {
  if (estimate.width(text, { size: 8, bold: false }) <= room) return text
  let cut = text
  while (cut.length > 0 && estimate.width(`${cut}…`, { size: 8, bold: false }) > room) cut = Array.from(cut).slice(0, -1).join('')
  return `${cut.trimEnd()}…`
}

function drawCover(sheet: Sheet, page: Page, frame: Frame): void {
  const { business, period, known } = coverLines(frame)
  sheet.document.rect(0, 0, PAGE.width, PAGE.height).fill(INK.dark)
  sheet.document.rect(0, 0, 14, PAGE.height).fill(INK.accent)
  const line = (text: string, y: number, size: number, bold = false) => write(sheet, [sheet.fit(text, { size, bold }, 816)],
    { x: 72, y, width: 816, style: { size, bold, color: SKY } })
  line(business, COVER.business.y, COVER.business.size, true)
  const style = { size: page.title_size, bold: true, color: INK.white }
  const lines = sheet.wrap(page.title, style, 816)
  write(sheet, lines, { x: 72, y: COVER.title.bottom - lines.length * style.size * 1.35, width: 816, style })
  line(period, COVER.period.y, COVER.period.size)
  line(known, COVER.known.y, COVER.known.size)
}

function drawPage(sheet: Sheet, page: Page, frame: Frame): void {
  const { left, right } = footer(frame)
  const { document } = sheet
  document.rect(0, 0, PAGE.width, 6).fill(INK.accent)
  const style = { size: page.title_size, bold: true, color: INK.dark }
  const lines = sheet.wrap(page.title, style, WIDTH).slice(0, 3)
  write(sheet, lines, { x: MARGIN, y: 26 + (62 - lines.length * style.size * 1.35) / 2, width: WIDTH, style })
  document.moveTo(MARGIN, FOOT - 8).lineTo(MARGIN + WIDTH, FOOT - 8).lineWidth(0.75).strokeColor(INK.rule).stroke()
  const small = { size: 8, color: INK.muted }
  write(sheet, [sheet.fit(left, small, 480)], { x: MARGIN, y: FOOT, width: 480, style: small })
  write(sheet, [sheet.fit(right, small, 320)], { x: MARGIN + 490, y: FOOT, width: 330, style: small, align: 'right' })
  const strong = { size: 8, bold: true, color: INK.dark }
  write(sheet, [sheet.fit(String(frame.number), strong, 38)], { x: MARGIN + 826, y: FOOT, width: 38, style: strong, align: 'right' })
}
