// The HTTP server: every route of the contract, the shape of every error, health, metrics and the description of the API.
import { randomUUID } from 'node:crypto'
import multipart from '@fastify/multipart'
import fastify, { LogController, type FastifyBaseLogger, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Route } from '../endpoint.ts'
import { methodNotAllowed, notFound, Refusal, refusalBody, tooLarge } from '../refusal.ts'
import { formLimits } from './form.ts'
import { handlerOf, type Handling } from './handle.ts'
import type { Metrics } from './metrics.ts'

export type ServerOptions = Omit<Handling, 'closing'> & {
  routes: Route[]
  log: FastifyBaseLogger
  metrics: Metrics
  max_body_bytes: number
  max_file_bytes: number
  trust_proxy: boolean
  /** Unversioned pages beside the API: health, metrics, description. */
  pages: ((server: FastifyInstance) => void)[]
  /** What a browser gets at any address that nothing else has, outside the API. */
  otherwise?: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Who called, for the log; null until known. */
    caller: { business_id: string | null; user_id: string | null } | null
  }
}

const PREFIX = '/api/v1'

export function buildServer(options: ServerOptions): FastifyInstance {
  const server = fastify({
    loggerInstance: options.log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestId,
    // A path that cannot be read or whose part is too long is refused before any route is found.
    frameworkErrors: (error, request, reply) => void refuse(error, request, reply.header('x-request-id', request.id)),
    // A child logger per request costs more than naming the request in the one line that is logged for it.
    childLoggerFactory: (logger) => logger,
    bodyLimit: options.max_body_bytes,
    trustProxy: options.trust_proxy,
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: true, querystringParser: parseQuery },
    forceCloseConnections: 'idle',
    requestTimeout: 60_000,
    keepAliveTimeout: 65_000,
  })
  server.decorateRequest('caller', null)
  server.decorateRequest('form', null)
  readBodiesRaw(server)
  const closing = new AbortController()
  server.addHook('preClose', async () => closing.abort())
  observe(server, options.metrics, closing.signal)
  server.setErrorHandler((error, request, reply) => refuse(challenged(error, options.database.surroundings.public_url), request, reply))
  answerUnknownRoutes(server, options)
  const handling = { ...options, closing: closing.signal }
  const serve = (scope: FastifyInstance, route: Route) => {
    scope.route({
      method: route.endpoint.method,
      url: PREFIX + route.endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      bodyLimit: route.endpoint.large_body ? bodyWithFile(options) : options.max_body_bytes,
      handler: handlerOf(route, handling) as never,
    })
  }
  const [taking, others] = [true, false].map((files) => options.routes.filter(({ endpoint }) => endpoint.files === files)) as [Route[], Route[]]
  for (const route of others) serve(server, route)
  // A form is read as it comes, and only where files are taken; everywhere else it is a body of the wrong kind.
  void server.register(async (scope) => {
    await scope.register(multipart, { limits: formLimits(options.max_file_bytes) })
    for (const route of taking) serve(scope, route)
  })
  for (const page of options.pages) page(server)
  return server
}

/** Four characters of base64 carry three bytes of a file; the rest of the body is JSON like any other. */
function bodyWithFile({ max_file_bytes, max_body_bytes }: ServerOptions): number {
  return Math.ceil(max_file_bytes / 3) * 4 + max_body_bytes
}

/** The caller's own id when it is harmless text, so that both sides can search for the same one. */
function requestId(request: { headers: Record<string, string | string[] | undefined> }): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && /^[\w.:-]{1,100}$/.test(given) ? given : randomUUID()
}

/** Bodies stay bytes until the caller is known: who may not call is not told what is wrong with the body. */
function readBodiesRaw(server: FastifyInstance): void {
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
}

/** A repeated parameter becomes a list. */
function parseQuery(text: string): Record<string, unknown> {
  const query: Record<string, unknown> = Object.create(null)
  if (text === '') return query
  for (const [name, value] of new URLSearchParams(text)) {
    const before = query[name]
    query[name] = before === undefined ? value : [before, value].flat()
  }
  return query
}

function observe(server: FastifyInstance, metrics: Metrics, closing: AbortSignal): void {
  server.addHook('onRequest', (request, reply, next) => {
    reply.header('x-request-id', request.id)
    next()
  })
  const logged = (server.log as { isLevelEnabled?(level: string): boolean }).isLevelEnabled?.('info') ?? true
  server.addHook('onResponse', (request, reply, next) => {
    const route = request.routeOptions.url ?? 'unknown'
    metrics.observeRequest(request.method, route, reply.statusCode, reply.elapsedTime / 1000)
    if (logged) request.log.info({ request_id: request.id, ...request.caller, method: request.method, route, status: reply.statusCode, ms: Math.round(reply.elapsedTime * 10) / 10 }, 'request')
    // A client that would keep its connection for the next request would keep a stopping server from ending.
    if (closing.aborted) request.raw.socket.end()
    next()
  })
}

function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  // A download that fails before its first byte has said already what it would be.
  reply.removeHeader('content-disposition').type('application/json; charset=utf-8')
  const refusal = refusalOf(error)
  if (refusal) return reply.code(refusal.status).headers(refusal.headers ?? {}).send(refusalBody(refusal))
  request.log.error({ err: error, request_id: request.id }, 'request failed')
  return reply.code(500).send({ detail: 'Something went wrong on our side. The request id in x-request-id helps us to find it.' })
}

/** Whoever lacks a token is told where to learn how to get one (RFC 9728). */
function challenged(error: unknown, public_url: string): unknown {
  if (!(error instanceof Refusal) || error.headers?.['www-authenticate'] !== 'Bearer') return error
  const where = `${public_url.replace(/\/+$/, '')}/.well-known/oauth-protected-resource`
  return new Refusal(error.status, error.detail, { headers: { ...error.headers, 'www-authenticate': `Bearer resource_metadata="${where}"` } })
}

function refusalOf(error: unknown): Refusal | null {
  if (error instanceof Refusal) return error
  const { code, statusCode } = error as { code?: string; statusCode?: number }
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return tooLarge('The body is too large.')
  if (statusCode === 400 || statusCode === 408 || statusCode === 414) return new Refusal(statusCode === 408 ? 408 : 400, 'The request could not be read.')
  return null
}

/** A path that exists under another method is a 405 that says which; anything else is a 404. */
function answerUnknownRoutes(server: FastifyInstance, { routes, otherwise }: ServerOptions): void {
  const known = routes.map(({ endpoint }) => ({
    method: endpoint.method as string,
    pattern: new RegExp(`^${PREFIX}${endpoint.path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}/?$`),
  }))
  server.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0] ?? ''
    const for_browser = /^\/(assets\/|icon\.svg$)/.test(path) || /\btext\/html\b/.test(request.headers.accept ?? '')
    if (otherwise && for_browser && request.method === 'GET' && !path.startsWith('/api/')) return otherwise(request, reply)
    const methods = [...new Set(known.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method))]
    if (methods.length === 0) return refuse(notFound('Route'), request, reply)
    return refuse(methodNotAllowed(methods), request, reply)
  })
}
