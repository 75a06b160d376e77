// Reads documents as text, each for as long as it may take, in processes that may read their own program files and nothing else.
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { dirname, join, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Order, Told } from './child.ts'
import type { ReadDocument } from './document.ts'

export type GivenDocument = { name: string; content: Buffer }

/** So many at once: each takes a processor and some hundred megabytes. */
const MOST_READERS = 2

/** What was read of each document; null where the time was over before its turn came. */
export async function readDocuments(documents: readonly GivenDocument[], time_limit_ms: number): Promise<(ReadDocument | null)[]> {
  const results: (ReadDocument | null)[] = documents.map(() => null)
  const ending = AbortSignal.timeout(time_limit_ms)
  const done = await takeTurn(ending)
  if (!done) return results
  try {
    for (;;) {
      const waiting = documents.flatMap(({ name, content }, index): Order => (results[index] ? [] : [{ index, name, content }]))
      if (waiting.length === 0 || ending.aborted) return results
      const broken = await readSome(waiting, results, ending)
      // Whatever a document did to the process that read it, the ones behind it are read by another.
      if (broken !== null) results[broken] = { kind: 'unknown', parts: [], warnings: [`${documents[broken]?.name} could not be read: it takes more memory than a document may.`] }
    }
  } finally {
    done()
  }
}

/** One process for these documents: the one it broke off at, or null where it came to the end or its time did. */
async function readSome(order: Order, results: (ReadDocument | null)[], ending: AbortSignal): Promise<number | null> {
  const child = startReader()
  const stop = () => child.kill('SIGKILL')
  let current = order[0]?.index ?? null
  let failure: unknown = null
  child.on('message', (told: Told) => {
    if ('begun' in told) current = told.begun
    else [results[told.done], current] = [told.read, null]
  })
  child.on('error', (error) => { failure = error })
  ending.addEventListener('abort', stop)
  try {
    child.send(order, (error) => { failure ??= error })
    await once(child, 'close')
  } finally {
    ending.removeEventListener('abort', stop)
    stop()
  }
  if (failure && !ending.aborted && child.pid === undefined) throw failure
  return ending.aborted ? null : current
}

function startReader(): ChildProcess {
  const folder = import.meta.dirname
  return fork(fileURLToPath(new URL('./child.ts', import.meta.url)), [], {
    execArgv: ['--permission', '--allow-worker', ...readable(folder).map((path) => `--allow-fs-read=${path}`), '--max-old-space-size=600', '--no-warnings'],
    // Not even the names of our settings.
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
}

/** This folder, and where the packages are. */
function readable(folder: string): string[] {
  const packages = resolve(createRequire(import.meta.url).resolve('unpdf')).split(`${sep}node_modules${sep}`)[0] ?? folder
  return [join(folder, sep), join(packages, 'node_modules', sep), join(dirname(dirname(dirname(folder))), 'package.json'), join(packages, 'package.json')]
}

let reading = 0
const waiting: (() => void)[] = []

/** The way to end the turn, or null where the time was over before it came. */
async function takeTurn(ending: AbortSignal): Promise<(() => void) | null> {
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
