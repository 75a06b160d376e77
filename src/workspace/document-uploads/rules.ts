// What an upload must say, and what may follow on a document as its next version.
import type { GivenFile } from '../../foundation/endpoint.ts'
import { invalid, unprocessable } from '../../foundation/refusal.ts'
import type { StoredFile } from '../document-files/operations.ts'

export function requireFiles(files: readonly GivenFile[], most: number): void {
  if (files.length === 0) throw invalid('The form holds no file: send at least one.')
  if (files.length > most) throw invalid(`Send ${most === 1 ? 'one file' : `at most ${most} files`} at a time.`)
}

export function requireOneName(name: string | undefined, count: number): void {
  if (name !== undefined && count > 1) throw invalid('A name can be given to one file only: leave it out, and each file keeps its own.')
}

type Given = { resource_type?: string; resource_id?: string }

/** Where to attach; half of it is a mistake. */
export function placeOf({ resource_type, resource_id }: Given): { resource_type: string; resource_id: string } | null {
  if (resource_type !== undefined && resource_id !== undefined) return { resource_type, resource_id }
  if (resource_type === undefined && resource_id === undefined) return null
  const missing = resource_type === undefined ? 'resource_type' : 'resource_id'
  throw unprocessable([{ loc: ['body', missing], msg: 'Field required where the other of resource_type and resource_id is given.', type: 'missing' }])
}

type Current = { name: string; content_type: string; sha256: string }

/** A version is another state of the same paper. */
export function requireNewVersion(document: Current, file: Pick<StoredFile, 'name' | 'content_type' | 'sha256'>): void {
  if (file.content_type !== document.content_type) {
    throw invalid(`${file.name} is of another kind than ${document.name}: upload it as a document of its own.`)
  }
  if (file.sha256 === document.sha256) throw invalid(`${file.name} is the same file as the current version of ${document.name}.`)
}
