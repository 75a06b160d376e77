// One request from its arrival to its answer: rate limit, who, may they, shape, once only, the operation, the answer.
// The order of the checks is the order of this file; everything after the credential happens inside one transaction.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Database, Opening } from '../database/transact.ts'
import { transact } from '../database/transact.ts'
import type { RequestContext } from '../database/context.ts'
import { BusinessTx, etag, type Tx } from '../database/transaction.ts'
import { Type, type TObject } from 'typebox'
import { Download, Stream, type Channel, type Endpoint, type GivenFile, type Route, type Steps } from '../endpoint.ts'
import { isUuid } from '../ids.ts'
import type { Message } from '../message.ts'
import { invalid, Refusal, tooLarge, tooMany, unauthenticated, unprocessable, type Problem } from '../refusal.ts'
import { sendDownload } from './download.ts'
import { sendEvents, type StreamOptions } from './event-stream.ts'
import { isForm, mebibytes, receiveForm, type Form } from './form.ts'
import type { Credential, Entry, Gate } from './gate.ts'
import { claimKey, findKept, fingerprintOf, keepAnswer, type Claim, type StoredAnswer } from './idempotency.ts'
import { linkCaller, type RateLimit } from './rate-limit.ts'
import { bodyProblem, compileCheck, type Check } from './validate.ts'

export type Handling = { database: Database; gate: Gate; rate_limit: RateLimit; max_file_bytes: number; closing: AbortSignal }

/** Of all that a public link opens. */
export const linkHeaders = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex, nofollow' }

/** What came over the wire, before anything is known of it. */
type Arrival = FastifyRequest<{ Params: Record<string, string>; Querystring: Record<string, unknown>; Body: Buffer | null }>

type Answer = { status: number; body: string | (() => string); headers: Record<string, string>; unchanged: boolean } | Download | Stream<Tx> | Refusal

type Checks = { params: Check; query: Check; body: Check | null; form: Check | null; max_file_bytes: number }

declare module 'fastify' {
  interface FastifyRequest {
    /** What came as a form with files; null where nothing did. */
    form: Form | null
  }
}

/** The handler of one route. */
export function handlerOf(route: Route, handling: Handling) {
  const { endpoint } = route
  const checks: Checks = {
    params: compileCheck('path', endpoint.params),
    query: compileCheck('query', endpoint.query),
    body: endpoint.body ? compileCheck('body', endpoint.body) : null,
    form: endpoint.files ? compileCheck('body', withoutFile(endpoint.body as TObject), true) : null,
    max_file_bytes: handling.max_file_bytes,
  }
  return async (request: Arrival, reply: FastifyReply): Promise<unknown> => {
    if (endpoint.by_link) reply.headers(linkHeaders)
    const credential = handling.gate.readCredential(request.headers)
    limit(endpoint, request, reply, credential, handling.rate_limit)
    if (endpoint.scope !== 'public' && !credential) throw unauthenticated()
    const business = endpoint.scope === 'business' ? businessOf(request) : null
    const business_id = typeof business === 'string' ? business : null
    const context = contextOf(request)
    const inTransaction = <T>(work: (tx: Tx) => Promise<T>, read_only = endpoint.method === 'GET') =>
      transact(handling.database, { business_id, read_only, request: context }, (opening) =>
        credential && endpoint.scope !== 'public' ? enter(endpoint, handling.gate, credential, business, opening, work) : work(opening.tx))
    if (checks.form && isForm(request)) {
      // Who may not call is told so before the files are taken in.
      await inTransaction(() => Promise.resolve(), true)
      request.form = await receiveForm(request, handling.max_file_bytes)
    }
    let refused = true
    try {
      const answer = route.steps ? await serveInSteps(route, checks, request, inTransaction) : await inTransaction((tx) => serve(route, checks, request, tx))
      if (answer instanceof Refusal) throw answer
      refused = false
      reply.headers(context.reply_headers)
      return send(reply, answer, { read: inTransaction, last_event_id: lastEventId(request), closing: handling.closing })
    } finally {
      request.form?.release()
      if (credential) handling.gate.answered(endpoint, credential, business_id, refused, handling.database.clock)
    }
  }
}

