// Documents for tests, made on the spot: PDFs laid out by hand, scans inside PDFs, and e-mails.
import { createRequire } from 'node:module'
import PDFDocument from 'pdfkit'

const REGULAR = createRequire(import.meta.url).resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf')

/** Text at a place; `right` is where it ends instead of begins. */
export type Piece = { text: string; x?: number; right?: number; y: number; size?: number; page?: number }

type PdfOptions = { landscape?: boolean; font?: 'Helvetica' | 'Times-Roman' | 'Courier' | 'embedded'; password?: string }

export async function pdfOf(pieces: readonly Piece[], { landscape = false, font = 'Helvetica', password }: PdfOptions = {}): Promise<Buffer> {
  return printed({ landscape, password }, (document) => {
    document.font(font === 'embedded' ? REGULAR : font)
    let page = 1
    for (const piece of pieces.toSorted((a, b) => (a.page ?? 1) - (b.page ?? 1))) {
      for (; page < (piece.page ?? 1); page++) document.addPage()
      document.fontSize(piece.size ?? 10)
      const x = piece.right === undefined ? (piece.x ?? 40) : piece.right - document.widthOfString(piece.text)
      document.text(piece.text, x, piece.y, { lineBreak: false })
    }
  })
}

/** A PDF that has nothing but a picture on each page. */
export function pdfOfImages(...images: Buffer[]): Promise<Buffer> {
  return printed({}, (document) => {
    for (const [index, image] of images.entries()) {
      if (index > 0) document.addPage()
      document.image(image, 0, 0, { fit: [595, 842] })
    }
  })
}

async function printed({ landscape = false, password }: { landscape?: boolean; password?: string | undefined }, draw: (document: PDFKit.PDFDocument) => void): Promise<Buffer> {
  const document = new PDFDocument({
    size: 'A4', layout: landscape ? 'landscape' : 'portrait', margin: 0,
    ...(password ? { userPassword: password, ownerPassword: `${password}!`, pdfVersion: '1.7' as const } : {}),
  })
  const chunks: Buffer[] = []
  document.on('data', (chunk: Buffer) => chunks.push(chunk))
  const ended = new Promise<void>((done, failed) => document.on('end', done).on('error', failed))
  draw(document)
  document.end()
  await ended
  return Buffer.concat(chunks)
}

/** A table: headings with their right or left edge, rows of cells below; a cell of several lines is a list. */
export function table(columns: readonly { heading: string; x?: number; right?: number }[], rows: readonly (string | string[])[][], top: number, { step = 18, page = 1 } = {}): Piece[] {
  const place = (index: number) => {
    const { x, right } = columns[index] ?? {}
    return right === undefined ? { x: x ?? 40 } : { right }
  }
  const heading = columns.map(({ heading: text }, index): Piece => ({ text, y: top, page, ...place(index) }))
  const body: Piece[] = []
  let y = top + step * 1.3
  for (const row of rows) {
    const lines = row.map((cell) => [cell].flat())
    for (const [index, cell] of lines.entries()) for (const [line, text] of cell.entries()) if (text !== '') body.push({ text, y: y + line * 12, page, ...place(index) })
    y += step + (Math.max(...lines.map((cell) => cell.length)) - 1) * 12
  }
  return [...heading, ...body]
}

/** Lines of text under each other. */
export function block(lines: readonly string[], x: number, y: number, { step = 14, size = 10, page = 1 } = {}): Piece[] {
  return lines.map((text, index) => ({ text, x, y: y + index * step, size, page }))
}

type MailParts = { from: string; subject?: string; text?: string; html?: string; attachments?: { name: string; type: string; content: Buffer }[] }

/** A message as a mail program would save it. */
export function mailOf({ from, subject = 'Invoice', text, html, attachments = [] }: MailParts): Buffer {
  const parts = [
    ...(text === undefined ? [] : [`Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${wrapped(Buffer.from(text))}`]),
    ...(html === undefined ? [] : [`Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${wrapped(Buffer.from(html))}`]),
    ...attachments.map(({ name, type, content }) =>
      `Content-Type: ${type}; name="${name}"\r\nContent-Disposition: attachment; filename="${name}"\r\nContent-Transfer-Encoding: base64\r\n\r\n${wrapped(content)}`),
  ]
  const head = [`From: ${from}`, 'To: billing@example.com', `Subject: ${subject}`, 'Date: Mon, 02 Mar 2026 10:00:00 +0000', 'Message-ID: <1@example.com>', 'MIME-Version: 1.0']
  return Buffer.from([...head, 'Content-Type: multipart/mixed; boundary="edge"', '', ...parts.map((part) => `--edge\r\n${part}`), '--edge--', ''].join('\r\n'))
}

function wrapped(content: Buffer): string {
  return content.toString('base64').replaceAll(/.{76}/g, '$&\r\n')
}
