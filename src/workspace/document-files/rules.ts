// What a file is, by its content; what it may be called; and which of them are taken.
import { fileTypeFromBuffer } from 'file-type'
import { isMail, isText } from '../../foundation/document-text/signature.ts'
import { invalid } from '../../foundation/refusal.ts'

const OFFICE = 'application/vnd.openxmlformats-officedocument'

/** By the ending that stands for it. `readable`: its words can be found. */
export const FORMATS = {
  pdf: { content_type: 'application/pdf', words: 'a PDF', endings: ['pdf'], readable: true },
  png: { content_type: 'image/png', words: 'a PNG picture', endings: ['png'], readable: true },
  jpg: { content_type: 'image/jpeg', words: 'a JPEG picture', endings: ['jpg', 'jpeg'], readable: true },
  heic: { content_type: 'image/heic', words: 'a HEIC picture', endings: ['heic', 'heif'], readable: false },
  webp: { content_type: 'image/webp', words: 'a WEBP picture', endings: ['webp'], readable: false },
  tif: { content_type: 'image/tiff', words: 'a TIFF picture', endings: ['tif', 'tiff'], readable: false },
  csv: { content_type: 'text/csv', words: 'a CSV table', endings: ['csv'], readable: true },
  xlsx: { content_type: `${OFFICE}.spreadsheetml.sheet`, words: 'an XLSX workbook', endings: ['xlsx'], readable: false },
  docx: { content_type: `${OFFICE}.wordprocessingml.document`, words: 'a DOCX document', endings: ['docx'], readable: false },
  pptx: { content_type: `${OFFICE}.presentationml.presentation`, words: 'a PPTX presentation', endings: ['pptx'], readable: false },
  txt: { content_type: 'text/plain', words: 'plain text', endings: ['txt'], readable: true },
  eml: { content_type: 'message/rfc822', words: 'an e-mail', endings: ['eml'], readable: true },
  ofx: { content_type: 'application/x-ofx', words: 'an OFX statement', endings: ['ofx', 'qfx'], readable: false },
  qif: { content_type: 'application/x-qif', words: 'a QIF statement', endings: ['qif'], readable: false },
  zip: { content_type: 'application/zip', words: 'a ZIP archive', endings: ['zip'], readable: false },
} as const satisfies Record<string, { content_type: string; words: string; endings: readonly string[]; readable: boolean }>

export type Format = keyof typeof FORMATS
export const CONTENT_TYPES = Object.values(FORMATS).map(({ content_type }) => content_type)

/** The format of something that was taken. */
export function formatOf(content_type: string): Format {
  const found = (Object.keys(FORMATS) as Format[]).find((format) => FORMATS[format].content_type === content_type)
  if (!found) throw new Error(`${content_type} is not a type of documents.`)
  return found
}

const TAKEN = 'PDF, PNG, JPEG, HEIC, WEBP, TIFF, CSV, XLSX, DOCX, PPTX, TXT, EML, OFX, QIF or ZIP'

/** Refuses what is empty, of a kind that is not taken, or not what its ending says. */
export async function requireFormat(name: string, content: Buffer): Promise<Format> {
  if (content.length === 0) throw invalid(`${name} is empty: send a file with something in it.`)
  const possible = await formatsOf(content)
  const [first] = possible
  if (!first) throw invalid(`${name} is of a kind that is not taken: send ${TAKEN}.`)
  const ending = endingOf(name)
  const wanted = ending === null ? first : possible.find((format) => (FORMATS[format].endings as readonly string[]).includes(ending))
  if (!wanted) throw invalid(`${name} does not hold what its ending says: its content is ${FORMATS[first].words}.`)
  return wanted
}

/** A document may not be renamed to what it is not. */
export function requireFittingName(name: string, format: Format): void {
  const ending = endingOf(name)
  if (ending === null || (FORMATS[format].endings as readonly string[]).includes(ending)) return
  // In a text anything can stand that is written; what it is called says how it is meant.
  throw invalid(`${name} would not end as its content does, which is ${FORMATS[format].words}: let it end with .${FORMATS[format].endings[0]}.`)
}

/** Everything that this content can be, the likeliest first. */
async function formatsOf(content: Buffer): Promise<Format[]> {
  // At the very beginning only: what has something else before it is something else too.
  if (content.toString('latin1', 0, 5) === '%PDF-') return ['pdf']
  if (content.toString('latin1', 0, 2) === 'PK') return archiveFormats(content)
  const text = textOf(content)
  if (text !== null) return textFormats(text, content)
  const { mime } = (await fileTypeFromBuffer(content.subarray(0, 65_536)).catch(() => undefined)) ?? {}
  const picture = mime === undefined ? undefined : PICTURES[mime]
  return picture ? [picture] : []
}

