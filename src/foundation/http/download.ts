// Sends what is not JSON: always as a file to be kept, never as something a browser would show or run here.
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { BusinessTx } from '../database/transaction.ts'
import type { Channel, Download, StoredBody } from '../endpoint.ts'
import { Refusal } from '../refusal.ts'

export function sendDownload(reply: FastifyReply, { content_type, file_name, body }: Download, read: Channel<BusinessTx>['read']): FastifyReply {
  reply.headers({ 'x-content-type-options': 'nosniff', 'content-security-policy': "sandbox; default-src 'none'" })
  const disposition = `attachment; filename="${file_name.replaceAll(/[^\w.-]/g, '_')}"`
  if (isStored(body)) return sendStored(reply.header('content-disposition', `${disposition}; filename*=UTF-8''${encoded(file_name)}`), content_type, body)
  const bytes = typeof body === 'function' ? Readable.from(body(read), { objectMode: false }) : body
  return reply.type(content_type).header('content-disposition', disposition).send(bytes)
}

function isStored(body: Download['body']): body is StoredBody {
  return typeof body === 'object' && 'tag' in body
}

/** The whole, a part of it, or that it has not changed. */
function sendStored(reply: FastifyReply, content_type: string, { size, tag, read }: StoredBody): FastifyReply {
  const { 'if-none-match': known, 'if-range': unless, range: wanted } = reply.request.headers
  const etag = `"${tag}"`
  reply.headers({ etag, 'accept-ranges': 'bytes', 'cache-control': 'private, no-cache' })
  if (known?.split(',').some((one) => one.trim().replace(/^W\//, '') === etag)) return reply.code(304).removeHeader('content-disposition').send()
  const range = wanted && (unless === undefined || unless === etag) ? rangeOf(wanted, size) : null
  if (range === 'beyond') throw new Refusal(416, `The file has ${size} bytes.`, { headers: { 'content-range': `bytes */${size}` } })
  if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${size}`)
  const length = range ? range.end - range.start + 1 : size
  return reply.type(content_type).header('content-length', length).send(Readable.from(read(range ?? undefined), { objectMode: false }))
}

/** One range of bytes; several at once, or anything else, count as none. */
function rangeOf(header: string, size: number): { start: number; end: number } | 'beyond' | null {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header.trim()) ?? []
  if (from === '' && to === '') return null
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from)
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1)
  if (from !== '' && to !== '' && Number(to) < Number(from)) return null
  return start >= size || start > end ? 'beyond' : { start, end }
}

/** As RFC 5987 wants it: more is escaped than in the path of an address. */
function encoded(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replaceAll(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
}
