// Imports for tests: begun from the text of a file, mapped as suggested, and run.
import type { Client } from './client.ts'
import { runJobs } from './jobs.ts'
import { ok } from './sales.ts'
import { newDocument } from './uploads.ts'

export async function newImport(client: Client, kind: string, content: string | Buffer, more: object = {}, name = `${kind}.csv`): Promise<any> {
  const document = await newDocument(client, name, content)
  return ok(await client.post('/imports', { kind, document_id: document.id, ...more }))
}

/** Mapped as suggested, unless said otherwise. */
export async function mapped(client: Client, kind: string, content: string | Buffer, options: object = {},
  more: { mapping?: object; confirm_duplicate?: boolean } = {}): Promise<any> {
  const { mapping, ...rest } = more
  const made = await newImport(client, kind, content, rest)
  return ok(await client.put(`/imports/${made.id}/mapping`, { mapping: mapping ?? made.suggested_mapping, options }))
}

/** Run to its end by the jobs of the business. */
export async function ranImport(client: Client, kind: string, content: string | Buffer, options: object = {},
  more: { mapping?: object; confirm_duplicate?: boolean } = {}): Promise<any> {
  const { id } = await mapped(client, kind, content, options, more)
  ok(await client.put(`/imports/${id}/run`))
  await runJobs(client.business_id ?? '')
  return ok(await client.get(`/imports/${id}`))
}
