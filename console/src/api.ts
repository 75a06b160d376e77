// The one way to the API: typed by its own description, with the session's cookie, the proof against forged writes and the chosen business.
import createClient, { type Middleware } from 'openapi-fetch'
import type { paths, Schemas } from './api-types.ts'

export type { Schemas }

const CSRF = 'daybook.csrf'
const BUSINESS = 'daybook.business'

/** What the API has refused, in its own words; `problems` by field where the shape was wrong. */
export class ApiError extends Error {
  readonly status: number
  readonly problems: readonly { loc: (string | number)[]; msg: string }[]
  constructor(status: number, message: string, problems: ApiError['problems'] = []) {
    super(message)
    this.status = status
    this.problems = problems
  }
}

/** Asking again would give the same answer. */
export const isFinal = (error: unknown): boolean => error instanceof ApiError && error.status < 500 && error.status !== 429

export const remembered = {
  get business_id(): string | null {
    return localStorage.getItem(BUSINESS)
  },
  set business_id(id: string | null) {
    if (id === null) localStorage.removeItem(BUSINESS)
    else localStorage.setItem(BUSINESS, id)
  },
  /** Worth nothing without the cookie, which scripts cannot read. */
  set csrf_token(token: string | null) {
    if (token === null) localStorage.removeItem(CSRF)
    else localStorage.setItem(CSRF, token)
  },
}

const ours: Middleware = {
  onRequest({ request, schemaPath }) {
    const csrf = localStorage.getItem(CSRF)
    if (csrf && request.method !== 'GET') request.headers.set('x-csrf-token', csrf)
    const business_id = remembered.business_id
    if (business_id && !schemaPath.includes('{business_id}') && !request.headers.has('x-business-id')) request.headers.set('x-business-id', business_id)
    return request
  },
  async onResponse({ response }) {
    if (response.ok) return undefined
    throw await refusalOf(response)
  },
  onError: () => unreachable(),
}

const unreachable = () => new ApiError(503, 'The service cannot be reached. Nothing was lost: try again in a moment.')

async function refusalOf(response: Response): Promise<ApiError> {
  const body = (await response.json().catch(() => ({}))) as { detail?: string | { loc: (string | number)[]; msg: string }[] }
  if (Array.isArray(body.detail)) return new ApiError(
    response.status, body.detail.map(({ loc, msg }) => `${loc.slice(1).join('.')}: ${msg}`).join(' '), body.detail
  )
  return new ApiError(response.status, body.detail ?? `The service answered ${response.status}.`)
}

const client = createClient<paths>({ baseUrl: '/', credentials: 'same-origin', querySerializer: { array: { style: 'form', explode: true } } })
client.use(ours)
export const api = client

/** What is inside the envelope. */
type Enveloped<Body> = Body extends { data?: infer Data } ? NonNullable<Data> : never

export async function dataOf<Body>(call: Promise<{ data?: Body }>): Promise<Enveloped<Body>> {
  const { data } = await call
  return (data as { data: Enveloped<Body> }).data
}

/** What is no JSON, as it comes: a file, or a stream that goes on. */
export async function read(path: string, headers: Record<string, string> = {}, signal?: AbortSignal): Promise<Response> {
  const business: Record<string, string> = remembered.business_id ? { 'x-business-id': remembered.business_id } : {}
  const response = await fetch(path, { credentials: 'same-origin', headers: { ...business, ...headers }, ...(signal ? { signal } : {}) })
  if (!response.ok) throw await refusalOf(response)
  return response
}

const asked = (path: string): Promise<Response> =>
  fetch(path, { credentials: 'same-origin', headers: remembered.business_id ? { 'x-business-id': remembered.business_id } : {} })

/** The content of a file, to be shown. */
export async function contentOf(path: string): Promise<Blob> {
  const response = await asked(path)
  if (!response.ok) throw await refusalOf(response)
  return response.blob()
}

/** A file: through a link, so that the browser saves it under the name that the service gives. */
export async function download(path: string): Promise<void> {
  const response = await asked(path)
  if (!response.ok) throw await refusalOf(response)
  const name = /filename="?([^";]+)/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? 'download'
  const url = URL.createObjectURL(await response.blob())
  Object.assign(document.createElement('a'), { href: url, download: name }).click()
  URL.revokeObjectURL(url)
}

/** Sends a form with files and tells how far it is, from 0 to 1; only this way the browser says so. */
export function upload<Data>(path: string, form: FormData, on_progress: (part: number) => void): Promise<Data> {
  return new Promise((done, failed) => {
    const sent = new XMLHttpRequest()
    sent.open('POST', path)
    sent.setRequestHeader('x-csrf-token', localStorage.getItem(CSRF) ?? '')
    if (remembered.business_id) sent.setRequestHeader('x-business-id', remembered.business_id)
    sent.upload.addEventListener('progress', ({ loaded, total }) => on_progress(total > 0 ? loaded / total : 0))
    sent.addEventListener('error', () => failed(unreachable()))
    sent.addEventListener('load', () => {
      if (sent.status < 300) done((JSON.parse(sent.responseText) as { data: Data }).data)
      else void refusalOf(new Response(sent.responseText, { status: sent.status })).then(failed)
    })
    sent.send(form)
  })
}
