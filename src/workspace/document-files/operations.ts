// Files on their way in and out: looked at, kept under the address of their content, and read again. None of this happens inside a transaction.
import { createHash } from 'node:crypto'
import type { Surroundings } from '../../foundation/database/context.ts'
import type { GivenFile } from '../../foundation/endpoint.ts'
import { invalid } from '../../foundation/refusal.ts'
import { cleanName, FORMATS, requireFormat, type Format } from './rules.ts'

/** A file that was looked at. */
export type CheckedFile = { name: string; format: Format; content_type: string; size: number; sha256: string; content: Buffer }

/** A file whose bytes lie in the storage since `stored_after`, or were to lie there in a dry run. */
export type StoredFile = Omit<CheckedFile, 'content'> & { stored_after: string }

/** Refuses a file that is empty, harmful, of a kind that is not taken, or not what its name says. */
export async function checkFile({ scanner }: Pick<Surroundings, 'scanner'>, given: GivenFile): Promise<CheckedFile> {
  const name = cleanName(given.name)
  const format = await requireFormat(name, given.content)
  const harm = await scanner(given.content)
  if (harm !== null) throw invalid(`${name} is harmful and was not kept: it holds ${harm}.`)
  const sha256 = createHash('sha256').update(given.content).digest('hex')
  return { name, format, content_type: FORMATS[format].content_type, size: given.content.length, sha256, content: given.content }
}

/** Where files of this business go, and when that was asked: bytes that were in place before may be on their way out. */
export type StoragePlan = { business_id: string; now: string; files: readonly GivenFile[] }

/** Looks at files and keeps their bytes; `rehearse` only looks. Bytes that no document comes to name are removed by a job. */
export async function storeFiles(surroundings: Surroundings, { business_id, now, files }: StoragePlan, rehearse = false): Promise<StoredFile[]> {
  const checked: CheckedFile[] = []
  // All are looked at before the first is kept.
  for (const file of files) checked.push(await checkFile(surroundings, file))
  if (!rehearse) for (const { sha256, content } of checked) await surroundings.storage.put({ business_id, sha256 }, content)
  return checked.map(({ content: _content, ...file }) => ({ ...file, stored_after: now }))
}

type MadeFile = { business_id: string; now: string; name: string; format: Format; content: Buffer }

/** Keeps a file that the service itself has made: it knows what is in it and need not look. */
export async function storeMade({ storage }: Pick<Surroundings, 'storage'>, { business_id, now, name, format, content }: MadeFile): Promise<StoredFile> {
  const sha256 = createHash('sha256').update(content).digest('hex')
  await storage.put({ business_id, sha256 }, content)
  return { name: cleanName(name), format, content_type: FORMATS[format].content_type, size: content.length, sha256, stored_after: now }
}