/** The fields of a form: the body but for the members that carry its file. */
function withoutFile({ properties: { file_name: _name, content_base64: _content, ...properties } }: TObject): TObject {
  return Type.Object(properties)
}

function lastEventId(request: Arrival): string | null {
  const header = request.headers['last-event-id']
  return typeof header === 'string' ? header : null
}

function limit(endpoint: Endpoint, request: Arrival, reply: FastifyReply, credential: Credential | null, rate_limit: RateLimit): void {
  const caller = credential ? credential.hash.toString('latin1') : request.ip
  const narrow = endpoint.limit_per_minute ? rate_limit(counted(endpoint, request, endpoint.limit_per_minute), endpoint.limit_per_minute) : null
  const verdict = narrow?.allowed === false ? narrow : rate_limit(caller)
  reply.header('ratelimit-limit', verdict.limit).header('ratelimit-remaining', verdict.remaining).header('ratelimit-reset', verdict.reset_seconds)
  if (!verdict.allowed) throw tooMany('Too many requests. Slow down and try again.', verdict.reset_seconds)
}

function counted({ id, by_link }: Endpoint, { params, ip }: Arrival, per_minute: number): string {
  return by_link ? linkCaller(params[by_link] ?? '', ip, per_minute) : `${id} ${ip}`
}

/** The business of a call: in the path where the path names one, else in the header. */
function businessOf(request: Arrival): string | Refusal {
  const in_path = request.params['business_id']
  const header = request.headers['x-business-id']
  const in_header = Array.isArray(header) ? header[0] : header
  if (in_header === undefined && in_path === undefined) return invalid('The header x-business-id is missing: send the id of the business this call acts on.')
  const problems: Problem[] = []
  if (in_path !== undefined && !isUuid(in_path)) problems.push({ loc: ['path', 'business_id'], msg: 'Must be a UUID.', type: 'uuid_parsing' })
  if (in_header !== undefined && !isUuid(in_header)) problems.push({ loc: ['header', 'x-business-id'], msg: 'Must be a UUID.', type: 'uuid_parsing' })
  if (problems.length > 0) return unprocessable(problems)
  if (in_path !== undefined && in_header !== undefined && in_path.toLowerCase() !== in_header.toLowerCase()) {
    return invalid('The header x-business-id names another business than the path. Leave the header out or make them equal.')
  }
  return (in_path ?? in_header ?? '').toLowerCase()
}

function contextOf(request: Arrival): RequestContext {
  const write = request.method !== 'GET'
  return {
    request_id: request.id,
    ip: request.ip,
    user_agent: request.headers['user-agent'] ?? null,
    dry_run: isDryRun(request),
    if_match: write ? request.headers['if-match'] ?? null : null,
    keyed: write && request.headers['idempotency-key'] !== undefined,
    override_reason: overrideReason(request),
    share_access: shareAccess(request),
    reply_headers: {},
  }
}

function isDryRun(request: Arrival): boolean {
  return request.method !== 'GET' && request.query['dry_run'] === 'true'
}

/** Cut rather than refused: what counts is that a reason was given. */
function overrideReason(request: Arrival): string | null {
  const header = request.headers['x-override-reason']
  return typeof header === 'string' && header.trim() !== '' ? header.trim().slice(0, 500) : null
}

/**
 * Works as whoever calls. A caller seen before is expected to be who they were: the work starts at once, so that its first
 * statements travel with the look-up, and counts only if the look-up agrees. If it does not, it fails as out of date, and
 * everything runs again.
 */
async function enter<T>(endpoint: Endpoint, gate: Gate, credential: Credential, business: string | Refusal | null, opening: Opening, work: (tx: Tx) => Promise<T>): Promise<T> {
  const { expected, confirmed } = gate.identify(opening.tx, credential, typeof business === 'string' ? business : null)
  const workAs = async (entry: Entry): Promise<T> => {
    // A wrong business header is told only to a caller who is somebody.
    if (business instanceof Refusal) throw business
    gate.authorise(endpoint, credential, entry)
    return work(entry.business ? opening.asBusiness(entry.actor, entry.business) : opening.asUser(entry.actor))
  }
  if (!expected) return workAs(await confirmed)
  const [identity, outcome] = await Promise.allSettled([confirmed, workAs(expected)])
  if (identity.status === 'rejected') throw identity.reason
  if (outcome.status === 'rejected') throw outcome.reason
  return outcome.value
}

