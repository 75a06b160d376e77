// Calls to Daybook's own API over HTTP, as any client makes them. What is refused ends the demo with the reason.

/** An answer as it came; the demo reads few fields of it. */
export type Answer = Record<string, unknown> & { id: string }

export type Api = {
  get<T = Answer>(path: string, query?: Record<string, string | number>): Promise<T>
  /** `once` names the write: sent again under the same name within a day, it does nothing and answers the same. */
  post<T = Answer>(path: string, body: unknown, once: string | null): Promise<T>
  put<T = Answer>(path: string, body: unknown, once: string | null): Promise<T>
  patch<T = Answer>(path: string, body: unknown, once: string | null): Promise<T>
  delete(path: string): Promise<void>
  /** The same caller in a business. */
  inside(business_id: string): Api
}

export type Page<Item = Answer> = { items: Item[] }

export function openApi(url: string, token: string | null, business_id: string | null = null): Api {
  const call = async <T>(method: string, path: string, body?: unknown, once: string | null = null): Promise<T> => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(business_id === null ? {} : { 'x-business-id': business_id }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(once === null ? {} : { 'idempotency-key': `demo: ${once}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const answer = (await response.json()) as { data: T; detail?: unknown }
    if (!response.ok) throw new Error(`The demo cannot go on: ${method} ${path} was answered ${response.status}, ${detailOf(answer.detail)}`)
    return answer.data
  }
  return {
    get: (path, query = {}) => {
      const text = new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, String(value)])).toString()
      return call('GET', text === '' ? path : `${path}?${text}`)
    },
    post: (path, body, once) => call('POST', path, body, once),
    put: (path, body, once) => call('PUT', path, body, once),
    patch: (path, body, once) => call('PATCH', path, body, once),
    delete: async (path) => void (await call('DELETE', path)),
    inside: (id) => openApi(url, token, id),
  }
}

function detailOf(detail: unknown): string {
  return typeof detail === 'string' ? detail : JSON.stringify(detail)
}

/** The token in the newest mail to this address that has one, read in the sandbox mailbox. */
export async function mailedToken(api: Api, email: string): Promise<string> {
  const { items } = await api.get<Page<{ text_body: string }>>('/sandbox/mail', { to: email })
  const token = items.map(({ text_body }) => /The token by itself: (\S+)/.exec(text_body)?.[1]).find((found) => found !== undefined)
  if (!token) throw new Error(`The demo cannot go on: no mail with a token came to ${email}.`)
  return token
}