const PICTURES: Record<string, Format> = {
  'image/png': 'png', 'image/jpeg': 'jpg', 'image/heic': 'heic', 'image/heif': 'heic', 'image/webp': 'webp', 'image/tiff': 'tif',
}

/** Also the two-byte alphabet with its mark, which spreadsheets write. */
function textOf(content: Buffer): string | null {
  const [first, second] = content
  const wide = first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : null
  if (wide) {
    try {
      const text = new TextDecoder(wide, { fatal: true }).decode(content)
      return text.includes('\0') ? null : text
    } catch {
      return null
    }
  }
  return !content.includes(0) && isText(content) ? content.toString('utf8', 0, 65_536).replace(/^\ufeff/, '') : null
}

function textFormats(text: string, content: Buffer): Format[] {
  const start = text.trimStart()
  if (/^(?:OFXHEADER:|<OFX>|<\?OFX\b|<\?xml\b[^>]{0,200}\?>\s*<\?OFX\b)/i.test(start)) return ['ofx', 'txt']
  if (/^!(?:Type|Account|Option|Clear):/i.test(start)) return ['qif', 'txt']
  const message: Format[] = isMail(content) ? ['eml'] : []
  // A table begins with neither markup nor code.
  const table: Format[] = /^(?:[<{%]|#!)/.test(start) ? [] : ['csv']
  return [...message, 'txt', ...table]
}

const END = 0x06054b50
const ENTRY = 0x02014b50
const MOST_ENTRIES = 65_535

/** Told by the names in its directory: nothing is unpacked. */
function archiveFormats(content: Buffer): Format[] {
  const names = namesIn(content)
  if (names === null) return []
  if (!names.has('[Content_Types].xml')) return ['zip']
  const office: Format | null = names.has('xl/workbook.xml') || names.has('xl/workbook.bin') ? 'xlsx'
    : names.has('word/document.xml') ? 'docx' : names.has('ppt/presentation.xml') ? 'pptx' : null
  return office ? [office, 'zip'] : ['zip']
}

function namesIn(archive: Buffer): Set<string> | null {
  let end = archive.length - 22
  const lowest = Math.max(0, end - 65_535)
  while (end >= lowest && archive.readUInt32LE(end) !== END) end -= 1
  if (end < lowest || end < 0) return null
  const names = new Set<string>()
  const count = Math.min(archive.readUInt16LE(end + 10), MOST_ENTRIES)
  for (let index = 0, at = archive.readUInt32LE(end + 16); index < count; index++) {
    if (at + 46 > archive.length || archive.readUInt32LE(at) !== ENTRY) return null
    const length = archive.readUInt16LE(at + 28)
    names.add(archive.toString('utf8', at + 46, at + 46 + length))
    at += 46 + length + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32)
  }
  return names
}

/** In lower case; null where a name has none. What follows the point of a date or of an amount is no ending. */
export function endingOf(name: string): string | null {
  return /\.([a-z][a-z0-9]{0,9})$/i.exec(name)?.[1]?.toLowerCase() ?? null
}

const LONGEST_NAME = 255

/** What a sender calls a file, without the way to it and without what deceives the eye or a file system. */
export function cleanName(given: string): string {
  const last = bounded(given.toWellFormed().split(/[/\\]/).at(-1) ?? '').normalize('NFC')
  const plain = last
    .replaceAll(/\s+/g, ' ')
    // Control characters, what turns the direction of writing, and what cannot be seen.
    .replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\u2028\u2029]/gu, '')
    .replaceAll(/[<>:"|?*]/g, '_')
    .replace(/^[. ]+|[. ]+$/g, '')
  if (plain === '') return 'document'
  if (plain.length <= LONGEST_NAME) return plain
  const ending = endingOf(plain)
  const tail = ending === null ? '' : `.${ending}`
  return plain.slice(0, LONGEST_NAME - tail.length).toWellFormed().replace(/[. \ufffd]+$/, '') + tail
}

/** Its beginning and its end: nobody shall wait until a name as long as a book is tidied up. */
function bounded(name: string): string {
  return name.length <= 1_000 ? name : (name.slice(0, 700) + name.slice(-300)).toWellFormed()
}

/** What a document is called when it leaves. */
export function downloadName(name: string, format: Format): string {
  return endingOf(name) === null ? `${name}.${FORMATS[format].endings[0]}` : name
}

const MOST_WORDS = 100_000

/** What can be searched for: words and numbers, parted by single spaces. */
export function searchWords(...texts: string[]): string {
  return texts.join(' ').slice(0, MOST_WORDS * 2).replaceAll(/[^\p{L}\p{N}\p{M}]+/gu, ' ').slice(0, MOST_WORDS).toWellFormed().trim()
}