function shareAccess(request: Arrival): string | null {
  const header = request.headers['x-share-access']
  return typeof header === 'string' && header.length <= 500 ? header : null
}

type InTransaction = <T>(work: (tx: Tx) => Promise<T>, read_only?: boolean) => Promise<T>
type AnySteps = Steps<Tx, unknown, unknown, unknown, unknown>

/** Read, call, write: no connection is held while somebody outside is asked. */
async function serveInSteps(route: Route, checks: Checks, request: Arrival, inTransaction: InTransaction): Promise<Answer> {
  const { read, call, rehearse, write } = route.steps as unknown as AnySteps
  const prepared = await inTransaction(async (tx) => {
    const input = route.endpoint.inbound ? messageOf(request) : checkInput(checks, request)
    const claim = claimOf(route.endpoint, request, tx)
    const stored = claim ? await findKept(tx, claim) : null
    return stored ? { stored, plan: null, surroundings: tx.surroundings } : { stored: null, plan: await read(tx, input), surroundings: tx.surroundings }
  }, true)
  if (prepared.stored) return { ...prepared.stored, headers: { 'idempotent-replayed': 'true' }, unchanged: false }
  const found = isDryRun(request) ? (await rehearse?.(prepared.surroundings, prepared.plan)) ?? null : await call(prepared.surroundings, prepared.plan)
  const last: Route = { ...route, run: ((tx: Tx, input: unknown) => write(tx, input, prepared.plan, found)) as unknown as Route['run'] }
  return inTransaction((tx) => serve(last, checks, request, tx), false)
}

async function serve(route: Route, checks: Checks, request: Arrival, tx: Tx): Promise<Answer> {
  const { endpoint } = route
  if (endpoint.inbound) return serveMessage(route, request, tx)
  request.caller = { business_id: tx instanceof BusinessTx ? tx.business_id : null, user_id: tx.actor.user_id }
  const input = checkInput(checks, request)
  const claim = claimOf(endpoint, request, tx)
  const stored = claim ? await claimKey(tx, claim) : null
  if (stored) return { ...stored, headers: { 'idempotent-replayed': 'true' }, unchanged: false }

  const run = route.run as (tx: Tx, input: unknown) => Promise<unknown>
  const data = await run(tx, input)
  if (data instanceof Download || data instanceof Stream || data instanceof Refusal) return data
  const status = endpoint.method === 'POST' ? 201 : 200
  if (tx.isLate && claim) throw new Error(`${endpoint.id}: an answer that is kept cannot wait for the end of its transaction.`)
  const answer = { status, body: tx.isLate ? () => envelope(data) : envelope(data) }
  if (claim && !tx.request.dry_run) keepAnswer(tx, claim, answer as StoredAnswer)
  const tag = tagOf(data)
  return { ...answer, headers: tag === null ? {} : { etag: tag }, unchanged: tag !== null && request.method === 'GET' && !endpoint.live && isAmong(tag, request.headers['if-none-match']) }
}

/** A signed message answers for itself: whoever sent it wants to know only that it was taken. */
async function serveMessage({ run }: Route, request: Arrival, tx: Tx): Promise<Answer> {
  const take = run as unknown as (tx: Tx, message: Message) => Promise<unknown>
  const data = await take(tx, messageOf(request))
  return data instanceof Refusal ? data : { status: 200, body: JSON.stringify(data), headers: {}, unchanged: false }
}

function messageOf({ body, headers }: Arrival): Message {
  return { body: body ?? Buffer.alloc(0), headers }
}

