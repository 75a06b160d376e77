// Pictures that others send: told by their bytes, not by their name, and kept in a form in which nothing can surprise whoever shows
// them. A PNG is decoded and written anew on white; of a JPEG everything but the picture is left out.
import { crc32, deflateSync, inflateSync } from 'node:zlib'
import { invalid } from './refusal.ts'

export type Picture = { content_type: 'image/png' | 'image/jpeg'; content: Buffer; width: number; height: number }

const MOST_PIXELS = 4_000_000

export function readPicture(bytes: Buffer): Picture {
  if (bytes.subarray(0, 8).equals(PNG)) return readPng(bytes)
  if (bytes.subarray(0, 3).equals(JPEG)) return readJpeg(bytes)
  throw invalid('The file is neither a PNG nor a JPEG picture.')
}

const PNG = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10])
const JPEG = Buffer.from([0xff, 0xd8, 0xff])
const damaged = () => invalid('The picture is damaged: save it again and send that.')

function requireSize(width: number, height: number): void {
  if (width < 1 || height < 1) throw damaged()
  if (width * height > MOST_PIXELS) throw invalid(`The picture has ${width} × ${height} pixels: make it smaller than ${MOST_PIXELS.toLocaleString('en-US')} pixels.`)
}

type PngHead = { width: number; height: number; depth: number; channels: number; palette: Buffer | null; transparent: Buffer | null; gray: boolean; alpha: boolean }

const CHANNELS: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

function readPng(bytes: Buffer): Picture {
  const found = new Map<string, Buffer[]>()
  for (let at = 8; at + 12 <= bytes.length;) {
    const length = bytes.readUInt32BE(at)
    const type = bytes.toString('latin1', at + 4, at + 8)
    const data = bytes.subarray(at + 8, at + 8 + length)
    if (data.length < length || bytes.length < at + 12 + length) throw damaged()
    if (crc32(bytes.subarray(at + 4, at + 8 + length)) !== bytes.readUInt32BE(at + 8 + length)) throw damaged()
    found.set(type, [...(found.get(type) ?? []), data])
    at += 12 + length
    if (type === 'IEND') break
  }
  const [ihdr] = found.get('IHDR') ?? []
  if (!ihdr || ihdr.length !== 13 || !found.has('IDAT')) throw damaged()
  const [width, height, depth, color, interlace] = [ihdr.readUInt32BE(0), ihdr.readUInt32BE(4), ihdr[8] ?? 0, ihdr[9] ?? 0, ihdr[12]]
  const channels = CHANNELS[color]
  if (channels === undefined || ![1, 2, 4, 8, 16].includes(depth)) throw damaged()
  if (interlace !== 0) throw invalid('The picture is an interlaced PNG: save it without interlacing.')
  requireSize(width, height)
  const palette = color === 3 ? found.get('PLTE')?.[0] ?? null : null
  if (color === 3 && !palette) throw damaged()
  const head = { width, height, depth, channels, palette, transparent: color === 3 ? found.get('tRNS')?.[0] ?? null : null, gray: color === 0 || color === 4, alpha: color === 4 || color === 6 }
  return { content_type: 'image/png', content: writePng(width, height, onWhite(head, unfiltered(head, Buffer.concat(found.get('IDAT') ?? [])))), width, height }
}

/** The rows of samples, without what made them easier to compress. */
function unfiltered({ width, height, depth, channels }: PngHead, packed: Buffer): Buffer {
  const stride = Math.ceil((width * channels * depth) / 8)
  const step = Math.max(1, (channels * depth) >> 3)
  let raw: Buffer
  try {
    raw = inflateSync(packed, { maxOutputLength: (stride + 1) * height })
  } catch {
    throw damaged()
  }
  if (raw.length !== (stride + 1) * height) throw damaged()
  const rows = Buffer.alloc(stride * height)
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (stride + 1)] ?? 0
    if (filter > 4) throw damaged()
    for (let x = 0; x < stride; x++) {
      const at = y * stride + x
      const left = x >= step ? rows[at - step] ?? 0 : 0
      const up = y > 0 ? rows[at - stride] ?? 0 : 0
      const corner = x >= step && y > 0 ? rows[at - stride - step] ?? 0 : 0
      const predicted = [0, left, up, (left + up) >> 1, filter === 4 ? nearest(left, up, corner) : 0][filter] ?? 0
      rows[at] = ((raw[y * (stride + 1) + 1 + x] ?? 0) + predicted) & 255
    }
  }
  return rows
}

