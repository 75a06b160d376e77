// The one way to say no: an answer with a status and a detail, thrown from anywhere and turned into a reply at the door.

export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: number
  readonly detail: string
  readonly headers?: Record<string, string>
  readonly problems?: Problem[]
  /** Where a standard has its own shape for errors: sent instead of the detail. */
  readonly body?: object

  constructor(status: number, detail: string, more: { headers?: Record<string, string>; problems?: Problem[]; body?: object } = {}) {
    // A refusal is an ordinary answer; walking the stack for each would cost more than the check that led to it.
    const limit = Error.stackTraceLimit
    Error.stackTraceLimit = 0
    super(detail)
    Error.stackTraceLimit = limit
    this.status = status
    this.detail = detail
    if (more.headers) this.headers = more.headers
    if (more.problems) this.problems = more.problems
    if (more.body) this.body = more.body
  }
}

export type Problem = {
  loc: (string | number)[]
  msg: string
  type: ProblemType
  input?: object
  ctx?: object
}

export type ProblemType = (typeof PROBLEM_TYPES)[number]

export const PROBLEM_TYPES = [
  'missing',
  'string_type',
  'int_type',
  'bool_type',
  'list_type',
  'object_type',
  'enum',
  'uuid_parsing',
  'date_parsing',
  'datetime_parsing',
  'greater_than_equal',
  'less_than_equal',
  'string_too_short',
  'string_too_long',
  'json_invalid',
  'value_error',
] as const

export function refusalBody(refusal: Refusal): object {
  return refusal.body ?? { detail: refusal.problems ?? refusal.detail }
}

export function invalid(detail: string): Refusal {
  return new Refusal(400, detail)
}

export function unauthenticated(detail = 'Authentication is required: send a valid bearer token.'): Refusal {
  return new Refusal(401, detail, { headers: { 'www-authenticate': 'Bearer' } })
}

export function forbidden(detail: string): Refusal {
  return new Refusal(403, detail)
}

export function notFound(what: string): Refusal {
  return new Refusal(404, `${what} not found.`)
}

export function methodNotAllowed(allowed: string[]): Refusal {
  const list = allowed.join(', ')
  return new Refusal(405, `This method is not allowed here; use ${list}.`, { headers: { allow: list } })
}

// Only for an idempotency key whose first request still runs; every other conflict of state is a 400.
export function conflict(detail: string): Refusal {
  return new Refusal(409, detail)
}

export function stale(detail = 'The object has changed since it was read; read it again and repeat the change.'): Refusal {
  return new Refusal(412, detail)
}

export function tooLarge(detail = 'The body is too large.'): Refusal {
  return new Refusal(413, detail)
}

export function unprocessable(problems: Problem[]): Refusal {
  return new Refusal(422, 'The request does not have the expected shape.', { problems })
}

export function tooMany(detail: string, retry_after_seconds: number): Refusal {
  return new Refusal(429, detail, { headers: retryAfter(retry_after_seconds) })
}

export function unavailable(detail: string, retry_after_seconds: number): Refusal {
  return new Refusal(503, detail, { headers: retryAfter(retry_after_seconds) })
}

// The header takes whole seconds, and a client told 0 would come back at once.
function retryAfter(seconds: number): Record<string, string> {
  return { 'retry-after': String(Math.max(1, Math.ceil(seconds))) }
}
