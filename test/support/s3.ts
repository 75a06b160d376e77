// A small storage that speaks S3 over HTTP: it keeps bytes in memory, and checks the signature of every request.
import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type S3 = {
  endpoint: string
  objects: Map<string, { content: Buffer; modified: Date }>
  requests: string[]
  /** Answers with this status instead; null: as it should. */
  fail: number | null
  stop(): Promise<void>
}

export const S3_KEYS = { DAYBOOK_STORAGE_KEY_ID: 'TESTKEY', DAYBOOK_STORAGE_SECRET: 'test-secret' }

export async function startS3(bucket: string): Promise<S3> {
  const s3: S3 = { endpoint: '', objects: new Map(), requests: [], fail: null, stop: async () => void server.close() }
  const server = createServer((request, response) => void answer(s3, bucket, request, response).catch((error: Error) => response.writeHead(500).end(error.message)))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  s3.endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return s3
}

async function answer(s3: S3, bucket: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks)
  const url = new URL(request.url ?? '', 'http://storage')
  const key = decodeURIComponent(url.pathname).replace(`/${bucket}`, '').replace(/^\//, '')
  s3.requests.push(`${request.method} ${key || url.search}`)
  const problem = (status: number, code: string) => response.writeHead(status, { 'content-type': 'application/xml' }).end(request.method === 'HEAD' ? undefined : `<Error><Code>${code}</Code></Error>`)
  if (s3.fail) return void problem(s3.fail, 'SlowDown')
  if (!isSigned(request, url, body)) return void problem(403, 'SignatureDoesNotMatch')
  if (!url.pathname.startsWith(`/${bucket}`)) return void problem(404, 'NoSuchBucket')
  const object = s3.objects.get(key)
  if (request.method === 'PUT') {
    s3.objects.set(key, { content: body, modified: new Date() })
    return void response.writeHead(200, { etag: `"${createHash('md5').update(body).digest('hex')}"` }).end()
  }
  if (request.method === 'DELETE') {
    s3.objects.delete(key)
    return void response.writeHead(204).end()
  }
  if (key === '') return void response.writeHead(200, { 'content-type': 'application/xml' }).end(listing(s3, url))
  if (!object) return void problem(404, 'NoSuchKey')
  const [, from = '', to = ''] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
  const content = from === '' ? object.content : object.content.subarray(Number(from), Number(to) + 1)
  response.writeHead(from === '' ? 200 : 206, { 'content-length': content.length, 'last-modified': object.modified.toUTCString() }).end(request.method === 'HEAD' ? undefined : content)
}

/** Two at a time, so that whoever lists has to ask again. */
function listing({ objects }: S3, url: URL): string {
  const after = url.searchParams.get('continuation-token') ?? ''
  const keys = [...objects.keys()].toSorted().filter((key) => key > after)
  const page = keys.slice(0, 2)
  const more = keys.length > page.length
  return `<?xml version="1.0"?><ListBucketResult><IsTruncated>${more}</IsTruncated>${more ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''}${
    page.map((key) => `<Contents><Key>${key}</Key><LastModified>${objects.get(key)?.modified.toISOString()}</LastModified></Contents>`).join('')}</ListBucketResult>`
}

/** Signature version 4, recomputed from what arrived. */
function isSigned(request: IncomingMessage, url: URL, body: Buffer): boolean {
  const [, credential = '', names = '', signature = ''] = /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(request.headers.authorization ?? '') ?? []
  const [key_id, day = '', region = '', service = ''] = credential.split('/')
  const payload = String(request.headers['x-amz-content-sha256'])
  if (key_id !== S3_KEYS.DAYBOOK_STORAGE_KEY_ID || (payload !== 'UNSIGNED-PAYLOAD' && payload !== sha(body))) return false
  const headers = names.split(';').map((name) => `${name}:${String(request.headers[name]).trim()}\n`).join('')
  const query = [...url.searchParams].map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).toSorted().join('&')
  const canonical = [request.method, url.pathname, query, headers, names, payload].join('\n')
  const scope = [day, region, service, 'aws4_request'].join('/')
  const signed = ['AWS4-HMAC-SHA256', request.headers['x-amz-date'], scope, sha(canonical)].join('\n')
  const key = [day, region, service, 'aws4_request'].reduce<Buffer>((secret, part) => mac(secret, part), Buffer.from(`AWS4${S3_KEYS.DAYBOOK_STORAGE_SECRET}`))
  return mac(key, signed).toString('hex') === signature
}

const sha = (content: Buffer | string) => createHash('sha256').update(content).digest('hex')
const mac = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest()
