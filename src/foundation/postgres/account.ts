// The system account that PostgreSQL runs as, because it refuses to run as root.

import { execFile, spawn } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { StartError } from './start-error.ts'

const run = promisify(execFile)

/** uid and gid are absent where Daybook itself runs as a normal user: then PostgreSQL runs as that user. */
export type Account = { name: string; uid?: number; gid?: number }

/**
 * A folder that already holds a database decides: changing the account under it would lock PostgreSQL out.
 * Otherwise an account made for databases is preferred to a new one, and a new one to `nobody`, which other programs share.
 */
export async function findAccount(cluster: string): Promise<Account> {
  const owner = await stat(cluster).then((entry) => entry.uid, () => null)
  const self = process.getuid?.()
  if (self === undefined) return { name: 'this user' }
  if (self !== 0) {
    if (owner !== null && owner !== self) {
      throw new StartError(`The database in ${cluster} belongs to the system user ${owner}; run Daybook as that user or as root.`)
    }
    return { name: `user ${self}` }
  }
  if (owner !== null && owner !== 0) {
    const account = await lookUp(String(owner))
    if (account) return account
    throw new StartError(`The database in ${cluster} belongs to the system user ${owner}, who does not exist on this machine; chown it to postgres or nobody.`)
  }
  const account = (await lookUp('postgres')) ?? (await lookUp('daybook')) ?? (await createAccount()) ?? (await lookUp('nobody'))
  if (account) return account
  throw new StartError('PostgreSQL does not run as root, and no user postgres, daybook or nobody exists on this machine; create one of them.')
}

/** Asks the system rather than reading mode bits, so that access lists and security modules count too. */
export function canEnter(folder: string, account: Account): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn('/bin/sh', ['-c', 'cd -- "$1"', 'sh', folder], { uid: account.uid, gid: account.gid, cwd: '/', stdio: 'ignore' })
    child.on('error', () => resolve(false))
    child.on('exit', (code) => resolve(code === 0))
  })
}

async function lookUp(name: string): Promise<Account | null> {
  try {
    const [user, group, label] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name]), run('id', ['-un', name])])
    return { name: label.stdout.trim(), uid: Number(user.stdout), gid: Number(group.stdout) }
  } catch {
    return null
  }
}

/** useradd is there on most Linux systems, adduser with these letters on Alpine; macOS and others fall through to `nobody`. */
async function createAccount(): Promise<Account | null> {
  const attempts: [string, string[]][] = [
    ['useradd', ['--system', '--no-create-home', '--home-dir', '/nonexistent', '--shell', '/usr/sbin/nologin', 'daybook']],
    ['adduser', ['-S', '-D', '-H', 'daybook']],
  ]
  for (const [command, parameters] of attempts) {
    const made = await run(command, parameters).then(() => true, () => false)
    if (made) return lookUp('daybook')
  }
  return null
}
