// Serves pages for people: one transaction of nobody in particular, strict headers, and refusals that can be read.
import { createHash } from 'node:crypto'
import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { plainRequest, transact, type Database } from '../database/transact.ts'
import type { PublicTx } from '../database/transaction.ts'
import { Download } from '../endpoint.ts'
import { html } from '../html.ts'
import { Page, Redirect, type AsUser, type PageAnswer, type PageInput, type PageRoute } from '../page.ts'
import { Refusal, tooMany } from '../refusal.ts'
import { formLimits, isForm, receiveForm, type Form } from './form.ts'
import { linkHeaders } from './handle.ts'
import { linkCaller, type RateLimit, type Verdict } from './rate-limit.ts'

type Arrival = FastifyRequest<{ Params: Record<string, string>; Querystring: Record<string, unknown>; Body: Buffer | null }>

export function publicPages(routes: readonly PageRoute[], database: Database, rate_limit: RateLimit, max_file_bytes: number) {
  return (server: FastifyInstance): void => {
    const serve = (scope: FastifyInstance, route: PageRoute) => {
      scope.route({
        method: route.method,
        url: route.path.replaceAll(/\{(\w+)\}/g, ':$1'),
        handler: (async (request: Arrival, reply: FastifyReply) => {
          const headers: Record<string, string> = {}
          if (route.by_link) reply.headers(linkHeaders)
          return send(reply, await answer(route, database, rate_limit, request, headers, max_file_bytes), headers)
        }) as never,
      })
    }
    for (const route of routes) if (!route.files) serve(server, route)
    void server.register(async (scope) => {
      await scope.register(multipart, { limits: formLimits(max_file_bytes) })
      for (const route of routes) if (route.files) serve(scope, route)
    })
  }
}

async function answer(
  route: PageRoute, database: Database, rate_limit: RateLimit, request: Arrival, headers: Record<string, string>, max_file_bytes: number,
): Promise<PageAnswer> {
  let form: Form | null = null
  try {
    const verdict = limited(route, rate_limit, request)
    if (!verdict.allowed) throw tooMany('Too many requests. Slow down and try again.', verdict.reset_seconds)
    if (route.files && isForm(request)) form = await receiveForm(request, max_file_bytes)
    return await run(route, database, inputOf(request, form), request, headers)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    // What was undone sets no cookie.
    for (const name of Object.keys(headers)) delete headers[name]
    return refusalPage(error)
  } finally {
    form?.release()
  }
}

function limited({ method, path, limit_per_minute, by_link }: PageRoute, rate_limit: RateLimit, { params, ip }: Arrival): Verdict {
  if (!by_link) return rate_limit(`${method} ${path} ${ip}`, limit_per_minute)
  // Whoever tries one link after the other is counted too.
  const all = rate_limit(ip)
  return all.allowed ? rate_limit(linkCaller(params[by_link] ?? '', ip, limit_per_minute), limit_per_minute) : all
}

async function run({ run: work }: PageRoute, database: Database, input: PageInput, request: Arrival, reply_headers: Record<string, string>): Promise<PageAnswer> {
  const context = { ...plainRequest, request_id: request.id, ip: request.ip, user_agent: request.headers['user-agent'] ?? null, reply_headers }
  const within = <T>(read_only: boolean, step: (tx: PublicTx, asUser: AsUser) => Promise<T>) =>
    transact(database, { business_id: null, read_only, request: context }, ({ tx, asUser }) => step(tx, asUser))
  // Also to look at a page may leave a trace: that it was looked at.
  if (typeof work === 'function') return within(false, (tx, asUser) => work(tx, input, asUser))
  const plan = await within(true, (tx) => work.read(tx, input))
  const found = await work.call(database.surroundings, plan)
  return within(false, (tx) => work.write(tx, input, plan, found))
}

function inputOf(request: Arrival, taken: Form | null): PageInput {
  const form = !taken && request.body && /^application\/x-www-form-urlencoded\b/i.test(request.headers['content-type'] ?? '') ? request.body.toString('utf8') : ''
  return {
    params: clean(Object.entries(request.params)),
    query: clean(Object.entries(request.query)),
    form: clean(taken ? Object.entries(taken.fields) : [...new URLSearchParams(form)]),
    // A field that was left empty is sent as a file without a name.
    files: taken?.files.filter(({ name, content }) => name !== '' || content.length > 0) ?? [],
    repeated: Object.keys(request.query).filter((name) => Array.isArray(request.query[name])),
    cookie: request.headers.cookie ?? '',
  }
}

/** Of a repeated field the last counts; what PostgreSQL cannot hold is taken out. */
function clean(entries: readonly (readonly [string, unknown])[]): Record<string, string> {
  const text = (value: unknown) => String(Array.isArray(value) ? value.at(-1) : value).replaceAll('\0', '').toWellFormed()
  return Object.fromEntries(entries.map(([name, value]) => [name, text(value)]))
}

function send(reply: FastifyReply, given: PageAnswer, headers: Record<string, string>): FastifyReply {
  reply.headers(headers)
  // The address is what opens the page: it is not to be kept or passed on.
  reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY' })
  if (given instanceof Redirect) return reply.code(303).header('location', given.location).send()
  if (given instanceof Download) {
    const file_name = given.file_name.replaceAll(/[^\w.-]/g, '_')
    return reply.type(given.content_type).header('content-disposition', `inline; filename="${file_name}"`).send(given.body)
  }
  const { title, body, style = '', script = '', status = 200, form_targets = [] } = given.content
  const policy = [
    "default-src 'none'", "img-src 'self' data:", "base-uri 'none'", "frame-ancestors 'none'",
    `style-src ${hashOf(style)}`, `script-src ${hashOf(script)}`, `form-action ${["'self'", ...form_targets].join(' ')}`,
  ]
  const document = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${html`${title}`.text}</title>
${style === '' ? '' : `<style>${style}</style>`}
</head>
<body>
${body.text}
${script === '' ? '' : `<script>${script}</script>`}
</body>
</html>
`
  return reply.code(status).type('text/html; charset=utf-8').header('content-security-policy', policy.join('; ')).send(document)
}

function hashOf(text: string): string {
  return text === '' ? "'none'" : `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

const refusalStyle = 'body{font:1rem/1.5 system-ui,sans-serif;max-width:32rem;margin:15vh auto;padding:0 1rem;color:#222}h1{font-size:1.25rem}'

function refusalPage(refusal: Refusal): Page {
  const title = refusal.status === 404 ? 'Not found' : 'This did not work'
  return new Page({ title, status: refusal.status, style: refusalStyle, body: html`<main><h1>${title}</h1><p>${refusal.detail}</p></main>` })
}
