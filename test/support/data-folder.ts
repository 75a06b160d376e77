// Data folders for the command line: one is made in earnest, the others are copies of it, because making one takes seconds.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { newFolder } from './own.ts'
import { run, type Environment } from './process.ts'

export type DataFolders = { make(): string; remove(): Promise<void> }

/** Each has its schema; none is in use. */
export async function dataFolders(): Promise<DataFolders> {
  const folder = await newFolder()
  const first = join(folder.path, 'first')
  const migrated = await run(['migrate'], { DAYBOOK_DATA: first })
  if (migrated.code !== 0) throw new Error(migrated.err)
  let made = 0
  return {
    make() {
      const copy = join(folder.path, `copy-${++made}`)
      execFileSync('cp', ['-a', first, copy])
      return copy
    },
    remove: folder.remove,
  }
}

export type Made = { token: string; business_id: string; password: string | null }

/** A token as `daybook token` makes it; always the same user and business. */
export async function makeToken(environment: Environment): Promise<Made> {
  const { code, out, err } = await run(['token', '--email', 'ann@example.com', '--business', 'Ann Trading', '--json'], environment)
  if (code !== 0 || err !== '') throw new Error(`No token (${code}): ${err}`)
  return JSON.parse(out)
}
