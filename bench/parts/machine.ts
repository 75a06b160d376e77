// Starting what is measured: a database on disk, Daybook as a process of its own, other servers beside it.
import { spawn, type ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '../../src/foundation/database/migrate.ts'
import { startEmbedded } from '../../src/foundation/postgres/embedded.ts'

export type Machine = { folder: string; database_url: string; stop(): Promise<void> }

export async function startMachine(): Promise<Machine> {
  const folder = await mkdtemp(join(tmpdir(), 'daybook-bench-'))
  const postgres = await startEmbedded({ data_dir: folder, log: () => {} })
  await migrate({ url: postgres.url })
  return {
    folder,
    database_url: postgres.url,
    async stop() {
      await postgres.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export type Process = { url: string; pid: number; ready_ms: number; stop(): Promise<void> }

/** A server process; ready when it prints an address. */
export async function startProcess(file: string, environment: Record<string, string>, ...parameters: string[]): Promise<Process> {
  const started = performance.now()
  const [program, first] = file.endsWith('.ts') ? [process.execPath, [file]] : [file, []]
  const child = spawn(program, [...first, ...parameters], { env: { ...process.env, ...environment }, stdio: ['ignore', 'pipe', 'inherit'] })
  // A bench that fails leaves nobody behind.
  const end = () => child.kill('SIGINT')
  process.once('exit', end)
  child.once('exit', () => process.off('exit', end))
  const url = await firstAddress(child)
  return {
    url,
    pid: child.pid ?? 0,
    ready_ms: performance.now() - started,
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGINT')
      await ended
    },
  }
}

export function startDaybook(machine: Machine, environment: Record<string, string> = {}): Promise<Process> {
  return startProcess('bin/daybook', {
    DATABASE_URL: machine.database_url, DAYBOOK_DATA: machine.folder, DAYBOOK_PORT: '0', DAYBOOK_LOG_LEVEL: 'warn', DAYBOOK_RATE_LIMIT: '100000000',
    NODE_COMPILE_CACHE: '.cache/compile', ...environment,
  }, 'serve')
}

/** Processor time in milliseconds that a process has used so far. */
export function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** Resident memory in megabytes. */
export function residentMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}

function firstAddress(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      const address = /https?:\/\/[\d.]+:\d+/.exec(said)?.[0]
      if (address) resolve(address)
    })
    child.once('exit', (code) => reject(new Error(`ended with ${code} before it was ready: ${said}`)))
  })
}
