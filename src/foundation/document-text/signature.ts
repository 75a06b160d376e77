// What a file is, by its content: names and declared types are claims of whoever sent it.
import { isUtf8 } from 'node:buffer'

export type Kind = 'pdf' | 'png' | 'jpeg' | 'mail' | 'text' | 'unknown'

const HEAD = 1_024

export function kindOf(content: Buffer): Kind {
  const head = content.toString('latin1', 0, HEAD)
  if (head.includes('%PDF-')) return 'pdf'
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (head.startsWith('\xff\xd8\xff')) return 'jpeg'
  if (content.length === 0 || content.includes(0) || !isText(content)) return 'unknown'
  return isMail(content) ? 'mail' : 'text'
}

/** Header lines first, among them what every message has. */
export function isMail(content: Buffer): boolean {
  const [header = ''] = content.toString('latin1', 0, 65_536).split(/\r?\n\r?\n/, 1)
  const lines = header.replaceAll(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)
  const named = (names: RegExp) => lines.some((line) => names.test(line))
  return lines.length >= 2 && lines.every((line) => /^[!-9;-~]{1,80}:/.test(line)) && named(/^from:/i) && named(/^(?:subject|to|date|message-id):/i)
}

/** In UTF-8 or in the one-byte alphabet of older programs, without the marks of a binary file. */
export function isText(content: Buffer): boolean {
  const sample = content.subarray(0, 65_536)
  let marks = 0
  for (const byte of sample) if (byte < 32 && byte !== 9 && byte !== 10 && byte !== 13 && byte !== 12) marks += 1
  return marks === 0 && (isUtf8(content) || sample.length < 20 || highBytes(sample) < sample.length / 5)
}

function highBytes(sample: Buffer): number {
  let count = 0
  for (const byte of sample) if (byte > 127) count += 1
  return count
}

export function textOf(content: Buffer): string {
  return isUtf8(content) ? content.toString('utf8').replace(/^\ufeff/, '') : new TextDecoder('windows-1252').decode(content)
}

export type Size = { width: number; height: number }

/** The size that an image says it has, before anything is unpacked; null where it does not say. */
export function imageSize(content: Buffer): Size | null {
  if (kindOf(content) === 'png') return content.length >= 24 ? { width: content.readUInt32BE(16), height: content.readUInt32BE(20) } : null
  for (let at = 2; at + 9 < content.length;) {
    if (content[at] !== 0xff) return null
    const marker = content[at + 1] ?? 0
    // A frame begins; the four that look like one are tables and extensions.
    if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc) {
      return { height: content.readUInt16BE(at + 5), width: content.readUInt16BE(at + 7) }
    }
    at += marker === 0xff ? 1 : 2 + content.readUInt16BE(at + 2)
  }
  return null
}
