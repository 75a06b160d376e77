// Calls of the API for the pictures, with a token of the demo's advisor.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

export type Api = {
  get<Data>(path: string): Promise<Data>
  post<Data>(path: string, body?: object): Promise<Data>
  /** The id of the document that was made of this text. */
  upload(name: string, text: string): Promise<string>
  /** Waits for the job. */
  ended(job_id: string): Promise<void>
  exported(deck_id: string, format: 'pdf' | 'pptx'): Promise<Buffer>
}

const run = promisify(execFile)

export async function openApi(url: string, env: NodeJS.ProcessEnv, daybook: string): Promise<Api> {
  const { stdout } = await run(daybook, ['token', '--email', 'demo@example.com', '--json'], { env })
  const { token } = JSON.parse(stdout) as { token: string }
  const headers: Record<string, string> = { authorization: `Bearer ${token}` }
  const call = async (path: string, options: RequestInit = {}) => {
    const response = await fetch(`${url}/api/v1${path}`, { ...options, headers: { ...headers, ...options.headers } })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return response
  }
  const dataOf = async <Data>(response: Promise<Response>) => ((await (await response).json()) as { data: Data }).data
  const [business] = (await dataOf<{ items: { id: string }[] }>(call('/businesses'))).items
  headers['x-business-id'] = business?.id ?? ''
  const api: Api = {
    get: (path) => dataOf(call(path)),
    post: (path, body = {}) => dataOf(call(path, { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } })),
    async upload(name, text) {
      const form = new FormData()
      form.append('file', new Blob([text]), name)
      const made = await dataOf<{ id: string } | { id: string }[]>(call('/documents', { method: 'POST', body: form }))
      return [made].flat()[0]?.id ?? ''
    },
    async ended(job_id) {
      await (await call(`/jobs/${job_id}/events`)).text()
    },
    async exported(deck_id, format) {
      const { job_id, document_id } = await api.post<{ job_id: string; document_id: string }>(`/ai-reporting/decks/${deck_id}/export`, { format })
      await api.ended(job_id)
      return Buffer.from(await (await call(`/documents/${document_id}/download`)).arrayBuffer())
    },
  }
  return api
}
