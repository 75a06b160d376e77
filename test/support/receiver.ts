// A receiver of webhooks for tests: a real server that keeps what it is sent and answers each path as it is told to.
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

export type Received = { path: string; headers: IncomingHttpHeaders; body: string }
type Answering = (request: IncomingMessage, response: ServerResponse) => void

export type Receiver = {
  url: string
  received: Received[]
  /** What came for a path, oldest first. */
  at(path: string): Received[]
  /** How a path answers from now on: 200 where nothing was said. */
  answer(path: string, how: number | Answering): void
  stop(): Promise<void>
}

export const hang: Answering = () => {}

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = []
  const answers = new Map<string, number | Answering>()
  const sockets = new Set<Socket>()
  const server = createServer(async (request, response) => {
    const path = request.url ?? ''
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    received.push({ path, headers: request.headers, body })
    const how = answers.get(path) ?? 200
    if (typeof how === 'number') response.writeHead(how).end(`answer ${how}`)
    else how(request, response)
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => {})
  })
  server.listen(0, '127.0.0.1', 2_000)
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    at: (path) => received.filter((each) => each.path === path),
    answer: (path, how) => void answers.set(path, how),
    async stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
