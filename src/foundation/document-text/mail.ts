// An e-mail as text: its own words without what it quotes, and its attachments.
import PostalMime from 'postal-mime'
import { UnreadableError } from './pdf.ts'

export type Mail = {
  sender: { name: string; address: string } | null
  subject: string | null
  text: string
  attachments: { name: string; content: Buffer }[]
}

const MOST_ATTACHMENTS = 20

export async function openMail(content: Buffer): Promise<Mail> {
  const mail = await PostalMime.parse(content, { maxNestingDepth: 30, maxHeadersSize: 262_144, maxRfc822NestingDepth: 1, attachmentEncoding: 'arraybuffer' })
    .catch(() => { throw new UnreadableError('is not a message that could be read') })
  const { from, subject = null, text, html, attachments } = mail
  const written = text?.trim() ? text : plainText(html ?? '')
  return {
    sender: from?.address ? { name: from.name ?? '', address: from.address } : null,
    subject,
    text: ownWords(written),
    attachments: attachments.slice(0, MOST_ATTACHMENTS)
      .map(({ filename, content: bytes }) => ({ name: filename ?? 'attachment', content: Buffer.from(bytes as ArrayBuffer) })),
  }
}

/** Up to where an earlier message begins: what is quoted was asked for before. A forwarded one is meant to be read. */
function ownWords(text: string): string {
  const kept: string[] = []
  for (const line of text.split(/\r?\n/)) {
    if (/^(?:on .{4,200} wrote|am .{4,200} schrieb .{0,100}|le .{4,200} a écrit)\s*:\s*$/i.test(line.trim())) break
    if (!/^\s*>/.test(line)) kept.push(line)
  }
  return kept.join('\n')
}

const BLOCKS = /<\/?(?:p|div|tr|li|ul|ol|table|h[1-6]|br|hr|blockquote)\b[^<>]{0,2000}>/gi
const ENTITIES: Record<string, string> = {
  amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', euro: '€', pound: '£', copy: '©', ndash: '–', mdash: '—',
}

/** What a person would see of it, row by row; the cells of a table stay apart. */
export function plainText(html: string): string {
  return html
    .replaceAll(/<(script|style|head|title)\b[\s\S]{0,500000}?<\/\1\s*>/gi, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/<\/t[dh]\s*>/gi, '\t')
    .replaceAll(BLOCKS, '\n')
    .replaceAll(/<[^<>]{0,2000}>/g, '')
    .replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));/gi, (whole, decimal?: string, hexadecimal?: string, name?: string) => {
      const code = decimal ? Number(decimal) : hexadecimal ? parseInt(hexadecimal, 16) : null
      if (code === null) return ENTITIES[(name ?? '').toLowerCase()] ?? whole
      return code > 31 && code < 0x110000 && !(code >= 0xd800 && code < 0xe000) ? String.fromCodePoint(code) : ' '
    })
    .replaceAll(/\t(?=\n)/g, '')
    .replaceAll(/\n[ \n]*\n/g, '\n\n')
}
