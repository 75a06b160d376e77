// The words of a PDF with their places, and for pages that are only pictures the pictures.
import { getDocumentProxy, getResolvedPDFJS } from 'unpdf'
import { greyOf, MOST_PIXELS, reduced, turned, type Grey, type Picture } from './images.ts'
import type { Word } from './pages.ts'

export const MOST_PAGES = 30
// A page with fewer letters than this and a picture on it is a scan.
const FEWEST_LETTERS = 25
const MOST_WORDS = 100_000

export type PdfPage = { words: Word[]; scan: Grey | null }
export type Pdf = { page_count: number; pages(): AsyncGenerator<PdfPage> }

/** Says in its message what is wrong with the file, to be read after the file's name. */
export class UnreadableError extends Error {}

export async function openPdf(content: Buffer): Promise<Pdf> {
  const document = await load(content)
  return {
    page_count: document.numPages,
    async *pages() {
      let count = 0
      for (let number = 1; number <= Math.min(document.numPages, MOST_PAGES) && count < MOST_WORDS; number++) {
        const page = await document.getPage(number)
        const words = await wordsOf(page)
        count += words.length
        const letters = words.reduce((sum, { text }) => sum + text.replaceAll(/\s/g, '').length, 0)
        yield { words, scan: letters < FEWEST_LETTERS ? await scanOf(page) : null }
        page.cleanup()
      }
    },
  }
}

type Document = Awaited<ReturnType<typeof getDocumentProxy>>
type Page = Awaited<ReturnType<Document['getPage']>>

async function load(content: Buffer): Promise<Document> {
  try {
    // Nothing is fetched and nothing in the file is run; a picture that claims to be huge is left out.
    const document = await getDocumentProxy(new Uint8Array(content), {
      useSystemFonts: false, disableFontFace: true, useWorkerFetch: false, useWasm: false, maxImageSize: MOST_PIXELS, verbosity: 0, enableXfa: false,
    })
    if (document.numPages < 1) throw new UnreadableError('has no pages')
    return document
  } catch (error) {
    if (error instanceof UnreadableError) throw error
    if ((error as Error).name === 'PasswordException') throw new UnreadableError('is protected by a password: send it without one')
    throw new UnreadableError('is broken: its pages could not be read')
  }
}

async function wordsOf(page: Page): Promise<Word[]> {
  const { items } = await page.getTextContent()
  const onPage = page.getViewport({ scale: 1 }).transform
  return items.slice(0, MOST_WORDS).flatMap((item) => {
    if (!('str' in item) || item.str.trim() === '') return []
    const place = multiplied(onPage, item.transform)
    const [a = 0, b = 0, c = 0, d = 0, left = 0, bottom = 0] = place
    // What runs up the margin is no part of a line.
    if (Math.abs(b) > Math.abs(a)) return []
    const height = Math.hypot(c, d) || 1
    return split({ text: item.str, left, right: left + item.width, top: bottom - height * 0.8, bottom: bottom + height * 0.2 })
  })
}

/** A run of spaces inside a piece of text parts it, as some programs lay out a whole row at once. */
function split(word: Word): Word[] {
  const pieces = Array.from(word.text.matchAll(/\S+(?:\s\S+)*/g))
  const width = (word.right - word.left) / Math.max(1, word.text.length)
  return pieces.map((piece) => ({ ...word, text: piece[0], left: word.left + piece.index * width, right: word.left + (piece.index + piece[0].length) * width }))
}

function multiplied(m: number[], n: number[]): number[] {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = m
  const [p = 1, q = 0, r = 0, s = 1, t = 0, u = 0] = n
  return [a * p + c * q, b * p + d * q, a * r + c * s, b * r + d * s, a * t + c * u + e, b * t + d * u + f]
}

/** The largest picture of the page, the right way up. */
async function scanOf(page: Page): Promise<Grey | null> {
  const { OPS } = await getResolvedPDFJS()
  const { fnArray, argsArray } = await page.getOperatorList()
  let largest: Picture | null = null
  for (const [index, operation] of fnArray.entries()) {
    const [given] = (argsArray[index] ?? []) as unknown[]
    const mask = operation === OPS.paintImageMaskXObject
    if (operation !== OPS.paintImageXObject && operation !== OPS.paintInlineImageXObject && !mask) continue
    const picture = await pictureOf(page, given, mask)
    if (picture && picture.width * picture.height > (largest ? largest.width * largest.height : 0)) largest = picture
  }
  const grey = largest && greyOf(largest)
  return grey && reduced(turned(grey, page.rotate))
}

async function pictureOf(page: Page, given: unknown, mask: boolean): Promise<Picture | null> {
  const held = typeof given === 'string' ? await objectOf(page, given) : given
  if (held === null || typeof held !== 'object') return null
  const { width, height, kind, data } = held as Picture & { data?: unknown }
  const bytes = typeof data === 'string' ? ((await objectOf(page, data)) as { data?: unknown } | null)?.data ?? null : data
  if (!(bytes instanceof Uint8Array || bytes instanceof Uint8ClampedArray)) return null
  // A stencil has one bit a pixel too.
  return { width, height, data: bytes, ...(mask ? { kind: 1 } : kind === undefined ? {} : { kind }) }
}

function objectOf(page: Page, name: string): Promise<unknown> {
  return new Promise((resolve) => void (name.startsWith('g_') ? page.commonObjs : page.objs).get(name, resolve))
}
