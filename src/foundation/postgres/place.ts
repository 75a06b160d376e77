// Where the server's files are: in the data folder, or, where root works below a folder closed to others (/root, say), in a
// folder of their own that the data folder remembers.
import { createHash } from 'node:crypto'
import { chmod, mkdir, readFile, realpath, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { canEnter, findAccount } from './account.ts'
import { writeDurably } from './lock.ts'
import { explainFailure } from './start-error.ts'

const ELSEWHERE = '/var/lib/daybook'
const POINTER = 'database-folder'

/** Makes the folder where needed and returns its real path. */
export async function openPlace(data_dir: string, log: (message: string) => void): Promise<string> {
  const folder = await openFolder(data_dir)
  const remembered = await readPointer(folder)
  if (remembered !== null) return openFolder(remembered)
  if (process.getuid?.() !== 0) return folder
  const account = await findAccount(join(folder, 'cluster'))
  if (await canEnter(folder, account)) return folder
  const elsewhere = join(ELSEWHERE, createHash('sha256').update(folder).digest('hex').slice(0, 12))
  log(`The database is kept in ${elsewhere}, because PostgreSQL runs as the user ${account.name}, who may not enter ${folder}.`)
  await writeDurably(join(folder, POINTER), elsewhere)
  return openFolder(elsewhere)
}

/** The folder of an existing database, for commands that only look. */
export async function findPlace(data_dir: string): Promise<string> {
  return (await readPointer(resolve(data_dir))) ?? resolve(data_dir)
}

async function readPointer(folder: string): Promise<string | null> {
  return readFile(join(folder, POINTER), 'utf8').then((text) => text.trim(), () => null)
}

/** Reachable for the account of the server, listable for its owner only. */
async function openFolder(path: string): Promise<string> {
  const folder = resolve(path)
  try {
    await mkdir(folder, { recursive: true, mode: 0o711 })
    const found = await realpath(folder)
    const mode = (await stat(found)).mode & 0o777
    if (process.getuid?.() === 0 && (mode & 0o011) !== 0o011) await chmod(found, mode | 0o011)
    return found
  } catch (error) {
    throw await explainFailure('use it as its data folder', folder, error)
  }
}
