// The error a person reads when the database that ships with Daybook cannot start: one sentence, no stack needed.

import { statfs } from 'node:fs/promises'

export class StartError extends Error {
  override name = 'StartError'
}

/** Turns a failure of the file system or the output of a PostgreSQL program into a sentence a person can act on. */
export async function explainFailure(doing: string, folder: string, failure: unknown): Promise<StartError> {
  if (failure instanceof StartError) return failure
  const code = errorCode(failure)
  const text = failure instanceof Error ? failure.message : String(failure)
  if (code === 'ENOSPC' || code === 'EDQUOT' || /No space left on device|Disk quota exceeded|Check free disk space/.test(text) || (await isFull(folder))) {
    return new StartError(`The disk that holds ${folder} is full, so Daybook could not ${doing}; free some space and start again.`)
  }
  if (code === 'EROFS' || /Read-only file system/.test(text)) {
    return new StartError(`The folder ${folder} is on a read-only disk, so Daybook could not ${doing}; choose another data folder.`)
  }
  if (code === 'EACCES' || code === 'EPERM') {
    return new StartError(`Daybook may not write to ${folder}, so it could not ${doing}; give this user the folder or choose another one.`)
  }
  if (code === 'ENOTDIR' || code === 'EEXIST') {
    return new StartError(`The path ${folder} is not a folder, so Daybook could not ${doing}; choose another data folder.`)
  }
  return new StartError(`Daybook could not ${doing} in ${folder}: ${lastWords(text)}`)
}

export function errorCode(failure: unknown): string | undefined {
  return failure instanceof Error && 'code' in failure && typeof failure.code === 'string' ? failure.code : undefined
}

/** A full disk often leaves no message behind, because the message had no room either. */
async function isFull(folder: string): Promise<boolean> {
  const space = await statfs(folder).catch(() => null)
  return space !== null && space.bavail * space.bsize < 64 * 1024
}

/** PostgreSQL says the reason in its first FATAL line; without one the last line is the best there is. */
function lastWords(text: string): string {
  const lines = text.split('\n').map((line) => line.trim()).filter((line) => line !== '')
  const reason = lines.find((line) => /FATAL:|PANIC:|error:/.test(line)) ?? lines.at(-1) ?? 'it gave no reason.'
  return reason.replace(/^.*?(FATAL|PANIC|error):\s*/, '')
}
