import { crc32, deflateSync, inflateSync } from 'node:zlib'
import fc from 'fast-check'
import PDFDocument from 'pdfkit'
import { describe, expect, it } from 'vitest'
import { jpegHead, samplePng } from '../../test/support/pictures.ts'
import { readPicture, writePng } from './pictures.ts'

const chunk = (type: string, data: Buffer) => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}

type Made = { width: number; height: number; depth: number; color: number; rows: Buffer; palette?: Buffer; transparent?: Buffer; interlace?: number }

function png({ width, height, depth, color, rows, palette, transparent, interlace = 0 }: Made): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([depth, color, 0, 0, interlace], 8)
  return Buffer.concat([
    Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]), chunk('IHDR', head), ...(palette ? [chunk('PLTE', palette)] : []), ...(transparent ? [chunk('tRNS', transparent)] : []),
    chunk('tEXt', Buffer.from('Comment\0secret')), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0)),
  ])
}

/** The colours of a picture that we wrote, row by row. */
function colors(content: Buffer, width: number, height: number): number[] {
  const raw = inflateSync(content.subarray(content.indexOf('IDAT') + 4))
  return Array.from({ length: height }, (_, y) => [...raw.subarray(y * (width * 3 + 1) + 1, (y + 1) * (width * 3 + 1))]).flat()
}
const seen = (made: Made) => {
  const { content, width, height } = readPicture(png(made))
  return colors(content, width, height)
}

describe('PNG', () => {
  it.each([
    ['grey, 1 bit', { depth: 1, color: 0, rows: Buffer.from([0, 0b01000000]) }, [0, 0, 0, 255, 255, 255]],
    ['grey, 4 bits', { depth: 4, color: 0, rows: Buffer.from([0, 0x0f]) }, [0, 0, 0, 255, 255, 255]],
    ['grey, 16 bits', { depth: 16, color: 0, rows: Buffer.from([0, 0x12, 0xff, 0x34, 0]) }, [0x12, 0x12, 0x12, 0x34, 0x34, 0x34]],
    ['colour', { depth: 8, color: 2, rows: Buffer.from([0, 1, 2, 3, 4, 5, 6]) }, [1, 2, 3, 4, 5, 6]],
    ['a palette, partly transparent', { depth: 2, color: 3, rows: Buffer.from([0, 0b00010000]), palette: Buffer.from([10, 20, 30, 40, 50, 60]), transparent: Buffer.from([255, 0]) }, [10, 20, 30, 255, 255, 255]],
    ['grey with alpha', { depth: 8, color: 4, rows: Buffer.from([0, 0, 255, 0, 0]) }, [0, 0, 0, 255, 255, 255]],
    ['colour with alpha', { depth: 8, color: 6, rows: Buffer.from([0, 9, 8, 7, 255, 9, 8, 7, 0]) }, [9, 8, 7, 255, 255, 255]],
  ])('%s', (_what, made, expected) => {
    expect(seen({ width: 2, height: 1, ...made })).toEqual(expected)
  })

  it('undoes every filter', () => {
    const plain = Array.from({ length: 5 }, (_, y) => Array.from({ length: 9 }, (_x, x) => (x * 37 + y * 91) & 255))
    const paeth = (a: number, b: number, c: number) => {
      const p = a + b - c
      const [pa, pb, pc] = [Math.abs(p - a), Math.abs(p - b), Math.abs(p - c)]
      return pa <= pb && pa <= pc ? a : pb <= pc ? b : c
    }
    const rows = plain.flatMap((row, y) => [y, ...row.map((value, x) => {
      const [a, b, c] = [row[x - 3] ?? 0, plain[y - 1]?.[x] ?? 0, x >= 3 ? plain[y - 1]?.[x - 3] ?? 0 : 0]
      return (value - ([0, a, b, (a + b) >> 1, paeth(a, b, c)][y] ?? 0)) & 255
    })])
    expect(seen({ width: 3, height: 5, depth: 8, color: 2, rows: Buffer.from(rows) })).toEqual(plain.flat())
  })

  it('keeps nothing but the picture, and reads what it wrote', () => {
    const { content } = readPicture(png({ width: 1, height: 1, depth: 8, color: 2, rows: Buffer.from([0, 1, 2, 3]) }))
    expect(content.includes('secret')).toBe(false)
    const sample = samplePng(40, 30)
    expect(readPicture(sample.content)).toEqual(sample)
  })

  it.each([
    ['interlaced', png({ width: 1, height: 1, depth: 8, color: 2, rows: Buffer.from([0, 1, 2, 3]), interlace: 1 }), /interlacing/],
    ['too many pixels', png({ width: 3000, height: 3000, depth: 8, color: 2, rows: Buffer.alloc(4) }), /3000 × 3000/],
    ['no pixels', png({ width: 0, height: 1, depth: 8, color: 2, rows: Buffer.alloc(4) }), /damaged/],
    ['too few rows', png({ width: 2, height: 2, depth: 8, color: 2, rows: Buffer.alloc(7) }), /damaged/],
    ['a bomb', png({ width: 2, height: 2, depth: 8, color: 2, rows: Buffer.alloc(10_000_000) }), /damaged/],
    ['a filter that is none', png({ width: 1, height: 1, depth: 8, color: 2, rows: Buffer.from([9, 1, 2, 3]) }), /damaged/],
    ['no palette', png({ width: 1, height: 1, depth: 8, color: 3, rows: Buffer.from([0, 1]) }), /damaged/],
    ['cut off', samplePng(9, 9).content.subarray(0, 50), /damaged/],
    ['a page', Buffer.from('<svg onload="alert(1)">'), /neither/],
    ['nothing', Buffer.alloc(0), /neither/],
  ])('%s is refused', (_what, bytes, words) => {
    expect(() => readPicture(bytes)).toThrow(words)
  })
})

