// Reads documents in a process of its own, whose life is short: whatever a hostile file does to it ends with it.
import { Worker } from 'node:worker_threads'
import { openDesk, readDocument, type ReadDocument } from './document.ts'
import type { DocumentPart } from './pages.ts'

/** What becomes of each part, here where nobody else has to wait for it: a function of a module of ours. */
export type Digest = { module: string; name: string; context: unknown }

export type Order = { documents: { index: number; name: string; content: Uint8Array }[]; digest: Digest | null }

/** Told as each document is begun and done, so that nothing that was read is lost when the process is ended. */
export type Told = { begun: number } | { done: number; read: ReadDocument; digests: unknown[] }

const MOST_MEMORY = 1_200_000_000

/**
 * Memory outside the heap has no limit of its own: a second thread looks, and ends the process where it is too much, or where
 * nobody waits any more.
 */
function watchMemory(): void {
  const watch = `const parent = process.ppid
    setInterval(() => {
      if (process.memoryUsage.rss() > ${MOST_MEMORY} || process.ppid !== parent) process.kill(process.pid, 'SIGKILL')
    }, 50)`
  new Worker(watch, { eval: true }).unref()
}

function tell(told: Told): Promise<void> {
  return new Promise((resolve) => process.send?.(told, undefined, undefined, () => resolve()))
}

type Digesting = (part: DocumentPart, context: unknown) => unknown

process.once('message', ({ documents, digest }: Order) => {
  void (async () => {
    watchMemory()
    // Nothing here has a reason to reach out.
    Object.defineProperty(globalThis, 'fetch', { value: undefined })
    const digesting = digest && ((await import(digest.module)) as Record<string, Digesting>)[digest.name]
    const desk = openDesk()
    for (const { index, name, content } of documents) {
      await tell({ begun: index })
      const read = await readDocument(desk, name, Buffer.from(content))
      await tell({ done: index, read, digests: digesting ? read.parts.map((part) => digesting(part, digest.context)) : [] })
    }
    await desk.close()
    process.disconnect()
    process.exit(0)
  })()
})
