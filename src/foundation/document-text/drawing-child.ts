// Draws one page of a document in a process of its own, whose life is short: whatever a hostile file does to it ends with it.
import { imageSize } from './signature.ts'
import { MOST_PIXELS } from './images.ts'
import { readPicture, writePng } from '../pictures.ts'

export type DrawingOrder = { kind: 'pdf' | 'png' | 'jpeg'; content: Uint8Array; page: number; width: number }

/** The picture, or why there is none, in words that follow the name of the file. */
export type Drawing = { png: Uint8Array; pages: number } | { problem: string }

async function draw({ kind, content, page, width }: DrawingOrder): Promise<Drawing> {
  const bytes = Buffer.from(content)
  if (kind === 'png') return page === 1 ? { png: readPicture(bytes).content, pages: 1 } : { problem: 'has 1 page' }
  const pdf = kind === 'jpeg' ? asPdf(bytes) : bytes
  if (!pdf) return { problem: 'is a broken picture' }
  const { PDFiumLibrary } = await import('@hyzyla/pdfium')
  const library = await PDFiumLibrary.init()
  const document = await library.loadDocument(pdf)
  const pages = document.getPageCount()
  if (page > pages) return { problem: `has ${pages} page${pages === 1 ? '' : 's'}` }
  const sheet = document.getPage(page - 1)
  const { originalWidth, originalHeight } = sheet.getOriginalSize()
  if (!(originalWidth > 0 && originalHeight > 0)) return { problem: 'has no such page' }
  // Neither a page as long as a road nor one as wide fills the memory.
  const scale = Math.min(width / originalWidth, LONGEST / originalHeight)
  const { data, width: columns, height: rows } = await sheet.render({ scale, render: 'bitmap' })
  return { png: writePng(columns, rows, withoutAlpha(data, columns * rows)), pages }
}

const LONGEST = 4_000

/** Red, green and blue, without how much they cover: a page lies on white. */
function withoutAlpha(data: Uint8Array, count: number): Buffer {
  const colors = Buffer.alloc(count * 3)
  for (let pixel = 0; pixel < count; pixel++) {
    colors[pixel * 3] = data[pixel * 4] ?? 255
    colors[pixel * 3 + 1] = data[pixel * 4 + 1] ?? 255
    colors[pixel * 3 + 2] = data[pixel * 4 + 2] ?? 255
  }
  return colors
}

/** A PDF may hold a JPEG as it is: so one program draws both. */
function asPdf(jpeg: Buffer): Buffer | null {
  const { width, height } = imageSize(jpeg) ?? { width: 0, height: 0 }
  if (width < 1 || height < 1 || width * height > MOST_PIXELS) return null
  const show = `q ${width} 0 0 ${height} 0 0 cm /Image Do Q`
  const parts = [
    Buffer.from('<< /Type /Catalog /Pages 2 0 R >>'),
    Buffer.from('<< /Type /Pages /Kids [3 0 R] /Count 1 >>'),
    Buffer.from(`<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Resources << /XObject << /Image 5 0 R >> >> /Contents 4 0 R >>`),
    Buffer.from(`<< /Length ${show.length} >>\nstream\n${show}\nendstream`),
    Buffer.concat([
      Buffer.from(`<< /Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceRGB /BitsPerComponent 8\n`),
      Buffer.from(`/Filter /DCTDecode /Length ${jpeg.length} >>\nstream\n`),
      jpeg, Buffer.from('\nendstream'),
    ]),
  ]
  const pieces = [Buffer.from('%PDF-1.4\n')]
  const places: number[] = []
  let at = pieces[0]?.length ?? 0
  for (const [index, part] of parts.entries()) {
    const whole = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), part, Buffer.from('\nendobj\n')])
    places.push(at)
    at += whole.length
    pieces.push(whole)
  }
  const table = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('')
  const size = parts.length + 1
  pieces.push(Buffer.from(`xref\n0 ${size}\n0000000000 65535 f \n${table}trailer << /Size ${size} /Root 1 0 R >>\nstartxref\n${at}\n%%EOF\n`))
  return Buffer.concat(pieces)
}

process.once('message', (order: DrawingOrder) => {
  void (async () => {
    Object.defineProperty(globalThis, 'fetch', { value: undefined })
    const drawn = await draw(order).catch((error: Error): Drawing => ({ problem: problemOf(error) }))
    process.send?.(drawn, undefined, undefined, () => process.exit(0))
  })()
})

function problemOf(error: Error): string {
  return /password/i.test(error.message) ? 'is protected by a password' : 'could not be drawn'
}
