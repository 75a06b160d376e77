// Files for tests: sent as a form, fetched as bytes, and small ones of every kind.
import { randomUUID } from 'node:crypto'
import { pack } from '../../src/foundation/archive.ts'
import type { Answer, Call, Client } from './client.ts'
import { service } from './service.ts'

export type SentFile = { name: string; content: Buffer | string }

/** A form as a browser would send it. */
export async function formOf(files: readonly SentFile[], fields: Record<string, string | string[]> = {}): Promise<Required<Pick<Call, 'raw' | 'headers'>>> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) for (const one of [value].flat()) form.append(name, one)
  for (const { name, content } of files) form.append('files', new Blob([Buffer.from(content as string)]), name)
  const packed = new Response(form)
  return { raw: Buffer.from(await packed.arrayBuffer()), headers: { 'content-type': packed.headers.get('content-type') ?? '' } }
}

export async function upload(client: Client, files: readonly SentFile[], fields: Record<string, string | string[]> = {}, path = '/documents'): Promise<Answer> {
  return client.call('POST', path, await formOf(files, fields))
}

/** A document of its own, with text that no other has unless it is given. */
export async function newDocument(client: Client, name = 'paper.txt', content: Buffer | string = `Paper ${randomUUID()}`, fields: Record<string, string | string[]> = {}): Promise<any> {
  const { data, detail } = await upload(client, [{ name, content }], fields)
  if (!data) throw new Error(`Not uploaded: ${JSON.stringify(detail)}`)
  return data[0]
}

/** The bytes behind an address, with everything that came with them. */
export async function bytesOf(client: Client, path: string, headers: Record<string, string> = {}, url?: string) {
  const response = await fetch(`${url ?? (await service()).url}/api/v1${path}`, {
    headers: { ...(client.token ? { authorization: `Bearer ${client.token}` } : {}), ...(client.business_id ? { 'x-business-id': client.business_id } : {}), ...headers },
  })
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
}

const office = (part: string) => pack(new Map([['[Content_Types].xml', Buffer.from('<Types/>')], [part, Buffer.from('<x/>')]]))

/** One of every kind that is taken, by its ending. */
export const SAMPLES: Record<string, Buffer> = {
  pdf: Buffer.from('%PDF-1.4\n%%EOF'),
  png: Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGOQi+oBAAGeAQUPLwv6AAAAAElFTkSuQmCC', 'base64'),
  jpg: Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex'),
  heic: Buffer.concat([Buffer.from('00000018', 'hex'), Buffer.from('ftypheic'), Buffer.from('00000000', 'hex'), Buffer.from('mif1heic')]),
  webp: Buffer.concat([Buffer.from('RIFF'), Buffer.from('1a000000', 'hex'), Buffer.from('WEBPVP8L'), Buffer.from('0d0000002f00000010071011118888fe0700', 'hex')]),
  tif: Buffer.concat([Buffer.from('49492a0008000000', 'hex'), Buffer.from('0100', 'hex'), Buffer.from('000103000100000001000000', 'hex'), Buffer.alloc(4)]),
  csv: Buffer.from('date,amount\n2026-01-01,5\n'),
  xlsx: office('xl/workbook.xml'),
  docx: office('word/document.xml'),
  pptx: office('ppt/presentation.xml'),
  txt: Buffer.from('Some words.'),
  eml: Buffer.from('From: a@example.com\r\nTo: b@example.com\r\nSubject: Hello\r\n\r\nWords.'),
  ofx: Buffer.from('OFXHEADER:100\nDATA:OFXSGML\n\n<OFX></OFX>'),
  qif: Buffer.from('!Type:Bank\nD01/02/2026\nT-5\n^\n'),
  zip: pack(new Map([['a.txt', Buffer.from('a')]])),
}
