// The lock that lets one Daybook at a time use a data folder, and survives a crash without anybody's help.

import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { link, open, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { errorCode, StartError } from './start-error.ts'

/** `born` tells a process from a later one that was given the same number. */
export type Holder = { pid: number; born: string | null }

/**
 * Takes the folder and returns the function that lets it go. Locks are numbered files, and the highest one counts: whoever
 * finds it dead or let go makes the next number, which only one can. A number is never made twice while it matters, so no
 * lock has to be taken away from anybody, and two starts at the same moment cannot both believe to have won.
 */
export async function takeLock(data_dir: string): Promise<() => Promise<void>> {
  const mine: Holder = { pid: process.pid, born: await findBirth(process.pid) }
  for (;;) {
    const top = await findTop(data_dir)
    if (top.holder && (await isAlive(top.holder))) {
      throw new StartError(`Another Daybook (process ${top.holder.pid}) uses the folder ${data_dir}; stop it or choose another data folder.`)
    }
    const number = top.number + 1
    if (!(await make(data_dir, number, mine))) continue
    // Somebody with an older view of the folder may have made a number that was passed long ago: only the highest counts.
    if ((await findTop(data_dir)).number === number) {
      await removeBelow(data_dir, number)
      return () => letGo(data_dir, number)
    }
    await rm(fileOf(data_dir, number), { force: true })
  }
}

/** The living Daybook that uses the folder, or null. */
export async function findHolder(data_dir: string): Promise<Holder | null> {
  const { holder } = await findTop(data_dir)
  return holder && (await isAlive(holder)) ? holder : null
}

type Top = { number: number; holder: Holder | null }

async function findTop(data_dir: string): Promise<Top> {
  const number = Math.max(0, ...(await lockNumbers(data_dir)))
  const text = number === 0 ? '' : await readFile(fileOf(data_dir, number), 'utf8').catch(() => '')
  return { number, holder: parseHolder(text) }
}

async function lockNumbers(data_dir: string): Promise<number[]> {
  const names = await readdir(data_dir).catch(() => [])
  return names.flatMap((name) => /^lock\.(\d+)$/.exec(name)?.[1] ?? []).map(Number)
}

/** A link either makes the whole file appear or fails: nobody ever reads half a lock. */
async function make(data_dir: string, number: number, holder: Holder | null): Promise<boolean> {
  const prepared = join(data_dir, `lock.${randomUUID()}`)
  await writeDurably(prepared, JSON.stringify(holder))
  try {
    await link(prepared, fileOf(data_dir, number))
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  } finally {
    await rm(prepared, { force: true })
  }
}

/** Leaves the next number, held by nobody: a lower one is never made again. */
async function letGo(data_dir: string, number: number): Promise<void> {
  if (await make(data_dir, number + 1, null)) await removeBelow(data_dir, number + 1)
}

async function removeBelow(data_dir: string, number: number): Promise<void> {
  const passed = (await lockNumbers(data_dir)).filter((other) => other < number)
  for (const other of passed) await rm(fileOf(data_dir, other), { force: true })
}

function fileOf(data_dir: string, number: number): string {
  return join(data_dir, `lock.${number}`)
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

function parseHolder(text: string): Holder | null {
  try {
    const value: Partial<Holder> | null = JSON.parse(text)
    return typeof value?.pid === 'number' && value.pid > 0 ? { pid: value.pid, born: value.born ?? null } : null
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
