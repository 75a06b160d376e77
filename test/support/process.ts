// The command line as people use it: bin/daybook as a process of its own, with only the settings that a test gives.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

export type Environment = Record<string, string>
export type Ended = { code: number | null; out: string; err: string }

export type Running = {
  pid: number
  /** Where it serves; empty for a worker. */
  url: string
  /** All it has said so far. */
  readonly said: string
  /** Waits until it has said this. */
  says(what: RegExp): Promise<RegExpExecArray>
  signal(name: NodeJS.Signals): void
  ended: Promise<Ended>
}

const BIN = resolve(import.meta.dirname, '../../bin/daybook')
const living = new Set<ChildProcess>()

/** Starts a command and leaves it to itself. */
export function start(argv: string[], environment: Environment): { child: ChildProcess; output: { out: string; err: string }; ended: Promise<Ended> } {
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(BIN, argv, { env: { PATH, HOME, ...environment }, stdio: ['ignore', 'pipe', 'pipe'] })
  living.add(child)
  const output = { out: '', err: '' }
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => (output.out += chunk))
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (output.err += chunk))
  const ended = once(child, 'close').then(([code]) => {
    living.delete(child)
    return { code: code as number | null, ...output }
  })
  return { child, output, ended }
}

/** Runs a command to its end. */
export function run(argv: string[], environment: Environment = {}): Promise<Ended> {
  return start(argv, environment).ended
}

/** Starts a command that stays, and waits until it says that it is ready. */
export async function stay(argv: string[], environment: Environment): Promise<Running> {
  const { child, output, ended } = start(argv, environment)
  const running: Running = {
    pid: child.pid ?? 0,
    url: '',
    get said() {
      return output.out + output.err
    },
    says: async (what) => {
      for (;;) {
        const found = what.exec(output.out + output.err)
        if (found) return found
        // Whichever comes first: more output, or its end.
        const over = await Promise.race([ended, once(child.stdout!, 'data'), once(child.stderr!, 'data')])
        if ('code' in over && !what.test(over.out + over.err)) throw new Error(`It ended with ${over.code} and never said ${what}: ${over.out}${over.err}`)
      }
    },
    signal: (name) => void child.kill(name),
    ended,
  }
  await running.says(/is ready/)
  running.url = /API +(\S+)\/api\/v1/.exec(output.out)?.[1] ?? ''
  return running
}

export function serve(environment: Environment): Promise<Running> {
  return stay(['serve'], environment)
}

/** It has ended, and with 0. */
export async function endedWell(running: Running): Promise<void> {
  const { code, out, err } = await running.ended
  if (code !== 0) throw new Error(`It ended with ${code}: ${out}${err}`)
}

/** Ends politely what a test file has left running. */
export async function endAll(): Promise<void> {
  const children = [...living]
  for (const child of children) child.kill('SIGTERM')
  await Promise.all(children.map((child) => child.exitCode !== null || child.signalCode !== null || once(child, 'close')))
}

/** The process of the embedded PostgreSQL of a data folder. */
export async function postgresOf(data: string): Promise<number> {
  return Number((await readFile(join(data, 'cluster/postmaster.pid'), 'utf8')).split('\n')[0])
}

/** Looks again and again until it is so: for what another process does in its own time. */
export async function until<T>(what: string, look: () => Promise<T | null | undefined | false>, seconds = 20): Promise<T> {
  for (const end = Date.now() + seconds * 1000; Date.now() < end; await pause(25)) {
    const found = await look()
    if (found) return found
  }
  throw new Error(`In ${seconds} seconds it did not happen: ${what}`)
}
