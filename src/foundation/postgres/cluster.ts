// The files of one PostgreSQL server: made whole or not at all, and checked before they are used.

import { randomBytes, randomUUID } from 'node:crypto'
import { chmod, chown, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Account } from './account.ts'
import { type Binaries, runProgram } from './binaries.ts'
import { writeDurably } from './lock.ts'
import { explainFailure, StartError } from './start-error.ts'

export const SUPERUSER = 'postgres'

const INITIAL_SETTINGS = { shared_buffers: '128MB', max_connections: '100', timezone: 'UTC', log_timezone: 'UTC' }

/** Makes the files on the first start; they appear under their final name only when complete. */
export async function prepareCluster(cluster: string, binaries: Binaries, account: Account, password: string): Promise<void> {
  const version = await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(() => null)
  if (version !== null) return requireSameMajor(cluster, Number(version), binaries.major)
  const present = await readdir(cluster).catch(() => [])
  if (present.length > 0) {
    throw new StartError(`The folder ${cluster} holds files but no database; move them away, or restore the folder from a copy.`)
  }
  await removeAttempts(cluster)
  // A name of its own: the program of a start that was killed may still be writing under the old one.
  const partial = `${cluster}.partial-${randomUUID()}`
  await mkdir(partial, { mode: 0o700 })
  await giveTo(account, partial)
  await initialize(partial, binaries, account, password)
  await rm(cluster, { recursive: true, force: true })
  await rename(partial, cluster)
  await syncFolder(dirname(cluster))
}

async function removeAttempts(cluster: string): Promise<void> {
  const names = (await readdir(dirname(cluster))).filter((name) => name.startsWith(`${basename(cluster)}.partial`))
  for (const name of names) await rm(join(dirname(cluster), name), { recursive: true, force: true, maxRetries: 10 })
}

/** Text sorts by its bytes on every platform, so an index never depends on the system's language files; case follows Unicode. */
async function initialize(partial: string, binaries: Binaries, account: Account, password: string): Promise<void> {
  const password_file = `${partial}.password`
  await writeDurably(password_file, password)
  await giveTo(account, password_file)
  try {
    const { code, output } = await runProgram(
      binaries.initdb,
      [
        `--pgdata=${partial}`,
        `--username=${SUPERUSER}`,
        `--pwfile=${password_file}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        '--locale=C',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--data-checksums',
        ...Object.entries(INITIAL_SETTINGS).map(([name, value]) => `--set=${name}=${value}`),
      ],
      dirname(partial),
      account,
    )
    if (code !== 0) throw await explainFailure('create its database', dirname(partial), output)
  } catch (error) {
    await rm(partial, { recursive: true, force: true, maxRetries: 10 })
    throw error
  } finally {
    await rm(password_file, { force: true })
  }
}

/** Written before the database is made, so that a start that broke off in between goes on with the same one. */
export async function readOrMakePassword(data_dir: string): Promise<string> {
  const path = join(data_dir, 'password')
  const kept = (await readFile(path, 'utf8').catch(() => '')).trim()
  if (kept !== '') return kept
  const password = randomBytes(24).toString('hex')
  await writeDurably(`${path}.partial`, password)
  await rename(`${path}.partial`, path)
  await syncFolder(data_dir)
  return password
}

/** Folders that PostgreSQL writes to belong to its account and to nobody else. */
export async function makeFolderFor(account: Account, path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 })
  await chmod(path, 0o700)
  await giveTo(account, path)
}

async function giveTo(account: Account, path: string): Promise<void> {
  if (account.uid !== undefined && account.gid !== undefined) await chown(path, account.uid, account.gid)
}

function requireSameMajor(cluster: string, found: number, expected: number): void {
  if (found === expected) return
  throw new StartError(
    `The database in ${cluster} was made by PostgreSQL ${found}, but this Daybook brings PostgreSQL ${expected}; make a backup with the Daybook that made it and restore that into a new data folder.`,
  )
}

/** A rename is only safe from a power cut once its folder is flushed; Windows does it by itself and refuses the call. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  await folder.sync().finally(() => folder.close())
}
