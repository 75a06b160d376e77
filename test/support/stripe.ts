// A server that speaks Stripe's wire, for tests: it keeps what it is asked and answers what it is told to.
import { createServer, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

export type Asked = { method: string; path: string; query: Record<string, string>; form: Record<string, string>; headers: Record<string, string | undefined> }
export type Told = { status?: number; body: object } | 'hang up'

export type StripeServer = {
  url: string
  asked: Asked[]
  /** Answers the calls of `METHOD /path` one after another; the last goes on. */
  tell(call: string, ...answers: Told[]): void
  stop(): Promise<void>
}

export async function startStripe(): Promise<StripeServer> {
  const asked: Asked[] = []
  const answers = new Map<string, Told[]>()
  const server = createServer(async (request, response) => {
    const question = await read(request)
    asked.push(question)
    const known = answers.get(`${question.method} ${question.path}`) ?? []
    const answer = known.length > 1 ? known.shift() : known[0]
    if (answer === 'hang up') return void request.socket.destroy()
    const { status = 200, body } = answer ?? { status: 404, body: { error: { type: 'invalid_request_error', message: `No such thing: ${question.path}` } } }
    response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_test' }).end(JSON.stringify(body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    tell: (call, ...told) => void answers.set(call, told),
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function read(request: IncomingMessage): Promise<Asked> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const url = new URL(request.url ?? '', 'http://stripe.test')
  const pairs = (search: URLSearchParams) => Object.fromEntries(search)
  return {
    method: request.method ?? '', path: url.pathname, query: pairs(url.searchParams), form: pairs(new URLSearchParams(Buffer.concat(chunks).toString())),
    headers: request.headers as Record<string, string | undefined>,
  }
}
