// The lock that lets one Daybook at a time use a data folder, and survives a crash without anybody's help.

import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { link, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { errorCode, StartError } from './start-error.ts'

/** `born` tells a process from a later one that was given the same number. */
export type Holder = { pid: number; born: string | null }

/** Returns the function that lets the folder go. */
export async function takeLock(data_dir: string): Promise<() => Promise<void>> {
  const path = join(data_dir, 'lock')
  const mine = JSON.stringify({ pid: process.pid, born: await findBirth(process.pid) } satisfies Holder)
  const prepared = `${path}.${randomUUID()}`
  await writeDurably(prepared, mine)
  try {
    // A link either makes the whole file appear or fails: nobody ever reads half a lock.
    while (!(await linkIfFree(prepared, path))) await clearIfDead(path, data_dir)
  } finally {
    await rm(prepared, { force: true })
  }
  return async () => {
    if ((await readFile(path, 'utf8').catch(() => '')) === mine) await rm(path, { force: true })
  }
}

/** The living Daybook that uses the folder, or null. */
export async function findHolder(data_dir: string): Promise<Holder | null> {
  const holder = parseHolder(await readFile(join(data_dir, 'lock'), 'utf8').catch(() => ''))
  return holder && (await isAlive(holder)) ? holder : null
}

/** When a process began, in words that no other process on this machine shares; null where the system does not tell. */
export async function findBirth(pid: number): Promise<string | null> {
  try {
    const status = await readFile(`/proc/${pid}/stat`, 'utf8')
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '')
    // The program's name may hold spaces and brackets, so fields are counted after its last bracket: the start time is field 22.
    const fields = status.slice(status.lastIndexOf(')') + 2).split(' ')
    // A dead process that nobody has collected yet still has an entry.
    return fields[0] === 'Z' || fields[0] === 'X' ? null : `${boot.trim()}:${fields[19]}`
  } catch {
    if (process.platform === 'linux' || process.platform === 'win32') return null
    const answer = await promisify(execFile)('ps', ['-o', 'lstart=', '-p', String(pid)]).catch(() => null)
    return answer?.stdout.trim() || null
  }
}

export function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}

async function isAlive(holder: Holder): Promise<boolean> {
  return processExists(holder.pid) && (await findBirth(holder.pid)) === holder.born
}

async function linkIfFree(prepared: string, path: string): Promise<boolean> {
  try {
    await link(prepared, path)
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  }
}

/** Moves a dead holder's lock away; a lock that changed hands between the look and the move is put back. */
async function clearIfDead(path: string, data_dir: string): Promise<void> {
  const seen = await readFile(path, 'utf8').catch(() => null)
  if (seen === null) return
  const holder = parseHolder(seen)
  if (holder && (await isAlive(holder))) {
    throw new StartError(`Another Daybook (process ${holder.pid}) uses the folder ${data_dir}; stop it or choose another data folder.`)
  }
  const aside = `${path}.${randomUUID()}`
  const moved = await rename(path, aside).then(() => true, () => false)
  if (!moved) return
  if ((await readFile(aside, 'utf8').catch(() => null)) !== seen) await linkIfFree(aside, path)
  await rm(aside, { force: true })
}

function parseHolder(text: string): Holder | null {
  try {
    const value: Partial<Holder> = JSON.parse(text)
    return typeof value.pid === 'number' && value.pid > 0 ? { pid: value.pid, born: value.born ?? null } : null
  } catch {
    return null
  }
}

/** Flushed before it gets its final name, so that a power cut does not leave an empty file behind. */
export async function writeDurably(path: string, text: string, mode = 0o600): Promise<void> {
  const file = await open(path, 'w', mode)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}
