// Reads documents as text, each for as long as it may take, in processes that may read their own program files and nothing else.
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { dirname, join, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Digest, Order, Told } from './child.ts'
import type { ReadDocument } from './document.ts'

export type GivenDocument = { name: string; content: Buffer }

/** So many at once: each takes a processor and some hundred megabytes. */
const MOST_READERS = 2

/** The longest that one document may take. */
const DOCUMENT_MS = 180_000

/** `digests` has what the digest made of each part. */
export type Digested<T> = ReadDocument & { digests: T[] }

/** What was read of each document; null where the time was over before its turn came. */
export async function readDocuments<T = never>(
  documents: readonly GivenDocument[], time_limit_ms: number, digest: Digest | null = null,
): Promise<(Digested<T> | null)[]> {
  const results: (Digested<T> | null)[] = documents.map(() => null)
  const ending = AbortSignal.timeout(time_limit_ms)
  const done = await takeTurn(ending)
  if (!done) return results
  try {
    for (;;) {
      const rest = documents.flatMap(({ name, content }, index): Order['documents'] => (results[index] ? [] : [{ index, name, content }]))
      if (rest.length === 0 || ending.aborted) return results
      const broken = await readSome({ documents: rest, digest }, results, ending)
      // Whatever a document did to the process that read it, the ones behind it are read by another.
      if (broken) {
        const warning = `${documents[broken.index]?.name} could not be read: it takes more ${broken.lacking} than a document may.`
        results[broken.index] = { kind: 'unknown', parts: [], digests: [], warnings: [warning] }
      }
    }
  } finally {
    done()
  }
}

/** One process for these documents: the one it broke off at, or null where it came to the end or its time did. */
async function readSome<T>(order: Order, results: (Digested<T> | null)[], ending: AbortSignal): Promise<{ index: number; lacking: 'memory' | 'time' } | null> {
  const child = startConfined('./child.ts')
  const stop = () => child.kill('SIGKILL')
  let current = order.documents[0]?.index ?? null
  let failure: unknown = null
  let late = false
  const watch = setTimeout(() => {
    late = true
    stop()
  }, DOCUMENT_MS)
  child.on('message', (told: Told) => {
    watch.refresh()
    if ('begun' in told) current = told.begun
    else [results[told.done], current] = [{ ...told.read, digests: told.digests as T[] }, null]
  })
  child.on('error', (error) => { failure = error })
  ending.addEventListener('abort', stop)
  try {
    child.send(order, (error) => { failure ??= error })
    await once(child, 'close')
  } finally {
    clearTimeout(watch)
    ending.removeEventListener('abort', stop)
    stop()
  }
  if (failure && !ending.aborted && child.pid === undefined) throw failure
  return ending.aborted || current === null ? null : { index: current, lacking: late ? 'time' : 'memory' }
}

/** A process for one of the programs of this folder, which can read what it needs to run, and nothing else. */
export function startConfined(program: './child.ts' | './drawing-child.ts'): ChildProcess {
  const folder = import.meta.dirname
  return fork(fileURLToPath(new URL(program, import.meta.url)), [], {
    execArgv: ['--permission', '--allow-worker', ...readable(folder).map((path) => `--allow-fs-read=${path}`), '--max-old-space-size=600', '--no-warnings'],
    // Not even the names of our settings; Windows starts nothing without this one.
    env: process.platform === 'win32' ? { SystemRoot: process.env['SystemRoot'] } : {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
}

/** The sources of the program, and where its packages are. */
function readable(folder: string): string[] {
  const sources = dirname(dirname(folder))
  const packages = resolve(createRequire(import.meta.url).resolve('unpdf')).split(`${sep}node_modules${sep}`)[0] ?? folder
  return [join(sources, sep), join(packages, 'node_modules', sep), join(dirname(sources), 'package.json'), join(packages, 'package.json')]
}

let reading = 0
const waiting: (() => void)[] = []

/** The way to end the turn, or null where the time was over before it came. */
export async function takeTurn(ending: AbortSignal): Promise<(() => void) | null> {
  const end = () => {
    const next = waiting.shift()
    if (next) next()
    else reading -= 1
  }
  if (reading < MOST_READERS) {
    reading += 1
    return end
  }
  return new Promise((decide) => {
    const take = () => decide(end)
    waiting.push(take)
    ending.addEventListener('abort', () => {
      const place = waiting.indexOf(take)
      if (place < 0) return
      waiting.splice(place, 1)
      decide(null)
    }, { once: true })
  })
}
