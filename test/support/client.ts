// A client as an integrator would write one. Every answer it receives is held against the published description.
import { checkAnswer } from './check.ts'
import { service } from './service.ts'

export type Answer<Data = any> = { status: number; headers: Headers; body: any; data: Data; detail: any }

export type Call = {
  token?: string | null
  business_id?: string | null
  body?: unknown
  /** Sent as it is, instead of `body`. */
  raw?: string | Buffer
  query?: Record<string, string | number | boolean | string[]>
  headers?: Record<string, string>
  url?: string
}

export type Client = {
  token: string | null
  business_id: string | null
  get(path: string, query?: Call['query'], call?: Call): Promise<Answer>
  post(path: string, body?: unknown, call?: Call): Promise<Answer>
  put(path: string, body?: unknown, call?: Call): Promise<Answer>
  patch(path: string, body?: unknown, call?: Call): Promise<Answer>
  delete(path: string, call?: Call): Promise<Answer>
  call(method: string, path: string, call?: Call): Promise<Answer>
}

export function client(token: string | null = null, business_id: string | null = null, url?: string): Client {
  const call = (method: string, path: string, options: Call = {}) => request(method, path, { token, business_id, ...(url ? { url } : {}), ...options })
  return {
    token,
    business_id,
    call,
    get: (path, query, options) => call('GET', path, { ...options, ...(query ? { query } : {}) }),
    post: (path, body, options) => call('POST', path, { ...options, body }),
    put: (path, body, options) => call('PUT', path, { ...options, body }),
    patch: (path, body, options) => call('PATCH', path, { ...options, body }),
    delete: (path, options) => call('DELETE', path, options),
  }
}

async function request(method: string, path: string, call: Call): Promise<Answer> {
  const base = call.url ?? (await service()).url
  const payload = call.raw ?? (call.body === undefined ? undefined : JSON.stringify(call.body))
  const response = await fetch(`${base}/api/v1${path}${queryText(call.query)}`, {
    method,
    headers: {
      ...(call.token ? { authorization: `Bearer ${call.token}` } : {}),
      ...(call.business_id ? { 'x-business-id': call.business_id } : {}),
      ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
      ...call.headers,
    },
    ...(payload === undefined ? {} : { body: payload as never }),
    redirect: 'manual',
  })
  const text = await response.text()
  const json = response.headers.get('content-type')?.startsWith('application/json') ? JSON.parse(text) : null
  checkAnswer(method, path, response, json)
  return { status: response.status, headers: response.headers, body: json ?? text, data: json?.data, detail: json?.detail }
}

function queryText(query: Call['query'] = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => [value].flat().map((item): [string, string] => [name, String(item)]))
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
}
