// One document as text: by what it is, and never by what its sender says it is.
import { portableGrey, MOST_PIXELS } from './images.ts'
import { openLetters, type Letters } from './letters.ts'
import { openMail, plainText } from './mail.ts'
import { linesOf, linesOfText, MOST_LINES, type DocumentPart, type Line } from './pages.ts'
import { MOST_PAGES, openPdf, UnreadableError } from './pdf.ts'
import { imageSize, kindOf, textOf, type Kind } from './signature.ts'

/** `warnings` are whole sentences. Without parts nothing could be read, and a warning says why. */
export type ReadDocument = { kind: Kind; parts: DocumentPart[]; warnings: string[] }

/** What all documents of one reading share: the recognition of letters is opened once. */
export type Desk = { letters(): Promise<Letters>; close(): Promise<void> }

export function openDesk(): Desk {
  let opened: Promise<Letters> | null = null
  return {
    letters: () => (opened ??= openLetters()),
    close: async () => void (await (await opened?.catch(() => null))?.close()),
  }
}

export async function readDocument(desk: Desk, name: string, content: Buffer, within_mail = false): Promise<ReadDocument> {
  const kind = kindOf(content)
  const warnings: string[] = []
  const warn = (problem: string) => void warnings.push(`${name} ${problem}.`)
  try {
    const parts = await partsOf(desk, kind, content, warn, within_mail)
    if (parts.length > 0 && parts.every(({ lines }) => lines.length === 0)) warn('has no text that could be read')
    return { kind, parts: parts.filter(({ lines }) => lines.length > 0), warnings }
  } catch (error) {
    warn(error instanceof UnreadableError ? error.message : 'could not be read')
    return { kind, parts: [], warnings }
  }
}

type Warn = (problem: string) => void

async function partsOf(desk: Desk, kind: Kind, content: Buffer, warn: Warn, within_mail: boolean): Promise<DocumentPart[]> {
  switch (kind) {
    case 'pdf':
      return [await pdfPart(desk, content, warn)]
    case 'png':
    case 'jpeg':
      return [await imagePart(desk, content)]
    case 'mail':
      if (within_mail) throw new UnreadableError('is a message within a message: send it by itself')
      return mailParts(desk, content, warn)
    case 'text': {
      const text = textOf(content)
      const shown = /^\s*<(?:!doctype html|html|body|table|div|p)\b/i.test(text) ? plainText(text) : text
      return [{ ...plain, source: 'text', lines: withText(linesOfText(shown)) }]
    }
    case 'unknown':
      if (content.length === 0) throw new UnreadableError('is empty')
      throw new UnreadableError('is of a kind that cannot be read: send a PDF, a PNG or JPEG picture, an e-mail (.eml) or plain text')
  }
}

const plain = { name: null, sender: null, subject: null, page_count: 1, letter_confidence: null }

async function pdfPart(desk: Desk, content: Buffer, warn: Warn): Promise<DocumentPart> {
  const pdf = await openPdf(content)
  if (pdf.page_count > MOST_PAGES) warn(`has ${pdf.page_count} pages, of which the first ${MOST_PAGES} were read`)
  const lines: Line[] = []
  const confidences: number[] = []
  let number = 0
  for await (const { words, scan } of pdf.pages()) {
    number += 1
    if (!scan) {
      lines.push(...linesOf(words, number))
      continue
    }
    const recognised = await (await desk.letters()).recognise(portableGrey(scan))
    confidences.push(recognised.confidence)
    lines.push(...linesOf(recognised.words, number))
  }
  const scanned = confidences.length > 0
  const letter_confidence = scanned ? Math.round(confidences.reduce((sum, one) => sum + one, 0) / confidences.length) : null
  return { ...plain, source: scanned ? 'ocr' : 'pdf', page_count: pdf.page_count, letter_confidence, lines: lines.slice(0, MOST_LINES) }
}

async function imagePart(desk: Desk, content: Buffer): Promise<DocumentPart> {
  const size = imageSize(content)
  if (!size || size.width < 1 || size.height < 1) throw new UnreadableError('is a broken picture')
  if (size.width * size.height > MOST_PIXELS) {
    throw new UnreadableError(`has ${size.width} × ${size.height} pixels, more than can be read: send it with at most ${MOST_PIXELS / 1_000_000} million`)
  }
  const { words, confidence } = await (await desk.letters()).recognise(content).catch(() => { throw new UnreadableError('is a broken picture') })
  return { ...plain, source: 'ocr', letter_confidence: confidence, lines: linesOf(words, 1) }
}

/** The message first, then what is attached to it; each knows who sent it. */
async function mailParts(desk: Desk, content: Buffer, warn: Warn): Promise<DocumentPart[]> {
  const { sender, subject, text, attachments } = await openMail(content)
  const parts: DocumentPart[] = [{ ...plain, source: 'mail', sender, subject, lines: withText(linesOfText(text)) }]
  for (const attachment of attachments) {
    if (kindOf(attachment.content) === 'unknown') continue
    const read = await readDocument(desk, attachment.name, attachment.content, true)
    for (const warning of read.warnings) warn(`has an attachment that is left out: ${warning.replace(/\.$/, '')}`)
    parts.push(...read.parts.map((part) => ({ ...part, name: attachment.name, sender, subject })))
  }
  return parts
}

function withText(lines: Line[]): Line[] {
  return lines.filter(({ cells }) => cells.length > 0)
}