describe('JPEG', () => {
  it('is told by its head, and loses where it was taken', () => {
    const { content_type, content, width, height } = readPicture(jpegHead(320, 200))
    expect([content_type, width, height]).toEqual(['image/jpeg', 320, 200])
    expect(content.includes('home')).toBe(false)
    expect(content.includes('JFIF')).toBe(true)
    expect(content.subarray(-2)).toEqual(Buffer.from([0xff, 0xd9]))
  })

  it.each([
    ['for print', jpegHead(10, 10, 4), /CMYK/],
    ['without a picture', jpegHead(10, 10).subarray(0, 45), /damaged/],
    ['too large', jpegHead(60_000, 60_000), /60000 × 60000/],
    ['of no size', jpegHead(0, 10), /damaged/],
  ])('%s is refused', (_what, bytes, words) => {
    expect(() => readPicture(bytes)).toThrow(words)
  })
})

it('whatever is sent, it is refused in a sentence or can be printed', async () => {
  const sources = [samplePng(7, 5).content, png({ width: 2, height: 1, depth: 2, color: 3, rows: Buffer.from([0, 16]), palette: Buffer.alloc(12) }), jpegHead(8, 8)]
  const broken = fc.tuple(fc.constantFrom(...sources), fc.array(fc.tuple(fc.nat(200), fc.nat(255)), { maxLength: 4 }), fc.nat(10)).map(([source, edits, cut]) => {
    const bytes = Buffer.from(source.subarray(0, source.length - cut))
    for (const [at, value] of edits) bytes[at % bytes.length] = value
    return bytes
  })
  await fc.assert(fc.asyncProperty(broken, async (bytes) => {
    try {
      const { content } = readPicture(bytes)
      const document = new PDFDocument()
      document.image(content, 0, 0, { width: 50 })
      const ended = new Promise((done) => document.on('end', done))
      document.resume()
      document.end()
      await ended
    } catch (error) {
      expect((error as { status?: number }).status).toBe(400)
    }
  }), { numRuns: 300 })
})

it('one that we write is a PNG that others read', () => {
  expect(() => new PDFDocument().image(writePng(2, 2, Buffer.alloc(12)), 0, 0)).not.toThrow()
})