function nearest(left: number, up: number, corner: number): number {
  const guess = left + up - corner
  const [to_left, to_up, to_corner] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)]
  return to_left <= to_up && to_left <= to_corner ? left : to_up <= to_corner ? up : corner
}

/** Red, green and blue with 8 bits each; what can be seen through shows the white of the page. */
function onWhite({ width, height, depth, channels, palette, transparent, gray, alpha }: PngHead, rows: Buffer): Buffer {
  const stride = Math.ceil((width * channels * depth) / 8)
  const most = 2 ** depth - 1
  const sample = (y: number, index: number): number => {
    if (depth === 8) return rows[y * stride + index] ?? 0
    if (depth === 16) return rows[y * stride + index * 2] ?? 0
    const bit = index * depth
    return ((rows[y * stride + (bit >> 3)] ?? 0) >> (8 - depth - (bit & 7))) & most
  }
  const full = (value: number) => (depth < 8 ? Math.round((value * 255) / most) : value)
  const colors = Buffer.alloc(width * height * 3)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const first = x * channels
      const index = sample(y, first)
      const at = (channel: number) => (palette ? palette[index * 3 + channel] ?? 0 : full(gray ? index : sample(y, first + channel)))
      const shown = palette ? transparent?.[index] ?? 255 : alpha ? full(sample(y, first + channels - 1)) : 255
      for (let channel = 0; channel < 3; channel++) colors[(y * width + x) * 3 + channel] = Math.round((at(channel) * shown + 255 * (255 - shown)) / 255)
    }
  }
  return colors
}

/** A PNG of red, green and blue, each with 8 bits. */
export function writePng(width: number, height: number, colors: Buffer): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 2], 8)
  const rows = Buffer.alloc((width * 3 + 1) * height)
  for (let y = 0; y < height; y++) colors.copy(rows, y * (width * 3 + 1) + 1, y * width * 3, (y + 1) * width * 3)
  return Buffer.concat([PNG, chunk('IHDR', head), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))])
}

function chunk(type: string, data: Buffer): Buffer {
  const framed = Buffer.alloc(data.length + 12)
  framed.writeUInt32BE(data.length, 0)
  framed.write(type, 4, 'latin1')
  data.copy(framed, 8)
  framed.writeUInt32BE(crc32(framed.subarray(4, 8 + data.length)), 8 + data.length)
  return framed
}

function readJpeg(bytes: Buffer): Picture {
  const kept = [bytes.subarray(0, 2)]
  let size: { width: number; height: number } | null = null
  for (let at = 2; at + 4 <= bytes.length;) {
    const marker = bytes[at + 1] ?? 0
    if (bytes[at] !== 0xff) throw damaged()
    const end = at + 2 + bytes.readUInt16BE(at + 2)
    if (end > bytes.length) throw damaged()
    const is_frame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (is_frame) {
      if (end - at < 10) throw damaged()
      size = { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
      if (![1, 3].includes(bytes[at + 9] ?? 0)) throw invalid('The picture is a JPEG for print (CMYK): save it with the colours of a screen (RGB).')
      requireSize(size.width, size.height)
    }
    // Of what programs write about a picture only its colour space counts: where it was taken is nobody's business.
    const about = (marker >= 0xe1 && marker <= 0xef && marker !== 0xee) || marker === 0xfe
    if (!about) kept.push(bytes.subarray(at, end))
    at = end
    if (marker === 0xda) {
      if (!size) throw damaged()
      return { content_type: 'image/jpeg', content: Buffer.concat([...kept, bytes.subarray(at)]), ...size }
    }
  }
  throw damaged()
}