function checkInput(checks: Checks, request: Arrival): { params: unknown; query: unknown; body: unknown; files: readonly GivenFile[] } {
  const params = checks.params(request.params)
  const query = checks.query(request.query)
  const body = checks.form && request.form ? checks.form(request.form.fields) : checks.body ? checkBody(checks.body, request) : { value: null, problems: [] }
  const problems = [...params.problems, ...query.problems, ...body.problems]
  if (problems.length > 0) throw unprocessable(problems)
  const files = request.form?.files ?? (checks.form ? fileIn(body.value as Partial<FileBody>, checks.max_file_bytes) : [])
  return { params: params.value, query: query.value, body: body.value, files }
}

type FileBody = { file_name: string; content_base64: string }

/** Where a body may do without its file, none is fine. */
function fileIn({ file_name, content_base64 }: Partial<FileBody>, max_file_bytes: number): GivenFile[] {
  return content_base64 === undefined ? [] : [fileOf({ file_name: file_name ?? '', content_base64 }, max_file_bytes)]
}

function fileOf({ file_name, content_base64 }: FileBody, max_file_bytes: number): GivenFile {
  const packed = content_base64.replaceAll(/\s+/g, '')
  if (packed.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(packed)) {
    throw unprocessable([{ loc: ['body', 'content_base64'], msg: 'Must be base64.', type: 'value_error' }])
  }
  const content = Buffer.from(packed, 'base64')
  if (content.length > max_file_bytes) throw tooLarge(`A file may have at most ${mebibytes(max_file_bytes)}.`)
  return { name: file_name, content }
}

function checkBody(check: Check, request: Arrival) {
  const wrong = (problem: Problem) => ({ value: null, problems: [problem] })
  const raw = request.body
  const type = request.headers['content-type']
  if (raw === null || raw === undefined || raw.length === 0) {
    // A body whose members are all optional may be left out altogether.
    const empty = check({})
    return empty.problems.length === 0 ? empty : wrong(bodyProblem('missing', 'A JSON body is required.'))
  }
  if (!type || !/^application\/(?:[\w.+-]+\+)?json\b/i.test(type)) return wrong(bodyProblem('json_invalid', 'The body must be JSON with content-type application/json.'))
  try {
    return check(JSON.parse(raw.toString('utf8')))
  } catch {
    return wrong(bodyProblem('json_invalid', 'The body is not valid JSON.'))
  }
}

function claimOf(endpoint: Endpoint, request: Arrival, tx: Tx): Claim | null {
  const key = request.headers['idempotency-key']
  if (endpoint.method === 'GET' || typeof key !== 'string' || tx.actor.user_id === null) return null
  if (key.length < 1 || key.length > 255) {
    throw unprocessable([{ loc: ['header', 'idempotency-key'], msg: 'Must have 1 to 255 characters.', type: 'string_too_long', ctx: { max_length: 255 } }])
  }
  const user_id = tx.actor.user_id
  const scope = tx instanceof BusinessTx ? tx.business_id : user_id
  return { scope, user_id, key, fingerprint: fingerprintOf(tx.surroundings.encryption_key, request.method, request.url, request.form?.fingerprint ?? request.body), secret: endpoint.secret }
}

function envelope(data: unknown): string {
  return JSON.stringify({ success: true, message: null, code: null, data: data ?? null })
}

function tagOf(data: unknown): string | null {
  const version = (data as { version?: unknown } | null)?.version
  return typeof version === 'number' ? etag(version) : null
}

/** A proxy may have made the tag weak, and a cache may hold several. */
function isAmong(tag: string, if_none_match: string | undefined): boolean {
  if (if_none_match === undefined || if_none_match === tag) return if_none_match !== undefined
  return if_none_match.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === tag)
}

function send(reply: FastifyReply, answer: Exclude<Answer, Refusal>, streaming: StreamOptions): unknown {
  if (answer instanceof Download) return sendDownload(reply, answer, streaming.read as Channel<BusinessTx>['read'])
  if (answer instanceof Stream) return sendEvents(reply, answer, streaming)
  reply.headers(answer.headers)
  return answer.unchanged ? reply.code(304).send() : reply.code(answer.status).type('application/json; charset=utf-8').send(typeof answer.body === 'string' ? answer.body : answer.body())
}
