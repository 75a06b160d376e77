// What is known about the PostgreSQL server process of a folder, and how one that was left behind is cleared away.

import { execFile, spawn } from 'node:child_process'
import { readdir, readFile, readlink } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { findBirth, processExists, writeDurably } from './lock.ts'
import { StartError } from './start-error.ts'

export type Postmaster = { pid: number; ready: boolean }

const FAST_SHUTDOWN_MILLISECONDS = 10_000

/** Reads the server's own pid file: line 1 is the process, line 8 its state. */
export async function readPostmaster(cluster: string): Promise<Postmaster | null> {
  const lines = (await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')
  const pid = Number(lines[0])
  return Number.isInteger(pid) && pid > 0 ? { pid, ready: lines[7]?.trim() === 'ready' } : null
}

/**
 * Called only by the holder of the folder's lock: whatever server still runs here has lost its Daybook.
 * It is stopped cleanly; a process that merely inherited its number is neither touched nor allowed to block the start.
 */
export async function clearLeftovers(cluster: string, pg_ctl: string, log: (message: string) => void): Promise<void> {
  const left = await readPostmaster(cluster)
  if (left && processExists(left.pid)) {
    if (await isServerOf(left.pid, cluster)) {
      log(`A PostgreSQL server (process ${left.pid}) outlived its Daybook; stopping it.`)
      await stopServer(left.pid, cluster, pg_ctl, log)
    } else {
      await disownPidFile(cluster)
    }
  }
  // Sessions of a killed server may be busy with a query for a while and hold its shared memory until they notice.
  for (const pid of await findServerProcesses(cluster)) signal(pid, 'SIGQUIT')
  for (let round = 0; (await findServerProcesses(cluster)).length > 0; round++) {
    if (round === 40) for (const pid of await findServerProcesses(cluster)) signal(pid, 'SIGKILL')
    if (round === 80) throw new StartError(`Processes of an earlier PostgreSQL server still use ${cluster} and do not end; restart the machine.`)
    await wait(50)
  }
}

/** Fast shutdown first: it rolls back what is open and writes a checkpoint; an immediate one only leaves recovery to the next start. */
export async function stopServer(pid: number, cluster: string, pg_ctl: string, log: (message: string) => void): Promise<void> {
  const birth = await findBirth(pid)
  const isGone = async () => !processExists(pid) || (await findBirth(pid)) !== birth
  const isGoneWithin = async (milliseconds: number) => {
    for (const end = Date.now() + milliseconds; Date.now() < end; ) {
      if (await isGone()) return true
      await wait(20)
    }
    return isGone()
  }
  if (process.platform === 'win32') {
    // Windows has no signals; the program that ships with the server speaks its own.
    spawn(pg_ctl, ['stop', '-D', cluster, '-m', 'fast', '-W'], { stdio: 'ignore' }).on('error', () => signal(pid, 'SIGKILL'))
  } else {
    signal(pid, 'SIGINT')
  }
  if (await isGoneWithin(FAST_SHUTDOWN_MILLISECONDS)) return
  log(`PostgreSQL (process ${pid}) did not stop in time; stopping it at once, it will recover at the next start.`)
  signal(pid, 'SIGQUIT')
  if (await isGoneWithin(5_000)) return
  signal(pid, 'SIGKILL')
  if (!(await isGoneWithin(5_000))) throw new StartError(`The PostgreSQL process ${pid} does not end; restart the machine.`)
}

export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // Gone already, which is what was wanted.
  }
}

/** Every server process works in its data folder and runs the program `postgres`; no unrelated process does both. */
async function isServerOf(pid: number, cluster: string): Promise<boolean> {
  if (process.platform === 'linux') {
    const [folder, program] = await Promise.all([readlink(`/proc/${pid}/cwd`).catch(() => ''), readlink(`/proc/${pid}/exe`).catch(() => '')])
    // The kernel marks a program whose file was replaced by an upgrade as deleted.
    return folder === cluster && basename(program.replace(/ \(deleted\)$/, '')) === 'postgres'
  }
  if (process.platform === 'win32') return true
  const answer = await promisify(execFile)('ps', ['-ww', '-o', 'command=', '-p', String(pid)]).catch(() => null)
  return answer !== null && answer.stdout.includes('postgres') && answer.stdout.includes(cluster)
}

async function findServerProcesses(cluster: string): Promise<number[]> {
  if (process.platform !== 'linux') return []
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0)
  const mine = await Promise.all(pids.map((pid) => isServerOf(pid, cluster)))
  return pids.filter((_, index) => mine[index])
}

/**
 * PostgreSQL believes a pid file whose process is alive, unless that process is its own parent.
 * So the file gets our number rather than being deleted: its other lines still guard the old server's shared memory.
 */
async function disownPidFile(cluster: string): Promise<void> {
  const path = join(cluster, 'postmaster.pid')
  const lines = (await readFile(path, 'utf8')).split('\n')
  await writeDurably(path, [String(process.pid), ...lines.slice(1)].join('\n'))
}
