// Server-sent events: the request's transaction is over, the stream reads on through short ones of its own.
import { once } from 'node:events'
import type { FastifyReply } from 'fastify'
import type { Channel, Stream } from '../endpoint.ts'
import type { Tx } from '../database/transaction.ts'
import { Refusal } from '../refusal.ts'

/** `closing` ends every stream when the server stops, which would otherwise wait for the clients to go. */
export type StreamOptions = Pick<Channel<Tx>, 'read' | 'last_event_id'> & { closing: AbortSignal }

const HEARTBEAT_MS = 15_000

export function sendEvents(reply: FastifyReply, stream: Stream<Tx>, { read, last_event_id, closing }: StreamOptions): FastifyReply {
  reply.hijack()
  const { raw } = reply
  const gone = new AbortController()
  raw.on('close', () => gone.abort())
  // Nothing follows a stream on its connection; kept alive it would hold up a server that stops.
  const headers = { 'content-type': 'text/event-stream', 'cache-control': 'no-store', connection: 'close' }
  raw.writeHead(200, { ...(reply.getHeaders() as Record<string, string>), ...headers })
  raw.flushHeaders()
  const heartbeat = setInterval(() => raw.write(': heartbeat\n\n'), HEARTBEAT_MS)
  const ended = AbortSignal.any([gone.signal, closing])
  const send: Channel<Tx>['send'] = async ({ id, event, data }) => {
    const taken = raw.write(`id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
    if (!taken) await once(raw, 'drain', { signal: ended }).catch(() => {})
  }
  stream.follow({ send, read, last_event_id, ended })
    .catch((error: unknown) => {
      // A refusal is the ordinary end: the credential was revoked or lost its right.
      if (!(error instanceof Refusal)) reply.log.error({ err: error }, 'event stream failed')
    })
    .finally(() => {
      clearInterval(heartbeat)
      raw.end()
    })
  return reply
}
